"""Every tool of the parrot."""

from farm.appkit.app import Tool
from farm.appkit.handler_api import Episode, Result, VendorError


class Speechless(VendorError):
    """nothing to say"""

    code = "speechless"


def say(ep: Episode, *, words: str) -> Result:
    """Say something after somebody.

    Raises:
        Speechless: there are no words.
    """
    if not words:
        raise Speechless
    before = [row["words"] for row in ep.db.all("SELECT words FROM words ORDER BY heard_ms")]
    ep.db.insert("words", id=ep.new_id("word"), words=words, heard_ms=ep.now_ms)
    return {"said": words, "before": before}


def sleep(ep: Episode) -> Result:
    """Say nothing."""
    return ""


TOOLS = (
    Tool("say", say, writes=("words",)),
    Tool("sleep", sleep),
)
