"""Reactions: which emoji there are, who may put one where, how many there can be."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp

from .conftest import ASLEEP, HELLO, IN_ASLEEP, LAMP, LOST, NOTE, OWL, TALK, Refusal

UNKNOWN = "400 Bad Request (error code: 10014): Unknown Emoji"
EMOJI = [
    "😀",
    "😃",
    "😄",
    "😁",
    "😆",
    "😅",
    "😂",
    "🙂",
    "🙃",
    "😉",
    "😊",
    "😇",
    "😍",
    "😘",
    "😗",
    "😚",
    "😙",
    "😋",
    "😛",
    "😜",
]


def _reactions_line(discord: LocalApp) -> str:
    return discord.text("read_messages", channel_id=TALK).splitlines()[-1]


def _on(message_id: str, emoji: Any) -> dict[str, Any]:
    return {"channel_id": TALK, "message_id": message_id, "emoji": emoji}


@pytest.mark.fact("react")
def test_a_reaction_is_put_once(discord: LocalApp) -> None:
    assert discord.text("add_reaction", **_on(HELLO, "👍")) == "Added reaction 👍 to message"
    assert discord.text("add_reaction", **_on(HELLO, "<👍>")) == "Added reaction <👍> to message"
    discord.call("add_reaction", **_on(HELLO, "❤"))

    assert _reactions_line(discord) == "Reactions: lamp(1), 👍(3), lost(1), ❤️(1)"
    assert len(discord.changes()["reactions"]) == 2


@pytest.mark.fact("letters")
@pytest.mark.parametrize("letter", ["🇦", "🇿"])
def test_a_letter_is_an_emoji_by_itself(discord: LocalApp, refusal: Refusal, letter: str) -> None:
    assert refusal("add_reaction", **_on(HELLO, letter * 2)) == UNKNOWN
    discord.call("add_reaction", **_on(HELLO, letter))

    assert _reactions_line(discord).endswith(f"{letter}(1)")


@pytest.mark.fact("emoji")
@pytest.mark.parametrize("emoji", ["thumbsup", ":thumbsup:", LAMP, f"owl:{OWL}", "lamp:1", "👍👍", "👍 ", "x" * 200])
def test_what_is_no_emoji_here_is_unknown(refusal: Refusal, emoji: str) -> None:
    assert refusal("add_reaction", **_on(HELLO, emoji)) == UNKNOWN
    assert refusal("remove_reaction", **_on(HELLO, emoji)) == UNKNOWN


@pytest.mark.fact("emoji")
@pytest.mark.parametrize("emoji", [f"lamp:{LAMP}", f"<:lamp:{LAMP}>", f"<a:other:{LAMP}>", f"lost:{LOST}"])
def test_a_server_s_own_emoji_is_found_by_its_id(discord: LocalApp, emoji: str) -> None:
    discord.call("add_reaction", **_on(HELLO, emoji))

    assert "lamp(2)" in _reactions_line(discord) or "lost(2)" in _reactions_line(discord)


@pytest.mark.fact("no-emoji")
def test_without_an_emoji_there_is_no_such_address(refusal: Refusal) -> None:
    assert refusal("add_reaction", **_on(HELLO, "")) == "404 Not Found (error code: 0): 404: Not Found"


@pytest.mark.fact("arguments")
@pytest.mark.parametrize(("emoji", "kind"), [(5, "int"), (None, "NoneType"), (True, "bool"), (["👍"], "list")])
def test_an_emoji_is_a_text(refusal: Refusal, emoji: Any, kind: str) -> None:
    said = f"emoji argument must be str, Emoji, or Reaction not {kind}."

    assert refusal("add_reaction", **_on(HELLO, emoji)) == refusal("remove_reaction", **_on(HELLO, emoji)) == said


@pytest.mark.fact("twenty")
def test_a_message_bears_twenty_emoji(discord: LocalApp) -> None:
    several = {"channel_id": TALK, "message_id": NOTE, "emojis": EMOJI}
    assert discord.text("add_multiple_reactions", **several) == f"Added reactions: {', '.join(EMOJI)} to message"

    one_more = discord.result("add_reaction", **_on(NOTE, "👍"))["content"][0]["text"]
    assert one_more == "403 Forbidden (error code: 30010): Maximum number of reactions reached (20)"


@pytest.mark.fact("several")
def test_the_first_that_fails_ends_it_and_the_others_stay(discord: LocalApp) -> None:
    said = discord.result("add_multiple_reactions", channel_id=TALK, message_id=NOTE, emojis=["🎉", "party", "👍"])

    assert said["content"][0]["text"] == UNKNOWN
    assert [change["new"]["emoji"] for change in discord.changes()["reactions"]] == ["🎉"]


@pytest.mark.fact("several")
def test_what_is_no_list_is_gone_through_all_the_same(discord: LocalApp) -> None:
    on = {"channel_id": TALK, "message_id": NOTE}

    assert discord.text("add_multiple_reactions", **on, emojis="👍🎉") == "Added reactions: 👍, 🎉 to message"
    assert discord.text("add_multiple_reactions", **on, emojis=[]) == "Added reactions:  to message"
    said = discord.result("add_multiple_reactions", **on, emojis=None)["content"][0]["text"]
    assert said == "'NoneType' object is not iterable"


@pytest.mark.fact("unreact")
def test_only_the_program_s_own_reaction_goes(discord: LocalApp) -> None:
    discord.call("add_reaction", **_on(HELLO, "👍"))

    assert discord.text("remove_reaction", **_on(HELLO, "👍")) == "Removed reaction 👍 from message"
    assert discord.text("remove_reaction", **_on(HELLO, "🎉")) == "Removed reaction 🎉 from message"
    assert _reactions_line(discord) == "Reactions: lamp(1), 👍(2), lost(1)"


@pytest.mark.fact("threads")
def test_nothing_is_put_on_what_is_archived(refusal: Refusal) -> None:
    on = {"channel_id": ASLEEP, "message_id": IN_ASLEEP, "emoji": "👍"}
    said = "400 Bad Request (error code: 50083): Thread is archived"

    assert refusal("add_reaction", **on) == refusal("remove_reaction", **on) == said


@pytest.mark.fact("react")
def test_who_may_not_begin_may_join(discord: LocalApp, refusal: Refusal) -> None:
    discord.episode.db.execute("INSERT INTO overwrites SELECT ?, user_id, 0, 64 FROM users WHERE name = 'Helper'", TALK)

    assert discord.result("add_reaction", **_on(HELLO, "🎉"))["content"][0]["text"].endswith("Missing Permissions")
    assert discord.text("add_reaction", **_on(HELLO, "👍")) == "Added reaction 👍 to message"
