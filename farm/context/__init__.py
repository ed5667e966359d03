"""The state engine: schemas, files, call logs, snapshots, diffs, and the simulated clock."""
