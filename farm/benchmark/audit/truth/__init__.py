"""Prove that what an oracle asserts is true, was read, and could not be known without reading."""
