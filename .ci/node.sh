#!/usr/bin/env bash
# Puts Node 24 and the MCP conformance suite into a cache folder and prints the path of node.
# With them, tests/protocol/test_conformance.py runs; without them it says that it was skipped.
set -euo pipefail

cache="${FARM_CI_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/mcp-farm-ci}"
packages="node@24 @modelcontextprotocol/conformance@0.2.0-alpha.12"

if [ ! -x "$cache/node_modules/node/bin/node" ] || [ ! -e "$cache/node_modules/.bin/conformance" ]; then
  mkdir -p "$cache"
  # shellcheck disable=SC2086 # two words
  npm install --silent --no-fund --no-audit --no-save --prefix "$cache" $packages >&2
fi
echo "$cache/node_modules/node/bin/node"
