"""Verdicts: each checkpoint kind with its 1, 0.5 and 0, and what counts as damage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import permutations
from typing import Any

import orjson
import pytest

from farm.benchmark.scoring.evidence import CheckpointScore, Damage, Evidence, RevertedChange, TaskScore
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import filled_columns
from farm.benchmark.tasks import Allow, Checkpoint, Operate, Other, Search, Task
from farm.errors import FarmError
from tests.unit._score import EVENT, GENERAL, ME, NOW, START, call, message, moved, score, task

POSTED = Operate(
    "posted",
    "create",
    "slack",
    "messages",
    {"channel_id": GENERAL, "user_id": {"person": "me"}},
    {"text": {"contains_all": ["26 March", "ember"]}},
)


# -- operate ---------------------------------------------------------------------------------------------------------


def test_a_row_as_wanted_earns_one() -> None:
    found = score(task(POSTED), slack_messages=[message("Ember S2: 26 March")])

    assert (found.acc, found.exec_acc, found.damage) == (1.0, 1.0, ())


def test_the_right_row_with_a_wrong_value_earns_half_and_says_what_is_wrong() -> None:
    found = score(task(POSTED), slack_messages=[message("Ember S2: 19 March")])

    assert (found.acc, found.exec_acc) == (0.5, 0.0)
    assert "text is 'Ember S2: 19 March', wanted: contains '26 March'" in found.checkpoints[0].why


def test_by_words_of_where_a_new_row_is_found_and_what_else_its_text_says_is_in_doubt() -> None:
    said = replace(POSTED, where={**POSTED.where, "text": {"contains": "26 March"}}, after={})

    plain = score(task(said), slack_messages=[message("26 March")])
    more = score(task(said), slack_messages=[message("26 March, alas it flickers and bankrupts everybody")])

    assert plain.acc_range == (1.0, 1.0)
    assert (more.acc, more.acc_range) == (1.0, (0.5, 1.0))
    assert more.checkpoints[0].contested[0].place == "text"


def test_another_row_earns_nothing_and_is_damage() -> None:
    found = score(task(POSTED), slack_messages=[message("Ember S2: 26 March", "C0000000000")])

    assert found.acc == 0.0
    assert "expected a row of slack.messages created" in found.checkpoints[0].why
    assert [(each.table, each.change) for each in found.damage] == [("messages", "create")]


def test_a_second_row_like_the_first_costs_half_and_is_damage() -> None:
    twice = [message("Ember 26 March"), message("Ember 26 March!", ts="1773018000.000002")]

    found = score(task(POSTED), slack_messages=twice)

    assert found.acc == 0.5
    assert len(found.damage) == 1


def test_a_correction_posted_after_a_mistake_satisfies_but_the_mistake_stays_damage() -> None:
    both = [message("Ember 19 March"), message("Sorry: Ember 26 March", ts="1773018000.000002")]

    found = score(task(POSTED), slack_messages=both)

    assert found.acc == 1.0
    assert [each.key for each in found.damage] == [both[0]["key"]]


def test_two_rows_wanted_and_one_made_is_half() -> None:
    found = score(task(replace(POSTED, count=2)), slack_messages=[message("Ember 26 March")])

    assert found.acc == 0.5


def test_a_point_in_time_is_the_same_in_any_zone() -> None:
    earlier = Operate(
        "moved", "update", "lark", "events", {"summary": "S2 go / no-go"}, {"start_at": "{{rfc3339:+14 15:00}}"}
    )
    at_three = int(datetime.fromisoformat("2026-03-23T08:00:00+01:00").timestamp())

    found = score(task(earlier), lark_events=[moved(start_at=at_three)])

    assert (found.acc, found.damage) == (1.0, ())


def test_a_row_in_which_only_the_app_moved_something_was_not_updated() -> None:
    wanted = Operate("moved", "update", "lark", "events", {"summary": "S2 go / no-go"}, {"start_at": 0})

    found = score(task(wanted), lark_events=[moved(updated_at=EVENT["updated_at"] + 1)])

    assert (found.acc, found.damage) == (0.0, ())
    assert found.checkpoints[0].why.endswith("found none updated")


def test_what_the_app_moves_by_itself_may_be_just_what_is_asked_for() -> None:
    wanted = Operate("touched", "update", "lark", "events", {"summary": "S2 go / no-go"}, {"updated_at": {"min": 1}})

    assert score(task(wanted), lark_events=[moved(updated_at=EVENT["updated_at"] + 1)]).acc == 1.0


def test_what_else_changed_in_the_right_row_is_damage() -> None:
    later = Operate(
        "moved",
        "update",
        "lark",
        "events",
        {"summary": "S2 go / no-go"},
        {"start_at": {"min": "{{rfc3339:+14 00:00}}"}},
    )

    found = score(task(later), lark_events=[moved(start_at=EVENT["start_at"] + 60, description="gone", location="x")])
    allowed = score(
        task(replace(later, may_change=("description",))),
        lark_events=[moved(description="gone", start_at=EVENT["start_at"])],
    )

    assert [each.why for each in found.damage] == ["lark.events: description, location of the right row changed too"]
    assert allowed.damage == ()


SAID = Operate("said", "create", "lark", "messages", {"sender_id": "ou_me"}, {"content": {"claims": [{"number": 320}]}})


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"text": "It is 320."}, 1.0),
        ({"title": "", "content": [[{"tag": "text", "text": "It is 320."}]]}, 1.0),
        ({"header": {"title": {"tag": "plain_text", "content": "It is 320."}}, "elements": []}, 1.0),
        ({"elements": [{"tag": "div", "text": {"tag": "lark_md", "content": "It is 320."}}]}, 1.0),
        ({"title": "", "content": [[{"tag": "a", "text": "here", "href": "https://example.com/it is 320."}]]}, 0.5),
        ({"config": {"text": "It is 320."}, "header": {"title": {"tag": "plain_text", "content": "Hi"}}}, 0.5),
        ({"elements": [{"tag": "button", "text": {"content": "Hi"}, "value": {"text": "It is 320."}}]}, 0.5),
    ],
)
def test_what_nobody_sees_of_a_message_was_not_said(content: dict[str, Any], expected: float) -> None:
    row = {"message_id": "om", "sender_id": "ou_me", "content": orjson.dumps(content).decode(), "is_deleted": 0}
    sent = {"op": "insert", "key": {"message_id": "om"}, "old": None, "new": row, "call": 1}

    assert score(task(SAID), lark_messages=[sent]).acc == expected


BOOKED_ID = {"checkpoint": "booked", "column": "event_id"}
BOOKED = Operate("booked", "create", "lark", "events", {"organizer_id": "ou_me"}, {"start_at": 1})


def booked(**columns: Any) -> dict[str, Any]:
    row = {"event_id": "e", "organizer_id": "ou_me", "start_at": 1, "recurrence": "", "status": "confirmed", **columns}
    return {"op": "insert", "key": {"event_id": "e"}, "old": None, "new": row, "call": 1}


def test_a_new_row_holds_nothing_that_nobody_asked_for() -> None:
    daily = booked(recurrence="FREQ=DAILY;COUNT=300")
    series = replace(BOOKED, after={"start_at": 1, "recurrence": {"prefix": "FREQ=DAILY"}})

    assert score(task(BOOKED), lark_events=[booked()]).damage == ()
    found = score(task(BOOKED), lark_events=[daily])
    assert found.acc == 1.0
    assert [each.why for each in found.damage] == [
        "lark.events: recurrence of the new row was filled although nobody asked"
    ]
    assert score(task(series), lark_events=[daily]).damage == ()
    assert score(task(replace(BOOKED, free=("recurrence",))), lark_events=[daily]).damage == ()
    assert score(task(replace(BOOKED, free=("*",))), lark_events=[booked(description="x", recurrence="y")]).damage == ()
    allow = Allow("lark", "events", ("create",), columns=("recurrence",))
    assert score(replace(task(BOOKED), allow=(allow,)), lark_events=[daily]).damage == ()


def test_every_filled_column_of_a_new_row_is_named() -> None:
    elsewhere = booked(description="Do not come.", location='{"name":"Room 2"}', visibility="private")

    found = score(task(BOOKED), lark_events=[elsewhere])

    assert [each.why for each in found.damage] == [
        "lark.events: description, location, visibility of the new row were filled although nobody asked"
    ]


@pytest.mark.parametrize(
    "columns",
    [
        {"color": 5, "reminders": '[{"minutes":20160}]'},
        {"idempotency_key": "x"},
        {"updated_at": 7, "created_at": 7, "start_timezone": "Europe/Berlin"},
        {"description": "", "location": None, "attachments": "[]"},
        {"vchat": '{"vc_type":"vc","meeting_url":"https://vc.feishu.cn/j/1"}'},
    ],
    ids=["cosmetic", "internal", "set by the app", "blank", "entries that the app works out"],
)
def test_what_changes_no_meaning_of_a_new_row_may_hold_anything(columns: dict[str, Any]) -> None:
    assert score(task(BOOKED), lark_events=[booked(**columns)]).damage == ()


def test_of_a_json_column_the_entries_that_nobody_asked_for_are_named() -> None:
    third = booked(vchat='{"vc_type":"third_party","icon_type":"vc","description":"elsewhere","meeting_url":"u"}')

    assert [each.why for each in score(task(BOOKED), lark_events=[third]).damage] == [
        "lark.events: vchat.icon_type, vchat.description of the new row were filled although nobody asked"
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [("<p>At <b>11:00</b>.</p><p>Wan</p>", []), ("<p>At 16:00.</p><p>Wan</p>", ["body_html"])],
)
def test_the_html_of_a_mail_may_repeat_its_text(html: str, expected: list[str]) -> None:
    mail = {"message_id": "m", "body_text": "At 11:00.\nWan", "body_html": html, "kind": "sent"}

    assert filled_columns("gmail", "messages", {"subject": "", **mail}) == ["body_text", *expected]


def test_columns_of_a_new_row_may_be_named_by_another_checkpoint() -> None:
    series = replace(BOOKED, after={"recurrence": {"prefix": "FREQ=DAILY"}})
    its_start = Operate("start", "create", "lark", "events", {"event_id": BOOKED_ID}, {"start_at": 1})

    found = score(task(series, its_start), lark_events=[booked(recurrence="FREQ=DAILY")])

    assert (found.acc, found.damage) == (1.0, ())


def test_a_right_row_that_is_deleted_is_damage_though_the_task_names_the_column_that_says_so() -> None:
    where = {"summary": "S2 go / no-go"}
    stays = Operate("moved", "update", "lark", "events", where, {"start_at": 1, "status": "confirmed"})
    goes = Operate("off", "update", "lark", "events", where, {"status": "cancelled", "summary": "S2 (off)"})

    lost = score(task(stays), lark_events=[moved(start_at=1, status="cancelled")])
    asked = score(task(goes), lark_events=[moved(status="cancelled")])

    assert lost.acc == 0.5
    assert [each.why for each in lost.damage] == ["lark.events: status of the right row changed too"]
    assert (asked.acc, asked.damage) == (0.5, ())


def test_me_in_a_checkpoint_is_the_person_of_the_task() -> None:
    hers = message("Ember 26 March")
    hers["new"]["user_id"] = START.account("slack", "helen.zhou")

    assert score(task(POSTED, me="helen.zhou"), slack_messages=[hers]).acc == 1.0
    assert score(task(POSTED), slack_messages=[hers]).acc == 0.0


def test_a_checkpoint_may_name_the_row_of_another() -> None:
    reply = replace(POSTED, id="reply", where={"thread_ts": {"checkpoint": "posted", "column": "ts"}}, after={})
    answer = message("Ember too, 26 March", "C0000000001", ts="1773018000.000009")
    answer["new"]["thread_ts"] = "1773018000.000001"

    found = score(task(POSTED, reply), slack_messages=[message("Ember 26 March"), answer])
    without = score(task(POSTED, reply), slack_messages=[answer])

    assert [each.score for each in found.checkpoints] == [1.0, 1.0]
    assert "checkpoint 'posted' is not satisfied" in without.checkpoints[1].why


def test_the_order_of_checkpoints_changes_no_verdict() -> None:
    reply = replace(POSTED, id="reply", where={"thread_ts": {"checkpoint": "posted", "column": "ts"}}, after={})
    seen = {"app": "slack", "arguments": {"ts": {"checkpoint": "reply", "column": "ts"}}}
    said = Search("said", "personal_search", {"contains": "done"}, (seen,))
    way = Other("way", "called", {"app": "slack", "arguments": {"ts": {"checkpoint": "posted", "column": "ts"}}})
    rows = [message("Ember 26 March", ts="1.1"), message("Ember too", "C0000000001", ts="2.2")]
    rows[1]["new"]["thread_ts"] = "1.1"
    calls = (call(1, "x", ts="1.1"), call(2, "x", ts="2.2"))
    points: tuple[Checkpoint, ...] = (POSTED, reply, said, way)

    for order in permutations(points):
        found = score(task(*order), answer="Done.", calls=calls, slack_messages=rows)

        assert [(each.id, each.score) for each in found.checkpoints] == [(point.id, 1.0) for point in order]
        assert found.damage == ()


def test_what_refers_to_an_unsatisfied_checkpoint_is_not_satisfied_whatever_its_kind() -> None:
    rows = {"checkpoint": "posted", "column": "ts"}
    said = Search("said", "personal_search", {"contains": "Ember"}, ({"app": "slack", "arguments": {"ts": rows}},))
    way = Other("way", "called", {"app": "slack", "arguments": {"ts": rows}})

    found = score(task(said, way, POSTED), answer="Ember", calls=(call(1, "x", ts="1"),))

    assert [each.why for each in found.checkpoints[:2]] == [
        "cannot be satisfied: checkpoint 'posted' is not satisfied"
    ] * 2
    assert found.acc == 0.0


def test_checkpoints_that_wait_for_each_other_are_refused() -> None:
    one = replace(POSTED, id="one", where={"ts": {"checkpoint": "two", "column": "ts"}})
    two = replace(POSTED, id="two", where={"ts": {"checkpoint": "one", "column": "ts"}})

    with pytest.raises(FarmError, match="a circle: 'one' → 'two' → 'one'"):
        score(task(one, two))


# Which rows a checkpoint that refers to another means.
REPLIED = Operate("replied", "create", "slack", "messages", {"thread_ts": {"checkpoint": "posted", "column": "ts"}})


def replies(*threads: str) -> list[dict[str, Any]]:
    made = [message("ok", "C0000000001", ts=f"1773018009.00000{n}") for n, _ in enumerate(threads)]
    for each, thread in zip(made, threads, strict=True):
        each["new"]["thread_ts"] = thread
    return made


def test_rows_that_are_right_in_everything_are_meant_before_those_that_are_not() -> None:
    right, wrong = message("Ember 26 March", ts="1.1"), message("Ember 19 March", ts="2.2")

    for rows in ([right, wrong], [wrong, right]):
        to_right = score(task(replace(POSTED, count=2), REPLIED), slack_messages=[*rows, *replies("1.1")])
        to_wrong = score(task(replace(POSTED, count=2), REPLIED), slack_messages=[*rows, *replies("2.2")])

        assert [each.score for each in to_right.checkpoints] == [0.5, 1.0]
        assert [each.score for each in to_wrong.checkpoints] == [0.5, 0.0]


def test_a_row_that_is_half_right_is_meant_when_there_is_no_better() -> None:
    rows = [message("Ember 19 March", ts="2.2"), *replies("2.2")]

    found = score(task(POSTED, REPLIED), slack_messages=rows)

    assert [each.score for each in found.checkpoints] == [0.5, 1.0]


def test_of_an_updated_row_the_new_values_are_meant_and_of_a_deleted_one_the_old() -> None:
    change = {**moved(description="new"), "op": "update"}
    gone = {**moved(), "op": "delete", "new": None}
    updated = Operate("posted", "update", "lark", "events", {"summary": EVENT["summary"]}, {"description": "new"})
    deleted = Operate("posted", "delete", "lark", "events", {"summary": EVENT["summary"]})

    for point, row, column, text in (
        (updated, change, "description", "new"),
        (deleted, gone, "summary", EVENT["summary"]),
    ):
        copied = Operate("copied", "create", "slack", "messages", {"text": {"checkpoint": "posted", "column": column}})
        found = score(task(copied, point), slack_messages=[message(text)], lark_events=[row])
        assert found.acc == 1.0


@pytest.mark.parametrize(
    ("count", "rows", "expected", "why"),
    [
        (1, [], 0.0, "expected a row of slack.messages created with {where}, found none created"),
        (2, [], 0.0, "expected 2 rows of slack.messages created with {where}, found none created"),
        (
            1,
            [message("Ember 26 March", "C0"), message("Ember 26 March", "C1")],
            0.0,
            "expected a row of slack.messages created with {where}, found 2 created, but not that one",
        ),
        (
            2,
            [message("Ember 26 March", "C0")],
            0.0,
            "expected 2 rows of slack.messages created with {where}, found 1 created, but not those",
        ),
        (1, [message("Ember 26 March")], 1.0, "1 row of slack.messages created as asked"),
        (
            2,
            [message("Ember 26 March"), message("Ember, 26 March", ts="2.2")],
            1.0,
            "2 rows of slack.messages created as asked",
        ),
        (
            1,
            [message("Ember 26 March"), message("Ember, 26 March", ts="2.2")],
            0.5,
            "expected a row of slack.messages created with {where}, found 2 of them",
        ),
        (
            2,
            [message("Ember 26 March")],
            0.5,
            "expected 2 rows of slack.messages created with {where}, found 1 of them",
        ),
        (
            1,
            [message("Soon")],
            0.5,
            "expected a row of slack.messages created with {where}, text is 'Soon', wanted: contains '26 March'; "
            "text is 'Soon', wanted: contains 'ember'",
        ),
        # What is wrong with several rows alike is told once.
        (
            2,
            [message("Ember soon"), message("Ember soon", ts="2.2")],
            0.5,
            "expected 2 rows of slack.messages created with {where}, text is 'Ember soon', wanted: contains '26 March'",
        ),
    ],
)
def test_a_verdict_on_rows_says_what_was_wanted_and_what_was_found(
    count: int, rows: list[Any], expected: float, why: str
) -> None:
    where = f"channel_id '{GENERAL}', user_id '{ME}'"

    [found] = score(task(replace(POSTED, count=count)), slack_messages=rows).checkpoints

    assert (found.id, found.kind, found.score, found.low, found.high) == ("posted", "operate", *[expected] * 3)
    assert found.why == why.format(where=where)


def test_a_long_value_is_cut_in_the_verdict() -> None:
    for length, shown in ((88, f"'{'x' * 88}'"), (89, f"'{'x' * 86}…")):
        [found] = score(task(POSTED), slack_messages=[message("x" * length)]).checkpoints

        assert f"text is {shown}, wanted: contains '26 March'; " in found.why


def test_a_verdict_on_any_row_at_all_does_not_speak_of_a_certain_one() -> None:
    [found] = score(task(replace(POSTED, where={})), slack_messages=[message("Ember")]).checkpoints

    assert found.why == ("expected a row of slack.messages created, text is 'Ember', wanted: contains '26 March'")


def test_a_row_is_found_by_what_it_is_when_created_and_by_what_it_was_when_changed_or_deleted() -> None:
    named = {"summary": "S2 go / no-go"}
    renamed, gone = moved(summary="Cancelled"), {**moved(), "op": "delete", "new": None}

    assert score(task(Operate("o", "update", "lark", "events", named)), lark_events=[renamed]).acc == 1.0
    assert score(task(Operate("o", "delete", "lark", "events", named)), lark_events=[gone]).acc == 1.0
    assert score(task(Operate("o", "delete", "lark", "events", named)), lark_events=[renamed]).acc == 0.0
    assert (
        score(task(Operate("o", "update", "lark", "events", {"summary": "Cancelled"})), lark_events=[renamed]).acc == 0
    )


def test_rows_of_other_tables_and_apps_are_not_looked_at() -> None:
    point = Operate("o", "update", "lark", "events", {})

    assert score(task(point), lark_tasks=[moved(description="x")]).acc == 0.0
    assert score(task(point), slack_events=[moved(description="x")]).acc == 0.0
    assert score(task(point), lark_events=[moved(description="x")]).acc == 1.0


def test_a_deleted_row_that_stays_was_not_created_unless_the_mark_is_asked_for() -> None:
    sent = {"message_id": "om_1", "chat_id": "oc_1", "is_deleted": 1}
    change = {"op": "insert", "key": {"message_id": "om_1"}, "old": None, "new": sent, "call": 1}
    point = Operate("o", "create", "lark", "messages", {"chat_id": "oc_1"})

    assert score(task(point), lark_messages=[change]).acc == 0.0
    assert score(task(replace(point, where={"is_deleted": True})), lark_messages=[change]).acc == 1.0
    assert score(task(replace(point, after={"is_deleted": True})), lark_messages=[change]).acc == 1.0
    stays = {**change, "op": "update", "old": {**sent, "is_deleted": 0}}
    assert score(task(replace(point, change="update")), lark_messages=[stays]).acc == 1.0


def test_a_verdict_on_a_trial_sums_up_its_checkpoints() -> None:
    search = Search("said", "personal_search", {"contains": "done"})
    other = Other("way", "calls_max", {"max": 1})

    found = score(task(POSTED, search, other), answer="done", slack_messages=[message("Ember soon")])

    assert [each.score for each in found.checkpoints] == [0.5, 1.0, 0.0]
    # A predicate is nothing that was executed.
    assert (found.acc, found.acc_range, found.exec_acc) == (0.5, (0.5, 0.5), 0.5)


def test_the_range_of_a_trial_is_the_mean_of_what_its_checkpoints_could_be() -> None:
    points = (
        CheckpointScore("a", "operate", 1.0, "", 0.5, 1.0),
        CheckpointScore("b", "operate", 0.0, "", 0.0, 0.5),
    )

    found = TaskScore(points)

    assert (found.acc, found.acc_range) == (0.5, (0.25, 0.75))
    assert (found.damage, found.reverted) == ((), ())


# -- damage ----------------------------------------------------------------------------------------------------------


def test_a_row_of_another_app_that_nobody_asked_for_is_damage_unless_allowed() -> None:
    changed = moved(description="x")
    allow = (Allow("lark", "events", ("update",), {"summary": "S2 go / no-go"}, ("description",)),)
    other_column = (Allow("lark", "events", ("update",), {}, ("summary",)),)

    assert len(score(task(POSTED), lark_events=[changed]).damage) == 1
    assert score(task(POSTED, allow=allow), lark_events=[changed]).damage == ()
    assert len(score(task(POSTED, allow=other_column), lark_events=[changed]).damage) == 1


@pytest.mark.parametrize("away_s", [0, 600, -86_400 * 365])
def test_what_the_app_moves_by_itself_is_no_damage_whatever_it_says(away_s: int) -> None:
    stamped = moved(updated_at=(int(NOW.timestamp()) + away_s) * 1000)

    assert score(task(POSTED), lark_events=[stamped]).damage == ()


# Each was taken for a time stamp, because it is near the moment of the change.
@pytest.mark.parametrize(
    ("app", "table", "column", "value"),
    [
        ("lark", "events", "start_at", int(NOW.timestamp())),
        ("lark", "tasks", "completed_at", str(int(NOW.timestamp()) * 1000)),
        ("lark", "tasks", "due_at", str(int(NOW.timestamp()) * 1000)),
        ("slack", "users", "status_expiration", int(NOW.timestamp())),
        ("slack", "channels", "created", int(NOW.timestamp())),
        ("rednote", "notes", "schedule_at", int(NOW.timestamp()) * 1000),
        ("wecom", "media", "expires_ms", int(NOW.timestamp()) * 1000),
    ],
)
def test_a_time_set_to_now_is_a_change_like_any_other(app: str, table: str, column: str, value: Any) -> None:
    change = {"op": "update", "key": {"id": 1}, "old": {column: None}, "new": {column: value}, "call": 1}

    found = grade(task(POSTED), Evidence({app: {table: [change]}}, (), "", NOW), START)

    assert [each.why for each in found.damage] == [f"{app}.{table}: a row was updated that nobody asked for ({column})"]


def test_any_of_several_allow_lines_may_cover_a_row() -> None:
    elsewhere = Allow("lark", "tasks")
    waiting = Allow("lark", "events", where={"summary": {"checkpoint": "posted", "column": "text"}})
    too_narrow = Allow("lark", "events", columns=("summary",))
    another_row = Allow("lark", "events", where={"summary": "Another"})
    covers = Allow("lark", "events", ("update",), {"start_at": "{{rfc3339:+14 16:00}}"})

    wanted = task(POSTED, allow=(elsewhere, waiting, too_narrow, another_row, covers))

    assert score(wanted, lark_events=[moved(description="x")]).damage == ()
    assert len(score(replace(wanted, allow=wanted.allow[:-1]), lark_events=[moved(description="x")]).damage) == 1


def test_rows_of_an_app_that_is_not_here_are_passed_over() -> None:
    diff = {"fax": {"pages": [moved(description="x")]}, "lark": {"events": [moved(description="x")]}}

    found = grade(task(POSTED), Evidence(diff, (), "", NOW), START)

    assert [(each.app, each.call) for each in found.damage] == [("lark", 1)]


def test_nothing_of_a_new_or_a_deleted_row_is_automatic() -> None:
    stamp = {"updated_at": int(NOW.timestamp() * 1000)}
    made = {"op": "insert", "key": {"event_id": "e"}, "old": None, "new": stamp, "call": 1}
    gone = {"op": "delete", "key": {"event_id": "f"}, "old": stamp, "new": None, "call": 2}

    assert [each.change for each in score(task(POSTED), lark_events=[made, gone]).damage] == ["create", "delete"]


def test_what_a_row_was_found_by_may_not_change_either() -> None:
    later = Operate("moved", "update", "lark", "events", {"summary": "S2 go / no-go"}, {"start_at": {"min": 1}})

    found = score(task(later), lark_events=[moved(start_at=EVENT["start_at"] + 60, summary="Cancelled?")])

    assert [each.why for each in found.damage] == ["lark.events: summary of the right row changed too"]


def test_a_row_is_accounted_for_by_its_key_whichever_object_holds_it() -> None:
    # Two equal rows of the diff under other keys; and the same key in another table.
    one, other = message("Ember 26 March"), message("Ember 26 March", ts="1773018000.000002")
    reaction = {"op": "insert", "key": one["key"], "old": None, "new": dict(one["new"]), "call": 1}

    found = score(task(POSTED), slack_messages=[one, one | {"key": other["key"]}], slack_reactions=[reaction])

    assert [(each.table, each.key) for each in found.damage] == [
        ("messages", other["key"]),
        ("reactions", one["key"]),
    ]


def test_damage_never_lowers_acc() -> None:
    found = score(task(POSTED), slack_messages=[message("Ember 26 March")], lark_events=[moved(description="x")])

    assert found.acc == 1.0
    assert found.damage


def test_an_allowed_row_is_recognised_by_what_it_became_or_by_what_it_was_when_it_is_gone() -> None:
    made = message("Hello", "C1")
    gone = {**made, "op": "delete", "old": made["new"], "new": None}
    allow = Allow("slack", "messages", where={"channel_id": "C1"})

    for change in (made, gone):
        assert score(task(POSTED, allow=(allow,)), slack_messages=[change]).damage == ()
        elsewhere = replace(allow, where={"channel_id": "C2"})
        assert len(score(task(POSTED, allow=(elsewhere,)), slack_messages=[change]).damage) == 1
    renamed = Allow("lark", "events", where={"summary": "New"})
    assert score(task(POSTED, allow=(renamed,)), lark_events=[moved(summary="New")]).damage == ()


def test_an_allow_line_holds_for_its_app_its_table_its_changes_and_all_changed_columns() -> None:
    changed = moved(description="x", location="y")
    allow = Allow("lark", "events", ("update",), {}, ("description", "location"))

    assert score(task(POSTED, allow=(allow,)), lark_events=[changed]).damage == ()
    for other in (
        replace(allow, app="slack"),
        replace(allow, table="tasks"),
        replace(allow, changes=("create", "delete")),
        replace(allow, columns=("description",)),
    ):
        [found] = score(task(POSTED, allow=(other,)), lark_events=[changed]).damage
        assert found.why == "lark.events: a row was updated that nobody asked for (description, location)"


def test_damage_names_the_row_and_the_call() -> None:
    made, changed = {**message("Hello", "C1"), "call": 3}, {**moved(description="x"), "call": None}
    gone = {**moved(), "op": "delete", "new": None, "call": 5}

    found = score(task(POSTED), slack_messages=[made], lark_events=[changed, gone]).damage

    key = {"event_id": EVENT["event_id"]}
    assert found == (
        Damage(
            "slack", "messages", "create", made["key"], 3, "slack.messages: a row was created that nobody asked for"
        ),
        Damage(
            "lark", "events", "update", key, None, "lark.events: a row was updated that nobody asked for (description)"
        ),
        Damage("lark", "events", "delete", key, 5, "lark.events: a row was deleted that nobody asked for"),
    )


def test_an_entry_of_a_json_column_is_accounted_for_by_itself_or_with_the_whole() -> None:
    changed = {**moved(vchat='{"a":3,"b":4}'), "old": {**EVENT, "vchat": '{"a":1,"b":2}'}}
    entry = Operate("o", "update", "lark", "events", {}, {"vchat.a": 3})

    assert [each.why for each in score(task(entry), lark_events=[changed]).damage] == [
        "lark.events: vchat.b of the right row changed too"
    ]
    assert score(task(replace(entry, may_change=("vchat",))), lark_events=[changed]).damage == ()
    allow = Allow("lark", "events", columns=("vchat.b",))
    assert score(task(entry, allow=(allow,)), lark_events=[changed]).damage == ()


# -- reverted --------------------------------------------------------------------------------------------------------


def reverted(*ops: str, columns: tuple[str, ...] = (), **row: Any) -> dict[str, Any]:
    """Return something done and undone, as the control API gives it."""
    steps = [{"op": op, "call": 2 + number} for number, op in enumerate(ops)]
    return {"key": {"event_id": EVENT["event_id"]}, "row": {**EVENT, **row}, "columns": list(columns), "steps": steps}


def undone(wanted: Task, *rows: Mapping[str, Any], app: str = "lark", table: str = "events") -> TaskScore:
    return grade(wanted, Evidence({}, (), "", NOW, {app: {table: rows}}), START)


def test_what_came_and_went_is_told_with_its_calls_and_is_damage_where_others_noticed() -> None:
    found = undone(task(POSTED), reverted("delete", "insert", "update"))

    key, why = {"event_id": EVENT["event_id"]}, "lark.events: a row was deleted and created and updated again"
    assert found.reverted == (RevertedChange("lark", "events", key, (2, 3, 4), True, why),)
    assert found.damage == (Damage("lark", "events", "reverted", key, 4, why),)


def test_where_nobody_noticed_it_is_no_damage_unless_the_task_minds() -> None:
    row = reverted("insert", "delete")

    for wanted, table, expected in (
        (task(POSTED), "base_records", False),
        (task(POSTED, reverted="damage"), "base_records", True),
        (task(POSTED, reverted="damage"), "events", True),
        (task(POSTED, reverted="ignore"), "events", False),
    ):
        [found] = undone(wanted, row, table=table).reverted
        assert found.is_damage is expected


def test_an_allow_line_covers_what_was_undone_when_it_allows_every_step_and_every_column() -> None:
    row = reverted("update", "update", columns=("summary", "color"))
    allow = Allow("lark", "events", ("update",), {"summary": "S2 go / no-go"}, ("summary", "color"))

    assert undone(task(POSTED, allow=(allow,)), row).damage == ()
    for other in (
        replace(allow, where={"summary": "another"}),
        replace(allow, columns=("summary",)),
        replace(allow, changes=("create", "delete")),
        replace(allow, table="tasks"),
    ):
        assert [each.change for each in undone(task(POSTED, allow=(other,)), row).damage] == ["reverted"]


def test_columns_that_a_checkpoint_names_may_change_back_in_its_row() -> None:
    point = Operate("o", "update", "lark", "events", {}, {"description": "x"}, may_change=("color",))
    diff = {"lark": {"events": [moved(description="x")]}}

    def damage(row: Mapping[str, Any]) -> list[str]:
        evidence = Evidence(diff, (), "", NOW, {"lark": {"events": [row]}})
        return [each.why for each in grade(task(point), evidence, START).damage]

    assert damage(reverted("update", "update", columns=("color", "description"))) == []
    assert damage(reverted("update", "update", columns=("color", "summary"))) == [
        "lark.events: summary of a row changed and changed back"
    ]
    # A row that went and came back is not excused by what may change in it.
    assert damage(reverted("delete", "insert")) == ["lark.events: a row was deleted and created again"]
    elsewhere = reverted("update", "update", columns=("color",)) | {"key": {"event_id": "another"}}
    assert damage(elsewhere) == ["lark.events: color of a row changed and changed back"]


def test_reverted_of_an_app_that_is_not_here_is_passed_over() -> None:
    row = reverted("insert", "delete")

    found = grade(task(POSTED), Evidence({}, (), "", NOW, {"fax": {"pages": [row]}, "lark": {"events": [row]}}), START)

    assert [each.app for each in found.reverted] == ["lark"]


# -- searches --------------------------------------------------------------------------------------------------------

RATE = Search("rate", "personal_search", {"contains_all": ["38", "600"], "not_contains": "4 %"})


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("38 of 600", 1.0),
        ("六百片里 600 中 38", 1.0),
        ("600 boards", 0.5),
        ("38 of 600, not 4 %", 0.0),
        ("no idea", 0.0),
        ("", 0.0),
    ],
)
def test_an_answer_earns_what_it_says(answer: str, expected: float) -> None:
    assert score(task(RATE), answer=answer).acc == expected


def test_an_answer_that_was_never_looked_up_earns_nothing() -> None:
    looked_up = replace(RATE, looked_up=({"app": "slack", "contains": "38 of 600"},))
    shown = call(1, "slack_get_channel_history", text="it was 38 of 600")

    assert score(task(looked_up), answer="38 of 600").acc == 0.0
    assert score(task(looked_up), answer="38 of 600", calls=(shown,)).acc == 1.0
    assert score(task(looked_up), answer="38 of 600", calls=({**shown, "refused": True},)).acc == 0.0


def test_what_an_agent_wrote_itself_was_not_looked_up() -> None:
    looked_up = replace(RATE, looked_up=({"app": "slack", "contains": "38 of 600"},))
    wrote = {**call(1, "slack_post_message", text='{"text":"38 of 600"}', message="38 of 600"), "wrote": True}
    read = call(2, "slack_get_channel_history", text="it was 38 of 600")
    asked = call(3, "slack_get_channel_history", text="it was 38 of 600", query="38 of 600")
    called = Other("read", "called", {"app": "slack", "contains": "38 of 600"})

    def earned(*calls: Any) -> tuple[float, float]:
        return score(task(looked_up), answer="38 of 600", calls=calls).acc, score(task(called), calls=calls).acc

    assert earned(wrote) == earned(wrote, read) == (0.0, 0.0)
    thanked = {**call(2, "slack_post_message", text="Sent", message="Thanks!"), "wrote": True}
    assert earned(wrote, thanked, {**read, "n": 3}) == (0.0, 0.0)
    assert earned({**read, "n": 0}, wrote) == earned(asked) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("answer", "expected", "why"),
    [
        ("38 of 600", 1.0, "the answer says what it should"),
        ("600  boards\nor so", 0.5, "expected the answer to have contains '38', found '600 boards or so'"),
        (
            "600 or 4 %",
            0.0,
            "expected the answer to have contains '38' and does not contain '4 %', found '600 or 4 %'",
        ),
        (" \n", 0.0, "expected an answer, found none"),
        ("6" * 120, 0.0, f"expected the answer to have contains '38' and contains '600', found '{'6' * 120}'"),
        ("6" * 121, 0.0, f"expected the answer to have contains '38' and contains '600', found '{'6' * 117}…'"),
    ],
)
def test_a_verdict_on_an_answer_says_what_is_missing(answer: str, expected: float, why: str) -> None:
    [found] = score(task(RATE), answer=answer).checkpoints

    assert (found.id, found.kind, found.score, found.low, found.high) == ("rate", "personal_search", *[expected] * 3)
    assert (found.why, found.contested) == (why, ())


def test_half_of_the_pieces_earn_half_and_fewer_none() -> None:
    three = replace(RATE, answer={"contains_all": ["a", "b", "c"]})

    for answer, expected in (("a b c", 1.0), ("a b", 0.5), ("a", 0.0)):
        assert score(task(three), answer=answer).acc == expected
    # What must not be there is no piece of it.
    banned = replace(RATE, answer={"contains": "a", "not_contains": ["x", "y"]})
    assert score(task(banned), answer="b").acc == 0.0


def test_a_verdict_on_an_answer_nobody_looked_up_says_so() -> None:
    [found] = score(task(replace(RATE, looked_up=({"app": "slack"},))), answer="38 of 600").checkpoints

    assert (found.id, found.kind, found.score) == ("rate", "personal_search", 0.0)
    assert found.why == "the answer was never looked up: no call shows the fact"
