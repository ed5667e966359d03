"""What the generator makes of a script of Lark's chats, and which scripts it refuses."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.appkit.handler_api import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generators import generators
from tests.unit._two_people import PERSON, WORLD

CHATS = """
[[chats]]
key = "launch"
name = "Launch"
description = ""
owner = "lin.wan"
created = "-30 10:00"
members = ["lin.wan", "chen.mei"]
"""
APPS = '[[apps]]\nkey = "ci"\nname = "CI"\nchats = ["launch"]\n'
Said = Callable[[str], list[Row]]


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """Return a function that gives the messages of a script of one chat with two people and a bot."""
    module = generators()["lark"]

    def messages_of(talk: str) -> list[Row]:
        folder = tmp_path / "small"
        lark = folder / "spec" / "lark"
        (lark / "talk").mkdir(parents=True)
        people = PERSON.format(key="lin.wan", name="林晚") + PERSON.format(key="chen.mei", name="陈梅")
        (folder / "world.toml").write_text(WORLD + people, "utf-8")
        (lark / "accounts.toml").write_text('accounts = [{ person = "lin.wan" }, { person = "chen.mei" }]', "utf-8")
        (lark / "tenant.toml").write_text('[countries]\nShanghai = "CN"\n', "utf-8")
        (lark / "chats.toml").write_text(CHATS, "utf-8")
        (lark / "apps.toml").write_text(APPS, "utf-8")
        (lark / "talk" / "talk.md").write_text("## #launch\n" + talk, "utf-8")
        spec = Spec(folder).app("lark")
        company = importlib.import_module(f"{module}._generate_people").Company(spec)
        return list(importlib.import_module(f"{module}._generate_messages").rows(spec, company))[1:]

    return messages_of


def test_answers_quote_and_those_to_a_thread_stand_in_it(said: Said) -> None:
    asked, answer, opener, inside = said(
        "- -1 09:00 lin.wan: one\n  - 09:01 chen.mei: two\n"
        "- -1 10:00 lin.wan {thread}: three\n  - 10:01 chen.mei: four\n"
    )

    assert (asked["thread_id"], answer["thread_id"]) == (None, None)
    assert answer["root_id"] == answer["parent_id"] == asked["message_id"]
    assert opener["thread_id"] is not None
    assert inside["thread_id"] == opener["thread_id"]
    assert inside["root_id"] == opener["message_id"]


def test_several_in_one_minute_keep_their_order_and_their_minute(said: Said) -> None:
    rows = said("".join(f"- -1 09:07 lin.wan: {number}\n" for number in range(9)))

    assert [json.loads(row["content"])["text"] for row in rows] == list("012345678")
    times = [row["created_at"] for row in rows]
    assert times == sorted(times)
    assert times[-1] - times[0] < 60_000


def test_who_comes_goes_and_renames_is_the_services_word(said: Said) -> None:
    rows = said(
        "- -3 09:00 chen.mei {joins: lin.wan}:\n- -2 09:00 chen.mei {leaves: lin.wan}:\n- -1 09:00 lin.wan {renames}:\n"
    )

    bodies = [json.loads(row["content"]) for row in rows]
    assert [body["from_user"] for body in bodies] == [["林晚"]] * 3
    assert [body["to_chatters"] for body in bodies] == [["陈梅"], ["陈梅"], []]
    assert [body["template"].split()[1] for body in bodies] == ["invited", "removed", "updated"]
    assert {(row["msg_type"], row["sender_type"], row["sender_id"]) for row in rows} == {("system", "", "")}


def test_a_card_has_a_line_for_each_of_its_text(said: Said) -> None:
    (card,) = said(
        "- -1 09:00 ci {card: Build}: 3 of [9](https://ci.example/9) failed\\n---\\n[Again] [Stop]\\n> main\n"
    )

    assert card["sender_type"] == "app"
    assert json.loads(card["content"]) == {
        "title": "Build",
        "elements": [
            [
                {"tag": "text", "text": "3 of "},
                {"tag": "a", "href": "https://ci.example/9", "text": "9"},
                {"tag": "text", "text": " failed"},
            ],
            [{"tag": "hr"}],
            [
                {"tag": "button", "text": "Again", "type": "primary"},
                {"tag": "button", "text": "Stop", "type": "default"},
            ],
            [{"tag": "note", "elements": [{"tag": "text", "text": "main"}]}],
        ],
    }


def test_a_sticker_is_one_file_whoever_sends_it_and_a_picture_is_not(said: Said) -> None:
    one, two, picture, other = said(
        "- -1 09:00 lin.wan {sticker: cat}:\n- -1 09:01 chen.mei {sticker: cat}:\n"
        "- -1 09:02 lin.wan {image: a lamp}:\n- -1 09:03 lin.wan {image: a shade}:\n"
    )

    assert one["content"] == two["content"]
    assert picture["content"] != other["content"]


@pytest.mark.parametrize(
    ("talk", "complaint"),
    [
        ("- -1 09:00 lin.wan {file: a.pdf}: here\n", "talk.md:2: in Lark what is 'file' has no words"),
        ("- -1 09:00 lin.wan {broadcast}: here\n", "talk.md:2: lark has no 'broadcast'"),
        ("- -1 09:00 chen.mei {joins}:\n", "talk.md:2: who does it? write {joins: PERSON}"),
        ("- -1 09:00 lin.wan {forward: launch}:\n", "talk.md:2: write {forward: CHAT: -3 10:05, -3 10:07}"),
        ("- -1 09:00 lin.wan {forward: lunch: -3 10:05}:\n", "talk.md:2: no chat 'lunch'; nearest: launch"),
        ("- -1 09:00 lin.wan {forward: launch: -3 10:05}:\n", "talk.md:2: nothing was said in 'launch' at '-3 10:05'"),
        ("- -1 09:00 lin.wan: hi\n  - :eyes: chen.mei\n", "talk.md:2: Lark stores no reactions; use a reply"),
    ],
)
def test_a_script_with_what_lark_has_not_is_refused_with_its_place(said: Said, talk: str, complaint: str) -> None:
    with pytest.raises(WorldError) as refused:
        said(talk)

    assert complaint in str(refused.value)
