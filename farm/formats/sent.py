"""What callers send, read by parts of Python that keep what they have read: hundreds of entries of any length.

A caller must not fill a process's memory, so of what is long nothing is kept.
"""

from __future__ import annotations

import re
from urllib import parse
from urllib.parse import SplitResult, urlsplit

KEPT_MAX = 256  # characters of what Python may keep


def compile_sent(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled pattern, or raise what ``re.compile`` raises."""
    try:
        return re.compile(pattern, flags)
    finally:
        if len(pattern) > KEPT_MAX:
            re.purge()


def split_sent(url: str) -> SplitResult:
    """Return the parts of an address, or raise the ValueError that ``urlsplit`` raises."""
    try:
        return urlsplit(url)
    finally:
        if len(url) > KEPT_MAX:
            parse.clear_cache()  # type: ignore[attr-defined] # the stubs leave it out
