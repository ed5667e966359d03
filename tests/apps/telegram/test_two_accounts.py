"""Two people play: neither sees or changes what only the other keeps, and each reads all of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.rows import (
    BO,
    CY,
    ELI,
    GIL,
    HAL,
    LUNCH,
    ME,
    NOW_S,
    SAVED,
    USERS,
    WITH_BO,
    Row,
    file,
    message,
    rows_of_2026,
)

LISTED = json.loads((Path(__file__).parents[3] / "kernels" / "telegram" / "tools.json").read_bytes())
TOOLS: list[dict[str, Any]] = LISTED["tools"]
READING = {tool["name"] for tool in TOOLS if (tool.get("annotations") or {}).get("readOnlyHint")}
WITH_GIL, WITH_CY, SAVED_BO = 9000000000101, 9000000000102, 9000000000103
OWNERS = {"ada": ME, "bo": BO}
# Table → the column that names whose row it is.
KEPT = {
    "contacts": "owner_id", "blocks": "owner_id", "privacy": "owner_id", "sticker_sets": "owner_id",
    "folders": "owner_id", "aliases": "owner_id", "listeners": "owner_id", "files": "owner_id", "bursts": "owner_id",
    "dialogs": "user_id", "drafts": "user_id", "scheduled_messages": "sender_id",
}  # fmt: skip
SECRETS = ("said", "saved", "draft", "folder", "alias", "later", "contact", "stickers")
IDS = [ME, BO, CY, ELI, GIL, HAL, -LUNCH, LUNCH, WITH_GIL, WITH_CY, SAVED_BO, SAVED, -1000000000000 - USERS, "me"]
NUMBERS = [2, 18, 101, 102, 103, 104]
VALUES: dict[str, list[Any]] = {
    "query": ["SECRET"], "search_query": [""], "contact_query": ["SECRET"], "message_id": NUMBERS, "folder_id": [2, 9],
    "message_ids": [[101, 102, 103, 104, 9001]], "settle_ms": [0], "limit": [100], "page_size": [100],
}  # fmt: skip
IS_ID = ("chat_id", "user_id", "contact_id", "from_chat_id", "to_chat_id", "username")


def kept_rows(name: str, owner: int, friend: int, with_friend: int, saved: int, first: int) -> list[Row]:
    """Return what one person keeps, each text of it beginning with SECRET and their name."""
    of = {"owner_id": owner}
    low, high = sorted((owner, friend))
    members = [*dict.fromkeys((low, high))]
    chat = {"table": "chats", "chat_id": with_friend, "kind": "private", "low_id": low, "high_id": high}
    return [
        chat,
        *({"table": "members", "chat_id": with_friend, "user_id": each} for each in members),
        message(with_friend, first, friend, 500, f"SECRET {name} said", is_pinned=1),
        message(saved, first + 1, owner, 400, f"SECRET {name} saved"),
        {"table": "dialogs", "user_id": owner, "chat_id": with_friend, "read_id": 0},
        {"table": "drafts", "user_id": owner, "peer_id": friend, "text": f"SECRET {name} draft", "saved_s": NOW_S},
        {"table": "folders", **of, "folder_id": 9, "position": 9, "title": f"SECRET {name} folder"},
        {"table": "aliases", **of, "alias": f"secret {name} alias", "peer_id": friend, "name": "F", "position": 9},
        {"table": "scheduled_messages", "chat_id": WITH_BO, "message_id": 9000 + first, "sender_id": owner,
         "text": f"SECRET {name} later", "due_s": NOW_S + 999},
        {"table": "contacts", **of, "user_id": friend, "first_name": f"SECRET {name} contact"},
        {"table": "sticker_sets", **of, "position": 9, "title": f"SECRET {name} stickers"},
        {"table": "privacy", **of, "key": "status_timestamp", "rules": json.dumps([{"disallow": [friend]}])},
        {"table": "blocks", **of, "peer_id": HAL if owner == BO else ELI, "blocked_s": NOW_S - 5},
        file(f"/home/{name}", "SECRET.txt", owner_id=owner),
    ]  # fmt: skip


def start_rows() -> list[Row]:
    world = [row for row in rows_of_2026() if row["table"] != "blocks" and row.get("key") != "status_timestamp"]
    saved = {"table": "chats", "chat_id": SAVED_BO, "kind": "private", "low_id": BO, "high_id": BO}
    return [
        *world,
        saved,
        {"table": "members", "chat_id": SAVED_BO, "user_id": BO},
        *kept_rows("ada", ME, GIL, WITH_GIL, SAVED, 101),
        *kept_rows("bo", BO, ELI, WITH_CY, SAVED_BO, 103),
        {"table": "files", "owner_id": BO, "path": "/home/bo", "kind": "folder"},
        {"table": "listeners", "owner_id": BO, "started_s": NOW_S - 3500},
    ]


def calls() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every tool with every combination of ids and numbers that its arguments take; those that read first."""
    for tool in sorted(TOOLS, key=lambda tool: tool["name"] not in READING):
        schema = tool["inputSchema"]
        wanted = {name: values(name, schema["properties"][name]) for name in wanted_arguments(schema)}
        for chosen in product(*wanted.values()):
            yield tool["name"], dict(zip(wanted, chosen, strict=True))


def wanted_arguments(schema: dict[str, Any]) -> list[str]:
    return [name for name in schema["properties"] if name in schema.get("required", ()) or name in ("limit", "query")]


def values(name: str, schema: dict[str, Any]) -> list[Any]:
    if name in VALUES:
        return VALUES[name]
    if name in IS_ID:
        return IDS
    if name.endswith("path"):
        return ["/home/bo/SECRET.txt", "/home/ada/SECRET.txt"]
    kinds = [each.get("type") for each in schema.get("anyOf", [schema])]
    return [{"integer": 1, "number": 1.0, "boolean": True, "array": [BO], "object": {}}.get(kinds[0], "Hello")]


def kept_by_others(app: LocalApp, me: int) -> dict[str, list[Row]]:
    """Return the rows that are not the account's to change."""
    found = {
        table: app.episode.db.all(f"SELECT * FROM {table} WHERE {column} != ? ORDER BY 1, 2", me)
        for table, column in KEPT.items()
    }
    found["messages"] = app.episode.db.all(
        "SELECT m.* FROM messages m JOIN chats c USING (chat_id) "
        "WHERE c.kind = 'private' AND ? NOT IN (low_id, high_id) ORDER BY m.chat_id, m.message_id",
        me,
    )
    return found


@pytest.mark.fact("one account")
@pytest.mark.parametrize(("person", "other"), [("ada", "bo"), ("bo", "ada")])
def test_no_tool_shows_or_changes_what_another_keeps(start: Callable[..., LocalApp], person: str, other: str) -> None:
    app = start("telegram", rows=start_rows(), me=person)
    before = kept_by_others(app, OWNERS[person])
    leaks = []
    for tool, arguments in calls():
        told = str(app.result(tool, **arguments))
        asked = str(arguments)
        if f"secret {other}" in told.lower() or (f"/home/{other}/SECRET.txt" in told and "/home" not in asked):
            leaks.append((tool, arguments))

    assert leaks == []
    assert kept_by_others(app, OWNERS[person]) == before


@pytest.mark.fact("one account")
@pytest.mark.parametrize("person", ["ada", "bo"])
def test_each_reads_all_that_is_their_own(start: Callable[..., LocalApp], person: str) -> None:
    app = start("telegram", rows=start_rows(), me=person)
    told = "".join(str(app.result(tool, **arguments)) for tool, arguments in calls() if tool in READING).lower()

    assert [what for what in SECRETS if f"secret {person} {what}" not in told] == []
    # A relative path begins in the person's own folder.
    assert json.loads(app.text("upload_file", file_path="SECRET.txt"))["path"] == f"/home/{person}/SECRET.txt"


@pytest.mark.fact("one account")
def test_a_file_of_anothers_machine_is_not_there(start: Callable[..., LocalApp]) -> None:
    app = start("telegram", rows=start_rows(), me="bo")

    assert "File not found" in str(app.result("upload_file", file_path="/home/ada/SECRET.txt"))


@pytest.mark.fact("one account")
def test_anothers_alias_stands_for_nobody(start: Callable[..., LocalApp]) -> None:
    app = start("telegram", rows=start_rows(), me="ada")

    told = json.loads(app.result("get_messages", chat_id="secret bo alias")["content"][0]["text"])

    assert (told["error"], told["candidates"]) == ("unknown_contact", [])
    assert "secret ada alias" in told["known_aliases"]
    assert "secret bo alias" not in told["known_aliases"]


@pytest.mark.fact("one account")
def test_both_are_told_of_what_came_in(start: Callable[..., LocalApp]) -> None:
    said = [message(WITH_BO, 200, BO, 60, "Ada?"), message(WITH_BO, 201, ME, 50, "Bo?")]
    told_before = {"table": "bursts", "chat_id": WITH_BO, "message_id": 999}
    for person, other, number in (("ada", BO, 200), ("bo", ME, 201)):
        app = start("telegram", rows=[*start_rows(), *said, {**told_before, "owner_id": other}], me=person)
        told = json.loads(app.text("wait_for_settled_message", settle_ms=1000, chat_id=other))

        assert (told["chat_id"], told["last_message_id"]) == (other, number)
        assert app.changes()["bursts"][0]["new"]["owner_id"] == OWNERS[person]


@pytest.mark.fact("one account")
def test_whoever_is_added_by_username_keeps_their_number_until_they_add_back(start: Callable[..., LocalApp]) -> None:
    adds_back = {"table": "contacts", "owner_id": HAL, "user_id": ME, "first_name": "Ada"}
    for rows, number in ((rows_of_2026(), None), ([*rows_of_2026(), adds_back], "447000000008")):
        app = start("telegram", rows=rows, me="ada")
        app.text("add_contact", username="hal_hart", first_name="Hal")

        told = json.loads(app.text("get_full_user", username="hal_hart"))
        listed = [app.text(tool) for tool in ("list_contacts", "export_contacts")]

        assert told["phone"] == number
        assert ["447000000008" in each for each in listed] == [number is not None] * 2
        assert "hal_hart" in listed[0]


@pytest.mark.fact("one account")
def test_whoever_is_added_by_number_shows_it(start: Callable[..., LocalApp]) -> None:
    app = start("telegram", rows=rows_of_2026(), me="ada")
    app.text("add_contact", phone="+44 7000 000008", first_name="Hal")
    app.text("add_contact", username="hal_hart", first_name="Harry")

    assert json.loads(app.text("get_full_user", username="hal_hart"))["phone"] == "447000000008"
