#!/usr/bin/env bash
# One shard of a run for each task of a job array; docs/scale.md is its page.
#
#   sbatch --array=1-8 deploy/scale/slurm.sh demo llm:gpt-5 -k 3
#   farm merge runs/shard-* --out runs/whole
#
# RUNS names the folder of the shards, on a file system of all nodes. A task that is requeued goes on where it was.
#SBATCH --job-name=farm-run
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: sbatch --array=1-N $0 SUITE AGENT [OPTIONS OF farm run]" >&2
  exit 2
fi
suite=$1 agent=$2
shift 2

# The array may begin anywhere, but must have no gaps.
first=${SLURM_ARRAY_TASK_MIN:?start this with sbatch --array=1-N}
shards=$((SLURM_ARRAY_TASK_MAX - first + 1))
if [ "$shards" -ne "$SLURM_ARRAY_TASK_COUNT" ]; then
  echo "the array has gaps: $SLURM_ARRAY_TASK_COUNT tasks from $first to $SLURM_ARRAY_TASK_MAX" >&2
  exit 2
fi
shard=$((SLURM_ARRAY_TASK_ID - first + 1))
out=${RUNS:-runs}/shard-$shard
if [ -e "$out/run.json" ]; then set -- "$@" --resume; fi
exec farm run "$suite" --agent "$agent" --parallel "${SLURM_CPUS_PER_TASK:-1}" --shard "$shard/$shards" --out "$out" "$@"
