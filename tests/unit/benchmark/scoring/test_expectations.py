"""What is expected of an episode, read and judged without a task file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.testing import LocalWorld

POSTED: dict[str, Any] = {"id": "posted", "kind": "operate", "change": "create", "app": "slack", "table": "messages"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LocalWorld]:
    with LocalWorld("mini", ["slack"], data=tmp_path) as made:
        made.call("slack", "slack_post_message", channel_id="#opening", text="24 chairs")
        yield made


def verdict(world: LocalWorld, *checkpoints: Mapping[str, Any], **more: Any) -> tuple[list[float], list[str]]:
    found = world.check({"checkpoints": list(checkpoints), **more})
    return [each["score"] for each in found["checkpoints"]], [each["table"] for each in found["damage"]]


def test_a_row_is_right_by_its_values_and_only_then_accounted_for(world: LocalWorld) -> None:
    right = {**POSTED, "where": {"text": "24 chairs"}}

    assert verdict(world, right) == ([1.0], [])
    assert verdict(world, {**right, "after": {"thread_ts": "1"}}) == ([0.5], [])
    assert verdict(world, {**POSTED, "where": {"text": "12 chairs"}}) == ([0.0], ["messages"])


def test_any_row_will_do_where_none_is_named(world: LocalWorld) -> None:
    assert verdict(world, {**POSTED, "where": {}}) == ([1.0], [])
    assert verdict(world, POSTED) == ([1.0], [])
    assert verdict(world, {**POSTED, "where": {}, "count": 2}) == ([0.5], [])


def test_lines_of_allow_excuse_what_no_checkpoint_names(world: LocalWorld) -> None:
    assert verdict(world) == ([], ["messages"])
    assert verdict(world, allow=[{"app": "slack", "table": "messages"}]) == ([], [])
    assert verdict(world, allow=[{"app": "slack", "table": "reactions"}]) == ([], ["messages"])


def test_the_answer_is_judged_by_what_it_tells(world: LocalWorld) -> None:
    told = {"id": "told", "kind": "personal_search", "answer": {"claims": [{"number": 24}]}}
    allow = [{"app": "slack", "table": "messages"}]

    assert verdict(world, told, allow=allow, answer="There are 24.") == ([1.0], [])
    assert verdict(world, told, allow=allow, answer="There are 42.") == ([0.0], [])


def test_tomorrow_is_the_day_after_the_one_on_which_it_is_said(world: LocalWorld) -> None:
    wednesday = {**POSTED, "where": {}, "after": {"text": {"claims": [{"date": "+2"}]}}}
    begun = world.snapshot()
    world.advance(timedelta(days=1))
    world.call("slack", "slack_post_message", channel_id="#opening", text="The chairs come tomorrow.")
    world.advance(timedelta(days=1))

    assert verdict(world, wednesday, since=begun) == ([1.0], [])
    world.restore(begun)
    world.call("slack", "slack_post_message", channel_id="#opening", text="The chairs come tomorrow.")
    assert verdict(world, wednesday, since=begun)[0] == [0.5]


def test_what_came_before_a_snapshot_counts_as_given(world: LocalWorld) -> None:
    name = world.snapshot()
    assert verdict(world, since=name) == ([], [])

    world.call("slack", "slack_post_message", channel_id="#opening", text="12 tables")

    assert verdict(world, {**POSTED, "where": {}}, since=name) == ([1.0], [])


def test_what_was_done_and_undone_since_a_snapshot_is_seen() -> None:
    def like(unlike: bool) -> None:
        world.call("rednote", "like_feed", feed_id=note["id"], xsec_token=note["xsecToken"], unlike=unlike)

    with LocalWorld("mini", ["rednote"]) as world:
        note = world.call("rednote", "list_feeds")["feeds"][0]
        like(False)
        like(True)
        name = world.snapshot()
        assert verdict(world, since=name) == ([], [])

        like(False)
        like(True)

        assert world.diff(name) == {}
        assert verdict(world, since=name) == ([], ["likes"])


def test_calls_that_are_given_satisfy_nothing(world: LocalWorld) -> None:
    called = {"id": "called", "kind": "other", "predicate": "called", "app": "slack", "tool": "slack_post_message"}

    assert verdict(world, called)[0] == [1.0]
    assert verdict(world, called, calls_after=1)[0] == [0.0]


def test_how_many_rows_are_as_asked_is_told(world: LocalWorld) -> None:
    world.call("slack", "slack_post_message", channel_id="#opening", text="24 chairs")
    wrong = {**POSTED, "id": "wrong", "where": {}, "after": {"text": "12 chairs"}}

    found = world.check({"checkpoints": [{**POSTED, "where": {}}, wrong]})

    assert [each["found"] for each in found["checkpoints"]] == [2, 0]


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"claims": []},
        {"contains_all": []},
        {"not_contains": []},
        {"contains": ""},
        {"prefix": ""},
        {"regex": ""},
    ],
)
def test_a_wish_that_anything_would_satisfy_is_refused(world: LocalWorld, wish: dict[str, Any]) -> None:
    with pytest.raises(FarmError, match=r"after.text.*: an empty (table|list|text) asks for nothing; leave it out"):
        world.check({"checkpoints": [{**POSTED, "where": {}, "after": {"text": wish}}]})


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"checkpoint": []}, "expectations: checkpoint: unknown key; have checkpoints.* did you mean 'checkpoints'"),
        ({"checkpoints": [{**POSTED, "where": {"txt": 1}}]}, "no column 'txt' in slack.messages; have "),
        ({"checkpoints": [{**POSTED, "table": "mesages", "where": {}}]}, "no table 'mesages' in 'slack'; have "),
        ({"checkpoints": [{**POSTED, "app": "lark", "where": {}}]}, "app 'lark' is not among the task's apps"),
        (
            {"checkpoints": [{"id": "x", "kind": "other", "predicate": "made_up"}]},
            "no predicate 'made_up'; have called",
        ),
        ({"allow": [{"app": "slack", "table": "none"}]}, "no table 'none' in 'slack'"),
        ({"answer": 3}, "'answer' must be a text, not 3"),
        ({"calls_after": -1}, "'calls_after' must be a number of calls from 0 on, not -1"),
        ({"since": 3}, "'since' must be a snapshot's name or 'start', not 3"),
        ({"since": "nowhere"}, "no snapshot 'nowhere'"),
        ({"task": "demo/none"}, "no task 'none' in suite 'demo'"),
        ({"task": "demo/slack-copy-wording"}, "plays in world 'harbor', this episode in 'mini'"),
        ({"task": "demo/slack-copy-wording", "allow": []}, "'allow' is the task's own; leave it out"),
    ],
)
def test_a_mistake_is_named_with_what_there_is(world: LocalWorld, raw: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        world.check(raw)

    assert "\n" not in str(refused.value)


def test_a_task_is_judged_only_where_all_its_apps_are(tmp_path: Path) -> None:
    with (
        LocalWorld("harbor", ["slack"], data=tmp_path) as world,
        pytest.raises(FarmError, match=r"'demo/cross-hike-water' plays in notion, rednote, too; .* has only slack$"),
    ):
        world.check({"task": "demo/cross-hike-water"})


def test_an_episode_without_a_world_has_nothing_to_judge_by(tmp_path: Path) -> None:
    with (
        LocalWorld(None, ["slack"], data=tmp_path) as empty,
        pytest.raises(FarmError, match="has none; create it with"),
    ):
        empty.check({})


def test_a_wrong_time_is_told_in_the_form_it_is_asked_for_in(world: LocalWorld) -> None:
    wish = {**POSTED, "after": {"ts": "2026-06-01T09:00:05Z"}}

    (found,) = world.check({"checkpoints": [wish]})["checkpoints"]

    (row,) = (each for each in world.rows("slack", "messages") if each["text"] == "24 chairs")
    moment = datetime.fromtimestamp(float(row["ts"]), UTC).isoformat()
    assert f"ts is '{row['ts']}' ({moment}), wanted: '2026-06-01T09:00:05Z'" in found["why"]


def test_times_are_compared_as_moments(tmp_path: Path) -> None:
    with LocalWorld("mini", ["lark"], data=tmp_path) as world:
        event = next(row for row in world.rows("lark", "events") if row["summary"] == "1:1")
        start = int(datetime.fromisoformat("2026-06-02T15:00:00+00:00").timestamp())
        times = {"start_time": {"timestamp": str(start)}, "end_time": {"timestamp": str(start + 1800)}}
        place = {"calendar_id": event["organizer_calendar_id"], "event_id": event["event_id"]}
        world.call("lark", "calendar_v4_calendarEvent_patch", path=place, data=times)
        moved = {"id": "moved", "kind": "operate", "change": "update", "app": "lark", "table": "events"}

        for wanted, score in (
            ("2026-06-02T15:00:00Z", 1.0),
            ("2026-06-02T23:00:00+08:00", 1.0),
            ("{{rfc3339:+1 15:00}}", 1.0),
            ("2026-06-02T15:01:00Z", 0.5),
        ):
            assert verdict(world, {**moved, "where": {"summary": "1:1"}, "after": {"start_at": wanted}})[0] == [score]
