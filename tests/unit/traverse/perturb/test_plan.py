"""Failures made of successful calls."""

from __future__ import annotations

from typing import Any

import pytest

from farm.errors import FarmError
from farm.traverse.consent import allowed
from farm.traverse.perturb.conflicts import Values, conflicts, unknown_like
from farm.traverse.perturb.mutations import CLASSES, Mutation, mutations
from farm.traverse.perturb.plan import Step, cover, plan
from farm.traverse.perturb.schemas import argument_of
from farm.traverse.recordings.calls import Request
from farm.traverse.seeds.seeds import Seed

EVENT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "calendar_id": {"type": "string"},
        "title": {"type": "string", "maxLength": 20},
        "start_at": {"type": "string", "format": "date-time"},
        "end_at": {"type": "string", "format": "date-time"},
        "size": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"type": "null"}]},
        "kind": {"enum": ["meeting", "task"]},
        "guests": {"type": "array", "items": {"$ref": "#/$defs/guest"}},
    },
    "required": ["calendar_id", "title"],
    "$defs": {"guest": {"type": "object", "properties": {"mail": {"type": "string"}}, "required": ["mail"]}},
}
GIVEN = {
    "calendar_id": "cal_17",
    "title": "Lunch",
    "start_at": "2026-06-01T12:00:00Z",
    "end_at": "2026-06-01T13:00:00Z",
    "kind": "meeting",
    "guests": [{"mail": "ben@bakery.example"}],
}


def _done(found: list[Mutation], operation: str) -> dict[str, Any]:
    return {each.argument: each.arguments for each in found if each.operation == operation}


def test_every_argument_given_or_not_is_wrong_by_type_shape_and_bounds() -> None:
    found = list(mutations(EVENT, GIVEN))
    for argument in ("calendar_id", "title", "start_at", "size", "guests", "guests[].mail"):
        assert {each.error_class for each in found if each.argument == argument} == set(CLASSES[:3]), argument


def test_a_required_argument_goes_missing_and_an_optional_one_does_not() -> None:
    missing = _done(list(mutations(EVENT, GIVEN)), "missing")
    assert set(missing) == {"calendar_id", "title", "guests[].mail"}
    assert missing["guests[].mail"] == {**GIVEN, "guests": [{}]}


def test_bounds_are_those_of_the_schema() -> None:
    found = list(mutations(EVENT, {**GIVEN, "size": 3}))
    assert _done(found, "above")["size"]["size"] == 10
    assert _done(found, "below")["size"]["size"] == 0
    assert len(_done(found, "above")["title"]["title"]) == 21
    assert _done(found, "not in the list")["kind"]["kind"] == "meeting_x"
    assert _done(found, "format")["start_at"]["start_at"] == "tomorrow"


def test_what_was_given_is_left_as_it_was() -> None:
    before = repr(GIVEN)
    list(mutations(EVENT, GIVEN))
    list(conflicts(EVENT, GIVEN, Values()))
    assert repr(GIVEN) == before


def test_conflicts_exchange_what_belongs_in_order_and_name_what_is_not_there() -> None:
    values = Values()
    values.learn(EVENT, {**GIVEN, "calendar_id": "cal_99"})
    found = list(conflicts(EVENT, GIVEN, values))
    turned = _done(found, "end before start")["start_at"]
    assert (turned["start_at"], turned["end_at"]) == (GIVEN["end_at"], GIVEN["start_at"])
    assert _done(found, "unknown")["calendar_id"]["calendar_id"] == "cal_84"
    assert _done(found, "another's")["calendar_id"]["calendar_id"] == "cal_99"
    assert _done(found, "twice") == {"(all)": GIVEN}
    assert _done(found, "together")["size"]["size"] == 2


@pytest.mark.parametrize(
    ("known", "unknown"),
    [
        ("C0ZRP76Q9PA", "C7ZRP43Q6PA"),
        ("1780304400.000365", "8457071177.777032"),
        ("Ada Byron", "Ada Byron_nope"),
        ("上海", "上海 (no such)"),
    ],
)
def test_an_unknown_value_has_the_form_of_the_known_one(known: str, unknown: str) -> None:
    assert unknown_like(known) == unknown


def test_a_plan_reaches_every_class_of_every_argument_before_it_repeats_one() -> None:
    seeds = [[Seed(Request("make_event", GIVEN))] * 3] * 9
    steps = [step for trace in plan(seeds, {"make_event": EVENT}, seed=1, per_seed=4) for step in trace]
    cells = cover(steps, {"make_event": EVENT}).cells["make_event"]
    first_three = [cells[name][kind] for name in ("calendar_id", "title", "end_at", "size") for kind in CLASSES[:3]]
    assert min(first_three) >= 1
    assert max(first_three) - min(first_three) <= 3


def test_the_same_seed_plans_the_same_and_another_does_not() -> None:
    def planned(seed: int) -> list[tuple[Step, ...]]:
        return plan([[Seed(Request("make_event", GIVEN))] * 4], {"make_event": EVENT}, seed=seed, per_seed=3)

    assert planned(5) == planned(5)
    assert planned(5) != planned(6)


def test_long_values_are_sent_once_a_tool() -> None:
    seeds = [[Seed(Request("make_event", GIVEN))] * 40] * 4
    steps = [step for trace in plan(seeds, {"make_event": EVENT}, seed=1, per_seed=5) for step in trace]
    assert [step.operation for step in steps].count("huge") == 1


def test_arguments_are_named_without_their_places() -> None:
    assert argument_of(("guests", 0, "mail")) == "guests[].mail"
    assert argument_of(()) == "(all)"


TOOLS: list[dict[str, Any]] = [
    {"name": "read", "annotations": {"readOnlyHint": True}},
    {"name": "write", "annotations": {"readOnlyHint": False}},
    {"name": "silent"},
]


def test_only_what_is_declared_harmless_or_allowed_is_called() -> None:
    assert allowed(TOOLS, (), is_sandbox=False) == {"read"}
    assert allowed(TOOLS, ("silent",), is_sandbox=False) == {"read", "silent"}
    assert allowed(TOOLS, (), is_sandbox=True) == {"read", "write", "silent"}


def test_a_tool_to_allow_must_be_there() -> None:
    with pytest.raises(FarmError, match="the server has no tool 'delete' to allow; it has read, silent, write"):
        allowed(TOOLS, ("delete",), is_sandbox=False)


def test_a_tool_that_also_says_it_destroys_is_not_taken_for_read_only() -> None:
    both = {"name": "wipe", "annotations": {"readOnlyHint": True, "destructiveHint": True}}
    only = {"name": "look", "annotations": {"readOnlyHint": True, "destructiveHint": False}}

    assert allowed([both, only], (), is_sandbox=False) == {"look"}
    assert allowed([both, only], ("wipe",), is_sandbox=False) == {"look", "wipe"}
