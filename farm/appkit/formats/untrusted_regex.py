"""Wrappers for functions of Python that cache hundreds of inputs of any length.

A caller must not fill a process's memory, so long inputs are not left in these caches.
"""

from __future__ import annotations

import re
from urllib import parse
from urllib.parse import SplitResult, urlsplit

CACHED_MAX = 256  # characters of an input that may stay in Python's caches


def compile_sent(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled pattern, or raise what ``re.compile`` raises."""
    try:
        return re.compile(pattern, flags)
    finally:
        if len(pattern) > CACHED_MAX:
            re.purge()


def split_sent(url: str) -> SplitResult:
    """Return the parts of an address, or raise the ValueError that ``urlsplit`` raises."""
    try:
        return urlsplit(url)
    finally:
        if len(url) > CACHED_MAX:
            parse.clear_cache()  # type: ignore[attr-defined] # the stubs leave it out
