"""People who answer: rules over what a call changed, acts at their time, and who is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from farm.context.world_people import with_facts
from farm.errors import FarmError, NotFoundError
from farm.testing.local_world import LocalWorld

CHAIRS: dict[str, Any] = {
    "id": "chairs",
    "who": "ben",
    "when": {
        "app": "slack",
        "table": "messages",
        "where": {"channel": "#opening", "text": {"contains": "how many chairs"}},
    },
    "then": [{"do": "reply", "after": "5m", "text": "24."}],
}


@pytest.fixture
def world() -> Iterator[LocalWorld]:
    with LocalWorld("mini", apps=["slack"]) as made:
        yield made


def ask(world: LocalWorld, text: str = "Ben, how many chairs?", channel: str = "#opening") -> dict[str, Any]:
    posted: dict[str, Any] = world.call("slack", "slack_post_message", channel_id=channel, text=text)
    return posted


def said(world: LocalWorld, person: str = "ben") -> list[str]:
    """Return what a person has said since the start by rules, oldest first."""
    account = next(each["accounts"]["slack"] for each in world.people if each["person"] == person)
    with LocalWorld("mini", apps=["slack"]) as fresh:
        start = {(row["channel_id"], row["ts"]) for row in fresh.rows("slack", "messages")}
    rows = (row for row in world.rows("slack", "messages") if (row["channel_id"], row["ts"]) not in start)
    return [row["text"] for row in sorted(rows, key=lambda row: row["ts"]) if row["user_id"] == account]


def rule(**changed: Any) -> dict[str, Any]:
    return {**CHAIRS, **changed}


def test_a_person_answers_in_the_thread_when_the_clock_has_come_to_it(world: LocalWorld) -> None:
    world.add_person_rule(CHAIRS)
    posted = ask(world)

    assert world.move_clock(advance_s=299) == []
    [came] = world.move_clock(advance_s=1)

    assert (came["by"], came["rule"], came["do"], came["what"]) == ("ben", "chairs", "reply", "24.")
    assert came["row"]["thread_ts"] == posted["ts"]
    thread = world.call("slack", "slack_get_thread_replies", channel_id=posted["channel"], thread_ts=posted["ts"])
    assert [each["text"] for each in thread["messages"]] == ["Ben, how many chairs?", "24."]
    assert "bot_id" not in thread["messages"][1]  # he has typed it himself


def test_who_does_not_ask_gets_no_answer(world: LocalWorld) -> None:
    world.add_person_rule(CHAIRS)

    ask(world, "Ben, how many tables?")
    ask(world, channel="#general")

    assert world.answers["rules"][0]["matched"] == 0
    with pytest.raises(FarmError, match="nothing waits to arrive"):
        world.move_clock(next=True)


def test_what_others_did_is_in_no_diff_and_the_trace_names_them(world: LocalWorld) -> None:
    world.add_person_rule(CHAIRS)
    ask(world)
    world.move_clock(quiet=True)

    assert [len(rows) for rows in world.diff()["slack"].values()] == [1]
    assert world.calls()[0]["people"] == [{"who": "ben", "rule": "chairs"}]
    [acted] = world.answers["acted"]
    assert (acted["who"], acted["do"], acted["at"][11:16]) == ("ben", "reply", "09:05")


def test_a_rule_holds_once_unless_it_says_how_often(world: LocalWorld) -> None:
    world.add_person_rule(rule(id="once"))
    world.add_person_rule(rule(id="each", times=0, then=[{"do": "react", "emoji": "eyes"}]))

    for _ in range(3):
        ask(world)
        world.move_clock(advance_s=600)

    counts = {each["id"]: (each["matched"], each["fired"]) for each in world.answers["rules"]}
    assert counts == {"once": (3, 1), "each": (3, 3)}


def test_state_decides_who_answers_what(world: LocalWorld) -> None:
    world.add_person_rule(rule(id="first"))
    world.add_person_rule(rule(id="again", nth=2, then=[{"do": "reply", "text": "As I said: 24."}]))
    world.add_person_rule(rule(id="then", after_rule="again", then=[{"do": "reply", "text": "Please read above."}]))
    world.add_person_rule(rule(id="never", unless="first", nth=2, then=[{"do": "reply", "text": "Who asks?"}]))

    for _ in range(3):
        ask(world)
        world.move_clock(advance_s=600)

    assert said(world) == ["24.", "As I said: 24.", "Please read above."]


def test_values_of_a_column_are_counted_apart(world: LocalWorld) -> None:
    where = {"text": {"contains": "how many chairs"}}
    when = {**CHAIRS["when"], "where": where}
    world.add_person_rule(rule(when=when, per="channel_id", then=[{"do": "reply", "text": "24, {row.channel}."}]))

    for channel in ("#opening", "#general", "#general"):
        ask(world, channel=channel)
    world.move_clock(quiet=True)

    assert sorted(said(world)) == ["24, #general.", "24, #opening."]


def test_nobody_answers_himself(world: LocalWorld) -> None:
    world.add_person_rule(CHAIRS)

    world.as_("ben").call("slack", "slack_post_message", channel_id="#opening", text="how many chairs?")

    assert world.answers["rules"][0]["matched"] == 0


def test_people_answer_people_only_where_a_rule_says_so(world: LocalWorld) -> None:
    when = {"app": "slack", "table": "messages", "where": {"text": {"contains": "24"}}}
    world.add_person_rule(CHAIRS)
    world.add_person_rule({"id": "deaf", "who": "gus", "when": when, "then": [{"do": "react", "emoji": "eyes"}]})
    thanks = {"do": "reply", "after": "2m", "text": "Thanks, Ben."}
    world.add_person_rule({"id": "thanks", "who": "cleo", "when": when, "by": "anyone", "then": [thanks]})
    ask(world)

    came = world.move_clock(quiet=True)

    assert [(each["by"], each["at"][11:16]) for each in came] == [("ben", "09:05"), ("cleo", "09:07")]


def test_an_answer_to_an_answer_comes_in_another_app_in_one_leap() -> None:
    heard = {"app": "slack", "table": "messages", "where": {"text": {"contains": "24"}}}
    message = {"do": "message", "app": "lark", "after": "2m", "to": "@ada", "text": "Ben says 24."}
    thanks = {"id": "told", "who": "cleo", "when": heard, "by": "anyone", "then": [message]}
    with LocalWorld("mini", apps=["slack", "lark"], people=[CHAIRS, thanks]) as world:
        ask(world)

        came = [each for each in world.move_clock(advance_s=3600) if "by" in each]

    assert [(each["app"], each["by"], each["at"][11:16]) for each in came] == [
        ("slack", "ben", "09:05"),
        ("lark", "cleo", "09:07"),
    ]


def test_the_same_calls_give_the_same_rows_in_steps_and_in_one_leap(world: LocalWorld) -> None:
    rules = [rule(then=[{"do": "reply", "after": "2m-9m", "text": ["24.", "Two dozen.", "24, as ordered."]}])]
    rows = []
    ways: list[list[dict[str, Any]]] = [[{"quiet": True}], [{"next": True}, {"advance_s": 60}, {"quiet": True}]]
    for moves in ways:
        with LocalWorld("mini", apps=["slack"], people=rules) as again:
            ask(again)
            for move in moves:
                again.move_clock(**move)
            rows.append(again.rows("slack", "messages"))

    assert rows[0] == rows[1]


def test_the_agents_ids_do_not_depend_on_who_has_answered(world: LocalWorld) -> None:
    quiet = world.fork()
    both = (world, quiet)
    world.add_person_rule(CHAIRS)
    for each in both:
        ask(each)
        each.move_clock(advance_s=600)

    account = next(each["accounts"]["slack"] for each in world.people if each["person"] == "kim")
    ids = [each.call("slack", "slack_post_message", channel_id=account, text="hi")["channel"] for each in both]

    assert ids[0] == ids[1]
    assert said(world) == ["24."]
    quiet.close()


def test_a_fork_in_the_middle_a_snapshot_and_a_reset_go_on_by_themselves() -> None:
    with LocalWorld("mini", apps=["slack"], people=[CHAIRS]) as world:
        ask(world)
        world.move_clock(advance_s=120)
        world.snapshot("waits")
        copy = world.fork()

        told = [each.move_clock(quiet=True) for each in (world, copy)]
        world.restore("waits")
        told.append(world.move_clock(quiet=True))

        assert told[0] == told[1] == told[2]
        assert len(told[0]) == 1
        ask(copy)  # once is once in a copy as well
        assert [each["fired"] for each in copy.answers["rules"]] == [1]
        copy.close()


def test_an_answer_to_what_is_gone_is_dropped(world: LocalWorld) -> None:
    world.add_person_rule(rule(then=[{"do": "react", "emoji": "no_such_emoji"}]))
    ask(world)

    [came] = world.move_clock(quiet=True)

    assert came["dropped"] is True
    [acted] = world.answers["acted"]
    assert "dropped" in acted
    assert world.diff()["slack"].keys() == {"messages"}


def test_going_back_undoes_what_followed_and_lets_what_stays_happen_again(world: LocalWorld) -> None:
    world.add_person_rule(rule(id="each", times=0))
    ask(world)
    ask(world)
    world.move_clock(quiet=True)
    ask(world)
    store = world._session.store("slack")

    store.rewind(world.id, 1)

    assert said(world) == []
    assert [each["rule"] for each in world.move_clock(quiet=True)] == ["each"]  # what answers the call that stays
    ask(world)
    world.move_clock(quiet=True)
    assert said(world) == ["24.", "24."]
    store.rewind(world.id, 0)
    assert said(world) == []
    with pytest.raises(FarmError, match="nothing waits"):
        world.move_clock(next=True)


def test_what_was_done_after_a_call_that_is_undone_waits_again(world: LocalWorld) -> None:
    world.add_person_rule(CHAIRS)
    ask(world)
    ask(world, "Anybody?")
    world.move_clock(quiet=True)
    world._session.store("slack").rewind(world.id, 1)

    assert said(world) == []
    [came] = world.move_clock(quiet=True)
    assert came["what"] == "24."
    assert [each["fired"] for each in world.answers["rules"]] == [1]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"who": "bob"}, "no person 'bob' in slack; have ada, ben"),
        ({"whom": "ben"}, "unknown key 'whom' of a rule of a person; it takes id, who"),
        ({"when": {"app": "gmail", "table": "messages"}}, "no app 'gmail' here; have slack"),
        ({"when": {"app": "slack", "table": "posts"}}, "no table 'posts' in slack; have"),
        ({"when": {"app": "slack", "table": "messages", "where": {"txt": "a"}}}, "no column 'txt' in slack.messages"),
        (
            {"when": {"app": "slack", "table": "messages", "where": {"text": {"has_word": "a"}}}},
            "no operator 'has_word'",
        ),
        ({"when": {"app": "slack", "table": "messages", "change": "edit"}}, "'change' must be one of create, update"),
        ({"then": []}, "'then' must be a list of what ben does"),
        ({"then": [{"do": "shout", "text": "24."}]}, "nobody can 'shout' in slack; have reply, post"),
        ({"then": [{"do": "reply", "txt": "24."}]}, "unknown key 'txt' of 'reply' in rule 'chairs'; it takes text"),
        ({"then": [{"do": "reply"}]}, "'reply' needs 'text'"),
        ({"then": [{"do": "reply", "text": "24.", "after": "soon"}]}, "'after' must be a delay such as 5m or 2m-9m"),
        ({"then": [{"do": "reply", "text": "24.", "after": "9m-2m"}]}, "'after' must be a delay"),
        ({"after_rule": "nothing"}, "'after_rule' names no earlier rule about slack: 'nothing'; have none"),
        ({"per": "room"}, "'per' names no column: 'room'"),
        ({"nth": -1}, "'nth' must be a number from 0 on"),
        ({"by": "everybody"}, "'by' must be agent or anyone"),
    ],
)
def test_a_wrong_rule_is_refused_in_one_line(world: LocalWorld, changed: dict[str, Any], told: str) -> None:
    with pytest.raises((FarmError, NotFoundError)) as refused:
        world.add_person_rule(rule(**changed))

    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def in_messages(**where: Any) -> dict[str, Any]:
    return {"app": "slack", "table": "messages", "where": where}


CLAIM = {"claims": [{"date": "+3"}]}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"when": in_messages(channel="#nowhere")},
            "no channel '#nowhere' in slack; have #general, #kitchen, #old-shop, #opening; of one",
        ),
        ({"when": in_messages(channel="opening")}, "no channel 'opening' in slack; have #general"),
        ({"when": in_messages(user_id="@nobody")}, "no person 'nobody' in slack; have ada, ben"),
        ({"when": in_messages(to={"has": "@nobody"})}, "no person 'nobody' in slack"),
        ({"when": in_messages(user_id={"not": ["@ben", "@nobody"]})}, "no person 'nobody' in slack"),
        (
            {"when": in_messages(channel=CLAIM)},
            "'channel': 'claims' is about what somebody writes; in slack.messages that",
        ),
        ({"when": in_messages(text={"claim": []})}, "no operator 'claim'; have equals"),
        (
            {"when": in_messages(text={"claims": [{"fact": "opening.at"}]})},
            "fact: is filled in by tasks alone; elsewhere refer",
        ),
        ({"then": [{"do": "reply", "text": "{row.nope}"}]}, "'{row.nope}': no column 'nope' in slack.messages; have"),
        ({"then": [{"do": "reply", "text": "{@nobody}"}]}, "no person 'nobody' in slack"),
        ({"then": [{"do": "post", "channel": "@nobody", "text": "a"}]}, "no person 'nobody' in slack"),
        (
            {"then": [{"do": "post", "channel": "#nowhere", "text": "a"}]},
            "no channel '#nowhere' in slack; have #general",
        ),
        ({"then": [{"do": "reply", "text": "{{fact:chairs.colour}}"}]}, "no fact 'chairs.colour'; nearest: chairs."),
    ],
)
def test_what_no_row_can_have_and_nobody_can_do_is_refused(
    world: LocalWorld, changed: dict[str, Any], told: str
) -> None:
    with pytest.raises(FarmError) as refused:
        world.add_person_rule(rule(**changed))

    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert world.answers["rules"] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"when": in_messages(channel={"equals": "#made-later"})},
        {"when": in_messages(channel="#OPENING", user_id="@ada", text={"contains": "@channel"})},
        {"then": [{"do": "reply", "text": "@channel {row.channel} {@ben}"}]},
        {"then": [{"do": "post", "channel": "opening", "text": "a"}]},
        {"then": [{"do": "post", "channel": "@ada", "text": "a"}]},
        {"then": [{"do": "post", "channel": "{row.channel}", "text": "a"}]},
    ],
)
def test_what_may_be_is_not_refused(world: LocalWorld, changed: dict[str, Any]) -> None:
    world.add_person_rule(rule(**changed))

    assert len(world.answers["rules"]) == 1


def test_a_reference_to_a_fact_is_filled_in(world: LocalWorld) -> None:
    where = {"channel": "#opening", "text": {"contains": "{{fact:chairs.order}}"}}
    world.add_person_rule(
        rule(
            when=in_messages(**where),
            then=[{"do": "reply", "text": "{{fact:chairs.count}}, {{fact:chairs.leave iso}}."}],
        )
    )
    ask(world, "Ben, what is order 5521?")
    world.move_clock(advance_s=600)

    assert said(world) == ["24, 2026-06-02."]


def test_without_a_world_a_reference_to_a_fact_is_refused() -> None:
    with pytest.raises(FarmError, match="refers to a fact of a world, and this episode has none"):
        with_facts(None, 0, {"text": ["{{fact:chairs.count}}"]})


def test_a_world_without_rules_uses_the_apps_own_table_of_tools(world: LocalWorld) -> None:
    ask(world)
    context = world._session.store("slack").open(world.id)

    assert context.bound is context.loaded.bound
    assert context.answering is None


def test_an_answer_ends_a_wait() -> None:
    with LocalWorld("mini", apps=["slack", "clock"], people=[CHAIRS]) as world:
        ask(world)

        waited = world.call("clock", "wait", minutes=60)

        assert [(each["app"], each["at"][11:16]) for each in waited["notices"]] == [("slack", "09:05")]
        assert "24." in waited["notices"][0]["text"]
        assert said(world) == ["24."]


def test_what_is_done_in_another_app_ends_a_wait_too() -> None:
    message = {"do": "message", "app": "lark", "to": "@ada", "after": "5m", "text": "24."}
    with LocalWorld("mini", apps=["slack", "lark", "clock"], people=[rule(then=[message])]) as world:
        ask(world)

        waited = world.call("clock", "wait", minutes=60)

        assert [(each["app"], each["at"][11:16]) for each in waited["notices"]] == [("lark", "09:05")]
        assert world.diff().keys() == {"slack"}


def test_with_a_pace_an_agent_that_looks_again_gets_its_answer() -> None:
    with LocalWorld("mini", apps=["slack"], people=[CHAIRS], pace="2m") as world:
        posted = ask(world)
        thread = {"channel_id": posted["channel"], "thread_ts": posted["ts"]}
        looks = [len(world.call("slack", "slack_get_thread_replies", **thread)["messages"]) for _ in range(4)]

    assert looks == [1, 1, 2, 2]


@pytest.mark.parametrize("operator", ["not", "min", "max", "time"])
def test_a_time_without_a_zone_is_refused_as_it_would_hold_always_or_never(world: LocalWorld, operator: str) -> None:
    def add(wanted: str) -> None:
        when = {"app": "slack", "table": "messages", "where": {"ts": {operator: wanted}}}
        world.add_person_rule(rule(id="timed", when=when))

    for naive in ("2026-03-02T10:00", "2026-03-02 10:00:00"):
        with pytest.raises(FarmError, match=f"'{operator}': '{naive}' is no point in time with a zone; write it as 20"):
            add(naive)
    add("2026-03-02T10:00:00+08:00")

    assert len(world.answers["rules"]) == 1


def test_a_title_that_begins_with_a_time_may_be_excluded(world: LocalWorld) -> None:
    where = {"text": {"not": "2026-03-02 10:00 tasting"}}
    world.add_person_rule(rule(when={"app": "slack", "table": "messages", "where": where}))

    ask(world)

    assert world.answers["rules"][0]["matched"] == 1
