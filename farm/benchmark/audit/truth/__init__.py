"""Prove that what an oracle asserts is true, was read, and is told neither by the task nor without reading."""
