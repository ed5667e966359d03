"""The schema of an app, for grading."""

from __future__ import annotations

from functools import lru_cache

from farm import content
from farm.appkit.schema import Schema


# Cached: finding an app scans folders, and rows are compared by the thousand.
@lru_cache(maxsize=128)
def schema_of(app: str) -> Schema:
    """Return the schema of an app."""
    return content.load_app(app).schema
