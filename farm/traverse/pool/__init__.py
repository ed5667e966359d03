"""Recorded calls: their folders, how their lines are parsed, and how a pool divides them into sets."""
