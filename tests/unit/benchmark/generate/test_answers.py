"""The fields of answers, and the arguments of calls."""

from __future__ import annotations

from farm.benchmark.generate.answers import at_path, items_in, leaves_of, set_path, with_value
from farm.benchmark.generate.examples import field_of


def test_objects_of_an_answer_have_their_fields_and_those_around_them() -> None:
    body = {"team": "T1", "channels": [{"id": "C1", "topic": {"value": "hi"}}, {"id": "C2"}]}

    root, first, _, second = items_in(body)

    assert root.own == {".team": "T1"}
    assert first.own == {".channels[].id": "C1", ".channels[].topic.value": "hi"}
    assert first.above == {".team": "T1"}
    assert second.path == ".channels[]"


def test_json_inside_of_a_text_is_read() -> None:
    fields = {field for item in items_in({"content": '{"text": "hi"}'}) for field in item.own}

    assert fields == {".content", ".content.text"}


def test_lines_of_a_prose_answer_are_fields() -> None:
    (item,) = items_in("Chat ID: 42, Title: Family")

    assert item.own == {"#Chat ID": "42", "#Title": "Family"}


def test_arguments_are_set_and_found_by_dotted_paths() -> None:
    arguments: dict[str, object] = {}
    set_path(arguments, "data.members[].id", "U1")
    set_path(arguments, "data.emails[]", "a@b.example")

    assert arguments == {"data": {"members": [{"id": "U1"}], "emails": ["a@b.example"]}}
    assert at_path(arguments, "data.members[].id") == "U1"
    assert dict(leaves_of(with_value(arguments, "data.emails[]", "a@b.example", "c"))) == {
        "data.members[].id": "U1",
        "data.emails[]": "c",
    }


def test_a_reference_leads_to_the_field_without_positions() -> None:
    assert field_of(".channels[name=a.b].id") == ".channels[].id"
    assert field_of(".data.data[2].users[0].id") == ".data.data[].users[].id"
