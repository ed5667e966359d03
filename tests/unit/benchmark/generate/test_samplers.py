"""What samplers propose: only what somebody could want."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from farm.benchmark.generate.acts import filled_act
from farm.benchmark.generate.derive import written_time
from farm.benchmark.generate.samplers import SAMPLERS, WEIGHTS
from farm.benchmark.generate.samplers.ground import Ground, story_of
from farm.benchmark.generate.samplers.rows import acting_units
from farm.benchmark.generate.samplers.tell import pairs
from farm.benchmark.generate.units import ID as OPEN
from farm.benchmark.generate.units import Unit
from farm.benchmark.generate.universe import explore
from farm.benchmark.generate.wording import forms_in, shares_words
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.scoring.initial_state import load_start
from farm.context.template import load_world
from farm.world.facts import trace_of

pytestmark = pytest.mark.xdist_group("generate-ground")
SOME = 60


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with LocalHost(interrupts=False) as host:
        yield Ground(explore(host.farm, "harbor", None, ["slack"]), trace_of("harbor"))


@pytest.fixture(scope="module")
def lark() -> Iterator[Ground]:
    with LocalHost(interrupts=False) as host:
        yield Ground(explore(host.farm, "harbor", None, ["lark"]), trace_of("harbor"))


@pytest.fixture(scope="module")
def both() -> Iterator[Ground]:
    with LocalHost(interrupts=False) as host:
        yield Ground(explore(host.farm, "harbor", None, ["lark", "slack"]), trace_of("harbor"))


def test_a_fact_is_told_where_the_person_takes_part_and_nobody_knows_it(ground: Ground) -> None:
    several = list(islice(pairs(ground), SOME))

    assert several
    for fact, target in several:
        homes = ground.homes(story_of(fact), target.app, target.argument)
        assert not ground.knows(target, fact.key)
        assert ground.is_mine(target.app, target.value)
        assert target.is_stale or homes[target.kind, target.value] >= 3


def test_a_story_is_not_at_home_where_it_only_passes_by(ground: Ground) -> None:
    _, _, argument = next(each for each in ground.telling_units() if each[1].tool == "slack_post_message")
    names = {str(each["id"]): str(each["name"]) for each in load_start("harbor").rows("slack", "channels")}

    homes = {names.get(value, value) for _, value in ground.homes("boards", "slack", argument)}

    assert "supplier-quality" in homes
    assert not {"announcements", "random", "coffee", "hikes"} & homes


def test_what_a_place_was_told_is_compared_with_what_holds_now(ground: Ground) -> None:
    chains = list(SAMPLERS["compare"](ground))

    assert chains
    for chain in chains:
        place, said = chain.placeholders
        fact = ground.ledger.require(said.value)
        (target,) = [each for each in ground.targets(fact) if each.value == place.value]
        told = [each.key for each in fact.former if ground.knows(target, f"{fact.key}#{each.key}")]
        assert len(told) == 1
        assert not ground.knows(target, fact.key)
        _, distance = chain.acts[0].claims["text"]["claims"]
        assert distance["number"] == abs(ground.distance(fact, told[0])) > 0


def test_a_launch_a_week_later_has_moved_by_seven_days(ground: Ground) -> None:
    launch = ground.ledger.require("launch.at")

    assert ground.distance(launch, "first") == 7


def test_a_branch_ends_where_an_old_value_was_told_or_in_the_other_place(both: Ground) -> None:
    outcomes = set()
    for chain in SAMPLERS["branch"](both):
        place, other, said = chain.placeholders
        stale = [each.value for each in both.targets(both.ledger.require(said.value)) if each.is_stale]
        arguments = str(chain.acts[0].call["arguments"])
        (right,) = [each.value for each in (place, other) if f"[name={each.label}]" in arguments]
        assert (right == place.value) == (place.value in stale)
        outcomes.add(right == place.value)
    assert outcomes == {True, False}


def test_only_parts_of_a_declared_sum_are_added_up(ground: Ground) -> None:
    sums = [set(re.findall(r"[a-z]\w*\.\w+", each)) for each in ground.ledger.formulas.values() if "+" in each]
    chains = list(islice(SAMPLERS["aggregate"](ground), SOME))

    assert chains
    for chain in chains:
        parts = {each.value for each in chain.placeholders if not each.app}
        assert any(parts <= each for each in sums)
        assert len({ground.ledger.require(each).unit for each in parts}) == 1


def test_a_text_is_corrected_only_if_it_tells_an_old_value_and_asks_nothing(ground: Ground) -> None:
    world = load_world("harbor")
    chains = list(islice(SAMPLERS["repair"](ground), SOME))

    assert chains
    for chain in chains:
        row, said = chain.placeholders
        fact = ground.ledger.require(said.value)
        texts = ground.view(row.app).kinds.names_of(row.value)
        assert any(not re.search("[?？]", each) and not forms_in(each, fact, ground.ledger, world) for each in texts)
        assert any(shares_words(name, each) for name in fact.names for each in texts)


def test_guests_with_one_answer_are_counted_and_rooms_are_no_guests(lark: Ground) -> None:
    starts = load_start("harbor").rows("lark", "attendees")
    chains = [each for each in SAMPLERS["count"](lark) if "attendees" in each.prototype]

    assert any("rsvp_status" in each.prototype for each in chains)
    for chain in chains:
        texts = [each for act in chain.acts for each in act.claims.values()]
        (claim,) = (texts[0] if texts else chain.claims)["claims"]
        where = claim["from"][0]["where"]
        rows = [each for each in starts if all(str(each[name]) == value for name, value in where.items())]
        assert len(rows) == claim["number"]
        assert {each["type"] for each in rows} == {"user"}


def test_how_many_guests_there_are_is_told_where_their_story_is_at_home_and_members_nowhere(both: Ground) -> None:
    told = [each for each in SAMPLERS["count"](both) if each.acts]

    assert told
    for chain in told:
        place, owner = chain.placeholders
        assert owner.type != place.type
        assert any(each.value == place.value for each in both.places_of(both.stories_at(owner.app, owner.value)[0]))


def test_every_id_of_a_count_comes_from_a_result(lark: Ground) -> None:
    chains = list(islice(SAMPLERS["count"](lark), SOME))

    assert chains
    for chain in chains:
        assert not any(blank.value in str(call["arguments"]) for blank in chain.placeholders for call in chain.calls)


def test_a_sign_is_put_only_under_what_names_the_person_or_alone_tells_a_fact_and_asks_nothing(both: Ground) -> None:
    me = str(both.account("slack"))
    told, named = 0, 0
    for chain in (each for each in SAMPLERS["act"](both) if each.acts[0].call["tool"] == "slack_add_reaction"):
        (blank,) = chain.placeholders
        if blank.app:
            texts = both.view("slack").kinds.names_of(blank.value)
            assert any(me in each and "?" not in each and "？" not in each for each in texts)
            named += 1
        else:
            assert story_of(both.ledger.require(blank.value)) in both.own_stories
            told += 1
    assert min(told, named) > 0


def test_nobody_comes_back_to_a_message_of_weeks_ago(ground: Ground) -> None:
    messages = sorted(load_start("harbor").rows("slack", "messages"), key=lambda each: str(each["ts"]))

    assert ground.is_old("slack", "messages.ts", messages[0]["ts"])
    assert not ground.is_old("slack", "messages.ts", messages[-1]["ts"])


def test_a_fact_is_checked_in_another_app_before_a_sign_if_it_has_other_values(both: Ground) -> None:
    chains = [each for each in SAMPLERS["act"](both) if "once you know" in each.prototype or "核对" in each.prototype]

    assert chains
    for chain in chains:
        assert both.ledger.require(chain.placeholders[0].value).versions
        assert len(chain.apps) == 2


def test_an_odd_value_of_an_example_becomes_a_usual_one(ground: Ground) -> None:
    example = ground.view("slack").units.units["slack_add_reaction"].example

    (unit,) = [unit for _, unit in acting_units(ground) if unit.tool == "slack_add_reaction"]

    names = [each["name"] for each in load_start("harbor").rows("slack", "reactions")]
    assert names.count(unit.example["reaction"]) > names.count(example["reaction"])


def test_a_moment_near_to_now_is_any_time_of_the_day_until_an_hour_later() -> None:
    world = load_world("harbor")
    nine = str(int(world.starts_at.timestamp() * 1000))

    done = written_time(nine, "ms_text", world, of_the_call=True)

    assert done == {"min": "{{rfc3339:+0 00:00}}", "max": "{{rfc3339:+0 10:00}}"}
    assert written_time(nine, "ms_text", world) == "{{rfc3339:+0 09:00}}"


def test_the_families_that_writers_word_most_weigh_most() -> None:
    assert set(WEIGHTS) <= set(SAMPLERS)
    assert min(WEIGHTS["both"], WEIGHTS["repair"], WEIGHTS["tell"]) > max(WEIGHTS["count"], 1)


def test_an_act_leaves_out_who_was_in_the_example_alone() -> None:
    example = {"data": {"attendees": [{"type": "user", "user_id": OPEN}, {"type": "user", "user_id": "ou_other"}]}}
    unit = Unit("invite", ("attendees",), example=example)

    call = filled_act("lark", unit, "act", {"data.attendees[].user_id": "{someone}"})

    assert call["arguments"] == {"data": {"attendees": [{"type": "user", "user_id": "{someone}"}]}}
