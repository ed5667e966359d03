"""Two answers side by side: every part that a client can tell, and the place where they part."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from farm.traverse.fidelity.compare import Compared, Mask, compare
from farm.traverse.recordings.calls import Recorded, Request
from farm.traverse.recordings.text_difference import around, first_difference

HELLO: dict[str, Any] = {"content": [{"type": "text", "text": "hello"}]}
DAY = re.compile(r"until (?P<value>\d{4}-\d{2}-\d{2})")


def _recorded(result: dict[str, Any], at: datetime | None = None) -> Recorded:
    return Recorded(1, Request("t"), result, "success", at, (), None, None, None, frozenset(), False)


def _differing(recorded: dict[str, Any], ours: dict[str, Any]) -> tuple[str, ...] | None:
    difference = compare(_recorded(recorded), ours).difference
    return None if difference is None else difference.parts


@pytest.mark.parametrize(
    ("recorded", "ours", "parts"),
    [
        (HELLO, {**HELLO, "isError": False}, ("isError",)),
        ({**HELLO, "isError": False}, HELLO, ("isError",)),
        ({**HELLO, "isError": False}, {**HELLO, "isError": True}, ("kind", "isError")),
        (HELLO, {**HELLO, "structuredContent": {}}, ("structuredContent",)),
        ({**HELLO, "structuredContent": {"a": 1}}, HELLO, ("structuredContent",)),
        ({**HELLO, "structuredContent": {"a": 1}}, {**HELLO, "structuredContent": {"a": "1"}}, ("structuredContent",)),
        (HELLO, {"content": [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]}, ("text", "content")),
        (HELLO, {"content": [{"type": "text", "text": "hello", "annotations": {}}]}, ("content",)),
        (HELLO, {"error": {"code": 1, "message": "hello"}}, ("kind", "code", "content")),
        (HELLO, {"crash": "hello"}, ("kind", "content")),
    ],
)
def test_answers_differ_in_what_a_client_can_tell(
    recorded: dict[str, Any], ours: dict[str, Any], parts: tuple[str, ...]
) -> None:
    assert _differing(recorded, ours) == parts


@pytest.mark.parametrize(
    "ours",
    [
        HELLO,
        # How the protocol wraps a result is not the app's.
        {**HELLO, "resultType": "complete", "_meta": {}},
    ],
)
def test_answers_that_no_client_can_tell_apart_are_the_same(ours: dict[str, Any]) -> None:
    assert _differing(HELLO, ours) is None


def test_the_order_of_the_keys_of_structured_content_says_nothing() -> None:
    left, right = ({**HELLO, "structuredContent": body} for body in ({"a": 1, "b": 2}, {"b": 2, "a": 1}))

    assert _differing(left, right) is None


def test_a_crash_of_ours_agrees_with_no_refusal() -> None:
    refused = {"error": {"code": -32603, "message": "broken"}}

    assert compare(_recorded(refused), refused).agrees
    assert not compare(_recorded(refused), {"crash": "broken"}).agrees


# -- where ------------------------------------------------------------------------------------------------------------


def test_the_first_difference_is_shown_with_what_stands_around_it_on_both_sides() -> None:
    same = "x" * 500
    left, right = f"{same}\n left{same}", f"{same}\n right{same}"

    difference = compare(
        _recorded({"content": [{"type": "text", "text": left}]}), {"content": [{"text": right}]}
    ).difference

    assert difference is not None
    assert difference.position == 502
    assert difference.recorded == "…" + "x" * 38 + "\\n ▸left" + "x" * 116 + "…"
    assert difference.ours == "…" + "x" * 38 + "\\n ▸right" + "x" * 115 + "…"


def test_a_text_that_only_goes_on_differs_at_its_end() -> None:
    assert first_difference("abc", "abcd") == 3
    assert (around("abc", 3), around("abcd", 3)) == ("abc▸", "abc▸d")
    assert first_difference("", "") == 0


# -- masks ------------------------------------------------------------------------------------------------------------


def test_a_mask_hides_its_value_and_leaves_what_stands_around_it() -> None:
    assert Mask("day", DAY, "why").apply("open until 2026-01-02.") == "open until <day>."
    assert Mask("day", re.compile(r"\d+"), "why").apply("1 of 12") == "<day> of <day>"


def test_a_mask_counts_where_it_changes_a_part_that_differed() -> None:
    mask = Mask("day", DAY, "why")
    one, other = ({"content": [{"type": "text", "text": f"until 2026-01-0{day}"}]} for day in (1, 2))

    assert compare(_recorded(one), other, [mask]).difference is None
    assert compare(_recorded(one), other, [mask]).masks == ("day",)
    assert compare(_recorded(one), one, [mask]).masks == ()
    assert compare(_recorded(HELLO), {**HELLO, "isError": True}, [mask]).masks == ()


def test_a_mask_hides_values_of_structured_content_too() -> None:
    one, other = ({**HELLO, "structuredContent": {"said": f"until 2026-01-0{day}"}} for day in (1, 2))

    assert compare(_recorded(one), other, [Mask("day", DAY, "why")]).difference is None


def test_what_the_clock_explains_is_not_masked_where_the_recording_says_when() -> None:
    mask = Mask("day", DAY, "why", only_without_at=True)
    one, other = ({"content": [{"type": "text", "text": f"until 2026-01-0{day}"}]} for day in (1, 2))

    assert compare(_recorded(one), other, [mask]).difference is None
    assert compare(_recorded(one, datetime(2026, 1, 1, tzinfo=UTC)), other, [mask]).difference is not None


def test_a_mask_never_hides_which_kind_of_answer_came() -> None:
    digits = Mask("number", re.compile(r"-?\d+|true|false|tool_error|success"), "drawn anew")
    one, other = ({"error": {"code": code, "message": "no"}} for code in (-32602, -32603))
    refused = {**HELLO, "isError": True}

    assert _shown_parts(compare(_recorded(one), other, [digits])) == ("code",)
    assert _shown_parts(compare(_recorded({**HELLO, "isError": False}), refused, [digits])) == ("kind", "isError")


def _shown_parts(compared: Compared) -> tuple[str, ...]:
    assert compared.difference is not None
    return compared.difference.parts


def test_a_masked_number_leaves_the_rest_of_a_body_comparable() -> None:
    drawn = Mask("time", re.compile(r'"ts": ?(?P<value>\d+)'), "the clock")

    def leaves(recorded: str, ours: str) -> float | None:
        one, other = ({"content": [{"type": "text", "text": text}]} for text in (recorded, ours))
        return compare(_recorded(one), other, [drawn]).leaves

    assert leaves('{"ts": 1, "a": 2, "b": 3, "c": 4}', '{"ts": 9, "a": 2, "b": 3, "c": 5}') == 3 / 4
    assert leaves('{"ts":1,"a":2}', '{"a":2,"ts":9}') == 1
