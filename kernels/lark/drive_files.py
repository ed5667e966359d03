"""Files of the drive that are no documents: what events have as attachments."""

from __future__ import annotations

from hashlib import sha256

from farm.appkit import GivenFile, Row

_TOKEN_LENGTH = 27
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def rows_of_file(file: GivenFile) -> list[Row]:
    """Return the row of a file that lies in the root of the person's drive; its token depends only on its name."""
    if "/" in file.path:
        raise file.unfit("lies in the root of the drive; give its bare name")
    digest = sha256(f"{file.me}/{file.path}".encode()).digest()
    token = "".join(_LETTERS[each % len(_LETTERS)] for each in digest[:_TOKEN_LENGTH])
    times = {"created_at": file.now_ms, "edited_at": file.now_ms}
    return [{"table": "files", "token": token, "type": "file", "title": file.path, "owner_id": file.me, **times}]
