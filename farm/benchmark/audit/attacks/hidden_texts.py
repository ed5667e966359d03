"""Write the oracle's words so that their reader does not see them, or sees them as no message.

What hides a text depends on its format. Each function takes a judged text and yields replacements, as those of
``wrong_texts`` do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from farm import content
from farm.appkit.column_vocabulary import Format
from farm.benchmark.agents.scripted import CallOverride
from farm.benchmark.audit.attacks.attack_context import AttackContext, JudgedText
from farm.benchmark.audit.attacks.script import AttackScript
from farm.benchmark.audit.attacks.wrong_texts import Saying

Hide = Callable[[str], str]


def _around(before: str, after: str) -> Hide:
    """Return a function that puts something around a whole text."""
    return lambda text: f"{before}{text}{after}"


def _around_lines(before: str, after: str) -> Hide:
    """Return a function that puts something around every line that has words."""
    return lambda text: "\n".join(f"{before}{line}{after}" if line.strip() else line for line in text.split("\n"))


def _as_address(link: str) -> Hide:
    return lambda text: link.format(quote(text, safe=""))


# A block begins on a line of its own, wherever the text stands.
_CODE = _around("\n\n```\n", "\n```\n")
_COMMENT = _around("<!-- ", " -->")
_STRUCK = _around_lines("~~", "~~")
_LINK = _as_address("[here](https://example.com/{})")
_PICTURE = _around_lines("![", "](picture.png)")
_HTML: dict[str, Hide] = {
    "in a comment of HTML": _COMMENT,
    "in an element that is not displayed": _around_lines('<span style="display:none">', "</span>"),
    "in white": _around_lines('<span style="color:#ffffff">', "</span>"),
}
_MARKDOWN: dict[str, Hide] = {
    "struck through": _STRUCK,
    "as code": _CODE,
    "in the address of a link": _LINK,
    "as the text of a picture": _PICTURE,
}


def _as_definition(text: str) -> str:
    """Return a text as the titles of link definitions, one for each line."""
    return _around_lines('\n\n[//]: # "', '"\n')(text.replace('"', "'"))


_HIDES: Mapping[Format, Mapping[str, Hide]] = {
    "markdown": _MARKDOWN | _HTML | {"in a definition of a link": _as_definition},
    "lark_markdown": {"struck through": _STRUCK, "as code": _CODE, "in the address of a link": _LINK} | _HTML,
    "obsidian": _MARKDOWN
    | _HTML
    | {
        "in a comment": _around("%%", "%%"),
        "in a definition of a link": _as_definition,
        "as a formula": _around("\n\n$$\n", "\n$$\n"),
    },
    "slack": {
        "struck through": _around_lines("~", "~"),
        "as code": _around("```", "```"),
        "in the address of a link": _as_address("<https://example.com/{}|here>"),
    },
    "discord": {
        "struck through": _STRUCK,
        "as code": _CODE,
        "in the address of a link": _LINK,
        "as a spoiler": _around("||", "||"),
    },
    "reddit": {
        "struck through": _STRUCK,
        "as code": _around_lines("\n\n    ", "\n"),
        "in the address of a link": _LINK,
        "as a spoiler": _around_lines(">!", "!<"),
    },
}
# Characters that are not displayed, are crossed out, or are displayed in the reverse order; in any format.
_TAGS_FROM = 0xE0000
_STROKE = "\u0336"
_REVERSE = "\u202e"


def hidden(judged: JudgedText) -> Iterator[Saying]:
    """Hide the text by the means of its format, alone and below words that say something else."""
    if judged.is_title or not judged.asserted:
        return
    for number, (how, hide) in enumerate(_HIDES.get(judged.format, {}).items()):
        if hide is _CODE and judged.position is None:
            continue  # blocks of code are a part of an answer
        yield how, hide(judged.text)
        if not number:
            yield f"{how}, below other words", f"{_other_words(judged)}\n{hide(judged.text)}"
    if judged.text.isascii():
        yield "in tag characters", "".join(chr(_TAGS_FROM + ord(sign)) if sign > " " else sign for sign in judged.text)
    yield "crossed out by strokes", re.sub(r"(\S)", rf"\1{_STROKE}", judged.text)
    yield "in the reverse order", _around_lines(_REVERSE, "")(judged.text)


def _other_words(judged: JudgedText) -> str:
    return "还没定，先别动。" if judged.zh else "Nothing is decided yet, please wait."


def other_html(context: AttackContext) -> Iterator[AttackScript]:
    """Send a mail whose HTML, which its reader sees, says something else than its text."""
    for judged in context.texts:
        if judged.position is None or judged.is_title:
            continue
        call = context.literal[judged.position]
        wire = next(each for each in content.load_app(call.app).tool_schemas if each["name"] == call.tool)
        properties = wire["inputSchema"].get("properties", {})
        name = next((each for each in properties if "html" in each.lower()), None)
        if name is None or judged.format not in ("plain", "html"):
            continue
        html = f"<p>{_other_words(judged)}</p>"
        override = CallOverride(change=_with({name: html, **_both_parts(properties)}))
        task = context.task
        yield AttackScript(
            "hidden",
            f"{judged.name}: behind HTML that says something else",
            False,
            task.oracle,
            task.oracle_answer,
            {judged.position: override},
            may_break=True,
            must_differ=True,
            text=html,
        )


def _both_parts(properties: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the choice of a mail with both parts, for tools that leave it to the caller."""
    for name, schema in properties.items():
        if "multipart/alternative" in schema.get("enum", ()):
            return {name: "multipart/alternative"}
    return {}


def _with(more: Mapping[str, str]) -> Callable[[Any, Any], Any]:
    return lambda _, sent: {**sent, **more}
