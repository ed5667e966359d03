"""Agents: programs that act in an episode on a person's instruction."""
