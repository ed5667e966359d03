"""The context that a verdict needs besides the answer itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm._util.json_strings import strings_in
from farm.traverse.discriminate.echoes import SentTexts

_IS_URL = re.compile(r"(?:https?://|www\.)\S", re.IGNORECASE)


@dataclass
class Context:
    """The context that a verdict needs besides the answer itself.

    Attributes:
        sent: the client's texts in the trace, including this call's arguments.
        fits: whether a structured result fits the tool's outputSchema, if that declares more than "a text".
        choices: the sent values that the tool's schema offers as a choice.
        flags: whether the tool is known to mark its own refusals by isError.
        server_flags: whether any tool of the server is known to do so.
        breaks_schema: whether the arguments violate the tool's inputSchema.
        is_seed: whether the call was meant to succeed.
    """

    sent: SentTexts = field(default_factory=SentTexts)
    fits: Callable[[Any], bool] = field(default=lambda _: False)
    choices: frozenset[str] = frozenset()
    flags: bool = False
    server_flags: bool = False
    breaks_schema: bool = False
    is_seed: bool = False


def asks_a_page(record: Mapping[str, Any]) -> bool:
    """Return whether the client requested a page by its URL: such an answer may contain any words."""
    return any(_IS_URL.match(each) for each in strings_in(record.get("arguments")))
