"""Servers, their members and roles, users, and what is said to arguments that are none."""

from __future__ import annotations

from collections.abc import Callable
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
    HIKERS,
    MODERATORS,
    OTHERS,
    STRANGER,
    TALK,
    Refusal,
    rows,
)


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
