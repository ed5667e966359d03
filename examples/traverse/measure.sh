#!/bin/sh
# Measures a synthesised app on calls that nobody had seen: measure.sh SERVER. Run it after the last answer of the writer:
# the calls are drawn by the hash of the answers, and recorded from the real server now. Needs what record.sh needs.
set -eu
server="$1"
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/servers.sh"
app="$(app "$server")"
work="$base/measured/$server"
answers="$here/$server/synth/$app/completions.jsonl"
[ -f "$answers" ] || { echo "$answers: nobody has answered yet" >&2; exit 1; }
seed=$(python -c 'import hashlib, sys; print(int(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()[:8], 16))' "$answers")
rm -rf "$work" "$here/$server/held"
mkdir -p "$work"

# New mutations of all seeds, or of seeds that are kept for this, on the real server, until 100 calls count.
seeds="$here/$server/held_seeds.jsonl"
[ -e "$seeds" ] || seeds="$here/$server/seeds.jsonl"
private="$here/$server/private.toml"
provoked=""
for round in 0 1 2 3; do
  real "$server" farm traverse perturb --seeds "$seeds" --out "$work/provoked-$round" --sandbox --seed $((seed + round)) \
    --per-seed 8 --no-ask-again
  provoked="$provoked $work/provoked-$round"
  # shellcheck disable=SC2086 # several words
  farm traverse pool $provoked --out "$here/$server/held" --held --seen "$here/$server/pool" --seed "$seed" \
    --redact "$work/stand-ins.json" $([ ! -e "$private" ] || echo --private "$private")
  count=$(python -c 'import json, sys; print(json.load(open(sys.argv[1]))["sides"]["held"]["scored"])' \
    "$here/$server/held/manifest.json")
  [ "$count" -lt 100 ] || break
done
[ ! -e "$here/$server/pool/masks.toml" ] || cp "$here/$server/pool/masks.toml" "$here/$server/held/masks.toml"

sh "$here/report.sh" "$server"
