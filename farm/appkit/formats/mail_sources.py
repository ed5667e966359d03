"""Mails as they were transferred: bytes, stored in a column of text."""

from __future__ import annotations

import binascii
from base64 import b64decode

# No header of a mail is called "data", so no text of a mail begins like this.
_AS_BYTES = "data:message/rfc822;base64,"


def mail_bytes(source: str) -> bytes:
    """Return the bytes of a stored mail: a text in UTF-8, or a data URL of type message/rfc822 for any other bytes."""
    if source.startswith(_AS_BYTES):
        try:
            return b64decode(source.removeprefix(_AS_BYTES), validate=True)
        except binascii.Error:
            return source.encode()
    return source.encode("utf-8", "surrogateescape")
