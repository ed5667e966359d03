#!/bin/sh
# Writes an app for a server of this folder: synth.sh SERVER ARM WRITER, with ARM one of traversed, vanilla, paper, none and
# WRITER as farm synth --with takes it. Needs what record.sh needs; answers that are kept need no server.
set -eu
server="$1" arm="$2" writer="${3:-none}"
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/servers.sh"
app="$(app "$server")"
# The draft of the tables in the prompt bears the title.
named=""
[ "$server" != discord ] || named="--title Discord"
from="--from $here/$server/pool --content $here/$server"
# shellcheck disable=SC2086 # several words
case "$arm" in
  none) farm synth "${app}_none" $from --with none ;;
  vanilla) farm synth "${app}_vanilla" $from --with "$writer" --vanilla --docs "$here/$server/documentation.md" ;;
  paper) farm synth "${app}_paper" $from --with "$writer" --prompts paper ;;
  traversed) real "$server" farm synth "$app" $named $from --with "$writer" --sandbox ;;
  *) echo "no arm $arm" >&2; exit 1 ;;
esac
