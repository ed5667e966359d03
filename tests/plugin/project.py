"""The tests of a project that uses the plugin; each must pass wherever the farm is."""

CODE = '''
import asyncio
import json
import urllib.request
from datetime import UTC, datetime, timedelta

import pytest
from pytest_mcp_farm import McpFarmError, ToolRefusedError


def ask(connection, tool, arguments):
    """An agent that makes one call over MCP."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        **connection["headers"],
    }
    request = urllib.request.Request(connection["url"], json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["result"]


def move(world, hours):
    (event,) = world.rows("lark", "events", summary="1:1")
    start = world.clock.now + timedelta(hours=hours)
    world.call(
        "lark",
        "calendar_v4_calendarEvent_patch",
        path={"calendar_id": event["organizer_calendar_id"], "event_id": event["event_id"]},
        data={
            "start_time": {"timestamp": str(int(start.timestamp()))},
            "end_time": {"timestamp": str(int(start.timestamp()) + 1800)},
        },
    )


def test_agent_moves_the_meeting(mcp_farm):
    world = mcp_farm.world("mini", apps=["lark", "slack"], seed=1)
    move(world, hours=30)

    world.assert_changed("lark.events", where={"summary": "1:1"}, after={"start_at": "{{rfc3339:+1 15:00}}"})
    world.assert_changed("lark.events", after={"start_at": world.clock.now.replace(hour=15, minute=0, second=0,
        microsecond=0) + timedelta(days=1)}, change="update")
    world.assert_only("lark.events")
    assert world.calls.refused == []
    assert world.calls.tools == ["calendar_v4_calendarEvent_patch"]


def test_worlds_of_one_test_are_apart(mcp_farm):
    one, other = mcp_farm.world(apps=["slack"]), mcp_farm.world(apps=["slack"])
    one.call("slack", "slack_post_message", channel_id="#general", text="hi")

    one.assert_changed("messages", where={"text": "hi"})
    other.assert_only()


def test_agent_over_http(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    answer = ask(world.connection("slack"), "slack_post_message", {"channel_id": "#general", "text": "hello"})

    assert json.loads(answer["content"][0]["text"])["ok"] is True
    assert world.mcp_config() == {"mcpServers": {"slack": {"type": "http", **world.connection("slack")}}}
    assert world.connection("slack")["headers"] == {"Authorization": f"Bearer {world.token}"}
    assert world.urls == {"slack": world.url("slack")}
    world.assert_changed("slack.messages", where={"text": "hello"}, change="create")


async def test_agent_in_an_event_loop(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    posts = [{"channel_id": "#general", "text": f"hello {number}"} for number in range(3)]
    await asyncio.gather(
        *(asyncio.to_thread(ask, world.connection("slack"), "slack_post_message", post) for post in posts)
    )
    world.assert_changed("slack.messages", change="create", count=3)


def test_refusals(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"])
    with pytest.raises(ToolRefusedError, match="channel_not_found") as refused:
        world.call("slack", "slack_post_message", channel_id="C0000000000", text="hello")
    with pytest.raises(ToolRefusedError):
        world.call("lark", "no_such_tool")

    assert (refused.value.app, refused.value.tool) == ("slack", "slack_post_message")
    assert [(call.app, call.tool) for call in world.calls.refused] == [
        ("slack", "slack_post_message"), ("lark", "no_such_tool")
    ]
    world.assert_only()


def test_people(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"])

    assert (world.me.key, world.me.name) == ("ada", "Ada Ames")
    assert sorted(world.people) == "ada ben cleo dan eve finn gus hana ivy jon kim leo".split()
    user = world.call("slack", "slack_get_user_profile", user_id=world.people["ben"].accounts["slack"])
    assert user["profile"]["real_name"] == "Ben Brook"
    assert world.rows("lark", "users", person="ben")[0]["open_id"] == world.people["ben"].accounts["lark"]
    (task,) = world.rows("lark", "tasks", summary="Order flour")
    world.assert_only()
    other = mcp_farm.world(apps=["lark"], me="ben")
    assert other.me.key == "ben"


def test_clock(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"])
    start = world.clock.now

    assert start.isoformat() == "2026-06-01T09:00:00+00:00"
    assert world.clock.advance(days=1, hours=2) - start == timedelta(days=1, hours=2)
    assert world.clock.advance(timedelta(minutes=1)) - start == timedelta(days=1, hours=2, minutes=1)
    assert world.clock.advance_to("2026-06-05T10:00:00+00:00") == world.clock.now
    world.call("slack", "slack_list_channels")
    assert world.calls[0].now.startswith("2026-06-05T10:00")


def test_what_is_written_now_is_written_at_the_clocks_time(mcp_farm):
    world = mcp_farm.world(apps=["telegram"])
    chat = world.people["ben"].accounts["telegram"]

    world.call("telegram", "send_message", {"chat_id": chat, "message": "24 chairs."})  # Telegram keeps seconds

    world.assert_changed("telegram.messages", where={"text": "24 chairs."}, after={"sent_s": world.clock.now})
    before = world.clock.now
    world.clock.advance(seconds=1)
    with pytest.raises(AssertionError):
        world.assert_changed("telegram.messages", after={"sent_s": world.clock.now})
    world.assert_changed("telegram.messages", after={"sent_s": before})


def test_copies(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#general", text="one")
    name = world.snapshot()
    world.call("slack", "slack_post_message", channel_id="#general", text="two")
    copy = world.fork(name)
    world.restore(name)

    for each in (world, copy):
        each.assert_changed("slack.messages", where={"text": "one"})
        assert len(each.calls) == 1
    copy.call("slack", "slack_post_message", channel_id="#general", text="three")
    copy.assert_changed("slack.messages", change="create", count=2)
    world.assert_changed("slack.messages", change="create", count=1)


def test_what_comes_from_here_on(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#general", text="given")
    world.start_here()

    world.assert_only()
    assert len(world.calls) == 0
    world.call("slack", "slack_post_message", channel_id="#general", text="done")
    world.assert_changed("slack.messages", where={"text": "done"}, count=1)
    world.assert_changed("slack.messages", change="create", count=1)


def test_what_comes_due_in_a_live_world_is_nobodys_change(mcp_farm):
    world = mcp_farm.world("harbor", apps=["gmail", "slack"], now="live")
    saved = world.snapshot()
    world.start_here()
    world.call("slack", "slack_post_message", channel_id="#general", text="hi")

    for since in (None, saved):
        assert [rows for tables in world.diff(since).values() for rows in tables.values() if len(rows) != 1] == []
        assert [len(tables) for tables in world.diff(since).values() if tables] == [1]
    copy = world.fork()
    copy.assert_only()
    copy.call("slack", "slack_post_message", channel_id="#general", text="hi")
    for each in (world, copy):
        each.assert_changed("slack.messages", after={"text": "hi"}, count=1)
        each.assert_only("slack.messages")


prepared = []


def prepare(world):
    prepared.append(world)
    world.call("slack", "slack_post_message", channel_id="#general", text="prepared")


@pytest.mark.parametrize("text", ["a", "b", "c"])
def test_forks_of_a_prepared_world(mcp_farm, text):
    world = mcp_farm.prepared("office", prepare, apps=["slack"])
    world.assert_only()
    world.call("slack", "slack_post_message", channel_id="#general", text=text)

    world.assert_changed("slack.messages", where={"text": text}, change="create")
    world.assert_changed("slack.messages", change="create", count=1)
    assert {"prepared", text} <= {row["text"] for row in world.rows("slack", "messages")}
    assert len(prepared) == 1


def test_checkpoints_with_claims(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#opening", text="We ordered 24 chairs, Ben.")
    told = {"kind": "operate", "app": "slack", "table": "messages", "change": "create"}
    channel = {"table": "channels", "where": {"name": "opening"}, "column": "id"}

    right = {**told, "where": {"channel_id": channel}, "after": {"text": {"claims": [{"number": 24}]}}}
    world.assert_checkpoints([right])
    wrong = {**told, "where": {"channel_id": channel}, "after": {"text": {"claims": [{"number": 42}]}}}
    with pytest.raises(AssertionError, match="42"):
        world.assert_checkpoints([wrong])


def test_a_limit_of_calls(mcp_farm):
    world = mcp_farm.world(apps=["slack"], calls_max=1)
    world.call("slack", "slack_list_channels")

    with pytest.raises(ToolRefusedError, match="1"):
        world.call("slack", "slack_list_channels")


def list_tools(connection):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        **connection["headers"],
    }
    with urllib.request.urlopen(urllib.request.Request(connection["url"], json.dumps(body).encode(), headers)) as found:
        return [tool["name"] for tool in json.load(found)["result"]["tools"]]


def test_a_planned_fault_fails_once_and_its_retry_goes_through(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    fault = world.fault("slack", "rate_limited", tool="slack_post_message", where={"text": {"contains": "chairs"}})
    world.call("slack", "slack_post_message", channel_id="#general", text="hello")

    with pytest.raises(ToolRefusedError, match="ratelimited"):
        world.call("slack", "slack_post_message", channel_id="#general", text="24 chairs")
    with pytest.raises(AssertionError, match="1 call failed as planned, 1 never succeeded"):
        world.assert_recovered()
    world.call("slack", "slack_post_message", channel_id="#general", text="24 chairs")

    world.assert_recovered()
    with pytest.raises(AssertionError, match="1 made again too soon"):
        world.assert_backed_off(30)
    assert world.calls.refused == []
    assert [call.fault for call in world.calls.faulted] == [fault.id] == ["rate_limited-1"]
    assert (fault.matched, fault.failed, [each.id for each in world.faults]) == (2, 1, [fault.id])


@pytest.mark.parametrize(("kind", "said"), [("dropped", "Connection closed"), ("unavailable", "Service Unavailable")])
def test_an_answer_that_never_comes_is_a_refusal(mcp_farm, kind, said):
    world = mcp_farm.world(apps=["slack"], faults=[{"app": "slack", "kind": kind, "heals_after": 9}])

    with pytest.raises(ToolRefusedError, match=said):
        world.call("slack", "slack_post_message", channel_id="#general", text="hello")
    world.faults[0].heal()
    world.call("slack", "slack_post_message", channel_id="#general", text="hello")

    world.assert_changed("messages")
    with pytest.raises(McpFarmError, match="no kind of fault 'melted'; slack has rate_limited"):
        world.fault("slack", "melted")


def test_a_menu_shows_these_tools_and_no_other(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"], menu={"slack": ["slack_list_channels"]})

    assert list_tools(world.connection("slack")) == ["slack_list_channels"]
    assert len(list_tools(world.connection("lark"))) > 1
    with pytest.raises(ToolRefusedError, match="slack_post_message"):
        world.call("slack", "slack_post_message", channel_id="#general", text="hi")
    world.call("slack", "slack_list_channels")
    assert list_tools(world.fork().connection("slack")) == ["slack_list_channels"]


def test_a_live_clock_is_this_machines(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"], now="live")

    assert abs(world.clock.now - datetime.now(UTC)) < timedelta(minutes=5)
    (event,) = world.rows("lark", "events", summary="1:1")
    assert abs(datetime.fromtimestamp(event["start_at"], UTC) - datetime.now(UTC)) < timedelta(days=14)
    world.call("slack", "slack_post_message", channel_id="#general", text="hi")
    world.assert_changed("slack.messages", where={"text": "hi", "user_id": world.me})
    world.assert_only("slack.messages")
    assert world.clock.advance(hours=1) - datetime.now(UTC) > timedelta(minutes=59)
    assert abs(world.fork().clock.now - world.clock.now) < timedelta(minutes=1)


def test_what_is_scheduled_arrives_as_a_frozen_clock_is_moved(mcp_farm):
    world = mcp_farm.world("harbor", apps=["slack", "lark"], arrivals=True)

    (first,) = world.clock.next()
    world.clock.advance(hours=2)
    later = world.clock.came
    whole = world.clock.until_quiet()

    assert (first.app, first.table, first.at) == ("lark", "messages", "2026-03-09T09:20:00+08:00")
    assert [each.at for each in later] == sorted(each.at for each in later)
    assert {each.app for each in [*later, *whole]} == {"slack", "lark"}
    assert not any(each.dropped for each in [first, *later, *whole])
    world.assert_only()
    with pytest.raises(McpFarmError, match="nothing waits to arrive"):
        world.clock.next()
    world.clock.set_rate(60)
    assert world.clock.now >= datetime.fromisoformat(whole[-1].at)


def test_a_profile_plays_the_apps_that_know_it_in_it(mcp_farm):
    world = mcp_farm.world(apps=["slack", "lark"], profile="paper-2025")

    assert len(list_tools(world.connection("lark"))) == 14
    assert "slack_post_message" in list_tools(world.connection("slack"))
    world.call("slack", "slack_post_message", channel_id="#general", text="hi")
    world.assert_changed("slack.messages")


@pytest.mark.parametrize(("wish", "said"), [
    ({"menu": "short"}, "no menu 'short' in lark, slack; have"),
    ({"menu": {"slack": ["slack_shout"]}}, "no tool 'slack_shout' of app 'slack'; see 'farm tools slack'"),
    ({"menu": {"rednote": []}}, "no app 'rednote' in this episode; have lark, slack"),
    ({"profile": "old"}, "no profile 'old'; have latest, "),
    ({"seed": -1}, "'seed' must be an integer from 0 to"),
    ({"calls_max": 0}, "'calls_max' must be an integer from 1 on, not 0"),
])
def test_wishes_that_cannot_be_met(mcp_farm, wish, said):
    with pytest.raises(McpFarmError) as refused:
        mcp_farm.world(apps=["slack", "lark"], **wish)
    assert said in str(refused.value)


@pytest.mark.farm_task("demo/lark-new-room")
def test_a_task_that_nobody_does(farm_task):
    assert farm_task.world.name == "harbor"
    assert farm_task.instruction
    assert "Wan Lin" in farm_task.system
    with pytest.raises(AssertionError, match="no tool was called"):
        farm_task.assert_done("Done!")


@pytest.mark.farm_task("demo/slack-copy-wording")
def test_a_task_that_is_done(farm_task):
    from types import SimpleNamespace

    from farm.benchmark.agents.scripted import run_script
    from farm.benchmark.tasks import load_suite

    task = load_suite("demo").task("slack-copy-wording")
    session = SimpleNamespace(call=lambda app, tool, given: farm_task.world._session.call(app, tool, given)[0])
    run_script(task.oracle, session, task.world)
    farm_task.assert_done(task.oracle_answer)

    farm_task.world.call("slack", "slack_post_message", channel_id="#general", text="Done, everybody!")
    with pytest.raises(AssertionError, match="beside that: slack.messages"):
        farm_task.assert_done(task.oracle_answer)
'''
PASSED = 31
