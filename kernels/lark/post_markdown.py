"""The Markdown of a post: what is sent as one ``md`` tag is read as the tags it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

AT = re.compile(r"<at\s+(?:user_id|id)=[\"']?([\w.@-]+)[\"']?\s*>(.*?)</at>", re.DOTALL)
_FENCE = re.compile(r"^```(\w*)[ \t]*\n(.*?)\n?```[ \t]*$", re.DOTALL | re.MULTILINE)
# In this order: a mention, a link, and the styles from the longest sign on; what is styled is not read any further.
_INLINE = re.compile(
    AT.pattern + r"|\[([^\[\]]+)\]\((https?://[^\s()]+)\)" + r"|(\*{1,3}|~{1,2})(?!\s)([^*~\n]+?)(?<!\s)\5",
    re.DOTALL,
)
_STYLES = {"***": ["bold", "italic"], "**": ["bold"], "*": ["italic"], "~~": ["lineThrough"], "~": ["underline"]}

Element = dict[str, Any]
# The id in a mention → the element it is read as.
Mention = Callable[[str], Element]


def paragraphs(text: str, mention: Mention) -> Iterator[list[Element]]:
    """Yield the paragraphs of a Markdown text; of quotes and lists the text stays, their signs with it."""
    start = 0
    for fence in _FENCE.finditer(text):
        yield from _lines(text[start : fence.start()], mention)
        language = {"language": fence[1].upper()} if fence[1] else {}
        yield [{"tag": "code_block", **language, "text": fence[2]}]
        start = fence.end()
    yield from _lines(text[start:], mention)


def _lines(text: str, mention: Mention) -> Iterator[list[Element]]:
    for line in text.strip("\n").split("\n") if text.strip() else ():
        if line.strip() == "---":
            yield [{"tag": "hr"}]
        else:
            yield list(_inline(line, mention))


def _inline(line: str, mention: Mention) -> Iterator[Element]:
    start = 0
    for found in _INLINE.finditer(line):
        if found.start() > start:
            yield {"tag": "text", "text": line[start : found.start()]}
        start = found.end()
        if found[1]:
            yield mention(found[1])
        elif found[3]:
            yield {"tag": "a", "href": found[4], "text": found[3]}
        else:
            yield {"tag": "text", "text": found[6], "style": _STYLES[found[5]]}
    if start < len(line):
        yield {"tag": "text", "text": line[start:]}
