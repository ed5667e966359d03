"""What npm says when it cannot install something."""

from __future__ import annotations


def error_of(said: str) -> str:
    """Return what npm says first of what is wrong; what it says last is where its log lies."""
    return next((line for line in said.splitlines() if line.startswith("npm error")), "npm does not say why")
