#!/bin/bash
# Makes the oracle's calls as an agent would, over MCP, then writes its answer.
set -euo pipefail
python3 /solution/solve.py
cp /solution/answer.md %answer_file
