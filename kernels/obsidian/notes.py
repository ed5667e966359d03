"""What Obsidian knows of a note beside its text: its frontmatter, its tags, its times and size."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Row
from farm.appkit.formats.javascript import js_string

from .targets import split_frontmatter
from .vaults import size_of, text_of
from .yaml_errors import YamlError
from .yaml_texts import parse

# A tag begins at a line's start or behind a blank, and goes on to a blank or ASCII punctuation but - _ and /.
_TAG = re.compile(r"""(?<!\S)#([^\s!"#$%&'()*+,.:;<=>?@\[\\\]^`{|}~\u2000-\u206f\u2e00-\u2e7f]+)""")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])??\1(?!`)")


def describe(file: Row) -> dict[str, Any]:
    """Return a note as the plugin's note+json shows it."""
    content = text_of(file)
    frontmatter, body = read_frontmatter(content)
    tags = frontmatter.get("tags")
    named = [*(tags if isinstance(tags, list) else ()), *_inline_tags(body)]
    return {
        "tags": list(dict.fromkeys(js_string(tag).removeprefix("#") for tag in named if tag)),
        "frontmatter": frontmatter,
        "stat": {"ctime": file["made_ms"], "mtime": file["changed_ms"], "size": size_of(file)},
        "path": file["path"],
        "content": content,
    }


def read_frontmatter(content: str) -> tuple[dict[str, Any], str]:
    """Return a note's frontmatter, empty where it is no YAML mapping, and the text behind it."""
    text, body_at = split_frontmatter(content)
    try:
        values = None if text is None else parse(text)
    except YamlError:
        values = None
    values = values if isinstance(values, dict) else {}
    # Where Obsidian itself notes the frontmatter's place, the plugin takes it out.
    values.pop("position", None)
    return values, content[body_at:]


def _inline_tags(body: str) -> list[str]:
    tags: list[str] = []
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not line.strip(" `~") else fence
        elif mark:
            fence = mark[1]
        else:
            found = _TAG.findall(_CODE_SPAN.sub(" ", line) if "`" in line else line)
            tags.extend(tag for tag in found if not tag.isdigit())
    return tags
