# Sourced by synth.sh and measure.sh: real SERVER COMMAND … adds the options and the command of a real server; app SERVER
# prints the name of its app, which is another one where the farm has an app of the server's name.
base=/tmp/farm-traverse
npm="$base/node_modules/.bin"

app() {
  case "$1" in
    discord) echo guild ;;
    *) echo "$1" ;;
  esac
}

real() {
  server="$1"
  shift
  case "$server" in
    memory) "$@" --reset "rm -f $base/state/memory.jsonl" \
      --env MEMORY_FILE_PATH="$base/state/memory.jsonl" -- "$npm/mcp-server-memory" ;;
    filesystem) "$@" --reset "sh -c 'rm -rf $base/files; mkdir $base/files'" -- \
      "$npm/mcp-server-filesystem" "$base/files" ;;
    sqlite) "$@" --reset "rm -f $base/state/shop.db" -- \
      "$base/python-1/bin/mcp-server-sqlite" --db-path "$base/state/shop.db" ;;
    time) "$@" -- "$base/python-2/bin/mcp-server-time" --local-timezone Europe/Oslo ;;
    slack) "$@" -- python "$here/slack/stand_in.py" "$npm/slack-mcp" ;;
    taskflow) "$@" -- "$base/python-3/bin/mcp-task-flow-pro" ;;
    twisted) "$@" --reset "rm -f $base/state/twisted.jsonl" --env MEMORY_FILE_PATH="$base/state/twisted.jsonl" -- \
      python "$here/twisted/server.py" "$npm/mcp-server-memory" ;;
    discord) "$@" -- python "$here/discord/stand_in.py" "$base/python-discord/bin/python" \
      "$base/mcp-discord/src/discord_mcp/server.py" ;;
    *) echo "no server $server" >&2; exit 1 ;;
  esac
}
