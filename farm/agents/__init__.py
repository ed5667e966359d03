"""Agents: what acts in an episode on a person's instruction."""
