"""Prove that each task of a suite can be done, and that only doing it scores."""
