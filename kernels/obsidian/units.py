"""What of a text reaches the disk."""

from __future__ import annotations

import re

from farm.appkit.formats.utf16 import from_units

_HALF = re.compile("[\ud800-\udfff]")


def as_written(units: str) -> str:
    """Return the text that reaches the disk: half a pair is a replacement character there."""
    return _HALF.sub("\ufffd", from_units(units))
