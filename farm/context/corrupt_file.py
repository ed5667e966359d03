"""The error for a damaged file of the farm."""

from __future__ import annotations

from farm.errors import InternalError

# Advice that always works; the gateway finds out which snapshot can be restored.
WAY_OUT = "put it back from a copy, or reset the episode"


class CorruptFileError(InternalError):
    """A file is missing or not what was written; the message names it, so it is for operators only."""

    code = "broken"
