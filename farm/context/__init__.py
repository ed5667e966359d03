"""The state engine: schemas, files, call logs, snapshots, what changed, and the simulated clock."""
