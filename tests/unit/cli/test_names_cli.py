"""``farm people`` and ``farm tables``: the names that whoever writes a task needs."""

from __future__ import annotations

import json

import pytest

from farm.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 0
    return capsys.readouterr().out


def test_people_are_listed_by_the_key_that_tasks_use_with_the_apps_they_are_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = {each["person"]: each for each in json.loads(printed(capsys, "people", "--json"))}

    assert people["lin.wan"]["is_protagonist"]
    assert people["lin.wan"]["name_zh"] == "林晚"
    assert {"lark", "slack"} <= set(people["lin.wan"]["apps"])


def test_tables_are_listed_with_their_keys_times_and_references(capsys: pytest.CaptureFixture[str]) -> None:
    tables = {each["table"]: each["columns"] for each in json.loads(printed(capsys, "tables", "slack", "--json"))}
    columns = {each["column"]: each for each in tables["messages"]}

    assert columns["ts"]["key"]
    assert columns["channel_id"]["refers_to"] == "channels.id"
    assert columns["text"] == {
        "column": "text",
        "type": "text",
        "role": "body",
        "format": "slack",
        "seen_by": "everyone",
        "key": False,
        "time": None,
        "json": False,
        "refers_to": None,
        "server_managed": False,
        "deleted_value": None,
    }


def test_tables_tell_how_a_change_of_a_column_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    events = printed(capsys, "tables", "lark").partition("\nevents\n")[2].partition("\nfiles\n")[0]
    lines = {words[0]: words[1] for words in (line.split(maxsplit=1) for line in events.splitlines())}

    assert lines["updated_at"] == "integer, time, stored as ms, server_managed"
    assert lines["recurrence"] == "text, time"
    assert lines["status"] == "text, status, deleted when cancelled"
    assert lines["summary"] == "text, title"
    assert lines["idempotency_key"] == "text, internal, seen by nobody"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("people", "harbour"), "no world 'harbour'; have halfday, harbor"), (("tables", "slak"), "no app 'slak'; have ")],
)
def test_an_unknown_name_is_one_line(arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)

    assert end.value.code == 1
    assert told in capsys.readouterr().err
