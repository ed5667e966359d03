"""Every tool of the notebook."""

from typing import Any

from farm.appkit.app import Tool
from farm.appkit.handler_api import Answer, Content, Episode, Image, ProtocolError, Result, VendorError


class Full(VendorError):
    """The notebook is full."""

    code = "full"


class Torn(VendorError):
    """The page is torn, and what was written stays."""

    code = "torn"


class Mumbled(VendorError):
    """Nobody understood that."""

    code = "mumbled"


class Locked(ProtocolError):
    """The notebook is locked."""

    code = -32001


def answer(tool: str, error: VendorError) -> Answer:
    """Return what a refusal looks like: one kind as a success, one with the tool's name, the others as plain errors."""
    if isinstance(error, Mumbled):
        return Answer(f"Error: {error.message}")
    if isinstance(error, Torn):
        return Answer({"error": f"{tool}: {error.message}"}, is_error=True)
    return Answer(error.message, is_error=True, structured=False)


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
    """Write, then take seconds in Python: an end that nobody should live to see, but where nothing is cut."""
    ep.db.insert("notes", id="spin", text="spin", made_ms=0)
    for _ in range(200_000_000):
        pass
    return {"spun": True}


def count(ep: Episode) -> Result:
    """Write, then take seconds in SQL."""
    ep.db.insert("notes", id="count", text="count", made_ms=0)
    long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000000) SELECT count(*) FROM n"
    return {"counted": ep.db.scalar(long)}


def pair(ep: Episode, *, text: str) -> Result:
    """Write a note of one's own, then one with the text."""
    return {"notes": [add(ep, text="first"), add(ep, text=text)]}


def size(ep: Episode) -> Result:
    """Return how many notes there are, in words: the text stands beside itself as ``result``."""
    return f"{ep.db.scalar('SELECT count(*) FROM notes')} notes"


def last(ep: Episode) -> Result:
    """Return the last note: the object stands beside its text."""
    row = ep.db.one("SELECT id, text FROM notes ORDER BY made_ms DESC, id DESC")
    return {"id": None, "text": ""} if row is None else dict(row)


def count_words(ep: Episode, *, text: str) -> Result:
    """Count words: what stands beside the text says more than the text."""
    words = text.split()
    return Answer(f"{len(words)} words", structured={"words": words, "count": len(words)}, is_error=False)


def picture(ep: Episode) -> Result:
    """Return a text, a picture and a resource."""
    page = {"type": "resource", "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "第一"}}
    return Content(("A page:", Image("aGk=", "image/png"), page))


def tear(ep: Episode, *, text: str) -> Result:
    """Write, refuse, and keep what was written."""
    ep.db.insert("notes", id=ep.new_id("note"), text=text, made_ms=ep.now_ms)
    raise Torn


def mumble(ep: Episode) -> Result:
    """Write, then refuse in the form of a success."""
    ep.db.insert("notes", id="never", text="never", made_ms=0)
    raise Mumbled


def lock(ep: Episode) -> Result:
    """Write, then answer with a JSON-RPC error."""
    ep.db.insert("notes", id="never", text="never", made_ms=0)
    raise Locked(data={"since_ms": ep.now_ms})


def find(ep: Episode, *, word: str) -> Result:
    """Return the notes that hold a word; only the old notebook can."""
    rows = ep.db.all("SELECT text FROM notes ORDER BY made_ms, id")
    return {"notes": [row["text"] for row in rows if word in row["text"]]}


def show_old(ep: Episode) -> Result:
    """Return how many notes there are, as the old notebook did."""
    return {"count": ep.db.scalar("SELECT count(*) FROM notes")}


TOOLS = (
    Tool("note_add", add, writes=("notes",)),
    Tool("note_show", show),
    Tool("note_echo", echo),
    Tool("note_refuse", refuse, writes=("notes",)),
    Tool("note_fail", fail),
    Tool("note_spin", spin, writes=("notes",)),
    Tool("note_count", count, writes=("notes",)),
    Tool("note_size", size),
    Tool("note_last", last),
    Tool("note_words", count_words),
    Tool("note_picture", picture),
    Tool("note_tear", tear, writes=("notes",), commits_on_error=True),
    Tool("note_mumble", mumble, writes=("notes",)),
    Tool("note_lock", lock, writes=("notes",)),
    Tool("note_pair", pair, writes=("notes",)),
)

OLD_TOOLS = (
    Tool("note_show", show_old),
    Tool("note_find", find),
)
