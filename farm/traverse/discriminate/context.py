"""What is known beside an answer itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.traverse.discriminate.sent import Sent, texts_in
from farm.traverse.discriminate.templates import Templates

_IS_URL = re.compile(r"(?:https?://|www\.)\S", re.IGNORECASE)


@dataclass
class Context:
    """What is known beside an answer itself.

    Attributes:
        sent: what the client has sent in the trace, this call's arguments included.
        templates: how successes of the server's tools read.
        fits: whether a structured result fits the tool's outputSchema, where that says more than "a text".
        choices: values the tool's schema offers for the arguments that were sent.
        flags: whether the tool was seen to mark refusals of its own by isError.
        server_flags: whether the server was seen to, by any of its tools.
        breaks_schema: whether the arguments break the tool's inputSchema.
        is_seed: whether the call was meant to succeed.
    """

    sent: Sent = field(default_factory=Sent)
    templates: Templates = field(default_factory=Templates)
    fits: Callable[[Any], bool] = field(default=lambda _: False)
    choices: frozenset[str] = frozenset()
    flags: bool = False
    server_flags: bool = False
    breaks_schema: bool = False
    is_seed: bool = False


def asks_a_page(record: Mapping[str, Any]) -> bool:
    """Whether the client said which page it wants: what comes may speak of anything."""
    return any(_IS_URL.match(each) for each in texts_in(record.get("arguments")))
