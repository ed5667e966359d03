"""What somebody does wrong, and the message from which they mend it without the docs."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_mcp_farm import McpFarm, McpFarmError, ToolRefusedError, World, open_farm


@pytest.fixture(scope="module")
def opened() -> Iterator[McpFarm]:
    """Open a farm in this process."""
    with open_farm() as farm:
        yield farm


@pytest.fixture(scope="module")
def world(opened: McpFarm) -> World:
    """Return a world in which only reading calls are made."""
    return opened.world("mini", apps=["slack", "lark"])


MESSAGE = {"table": "messages", "channel_id": "C0000000000", "ts": "1780304400.000100", "user_id": None, "text": "x"}
CREATING: list[tuple[dict[str, Any], str]] = [
    ({"name": "mimi"}, "no world 'mimi'; have halfday, harbor, mini"),
    ({"apps": ["slak"]}, "no app 'slak'; have .*slack"),
    ({"apps": "slack"}, r"apps is a list of names, such as \['slack'\]"),
    ({"me": "bem"}, "no person 'bem' in world 'mini'; have ada, ben"),
    ({"now": "today"}, "'now' must be a time such as 2026-03-09T09:00:00"),
    ({"now": datetime(2026, 6, 2)}, "needs a zone; world.clock.now has the world's"),  # noqa: DTZ001 # the mistake
    ({"profile": "paper-2024"}, "no profile 'paper-2024'; have latest, .*paper-2025"),
    ({"menu": {"slack": ["slack_lst"]}}, "no tool 'slack_lst' of app 'slack'; see 'farm tools slack'"),
    ({"rows": {"slack": [{"table": "messages", "txt": "x"}]}}, "no column 'txt' in 'messages'; have text"),
    ({"rows": {"slack": [{"table": "messages", "text": "x"}]}}, r"a row of .messages. needs channel_id, ts, .*too"),
    ({"rows": {"slack": [{"text": "x"}]}}, "a row names its 'table'"),
    (
        {"rows": {"slack": [{**MESSAGE, "channel_id": "#general"}]}},
        "messages.channel_id '#general' is no id of 'channels'; the row called '#general' there has 'C",
    ),
    (
        {"rows": {"slack": [{**MESSAGE, "ts": datetime(2026, 6, 1, 9, tzinfo=UTC)}]}},
        "messages.ts is a time that is stored as ts, so write '1780304400.000000', not '2026-06-01T09:00:00.00:00'",
    ),
    ({"rows": {"slack": [{**MESSAGE, "ts": 1780304300}]}}, "so write '1780304300.000000', not 1780304300"),
    ({"rows": {"slack": [{**MESSAGE, "ts": "noon"}]}}, "a time that is stored as ts, such as '1780304400.000000', not"),
    (
        {"apps": ["telegram"], "rows": {"telegram": [{"table": "messages", "sent_s": "2026-06-01T09:00:00Z"}]}},
        "messages.sent_s is a time that is stored as s, so write 1780304400, not '2026",
    ),
    ({"apps": ["obsidian"], "files": {"obsidian": {"Notes/": "x"}}}, "'Notes/' names no file: .*'Notes/note.md'"),
    (
        {"apps": ["obsidian"], "files": {"obsidian": {"Dock Road.md": "x"}}},
        "obsidian has a file 'Dock Road.md' already",
    ),
    ({"files": ["/nope.pdf"]}, "/nope.pdf cannot be read: No such file"),
    ({"files": {"slack": {"a": "x"}}}, "slack keeps no files; no app of this episode does"),
]


@pytest.mark.parametrize(("options", "said"), CREATING)
def test_a_world_that_cannot_be_made_says_what_can(opened: McpFarm, options: dict[str, Any], said: str) -> None:
    with pytest.raises(McpFarmError, match=said):
        opened.world(**{"name": "mini", "apps": ["slack"], **options})


USING: list[tuple[Callable[[World], object], str]] = [
    (lambda world: world.call("slak", "slack_post_message"), "no app 'slak' in this world; it has lark, slack"),
    (lambda world: world.people["bem"], "no person 'bem' in this world; have ada, ben"),
    (lambda world: world.assert_changed("slack.message"), "no table 'message' in slack; have bots, .*messages"),
    (lambda world: world.assert_changed("users_"), "a table is named with its app, as in"),
    (lambda world: world.assert_changed("reactions"), "as in 'slack.reactions', not 'reactions'"),
    (
        lambda world: world.assert_changed("slack.messages", where={"txt": "x"}),
        "no column 'txt' in slack.messages; have .*did you mean 'text'",
    ),
    (
        lambda world: world.assert_changed("slack.messages", after={"text": {"contain": "x"}}),
        "no such operator; have .*did you mean 'contains'",
    ),
    (
        lambda world: world.assert_changed("slack.messages", after={"text": {"claims": [{"numbr": 24}]}}),
        "numbr: unknown key; have .*did you mean 'number'",
    ),
    (
        lambda world: world.assert_changed("slack.messages", change="created"),  # type: ignore[arg-type] # the mistake
        "must be one of create, update, delete, not 'created'",
    ),
    (
        lambda world: world.assert_changed("lark.events", after={"start_at": "tomorrow at 3"}),
        "'tomorrow at 3' is no time; write one such as '{{rfc3339:",
    ),
    (lambda world: world.rows("slack", "mesages"), "no table 'mesages' in slack; have bots, .*messages"),
    (lambda world: world.rows("slack", "channels", nme="x"), "no column 'nme' in slack.channels; have .*name"),
    (
        lambda world: world.rows("slack", "channels", is_private="no"),
        "is_private holds numbers, such as [01], not 'no'",
    ),
    (lambda world: world.rows("slack", "channels", name=7), "slack.channels.name holds texts, such as '.*', not 7"),
    (lambda world: world.restore("before"), "no snapshot 'before' of episode .*; have none"),
    (lambda world: world.calls.assert_not_called("slack_post_mesage"), "did you mean 'slack_post_message'"),
    (
        lambda world: world.calls.assert_not_called("slack_post_message", channel="#general"),
        "slack_post_message has no argument 'channel'; it has channel_id, text; did you mean 'channel_id'",
    ),
    (lambda world: world.calls.matching("slack.slack_post_message", chanel_id=""), "did you mean 'channel_id'"),
    (
        lambda world: world.calls.assert_not_called("calendar_v4_calendarEvent_create", summary="1:1"),
        "has no argument 'summary'; it has .*did you mean 'data.summary'",
    ),
    (
        lambda world: world.calls.assert_not_called("calendar_v4_calendarEvent_create", data={"sumary": "1:1"}),
        "has no argument 'data.sumary'; it has .*did you mean 'data.summary'",
    ),
    (lambda world: world.calls.assert_order("slack_list_channel"), "did you mean 'slack_list_channels'"),
    (lambda world: world.calls.assert_called("nothing_like_it"), "'nothing_like_it'.* it has lark, slack"),
    (lambda world: world.calls.assert_called("slack_post_message", times="1"), "times is a number of calls, .*not '1'"),  # type: ignore[arg-type] # the mistake
    (lambda world: world.assert_changed("slack.messages", where=["text"]), r"where is a table of column and value, "),  # type: ignore[arg-type] # the mistake
    (lambda world: world.people["ben"].accounts["gmail"], "ben has no account in 'gmail'; has in .*slack"),
    (lambda world: world.clock.advance_to("noon"), "'to' must be a time such as .*, not 'noon'"),
    (lambda world: world.mcp_all, "give each app's URL, or play on a farm: mcp_farm_command = farm"),
]


@pytest.mark.parametrize(("use", "said"), USING)
def test_a_wrong_use_of_a_world_says_the_right_one(world: World, use: Callable[[World], object], said: str) -> None:
    with pytest.raises(McpFarmError, match=said):
        use(world)


def test_a_misspelled_tool_is_refused_by_the_vendor_and_the_farm_knows_the_name(opened: McpFarm) -> None:
    world = opened.world("mini", apps=["slack"])
    with pytest.raises(ToolRefusedError, match=r"Tool slack_pst_message not found .*did you mean 'slack_post_message'"):
        world.call("slack", "slack_pst_message")
    with pytest.raises(ToolRefusedError, match="channel_id") as refused:
        world.call("slack", "slack_post_message", channel="#general", text="x")

    assert refused.value.hint is None


def test_an_argument_that_an_agent_did_send_can_be_asserted_though_the_tool_does_not_declare_it(
    opened: McpFarm,
) -> None:
    world = opened.world("mini", apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#general", text="x", channel="#general")

    world.calls.assert_called("slack_post_message", channel="#general")
    world.calls.assert_not_called("slack_post_message", channel="#opening")
    with pytest.raises(McpFarmError, match="no argument 'chanel'"):
        world.calls.assert_not_called("slack_post_message", chanel="#general")


def test_a_key_of_a_person_and_a_name_of_a_channel_are_told_apart_from_their_ids(opened: McpFarm) -> None:
    world = opened.world("mini", apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#general", text="24 chairs.")
    (general,) = world.rows("slack", "channels", name="general")

    with pytest.raises(AssertionError, match=r"'ada' is a person: write world.people\['ada'\] for the account"):
        world.assert_changed("slack.messages", where={"user_id": "ada"})
    with pytest.raises(AssertionError, match=f"channel_id holds ids: that of '#general' is '{general['id']}"):
        world.assert_changed("slack.messages", after={"channel_id": "#general"})
    world.assert_changed("slack.messages", where={"user_id": world.people["ada"], "channel_id": general["id"]})


def test_a_world_of_another_test_is_closed_and_says_why(opened: McpFarm) -> None:
    world = opened.world("mini", apps=["slack"])
    world.close()

    with pytest.raises(McpFarmError, match=r"a world ends with the test that made it, and mcp_farm.prepared\(\) makes"):
        world.call("slack", "slack_list_channels")


@pytest.mark.parametrize(
    ("apps", "asked", "said"),
    [
        ("slak", ["slack"], "no app 'slak'; have .*slack"),
        ("slack, lark", ["gmail"], r"no app 'gmail' in mcp_farm_apps \(slack, lark\); add it there"),
        ("slack, lark", ["slak"], "no app 'slak'; have .*slack"),
    ],
)
def test_the_list_of_apps_counts_in_process_too(apps: str, asked: list[str], said: str) -> None:
    with open_farm(apps=apps) as farm, pytest.raises(McpFarmError, match=said):
        farm.world("mini", apps=asked)


def test_a_world_has_the_listed_apps_by_default() -> None:
    with open_farm(apps="slack, lark") as farm:
        assert farm.world("mini").apps == ("lark", "slack")


def test_a_task_that_is_not_there_says_those_that_are(opened: McpFarm) -> None:
    with pytest.raises(McpFarmError, match="no task 'lark-new-rom' in suite 'demo'; have lark-new-room"):
        opened.play("demo/lark-new-rom")


@pytest.mark.parametrize(
    ("headers", "said"), [({}, "none was sent"), ({"Authorization": "Bearer x"}, "what was sent is another")]
)
def test_an_agent_without_the_right_bearer_is_told_which_header_it_lacks(
    opened: McpFarm, headers: dict[str, str], said: str
) -> None:
    url = opened.world("mini", apps=["slack"]).url("slack")
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    given = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(url, body, given))

    with refused.value as answer:
        told = json.loads(answer.read())["error"]["message"]
    assert "needs its token as 'Authorization: Bearer TOKEN'" in told
    assert f"{said}; in a test it is in world.connection(APP), on a farm 'farm connect --episode " in told
