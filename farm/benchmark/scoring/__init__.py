"""Grading: judges the changed rows, the calls and the answer of a trial by the checkpoints of its task."""
