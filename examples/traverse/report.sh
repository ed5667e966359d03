#!/bin/sh
# Prints the table of all arms of a server on its held-out calls, and keeps it in report.txt; disagreements.jsonl
# lists those of the app itself: report.sh SERVER. Needs no server.
set -eu
server="$1"
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/servers.sh"
app="$(app "$server")"
arms=""
for arm in none vanilla paper; do
  [ ! -d "$here/$server/kernels/${app}_$arm" ] || arms="$arms --arm $arm=${app}_$arm"
done
# shellcheck disable=SC2086 # several words
COLUMNS=200 farm traverse report "$here/$server/held" $arms --arm traversed="$app" --content "$here/$server" \
  > "$here/$server/report.txt"
cat "$here/$server/report.txt"
farm traverse report "$here/$server/held" --arm traversed="$app" --content "$here/$server" --json | python -c '
import json, sys
for each in json.load(sys.stdin)["disagreements"]["traversed"]:
    print(json.dumps(each, ensure_ascii=False))
' > "$here/$server/disagreements.jsonl"
