"""Verdicts: what a task's checkpoints say of the rows that changed, the calls that were made and the answer given."""
