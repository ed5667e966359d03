"""Reactions: which emoji there are, who may put one where, how many there can be."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp

from .conftest import ASLEEP, BEA, BOT, HELLO, IN_ASLEEP, LAMP, LOST, NOTE, OWL, TALK, Refusal

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
@pytest.mark.parametrize("emoji", [f"lamp:{LAMP}", f"<:lamp:{LAMP}>", f"<a:other:{LAMP}>", f"X:{LAMP}", f"lost:{LOST}"])
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


@pytest.mark.fact("no-emoji")
@pytest.mark.parametrize("emoji", ["<>", "><", "/", "a/b", "<a/b:1>"])
def test_what_leads_to_no_address_is_not_found(refusal: Refusal, emoji: str) -> None:
    said = "404 Not Found (error code: 0): 404: Not Found"

    assert refusal("add_reaction", **_on(HELLO, emoji)) == refusal("remove_reaction", **_on(HELLO, emoji)) == said


@pytest.mark.fact("twenty")
def test_on_a_message_with_twenty_emoji_one_of_them_may_be_joined(discord: LocalApp) -> None:
    for seq, emoji in enumerate(EMOJI, start=1):
        row: dict[str, Any] = {"message_id": NOTE, "emoji": emoji, "user_id": BEA, "name": emoji, "seq": seq}
        discord.episode.db.insert("reactions", **row)

    assert discord.text("add_reaction", **_on(NOTE, EMOJI[3])) == f"Added reaction {EMOJI[3]} to message"
    (one_more,) = discord.result("add_reaction", **_on(NOTE, "👍"))["content"]
    assert one_more["text"] == "403 Forbidden (error code: 30010): Maximum number of reactions reached (20)"
    # A place is free again when nobody is left on it.
    discord.episode.db.delete("reactions", message_id=NOTE, emoji=EMOJI[0])
    assert discord.text("add_reaction", **_on(NOTE, "👍")) == "Added reaction 👍 to message"


@pytest.mark.fact("react")
def test_what_is_kept_of_a_reaction_is_whose_and_which_behind_the_others(discord: LocalApp) -> None:
    discord.call("add_reaction", **_on(HELLO, f"<a:anything:{LAMP}>"))
    discord.call("add_reaction", **_on(HELLO, "🎉"))
    discord.call("add_reaction", **_on(NOTE, "🎉"))

    assert [change["new"] for change in discord.changes()["reactions"]] == [
        {"message_id": HELLO, "emoji": LAMP, "user_id": BOT, "name": "lamp", "seq": 5},
        {"message_id": HELLO, "emoji": "🎉", "user_id": BOT, "name": "🎉", "seq": 6},
        {"message_id": NOTE, "emoji": "🎉", "user_id": BOT, "name": "🎉", "seq": 1},
    ]


@pytest.mark.fact("unreact")
def test_a_reaction_is_taken_off_its_own_message_alone(discord: LocalApp) -> None:
    for message in (HELLO, NOTE):
        discord.call("add_reaction", **_on(message, "👍"))
        discord.call("add_reaction", **_on(message, "🎉"))

    discord.call("remove_reaction", **_on(HELLO, "🎉"))

    kept = {(change["new"]["message_id"], change["new"]["emoji"]) for change in discord.changes()["reactions"]}
    assert kept == {(HELLO, "👍"), (NOTE, "👍"), (NOTE, "🎉")}


@pytest.mark.fact("several")
@pytest.mark.parametrize(("emojis", "kind"), [(5, "int"), (True, "bool"), (1.5, "float")])
def test_what_cannot_be_gone_through_is_told_by_python(refusal: Refusal, emojis: Any, kind: str) -> None:
    said = refusal("add_multiple_reactions", channel_id=TALK, message_id=HELLO, emojis=emojis)

    assert said == f"'{kind}' object is not iterable"
