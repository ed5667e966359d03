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

# New mutations of all seeds, on the real server.
real "$server" farm traverse perturb --seeds "$here/$server/seeds.jsonl" --out "$work/provoked" --sandbox --seed "$seed" \
  --per-seed 8 --no-ask-again
private="$here/$server/private.toml"
farm traverse pool "$work/provoked" --out "$here/$server/held" --held --seen "$here/$server/pool" --seed "$seed" \
  --redact "$work/stand-ins.json" $([ ! -e "$private" ] || echo --private "$private")
[ ! -e "$here/$server/pool/masks.toml" ] || cp "$here/$server/pool/masks.toml" "$here/$server/held/masks.toml"

sh "$here/report.sh" "$server"
