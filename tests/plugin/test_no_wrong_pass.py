"""What an assertion must not pass over, and what must not be taken for nothing, wherever the farm is."""

from __future__ import annotations

import sys

import pytest

from tests.plugin.conftest import Run

pytestmark = pytest.mark.slow

CODE = """
from datetime import datetime

import pytest
from pytest_mcp_farm import McpFarmError, ToolRefusedError


def post(world, channel="#general", text="24 chairs."):
    return world.call("slack", "slack_post_message", channel_id=channel, text=text)


def change(world, title, **data):
    (event,) = world.rows("lark", "events", summary=title)
    path = {"calendar_id": event["organizer_calendar_id"], "event_id": event["event_id"]}
    world.call("lark", "calendar_v4_calendarEvent_patch", path=path, data=data)


def create(world, title):
    (calendar, *_) = world.call("lark", "calendar_v4_calendar_primary")["calendars"]
    path = {"calendar_id": calendar["calendar"]["calendar_id"]}
    times = {"start_time": {"timestamp": "1780412400"}, "end_time": {"timestamp": "1780414200"}}
    world.call("lark", "calendar_v4_calendarEvent_create", path=path, data={"summary": title, **times})


@pytest.fixture
def world(mcp_farm):
    return mcp_farm.world(apps=["lark", "slack"])


def test_a_wrong_row_beside_the_right_one(world):
    post(world, "#opening", "We ordered 24 chairs.")
    world.assert_changed("slack.messages", after={"text": {"claims": [{"number": 24}]}})
    world.assert_only("slack.messages")
    post(world, "#general", "We ordered 12 chairs.")

    world.assert_changed("slack.messages", after={"text": {"claims": [{"number": 24}]}})
    with pytest.raises(AssertionError, match="a row was created that nobody asked for"):
        world.assert_only("slack.messages")
    world.assert_changed("slack.messages", where={"text": "We ordered 12 chairs."})
    world.assert_only("slack.messages")


def test_any_rows_of_a_table_of_which_none_was_asserted(world):
    post(world)
    post(world, "#opening")

    world.assert_only("slack.messages")


def test_all_columns_of_an_asserted_row(world):
    change(world, "Dentist", summary="Doctor", description="at noon")

    world.assert_changed("lark.events", where={"summary": "Dentist"}, after={"summary": "Doctor"})
    world.assert_only("lark.events")


def test_one_row_changed_and_another_made_in_its_place(world):
    change(world, "Dentist", description="at noon")
    world.assert_changed("lark.events", where={"summary": "Dentist"})
    create(world, "Dentist")

    with pytest.raises(AssertionError, match="expected 1 of lark.events to change .* found 1 created, 1 updated"):
        world.assert_changed("lark.events", where={"summary": "Dentist"})
    world.assert_changed("lark.events", where={"summary": "Dentist"}, count=2)
    world.assert_only("lark.events")


def test_what_is_done_and_undone_in_a_copy(mcp_farm):
    copy = mcp_farm.prepared("posted", post, apps=["lark", "slack"])
    copy.assert_only()
    change(copy, "Dentist", summary="Doctor")
    change(copy, "Doctor", summary="Dentist")

    with pytest.raises(AssertionError, match="changed and changed back"):
        copy.assert_only()


def test_calls_and_rows_of_the_preparation(mcp_farm):
    copy = mcp_farm.prepared("posted", post, apps=["lark", "slack"])
    called = {"kind": "other", "predicate": "called", "app": "slack", "tool": "slack_post_message"}

    for each in (copy, copy.fork()):
        with pytest.raises(AssertionError):
            each.assert_checkpoints([called])
        with pytest.raises(AssertionError, match="none changed"):
            each.assert_changed("slack.messages")
        assert list(each.calls) == []


def test_a_preparation_that_is_another(mcp_farm):
    for text in ("one", "one", "two"):
        if text == "two":
            with pytest.raises(McpFarmError, match="was made by another function or with other values"):
                mcp_farm.prepared("k", lambda world: post(world, text=text), apps=["slack"])
        else:
            mcp_farm.prepared("k", lambda world: post(world, text=text), apps=["slack"])
    with pytest.raises(McpFarmError, match="was made by another function"):
        mcp_farm.prepared("k", post, apps=["slack"])


def test_a_preparation_that_nobody_awaits(mcp_farm):
    async def prepare(world):
        pass

    with pytest.raises(McpFarmError, match="is async and nobody awaits it"):
        mcp_farm.prepared("awaited", prepare)


def test_what_counts_comes_back_with_a_snapshot(world):
    begun = world.snapshot()
    post(world)
    world.start_here()
    later = world.snapshot()
    world.restore(begun)
    with pytest.raises(ToolRefusedError):
        post(world, "#old-shop")
    assert len(world.calls.refused) == 1
    post(world)

    world.assert_changed("slack.messages")
    world.restore(later)
    world.assert_only()
    assert list(world.calls) == []


def test_names_that_there_are_not(world):
    post(world)
    with pytest.raises(McpFarmError, match="no app 'slak' in this world; it has lark, slack"):
        world.calls.for_app("slak")
    with pytest.raises(McpFarmError, match="no tool 'slack_post_mesage'"):
        world.calls.for_app("slack", "slack_post_mesage")
    assert list(world.calls.for_app("slack", "slack_get_users")) == []
    with pytest.raises(McpFarmError, match="no person 'bne' in this world; have ada, ben"):
        world.people["bne"]
    for given in ({"where": {"txt": 1}}, {"after": {"txt": 1}}):
        with pytest.raises(McpFarmError, match="no column 'txt'"):
            world.assert_changed("lark.tasks", **given)


def test_rows_that_nothing_could_be(mcp_farm):
    world = mcp_farm.world(apps=["lark", "rednote"])
    with pytest.raises(McpFarmError, match="ben has no account in rednote"):
        world.rows("rednote", "notes", user_id=world.people["ben"])
    for value in (world.clock.now, {"contains": "1:1"}):
        with pytest.raises(McpFarmError, match="rows hold texts, numbers and None"):
            world.rows("lark", "events", summary=value)


def test_a_column_of_an_empty_table(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    assert world.rows("slack", "emoji") == []
    with pytest.raises(McpFarmError, match="no column 'nme' in slack.emoji; have name"):
        world.rows("slack", "emoji", nme="party")


def test_arguments_that_no_agent_could_send(world):
    with pytest.raises(McpFarmError, match="arguments of slack_post_message cannot be sent as JSON"):
        post(world, text=datetime(2026, 6, 1))
    assert list(world.calls) == []


def test_a_world_that_is_closed(world):
    world.close()
    world.close()
    for use in (world.diff, world.mcp_config, world.fork, world.assert_only, lambda: world.clock.now):
        with pytest.raises(McpFarmError, match="this world is closed; make another"):
            use()


def test_somebody_elses_world(mcp_farm, world):
    assert mcp_farm.world(me=world.people["ben"], apps=["slack"]).me == mcp_farm.world(me="ben", apps=["slack"]).me
"""
PASSED = CODE.count("\ndef test_")


@pytest.mark.parametrize("options", [(), (f"--mcp-farm-command={sys.executable} -m farm",)], ids=["here", "farm"])
def test_what_is_wrong_fails(run: Run, options: tuple[str, ...]) -> None:
    done = run(CODE, "--junit-xml=junit.xml", *options)

    done.assert_outcomes(passed=PASSED)
