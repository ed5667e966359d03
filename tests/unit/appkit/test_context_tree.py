"""A context as a tree, and paths in it: what they select, and one line for each that leads nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit.context_tree import PathError, context_tree, explain_nothing, is_path, resolve_path
from farm.appkit.schema import INTEGER, MetaData, Schema, column, parent, person, reference, table

TREE = MetaData()
table("people", TREE, column("id", generation="random", primary_key=True), person(), column("name"))
table(
    "calendars",
    TREE,
    column("id", generation="authentic", primary_key=True),
    column("owner", parent("people.id"), nullable=False),
    column("title"),
)
table(
    "events",
    TREE,
    column("number", INTEGER, generation="random", primary_key=True),
    column("calendar", parent("calendars.id"), nullable=False),
    column("made_by", reference("people.id")),
    column("title"),
)
table(
    "guests",
    TREE,
    column("event", INTEGER, parent("events.number"), primary_key=True),
    column("guest", parent("people.id"), primary_key=True),
    column("answer", generation="enumerate"),
)
table(
    "notices",
    TREE,
    column("id", primary_key=True),
    column("to", parent("people.id")),
    column("by", parent("people.id")),
)
SCHEMA = Schema(TREE)


def test_the_account_holder_is_the_root_and_owns_things_before_people_do() -> None:
    (root,) = context_tree(SCHEMA)

    assert (root.table, root.is_holder) == ("people", True)
    assert [each.table for each in root.children] == ["calendars", "notices"]
    (events,) = root.children[0].children
    (guests,) = events.children
    assert guests.key == ("event", "guest")
    assert [(each.name, each.generation, each.role, each.references) for each in guests.fields] == [
        ("event", "free-form", "key", "events.number"),
        ("guest", "free-form", "key", "people.id"),
        ("answer", "enumerate", None, ""),
    ]


def test_a_tree_is_json_with_every_field_once() -> None:
    (root,) = context_tree(SCHEMA)
    made = root.as_json()

    assert made["children"][0]["children"][0]["fields"][1] == {
        "name": "calendar",
        "type": "TEXT",
        "generation": "free-form",
        "role": "reference",
        "references": "calendars.id",
        "is_key": False,
    }


@pytest.mark.parametrize(
    ("path", "table_", "where", "column_"),
    [
        ("calendars", "calendars", {}, None),
        ("calendars[*]", "calendars", {}, None),
        ("calendars[a.b@x]", "calendars", {"id": "a.b@x"}, None),
        ("calendars[a.b@x].events[*]", "events", {"calendar": "a.b@x"}, None),
        ("calendars[a.b@x].events", "events", {"calendar": "a.b@x"}, None),
        ("calendars[a.b@x].events[7].title", "events", {"calendar": "a.b@x", "number": 7}, "title"),
        ("calendars[a.b@x].events[7].guests[ada]", "guests", {"event": 7, "guest": "ada"}, None),
        ("events[7].guests[*].answer", "guests", {"event": 7}, "answer"),
        ("guests[7,ada]", "guests", {"event": 7, "guest": "ada"}, None),
        ("events[title=Tasting. At noon]", "events", {"title": "Tasting. At noon"}, None),
        ("events[number=7].guests[answer=yes]", "guests", {"event": 7, "answer": "yes"}, None),
        ('calendars["a]b, c=d"].events[*]', "events", {"calendar": "a]b, c=d"}, None),
        (r'calendars["a\"b"]', "calendars", {"id": 'a"b'}, None),
        ("calendars[*].events[*]", "events", {}, None),
        ("people[ada].events[*]", "events", {"made_by": "ada"}, None),
        ("people[ada].notices[to=ada]", "notices", {"to": "ada"}, None),
    ],
)
def test_a_path_is_a_table_with_conditions(path: str, table_: str, where: dict[str, Any], column_: str | None) -> None:
    found = resolve_path(SCHEMA, path)

    assert (found.table, dict(found.where), found.column) == (table_, where, column_)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("calendar[x]", "no 'calendar'; have "),
        ("calendars[x].event[*]", "no 'event' below calendars; have events, id, owner, title"),
        ("calendars[x].people[*]", "no 'people' below calendars; have events, "),
        (
            "people[ada].notices[*]",
            "notices belongs to people in more than one way; write notices[to=…], notices[by=…]",
        ),
        ("calendars[title=Work].events[*]", "what is below calendars is named by its key, id"),
        ("events[seven]", "events.number is a number, not 'seven'"),
        ("guests[7]", "the key of guests here is guests[EVENT,GUEST]; or write guests[*]"),
        ("guests[7,ada,ben]", "the key of guests here is guests[EVENT,GUEST]"),
        ("calendars[]", "the key of calendars here is calendars[ID]; or write calendars[*]"),
        ("events[name=x]", "events has no column 'name'; have number, calendar, made_by, title"),
        ("events[7]title", "is no path at 'title'; write calendars[KEY].events[*]"),
        ("calendars[x", "is no path at '[x'"),
        ("events[7].", "is no path at ''"),
        ("", "is no path at ''"),
        ("events[7].title.guests[*]", "no 'title' below events; have guests, "),
        ("events[7].title[*].x", "no 'title' below events; have guests, "),
    ],
)
def test_a_path_that_leads_nowhere_is_told_in_one_line_with_what_there_is(path: str, why: str) -> None:
    with pytest.raises(PathError) as refused:
        resolve_path(SCHEMA, path)

    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_key_that_no_row_has_is_told_with_those_there_are() -> None:
    rows: dict[str, list[dict[str, Any]]] = {
        "calendars": [{"id": "a.b@x"}, {"id": "c@x"}],
        "events": [{"number": 7, "calendar": "c@x"}],
    }

    def why(path: str) -> str | None:
        return explain_nothing(resolve_path(SCHEMA, path), lambda name: rows.get(name, []))

    assert why("calendars[a.b@y].events[*]") == "calendars has no row with id 'a.b@y'; have a.b@x, c@x"
    assert why("calendars[a.b@x].events[8]") == "events has no row with number '8'; have 7"
    assert why("events[7].guests[ada]") == "guests has no row with guest 'ada'; it has no rows"
    assert why("calendars[a.b@x].events[*]") is None


def test_the_name_of_a_table_is_no_path() -> None:
    assert [each for each in ("events", "events[*]", "a.b") if is_path(each)] == ["events[*]", "a.b"]
