"""A world's start as graders see it, and what the values of a task file mean in it."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.initial_state import Start, deleted_column, form_of, load_start
from farm.benchmark.scoring.resolve import UnresolvedDependencyError, ValueResolver
from farm.context.operators import OPERATORS
from farm.context.template import load_world
from farm.errors import FarmError, NotFoundError
from tests.unit._score import EVENT, GENERAL, ME, START

CONTENT = Path(__file__).parents[3] / "protocol" / "content"
CHANNEL = {"app": "slack", "table": "channels", "where": {"name": "general"}, "column": "id"}


@pytest.fixture
def start() -> Start:
    """The start of a world that nobody has read yet."""
    return Start(load_world("harbor"))


# -- rows ------------------------------------------------------------------------------------------------------------


def test_the_rows_of_a_table_have_every_column_and_its_default(start: Start) -> None:
    rows = start.rows("slack", "channels")

    # The world says nothing of this channel's topic and former names.
    [random] = [row for row in rows if row["name"] == "random"]
    defaults = {"topic_last_set": 0, "topic": "", "previous_names": "[]", "im_user_id": None}
    assert {key: random[key] for key in defaults} == defaults
    assert all(row.keys() == random.keys() for row in rows)
    assert "table" not in random
    assert start.rows("slack", "nothing") == []


def test_gold_moves_with_the_world() -> None:
    later = Start(load_world("harbor"), 7)

    text = ValueResolver(later, {}).text("{{date:+17 iso}} {{rfc3339:+0 09:00}}")

    assert text == "2026-04-02 2026-03-16T09:00:00+08:00"
    [row] = later.find("lark", "events", {"summary": "S2 go / no-go"})
    assert row["start_at"] - EVENT["start_at"] == 7 * 86_400
    assert (later.clock_context.day("+17"), START.clock_context.day("-1")) == (date(2026, 4, 2), date(2026, 3, 8))


def test_a_start_is_read_once() -> None:
    assert load_start("harbor", 14) is load_start("harbor", 14)
    assert load_start("harbor", 14) is not load_start("harbor", 21)
    assert load_start("harbor").clock_context.shift_days == 0


def test_rows_are_found_by_all_that_is_said_of_them(start: Start) -> None:
    same = {"summary": "s2 GO / no-go", "start_at": "2026-03-23T09:00:00+01:00"}

    assert [row["event_id"] for row in start.find("lark", "events", same)] == [EVENT["event_id"]]
    assert start.find("lark", "events", {**same, "start_at": "2026-03-23T09:00:01+01:00"}) == []
    assert len(start.find("slack", "channels", {})) == len(start.rows("slack", "channels"))


def test_only_columns_that_hold_times_have_a_form() -> None:
    assert (form_of("lark", "events", "start_at"), form_of("lark", "tasks", "due_at")) == ("s", "ms_text")
    assert (form_of("lark", "events", "summary"), form_of("lark", "nothing", "start_at")) == (None, None)


def test_a_row_counts_as_deleted_by_the_mark_its_table_declares() -> None:
    assert deleted_column("lark", "messages", {"is_deleted": 1}) == "is_deleted"
    assert deleted_column("lark", "messages", {"is_deleted": 0}) is None
    assert deleted_column("lark", "events", {"status": "cancelled"}) == "status"
    assert deleted_column("slack", "messages", {"text": "x"}) is None


def test_a_persons_account_is_theirs_in_each_app(start: Start) -> None:
    [lin] = start.find("slack", "users", {"person": "lin.wan"})

    assert start.account("slack", "lin.wan") == lin["id"] == ME
    assert start.account("lark", "lin.wan").startswith("ou_")
    with pytest.raises(NotFoundError, match=r"'lin\.wam' has no account in 'slack' of world 'harbor'"):
        start.account("slack", "lin.wam")


def test_who_has_an_account_stands_in_the_worlds_order(start: Start) -> None:
    people = start.people("rednote")

    assert people == [person for person in start.world.people if person in {*people}]
    assert "lin.wan" in people
    assert 0 < len(people) < len(start.people("slack")) < len(start.world.people)


def test_nobody_has_an_account_in_an_app_without_accounts(monkeypatch: pytest.MonkeyPatch, start: Start) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))

    assert start.people("toy") == []
    with pytest.raises(NotFoundError, match=r"'lin\.wan' has no account in 'toy'"):
        start.account("toy", "lin.wan")


# -- the moment ------------------------------------------------------------------------------------------------------


def test_now_is_the_trials_moment_on_the_worlds_clock_and_the_worlds_start_when_none_is_given() -> None:
    at = datetime.fromisoformat("2026-03-10T02:30:00+01:00")

    assert ClockContext(START.world, 7, at).now.isoformat() == "2026-03-10T09:30:00+08:00"
    assert ClockContext(START.world, 7).now.isoformat() == "2026-03-16T09:00:00+08:00"


def test_what_the_agent_was_told_is_known_as_it_read_it() -> None:
    at = datetime.fromisoformat("2026-03-10T09:30:00+08:00")

    values = ValueResolver(START, {"channel": CHANNEL}, at=at, said=["Post in {{channel}}.", "It is {{date:+17 en}}."])

    assert values.clock_context.said == (f"Post in {GENERAL}.", "It is 26 March.")
    assert values.clock_context.now == at


# -- values of a task file -------------------------------------------------------------------------------------------


def test_texts_and_values_may_hold_what_a_lookup_finds() -> None:
    number = {"app": "lark", "table": "events", "where": {"summary": "S2 go / no-go"}, "column": "start_at"}
    values = ValueResolver(START, {"channel": CHANNEL, "at": number, "me": {"app": "slack", "person": "me"}})

    assert values.resolve("{{channel}}", "lark") == GENERAL
    assert values.resolve("{{channel}} and {{me}}", "lark") == f"{GENERAL} and {ME}"
    # A whole value keeps what it is.
    assert values.resolve("{{at}}", "slack") == EVENT["start_at"]
    assert values.resolve(["x", {"in {{channel}}": ["{{at}}"]}, 3, None], "slack") == [
        "x",
        {f"in {GENERAL}": [EVENT["start_at"]]},
        3,
        None,
    ]


def test_a_lookup_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NotFoundError, match=r"^no lookup 'room'; have channel, other$"):
        ValueResolver(START, {"channel": CHANNEL, "other": CHANNEL}).lookup("room")
    with pytest.raises(NotFoundError, match=r"^no lookup 'room'; have none$"):
        ValueResolver(START, {}).text("in {{room}}")


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"name": "no such channel"}, "slack.channels where {'name': 'no such channel'} means no row; "),
        ({"name": {"in": ["general", "random"]}}, "means 2 rows; it must mean exactly one"),
    ],
)
def test_a_lookup_that_means_no_row_or_several_is_refused(where: dict[str, Any], said: str) -> None:
    values = ValueResolver(START, {"many": {**CHANNEL, "where": where}})

    with pytest.raises(FarmError) as refused:
        values.lookup("many")

    assert said in str(refused.value)


def test_a_lookup_that_names_no_condition_means_the_whole_table() -> None:
    found = ValueResolver(START, {}).resolve({"table": "channels", "column": "id", "all": True}, "slack")

    assert found == {"in": [row["id"] for row in START.rows("slack", "channels")]}
    with pytest.raises(FarmError, match=r"^slack\.channels where {} means \d+ rows; it must mean exactly one$"):
        ValueResolver(START, {}).resolve({"table": "channels", "column": "id"}, "slack")


def test_an_operator_takes_the_values_of_all_rows_as_a_list() -> None:
    every = {"table": "channels", "column": "name", "all": True}

    banned = ValueResolver(START, {}).resolve({"not_contains": every}, "slack")["not_contains"]

    assert "general" in banned
    assert not OPERATORS["not_contains"].holds(banned[0], f"#{banned[0]}", None)


def test_persons_and_tables_are_looked_up_in_the_app_at_hand_unless_another_is_named() -> None:
    values = ValueResolver(START, {})

    assert values.resolve({"person": "helen.zhou"}, "slack") == START.account("slack", "helen.zhou")
    assert values.resolve({"person": "helen.zhou", "app": "lark"}, "slack") == START.account("lark", "helen.zhou")
    assert values.resolve([{"person": "helen.zhou"}], "slack") == [START.account("slack", "helen.zhou")]
    row = {"table": "events", "where": {"summary": "S2 go / no-go"}, "column": "event_id"}
    assert values.resolve(row, "lark") == EVENT["event_id"]
    assert values.resolve({**row, "app": "lark"}, "slack") == EVENT["event_id"]


def test_the_conditions_of_a_lookup_may_name_persons_of_its_app() -> None:
    mine = {"table": "users", "where": {"id": {"person": "me"}}, "column": "person", "app": "slack"}

    assert ValueResolver(START, {}).resolve(mine, "lark") == "lin.wan"


def test_me_is_the_worlds_own_person_unless_the_task_names_another() -> None:
    assert ValueResolver(START, {}).resolve({"person": "me"}, "slack") == ME
    assert ValueResolver(START, {}, "helen.zhou").resolve({"person": "me"}, "slack") == START.account(
        "slack", "helen.zhou"
    )
    assert ValueResolver(START, {}, "helen.zhou").resolve({"person": "chen.mei"}, "slack") == START.account(
        "slack", "chen.mei"
    )


def test_the_rows_of_a_checkpoint_stand_for_any_of_them_once_it_is_satisfied() -> None:
    values, wanted = ValueResolver(START, {}), {"checkpoint": "posted", "column": "ts"}
    knowing = values.knowing({"posted": [{"ts": "1.1"}, {"ts": "2.2"}], "read": []})

    assert knowing.resolve(wanted, "slack") == {"in": ["1.1", "2.2"]}
    for unknown in (values, values.knowing({"posted": []}), knowing.knowing({})):
        with pytest.raises(UnresolvedDependencyError, match=r"^checkpoint 'posted' is not satisfied$"):
            unknown.resolve(wanted, "slack")
