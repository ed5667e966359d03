"""Servers, their members and roles, users, and what is said to arguments that are none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp

from .conftest import (
    ADA,
    BEA,
    BOSSES,
    BOT,
    BOTS_OWN,
    CLUB,
    CYR,
    FOREIGN,
    HELLO,
    HIKERS,
    IN_PAST,
    MODERATORS,
    OTHERS,
    STRANGER,
    TALK,
    Refusal,
    rows,
)


def made_at(snowflake: str) -> str:
    """Return the moment in an id, as Discord's documentation says: milliseconds since 2015 above 22 bits."""
    return (datetime(2015, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(snowflake) >> 22)).isoformat()


@pytest.mark.fact("envelope")
def test_successes_and_refusals_say_what_they_are(discord: LocalApp) -> None:
    done, refused = discord.result("get_user_info", user_id=CYR), discord.result("get_user_info", user_id="1")

    assert (done["isError"], len(done["content"])) == (False, 1)
    text = "404 Not Found (error code: 10013): Unknown User"
    assert refused == {"content": [{"type": "text", "text": text}], "isError": True}


@pytest.mark.fact("not-ready")
def test_without_a_token_nothing_is_ready(start: Callable[..., LocalApp]) -> None:
    bea = start("discord", rows=rows(), me="bea")

    for name in (*(tool.name for tool in bea.store.loaded.app.tools), "edit_message"):
        assert bea.result(name) == {"content": [{"type": "text", "text": "Discord client not ready"}], "isError": True}


@pytest.mark.fact("arguments")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("general", "invalid literal for int() with base 10: 'general'"),
        ("", "invalid literal for int() with base 10: ''"),
        ("1.5", "invalid literal for int() with base 10: '1.5'"),
        (None, "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"),
        (["1"], "int() argument must be a string, a bytes-like object or a real number, not 'list'"),
        ({}, "int() argument must be a string, a bytes-like object or a real number, not 'dict'"),
    ],
)
def test_an_id_is_what_python_makes_of_it(refusal: Refusal, value: Any, said: str) -> None:
    assert refusal("get_user_info", user_id=value) == said
    assert refusal("read_messages", channel_id=value) == said


@pytest.mark.fact("arguments")
def test_numbers_and_texts_with_spaces_are_ids_too(discord: LocalApp, refusal: Refusal) -> None:
    assert discord.text("get_user_info", user_id=int(CYR)) == discord.text("get_user_info", user_id=f" {CYR}\n")
    assert refusal("get_user_info") == "'user_id'"
    assert refusal("get_user_info", id=CYR) == "'user_id'"


@pytest.mark.fact("order")
def test_what_comes_first_is_told_first(refusal: Refusal) -> None:
    assert refusal("send_message", channel_id="1") == "404 Not Found (error code: 10003): Unknown Channel"
    assert refusal("send_message", channel_id=TALK) == "'content'"
    assert refusal("add_role", server_id=CLUB, user_id="x") == "invalid literal for int() with base 10: 'x'"
    assert refusal("create_text_channel", server_id=CLUB, category_id="x").endswith("'x'")
    assert refusal("create_text_channel", server_id=CLUB) == "'name'"


@pytest.mark.fact("unpinned")
def test_a_newer_sdk_checks_first(tmp_path: Path) -> None:
    app = LocalApp("discord", tmp_path, rows=rows(), me="ada", profile="unpinned")

    said = [app.result("read_messages", **each) for each in ({}, {"channel_id": 1}, {"channel_id": "1", "limit": 101})]

    assert [each["content"][0]["text"] for each in said] == [
        "Input validation error: 'channel_id' is a required property",
        "Input validation error: 1 is not of type 'string'",
        "Input validation error: 101 is greater than the maximum of 100",
    ]
    app.close()


@pytest.mark.fact("server")
def test_a_server_tells_what_it_is(discord: LocalApp) -> None:
    assert discord.text("get_server_info", server_id=CLUB).splitlines() == [
        "Server Information:",
        "name: Hiking club",
        f"id: {CLUB}",
        f"owner_id: {ADA}",
        "member_count: None",
        "created_at: 2024-12-31T23:33:14.775000+00:00",
        "description: Up and down",
        "premium_tier: 1",
        "explicit_content_filter: all_members",
    ]


@pytest.mark.fact("guild")
def test_what_the_program_is_not_in_is_unknown_or_closed(refusal: Refusal) -> None:
    unknown = "404 Not Found (error code: 10004): Unknown Guild"

    assert refusal("get_server_info", server_id=OTHERS) == unknown
    assert refusal("list_members", server_id="5") == unknown
    assert refusal("read_messages", channel_id=FOREIGN) == "403 Forbidden (error code: 50001): Missing Access"
    assert refusal("read_messages", channel_id="5") == "404 Not Found (error code: 10003): Unknown Channel"


@pytest.mark.fact("snowflake")
@pytest.mark.parametrize(
    ("number", "wrong"),
    [
        ("-5", "greater than or equal to 0."),
        (str(1 << 63), "less than or equal to 9223372036854775807."),
        ("9" * 30, "less than or equal to 9223372036854775807."),
    ],
)
def test_a_number_that_is_no_id_is_refused(refusal: Refusal, number: str, wrong: str) -> None:
    said = "400 Bad Request (error code: 50035): Invalid Form Body\nIn {}: snowflake value should be " + wrong

    assert refusal("get_user_info", user_id=number) == said.format("user_id")
    assert refusal("get_server_info", server_id=number) == said.format("guild_id")
    assert refusal("delete_channel", channel_id=number) == said.format("channel_id")
    assert refusal("remove_reaction", channel_id=TALK, message_id=number) == said.format("message_id")


@pytest.mark.fact("members")
def test_members_come_by_id_the_last_of_the_page_first(discord: LocalApp) -> None:
    everybody = [
        f"cyr (ID: {CYR}, Roles: )",
        f"Helper (ID: {BOT}, Roles: {BOTS_OWN})",
        f"bea.b (ID: {BEA}, Roles: {HIKERS}, {MODERATORS})",
        f"ada (ID: {ADA}, Roles: {HIKERS}, {BOSSES})",
    ]

    assert discord.text("list_members", server_id=CLUB).splitlines() == ["Server Members (4):", *everybody]
    assert discord.text("list_members", server_id=CLUB, limit="2").splitlines() == [
        "Server Members (2):",
        *everybody[2:],
    ]
    assert discord.text("list_members", server_id=CLUB, limit=-1) == "Server Members (0):\n"


@pytest.mark.fact("roles")
def test_a_role_is_given_and_taken(discord: LocalApp) -> None:
    role = {"server_id": CLUB, "user_id": CYR, "role_id": HIKERS}

    assert discord.text("add_role", **role) == "Added role Hikers to user cyr"
    assert [change["op"] for change in discord.changes()["member_roles"]] == ["insert"]
    assert discord.text("add_role", **role) == "Added role Hikers to user cyr"
    assert f"cyr (ID: {CYR}, Roles: {HIKERS})" in discord.text("list_members", server_id=CLUB)
    assert discord.text("remove_role", **role) == "Removed role Hikers from user cyr"
    assert discord.text("remove_role", **role) == "Removed role Hikers from user cyr"
    assert f"cyr (ID: {CYR}, Roles: )" in discord.text("list_members", server_id=CLUB)


@pytest.mark.fact("roles")
@pytest.mark.parametrize("role_id", [BOSSES, BOTS_OWN])
@pytest.mark.parametrize("tool", ["add_role", "remove_role"])
def test_a_role_as_high_as_one_s_own_is_not_given(refusal: Refusal, tool: str, role_id: str) -> None:
    said = refusal(tool, server_id=CLUB, user_id=CYR, role_id=role_id)

    assert said == "403 Forbidden (error code: 50013): Missing Permissions"


@pytest.mark.fact("roles")
def test_roles_are_for_who_may_manage_them(start: Callable[..., LocalApp]) -> None:
    weak = start("discord", rows=rows(bot_may=0), me="ada")

    said = weak.result("add_role", server_id=CLUB, user_id=CYR, role_id=HIKERS)["content"][0]["text"]

    assert said == "403 Forbidden (error code: 50013): Missing Permissions"


@pytest.mark.fact("owner-above-roles")
def test_who_owns_the_server_stands_above_its_roles(start: Callable[..., LocalApp]) -> None:
    owned = [row | {"owner_id": BOT} if row.get("guild_id") == CLUB and "owner_id" in row else row for row in rows()]
    discord = start("discord", rows=owned, me="ada")

    said = discord.text("add_role", server_id=CLUB, user_id=CYR, role_id=BOSSES)

    assert said == "Added role Bosses to user cyr"


@pytest.mark.fact("role-unknown")
def test_a_role_there_is_not_is_none(refusal: Refusal) -> None:
    said = "'NoneType' object has no attribute 'id'"

    assert refusal("add_role", server_id=CLUB, user_id=CYR, role_id="5") == said
    assert refusal("remove_role", server_id=CLUB, user_id=CYR, role_id=-5) == said


@pytest.mark.fact("everyone")
def test_everyone_is_no_role_to_give(refusal: Refusal) -> None:
    said = refusal("add_role", server_id=CLUB, user_id=CYR, role_id=CLUB)

    assert said == "404 Not Found (error code: 10011): Unknown Role"


@pytest.mark.fact("roles")
def test_a_role_needs_a_member(refusal: Refusal) -> None:
    stranger = refusal("add_role", server_id=CLUB, user_id=STRANGER, role_id=HIKERS)
    nobody = refusal("add_role", server_id=CLUB, user_id="5", role_id=HIKERS)

    assert stranger == "404 Not Found (error code: 10007): Unknown Member"
    assert nobody == "404 Not Found (error code: 10013): Unknown User"


@pytest.mark.fact("user")
def test_a_user_tells_who_it_is(discord: LocalApp) -> None:
    assert discord.text("get_user_info", user_id=BOT).splitlines() == [
        "User information:",
        "Name: Helper#4821",
        f"ID: {BOT}",
        "Bot: True",
        "Created: 2016-04-30T11:18:25.796000+00:00",
    ]
    assert "Name: stranger#0\n" in discord.text("get_user_info", user_id=STRANGER)


@pytest.mark.fact("members")
def test_a_hundred_members_are_listed_unless_more_are_asked_for_and_a_thousand_at_most(
    start: Callable[..., LocalApp],
) -> None:
    crowd = [str(1_500_000_000_000_000_000 + number) for number in range(1010)]
    users = [{"table": "users", "user_id": each, "name": f"m{each[-4:]}"} for each in crowd]
    members = [{"table": "members", "guild_id": CLUB, "user_id": each} for each in crowd]
    discord = start("discord", rows=[*rows(), *users, *members], me="ada")

    def listed(**more: Any) -> list[str]:
        first, *lines = discord.text("list_members", server_id=CLUB, **more).splitlines()
        assert first == f"Server Members ({len(lines)}):"
        return lines

    assert [len(listed(**more)) for more in ({}, {"limit": 5000}, {"limit": 1001}, {"limit": 0}, {"limit": "1"})] == [
        *(100, 1000, 1000, 0, 1)
    ]
    # The oldest accounts are on the page, the newest of these first.
    assert listed()[0] == f"m0095 (ID: {crowd[95]}, Roles: )"
    assert listed()[-1] == f"ada (ID: {ADA}, Roles: {HIKERS}, {BOSSES})"


@pytest.mark.fact("roles")
def test_giving_and_taking_a_role_touch_nobody_else(discord: LocalApp) -> None:
    role = {"server_id": CLUB, "role_id": HIKERS}

    discord.call("add_role", **role, user_id=CYR)
    assert [change["new"] for change in discord.changes()["member_roles"]] == [
        {"guild_id": CLUB, "user_id": CYR, "role_id": HIKERS}
    ]
    discord.call("remove_role", **role, user_id=CYR)
    discord.call("remove_role", **role, user_id=BEA)
    assert [(change["op"], change["old"]) for change in discord.changes()["member_roles"]] == [
        ("delete", {"guild_id": CLUB, "user_id": BEA, "role_id": HIKERS})
    ]


@pytest.mark.fact("arguments")
@pytest.mark.parametrize("tool", ["add_role", "remove_role"])
def test_each_id_that_is_missing_or_none_is_told_by_its_name(refusal: Refusal, tool: str) -> None:
    assert refusal(tool) == "'server_id'"
    assert refusal(tool, server_id=CLUB) == "'user_id'"
    assert refusal(tool, server_id=CLUB, user_id=CYR) == "'role_id'"
    assert refusal(tool, server_id=CLUB, user_id=CYR, role_id="x") == "invalid literal for int() with base 10: 'x'"
    assert refusal(tool, server_id=CLUB, user_id="-1", role_id="x") == (
        "400 Bad Request (error code: 50035): Invalid Form Body\n"
        "In user_id: snowflake value should be greater than or equal to 0."
    )


@pytest.mark.fact("arguments")
@pytest.mark.parametrize("tool", ["add_reaction", "remove_reaction", "add_multiple_reactions", "moderate_message"])
def test_what_is_missing_of_a_message_is_told_by_its_name(refusal: Refusal, tool: str) -> None:
    last = {"add_multiple_reactions": "emojis", "moderate_message": "reason"}.get(tool, "emoji")

    assert refusal(tool) == "'channel_id'"
    assert refusal(tool, channel_id=TALK) == "'message_id'"
    assert refusal(tool, channel_id=TALK, message_id="x") == "invalid literal for int() with base 10: 'x'"
    assert refusal(tool, channel_id=TALK, message_id="5") == "404 Not Found (error code: 10008): Unknown Message"
    assert refusal(tool, channel_id=TALK, message_id=HELLO) == f"'{last}'"
    # A message is looked for in its own channel.
    elsewhere = refusal(tool, channel_id=TALK, message_id=IN_PAST)
    assert elsewhere == "404 Not Found (error code: 10008): Unknown Message"


@pytest.mark.fact("user")
def test_a_person_of_today_has_the_discriminator_nought(discord: LocalApp) -> None:
    assert discord.text("get_user_info", user_id=CYR) == (
        f"User information:\nName: cyr#0\nID: {CYR}\nBot: False\nCreated: {made_at(CYR)}"
    )


@pytest.mark.fact("snowflake")
def test_nought_and_the_largest_number_are_ids_that_nobody_has(refusal: Refusal) -> None:
    for number in ("0", str((1 << 63) - 1)):
        assert refusal("get_user_info", user_id=number) == "404 Not Found (error code: 10013): Unknown User"


@pytest.mark.fact("server")
def test_a_server_without_a_description_tells_none(discord: LocalApp) -> None:
    discord.episode.db.execute("INSERT INTO members SELECT ?, user_id FROM users WHERE is_bot", OTHERS)

    assert discord.text("get_server_info", server_id=int(OTHERS)) == (
        f"Server Information:\nname: Others\nid: {OTHERS}\nowner_id: {STRANGER}\nmember_count: None\n"
        f"created_at: {made_at(OTHERS)}\ndescription: None\npremium_tier: 0\nexplicit_content_filter: disabled"
    )
