"""How bodies become results: written in one pass, and the same to the byte as JSON printed twice."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from farm.render import go_json, render_compact, render_go

BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"plain": [1, 2.5, True, None, "x"]},
    {"quotes": 'she said "no"', "path": "C:\\temp", "both": '\\"'},
    {"lines": "a\nb\r\n\tc", "control": "\x00\x01\x1f\x7f"},
    {"chinese": "第二批周四下线", "emoji": "🙂", "separators": "\u2028\u2029"},
    {"markup": "<b>&amp;</b>", 'key "with" quotes': {"nested": ["\\n"]}},
    {"half a pair": "\ud83d", "long": 2**70},
)


@pytest.mark.parametrize("body", BODIES)
def test_a_body_is_rendered_as_its_json_in_a_json_string(body: dict[str, Any]) -> None:
    rendered = orjson.loads(render_compact(body))

    assert list(rendered) == ["content"]
    text = rendered["content"][0]["text"]
    assert json.loads(text) == body
    assert text == orjson.dumps(body).decode() if "half a pair" not in body else text.isascii()


@pytest.mark.parametrize("body", BODIES)
def test_go_bodies_are_rendered_as_go_prints_them(body: dict[str, Any]) -> None:
    text = json.loads(render_go(body))["content"][0]["text"]

    assert text == go_json(body)
    assert not set(text) & set("<>&\u2028\u2029")
