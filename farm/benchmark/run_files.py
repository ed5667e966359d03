"""The names of the files in a run's folder."""

MANIFEST, TRIALS = "run.json", "trials.jsonl"
