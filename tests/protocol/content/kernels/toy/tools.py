"""Every tool of the notebook."""

from typing import Any

from farm.app import Tool
from farm.kernel import Episode, Result, VendorError


class Full(VendorError):
    """The notebook is full."""

    code = "full"


def add(ep: Episode, *, text: str) -> Result:
    """Write a note and return it."""
    note: dict[str, Any] = {"id": ep.new_id("note"), "text": text, "made_ms": ep.now_ms}
    ep.db.insert("notes", **note)
    return note


def show(ep: Episode) -> Result:
    """Return every note, oldest first."""
    return {"notes": [row["text"] for row in ep.db.all("SELECT text FROM notes ORDER BY made_ms, id")]}


def echo(ep: Episode, /, **arguments: Any) -> Result:
    """Return the arguments."""
    return arguments


def refuse(ep: Episode) -> Result:
    """Write, then refuse."""
    ep.db.insert("notes", id="never", text="never", made_ms=0)
    raise Full


def fail(ep: Episode) -> Result:
    """Break, as a bug would."""
    raise RuntimeError("broken")


def spin(ep: Episode) -> Result:
    """Write, then never come to an end in Python."""
    ep.db.insert("notes", id="spin", text="spin", made_ms=0)
    while True:
        pass


def count(ep: Episode) -> Result:
    """Write, then never come to an end in SQL."""
    ep.db.insert("notes", id="count", text="count", made_ms=0)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    return {"counted": ep.db.scalar(endless)}


TOOLS = (
    Tool("note_add", add, writes=("notes",)),
    Tool("note_show", show),
    Tool("note_echo", echo),
    Tool("note_refuse", refuse, writes=("notes",)),
    Tool("note_fail", fail),
    Tool("note_spin", spin, writes=("notes",)),
    Tool("note_count", count, writes=("notes",)),
)
