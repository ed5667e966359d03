#!/bin/sh
# Makes the pools beside this file anew: record.sh [SERVER …]. Installs the servers below /tmp/farm-traverse, which also
# stands in the pools as the folder that the filesystem server serves. Needs npm, and .venv/bin on the PATH.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
base=/tmp/farm-traverse
npm="$base/node_modules/.bin"
mkdir -p "$base/files" "$base/state"
cd "$base"

if [ ! -x "$npm/mcp-server-memory" ]; then
  npm install --no-audit --no-fund --silent --prefix "$base" @modelcontextprotocol/server-memory@2026.8.31 \
    @modelcontextprotocol/server-filesystem@2026.8.31 @zencoderai/slack-mcp-server@0.0.1
fi
if [ ! -x "$base/python-2/bin/mcp-server-time" ]; then
  python3 -m venv "$base/python-2"
  "$base/python-2/bin/pip" install --quiet --disable-pip-version-check mcp-server-time==2026.10.19
fi
if [ ! -x "$base/python-1/bin/mcp-server-sqlite" ]; then
  python3 -m venv "$base/python-1"
  # It was written for the first SDK, and does not start with the second.
  "$base/python-1/bin/pip" install --quiet --disable-pip-version-check mcp-server-sqlite==2025.4.25 'mcp<2'
fi
if [ ! -x "$base/python-3/bin/mcp-task-flow-pro" ]; then
  python3 -m venv "$base/python-3"
  "$base/python-3/bin/pip" install --quiet --disable-pip-version-check mcp-task-flow-pro==0.1.0
fi

# record SERVER SEED RESET [OPTION …] -- COMMAND: capture, seeds, provoked failures, pool, hierarchy. Of a few seeds those
# were taken that put the fewest long values into what is read back later: pools in a repository are to be small.
record() {
  server="$1" seed="$2" reset="$3"
  shift 3
  work="$base/recorded/$server"
  rm -rf "$work"
  mkdir -p "$work"
  begun=$(date +%s)
  farm traverse capture --out "$work/seeds" "$@"
  farm traverse seed --from "$here/$server/seeds.jsonl" --out "$work/seeds" --reset "$reset" "$@"
  farm traverse perturb --seeds "$work/seeds" --out "$work/provoked" --sandbox --seed "$seed" --reset "$reset" "$@"
  private="$here/$server/private.toml"
  farm traverse pool "$work/provoked" --out "$here/$server/pool" --redact "$work/stand-ins.json" \
    $([ ! -e "$private" ] || echo --private "$private")
  farm traverse tree "$here/$server/pool" --out "$work/tree"
  echo "$server: $(($(date +%s) - begun)) s"
}

# discord is left out unless it is named: it needs $base/mcp-discord, a checkout of hanweg/mcp-discord at 65d089e, and
# $base/python-discord, an environment with mcp 1.30.0, discord.py 2.4.0 and aiohttp 3.11.11. Its locked mcp 1.1.2 gives
# no answer to arguments that are no object.
for server in "${@:-memory filesystem sqlite time slack taskflow twisted}"; do
  for name in $server; do
    case "$name" in
      memory) record memory 21 "rm -f $base/state/memory.jsonl" \
        --env MEMORY_FILE_PATH="$base/state/memory.jsonl" -- "$npm/mcp-server-memory" ;;
      filesystem) record filesystem 1 "sh -c 'rm -rf $base/files; mkdir $base/files'" -- "$npm/mcp-server-filesystem" "$base/files" ;;
      sqlite) record sqlite 0 "rm -f $base/state/shop.db" -- "$base/python-1/bin/mcp-server-sqlite" --db-path "$base/state/shop.db" ;;
      time) record time 0 true -- "$base/python-2/bin/mcp-server-time" --local-timezone Europe/Oslo ;;
      slack) record slack 0 true -- python "$here/slack/stand_in.py" "$npm/slack-mcp" ;;
      taskflow) record taskflow 0 true -- "$base/python-3/bin/mcp-task-flow-pro" ;;
      twisted) record twisted 3 "rm -f $base/state/twisted.jsonl" \
        --env MEMORY_FILE_PATH="$base/state/twisted.jsonl" -- python "$here/twisted/server.py" "$npm/mcp-server-memory" ;;
      discord) record discord 0 true -- python "$here/discord/stand_in.py" "$base/python-discord/bin/python" \
        "$base/mcp-discord/src/discord_mcp/server.py" ;;
      *) echo "no server $name" >&2; exit 1 ;;
    esac
  done
done
