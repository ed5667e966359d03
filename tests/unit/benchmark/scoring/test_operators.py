"""Values: what counts as the same, and each operator where it holds and where it doesn't."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit.schema import TimeForm
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.value_check import check
from farm.context.operators import at_path, equal, satisfies, seen

SETTING = ClockContext(load_start("harbor").world)
# 10:00 on 26 March 2026 in Shanghai, in seconds.
AT, AT_S = "2026-03-26T10:00:00+08:00", 1_774_490_400
# The same moment as each form of a column stores it.
STORED: dict[TimeForm, Any] = {
    "s": AT_S,
    "ms": AT_S * 1000,
    "us": AT_S * 1_000_000,
    "s_text": str(AT_S),
    "ms_text": str(AT_S * 1000),
    "ts": f"{AT_S}.000000",
    "rfc3339": "2026-03-26T03:00:00+01:00",
}


def holds(wanted: Any, found: Any, form: TimeForm | None = None) -> bool:
    return all(each.ok for each in check(wanted, found, SETTING, form))


@pytest.mark.parametrize("form", ["s", "s_text"])
def test_whole_seconds_are_compared_in_whole_seconds(form: TimeForm) -> None:
    """A clock ticks by milliseconds, and a column of seconds says of a moment only in which second it was."""
    for operator in ("equals", "time"):
        assert holds({operator: "2026-03-26T10:00:00.999+08:00"}, STORED[form], form)
        assert not holds({operator: "2026-03-26T10:00:01.001+08:00"}, STORED[form], form)
        assert not holds({operator: "2026-03-26T10:00:00.001+08:00"}, STORED["ms"], "ms")


@pytest.mark.parametrize("form", [form for form in STORED if form not in ("us", "rfc3339")])
def test_a_stored_number_is_a_time_where_the_column_declares_no_form(form: TimeForm) -> None:
    """Rules of people ask for what surrounds a row, which has no declaration, such as the start of an event."""
    assert satisfies(AT, STORED[form])
    assert not satisfies({"not": AT}, STORED[form])
    assert satisfies({"not": "2026-03-26T11:00:00+08:00"}, STORED[form])
    assert not satisfies("2026-03-26T10:00:00", STORED[form])


# -- plain values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Launch", " launch\n"),
        ("Ｅmber S2", "**ember**  _s2_"),
        (3, "3"),
        (1200, "1,200"),
        (0.5, "0.5"),
        ("1,200", 1200),
        (3, 3.0),
        (True, 1),
        (True, "1"),
        (False, 0),
        (None, None),
        ({"id": "A"}, {"id": "a", "name": "x"}),
        ({"of": {"id": 1}}, {"of": {"id": "1", "more": 2}}),
        ([], []),
        (["a", 1], ["A", "1"]),
    ],
)
def test_people_would_call_these_the_same(wanted: Any, found: Any) -> None:
    assert equal(wanted, found)
    assert holds(wanted, found)
    assert holds({"equals": wanted}, found)
    assert not holds({"not": wanted}, found)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Launch", "Launches"),
        ("", None),
        (3, "three"),
        (3, ""),
        (3, "30"),
        (0, None),
        (3, None),
        ("one", 1),
        ("1", True),
        ("2", 1),
        (True, 0),
        (True, 2),
        (False, None),
        ({"id": "a"}, {"name": "a"}),
        ({"id": "a", "name": "x"}, {"id": "a", "name": "y"}),
        ({"id": "a"}, "a"),
        (["a", "b"], ["b", "a"]),
        (["a"], ["a", "b"]),
        (["a", "b"], ["a"]),
        (["a"], "a"),
    ],
)
def test_people_would_not_call_these_the_same(wanted: Any, found: Any) -> None:
    assert not equal(wanted, found)
    assert not holds({"equals": wanted}, found)
    assert holds({"not": wanted}, found)


# -- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "found"), STORED.items())
def test_a_time_is_the_same_however_its_column_stores_it(form: TimeForm, found: Any) -> None:
    assert holds(AT, found, form)
    assert holds({"time": AT}, found, form)
    assert holds({"min": AT, "max": AT}, found, form)
    later, earlier = "2026-03-26T10:00:01+08:00", "2026-03-26T09:59:59+08:00"
    for other in (later, earlier):
        assert not holds(other, found, form)
        assert not holds({"time": other}, found, form)
    assert holds({"min": earlier}, found, form)
    assert not holds({"min": later}, found, form)
    assert holds({"max": later}, found, form)
    assert not holds({"max": earlier}, found, form)


def test_a_day_is_a_day_whatever_stands_behind_it() -> None:
    assert holds("2026-03-26", "2026-03-26", "date")
    assert holds("2026-03-26", "2026-03-26T10:00:00", "date")
    assert not holds("2026-03-26", "2026-03-27", "date")
    assert holds({"min": "2026-03-26", "max": "2026-03-26"}, "2026-03-26", "date")
    assert not holds({"min": "2026-03-27"}, "2026-03-26", "date")


@pytest.mark.parametrize(
    "found", [AT_S, AT_S * 1000, str(AT_S), str(AT_S * 1000), f"{AT_S}.0", AT, "2026-03-26T02:00:00Z"]
)
def test_a_time_in_a_place_without_a_form_is_read_by_its_size(found: Any) -> None:
    assert holds({"time": AT}, found)


def test_numbers_up_to_a_hundred_thousand_million_are_seconds_and_all_others_milliseconds() -> None:
    assert holds({"time": "5138-11-16T09:46:39+00:00"}, 99_999_999_999)
    assert holds({"time": "1973-03-03T09:46:40+00:00"}, 100_000_000_000)
    assert holds({"time": "1960-01-01T00:00:00+00:00"}, -315_619_200_000)


@pytest.mark.parametrize("form", [*STORED, None])
@pytest.mark.parametrize("found", [None, "", "soon", "2026-03-26T10:00:00", [], 1e300])
def test_what_is_no_point_in_time_equals_none(found: Any, form: TimeForm | None) -> None:
    assert not holds({"time": AT}, found, form)
    assert not holds({"min": AT}, found, form)
    assert not holds({"max": AT}, found, form)
    # A time without its zone is no point in time, so not even itself.
    assert not holds({"time": "2026-03-26T10:00:00"}, "2026-03-26T10:00:00", form)


def test_a_columns_form_says_more_than_the_size_of_what_it_holds() -> None:
    # Without it, what is 1970 in milliseconds would be read as seconds, and 5138 in seconds as milliseconds.
    stored: list[tuple[TimeForm, Any, str]] = [
        ("ms", 1000, "1970-01-01T00:00:01Z"),
        ("ms_text", "1000", "1970-01-01T00:00:01Z"),
        ("us", 1_000_000, "1970-01-01T00:00:01Z"),
        ("s", 100_000_000_000, "5138-11-16T09:46:40Z"),
        ("s_text", "100000000000", "5138-11-16T09:46:40Z"),
        ("ts", "100000000000.000000", "5138-11-16T09:46:40Z"),
    ]
    for form, found, at in stored:
        assert holds(at, found, form)
        assert holds({"time": at}, found, form)
    assert holds({"in": ["2026-01-01T00:00:00Z", "1970-01-01T00:00:01Z"]}, 1000, "ms")


def test_what_is_no_time_never_equals_what_a_time_column_holds() -> None:
    assert not holds("soon", "soon", "s")
    assert not holds("soon", None, "ms")
    assert not holds({"time": "soon"}, "soon")


# -- operators -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [
        ({"exactly": "Launch"}, "Launch", "launch"),
        ({"exactly": "a\nb"}, "a\nb\n", "a\n\nb"),
        ({"exactly": ["a"]}, ["a"], ["A"]),
        ({"contains": "1000 ms"}, "from 1000 ms on", "11000 ms"),
        ({"contains": "13,200"}, "13,200 and more", "113,200"),
        ({"contains": "113"}, "113.", "113,200"),
        ({"contains": "588号"}, "(588号)", "1588号"),
        ({"equals": ["a", "b"]}, ["A", "b"], "a"),
        ({"not": ["a", "b"]}, "a", ["a", "B"]),
        ({"prefix": "S2"}, "s2 go", "go s2"),
        ({"suffix": "Go"}, "s2 go", "go s2"),
        ({"prefix": ["s", "s2"]}, "s2 go", "s go"),
        ({"in": ["a", "b"]}, "B", "ab"),
        ({"in": "a"}, "A", "b"),
        ({"one_of": ["a", "b"]}, "B", "c"),
        ({"regex": r"^go\d+$"}, "GO12", "go 12"),
        ({"regex": ["a", "b"]}, "ab", "a"),
        ({"min": 3, "max": 5}, 4, 6),
        ({"min": 3, "max": 5}, "4", 2),
        ({"min": 3}, 3, 2.9),
        ({"max": 3}, 3, 3.1),
        ({"min": 3}, 4, None),
        ({"max": 3}, 2, "few"),
        ({"null": True}, None, "x"),
        ({"null": True}, "", 0),
        ({"null": False}, "x", ""),
        ({"null": False}, 0, None),
        ({"contains": "Ember"}, "the EMBER  lamp", "the lamp"),
        ({"contains": 26}, "on 26 March", "on 25 March"),
        ({"contains": "26 March"}, "on 26\n March", "on 26"),
        ({"contains_all": ["a", "b"]}, "b a", "a"),
        ({"contains_any": ["a", "b"]}, "b", "c"),
        ({"contains_any": "a"}, "a", "b"),
        ({"not_contains": ["x", "y"]}, "z", "zy"),
        ({"not": "a"}, "b", "A"),
    ],
)
def test_an_operator_holds_of_one_and_not_of_the_other(wanted: Any, right: Any, wrong: Any) -> None:
    assert holds(wanted, right)
    assert not holds(wanted, wrong)


@pytest.mark.parametrize(
    ("found", "texts"),
    [
        ('{"text":"三月二十六"}', ["二十六"]),
        ('[[{"tag":"at","name":"Helen"},{"text":"hello"}],["there",7]]', ["helen", "hello", "there", "7"]),
        ({"a": {"b": ["deep"]}}, ["deep"]),
        ("[draft] for Helen", ["[draft]", "helen"]),
        ("{name}, hello", ["{name}"]),
        (42, ["42"]),
    ],
)
def test_the_texts_of_a_value_are_found_however_deep_they_stand(found: Any, texts: list[str]) -> None:
    assert holds({"contains_all": texts}, found)


def test_keys_and_neighbours_make_no_text() -> None:
    assert not holds({"contains": "title"}, '{"title":"Launch"}')
    assert not holds({"contains": "bigbang"}, '["big","bang"]')
    assert not holds({"regex": "."}, None)
    assert not holds({"contains": "null"}, '[null,"x"]')


def test_a_list_has_an_element_when_the_named_keys_agree() -> None:
    people = [{"id": "ou_1", "name": "x"}, {"id": "ou_2", "name": "y"}]

    for found in (people, json.dumps(people)):
        assert holds({"has": {"id": "ou_2"}}, found)
        assert not holds({"has": {"id": "ou_2", "name": "x"}}, found)
    assert holds({"has": 2}, [1, 2])
    assert not holds({"has": ["a", "b"]}, ["a", "b"])
    assert holds({"has": ["a", "b"]}, [["a", "b"]])
    without: list[Any] = ["ou_2", None, [], {"id": "ou_2"}]
    for nothing in without:
        assert not holds({"has": {"id": "ou_2"}}, nothing)


def test_a_text_that_begins_like_json_and_is_none_is_a_text() -> None:
    for text in ("[draft] hello", "{name} hello"):
        assert not holds({"has": "hello"}, text)
        assert at_path({"text": text}, "text.0") is None
        assert seen(text, ["text"]) == text


def test_of_a_whole_json_value_only_what_people_see_is_left() -> None:
    card = {"text": "Hello", "value": {"text": "hidden"}, "content": [[{"text": "there", "href": "x"}], "and", 7]}
    left = {"text": "Hello", "content": [[{"text": "there"}], "and", 7]}

    assert seen(card, ["text", "content"]) == left
    assert json.loads(seen(json.dumps(card), ["text", "content"])) == left
    # What somebody wrote into a text is text, also when it looks like more.
    assert seen({"text": '{"value":1}', "content": ['{"value":1}']}, ["text", "content"]) == {
        "text": '{"value":1}',
        "content": ['{"value":1}'],
    }
    assert (seen(None, ["text"]), seen("plain", ["text"])) == (None, "plain")


def test_every_operator_of_a_table_must_hold() -> None:
    wanted = {"in": ["go now", "go"], "prefix": "go", "not_contains": "later"}

    assert [each.ok for each in check(wanted, "go", SETTING)] == [True, True, True]
    assert [each.ok for each in check(wanted, "go later", SETTING)] == [False, True, False]


def test_a_table_with_any_other_key_is_a_plain_value() -> None:
    assert holds({"in": 1, "out": 2}, {"in": 1, "out": 2, "on": 3})
    assert not holds({"in": 1, "out": 2}, 1)


def test_claims_stand_beside_operators_in_any_order() -> None:
    for wanted in (
        {"claims": [{"date": "+17"}], "contains": "Ember"},
        {"contains": "Ember", "claims": [{"date": "+17"}]},
    ):
        assert holds(wanted, "Ember is on 26 March.")
        assert not holds(wanted, "It is on 26 March.")
        assert not holds(wanted, "Ember is on 27 March.")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("Launch", ["'Launch'"]),
        (3, ["3"]),
        ({"id": "a"}, ['{"id":"a"}']),
        ({"equals": 3}, ["equals 3"]),
        ({"not": "x"}, ["not 'x'"]),
        ({"contains": ["a", "b"]}, ["contains 'a'", "contains 'b'"]),
        ({"contains_all": ["a"]}, ["contains 'a'"]),
        ({"contains_any": ["a", "b"]}, ['contains one of ["a","b"]']),
        ({"not_contains": "a"}, ["does not contain 'a'"]),
        ({"in": ["a", 1]}, ['one of ["a",1]']),
        ({"one_of": ["a"]}, ['one of ["a"]']),
        ({"min": 1, "max": 2}, ["at least 1", "at most 2"]),
        ({"prefix": "a", "null": False}, ["prefix 'a'", "null false"]),
    ],
)
def test_what_was_wanted_is_told_in_words(wanted: Any, words: list[str]) -> None:
    assert [each.wanted for each in check(wanted, None, SETTING)] == words


def test_what_must_not_be_there_is_told_apart_from_what_must() -> None:
    findings = check({"contains": "a", "not": "b", "not_contains": "c", "in": ["d"], "max": 1}, "e", SETTING)

    assert [each.wanted for each in findings if each.is_ban] == ["not 'b'", "does not contain 'c'"]


# -- paths -----------------------------------------------------------------------------------------------------------

ROW = {
    "name": "x",
    "fields": '{"a":{"b":[1,{"c":"deep"}]},"1":"one","text":"{\\"inner\\":5}"}',
    "parts": ["p", "q"],
}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "x"),
        ("fields.a.b", [1, {"c": "deep"}]),
        ("fields.a.b.0", 1),
        ("fields.a.b.1.c", "deep"),
        ("fields.a.b.-1.c", "deep"),
        ("fields.1", "one"),
        ("fields.text.inner", 5),
        ("parts.1", "q"),
        ("parts.-2", "p"),
        # Where a path ends early there is nothing.
        ("nothing", None),
        ("nothing.at.all", None),
        ("name.first", None),
        ("fields.a.z", None),
        ("fields.a.z.deeper", None),
        ("fields.a.b.2", None),
        ("parts.2", None),
        ("parts.-3", None),
        ("parts.first", None),
        ("fields.a.b.0.c", None),
    ],
)
def test_a_dotted_key_leads_into_json(key: str, value: Any) -> None:
    assert at_path(ROW, key) == value


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("gao@a.example", True),
        ("Gao <gao@a.example>, ning@a.example", True),
        ("Write to gao@a.example.", True),
        ("not.gao@a.example", False),
        ("gao@a.example.org", False),
        ("gao@a.example-mail.org", False),
    ],
)
def test_an_address_is_contained_as_a_whole(found: str, expected: bool) -> None:
    assert holds({"contains": "gao@a.example"}, found) is expected


@pytest.mark.parametrize(("found", "expected"), [(None, True), ("", True), (7, True), ("7", True), (8, False)])
def test_null_or_holds_for_nothing_and_for_the_value(found: Any, expected: bool) -> None:
    assert holds({"null_or": 7}, found) is expected
    assert holds({"null_or": [6, 7]}, found) is expected
