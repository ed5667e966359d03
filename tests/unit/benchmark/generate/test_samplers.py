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
from farm.benchmark.generate.samplers.tell import comparable, pairs
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


def test_compared_facts_are_of_one_story_and_nobody_knows_the_outcome(ground: Ground) -> None:
    several = list(comparable(ground))

    assert several
    for one, other in several:
        assert story_of(one) == story_of(other)
        assert one.unit == other.unit
        assert not ground.is_settled(one, other)
        assert one.key not in ground.parts_of(other.key)


def test_only_parts_of_a_declared_sum_are_added_up(ground: Ground) -> None:
    sums = [set(re.findall(r"[a-z]\w*\.\w+", each)) for each in ground.ledger.formulas.values() if "+" in each]
    chains = list(islice(SAMPLERS["aggregate"](ground), SOME))

    assert chains
    for chain in chains:
        parts = {each.value for each in chain.placeholders if not each.app}
        assert any(parts <= each for each in sums)
        assert len({ground.ledger.require(each).unit for each in parts}) == 1


def test_a_branch_s_first_place_knows_the_other_fact_and_its_second_neither(ground: Ground) -> None:
    fact, target = next((fact, each) for fact, each in pairs(ground) if len(ground.targets(fact)) > 1)
    known = next(each for each in ground.beside(fact.key) if ground.knows(target, each))
    told = next(iter(ground.told.places(known)))

    assert known != fact.key
    assert not ground.knows(target, fact.key)
    assert ground.showing(told) is not None


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


def test_only_rows_of_the_person_s_own_are_counted(ground: Ground) -> None:
    for chain in SAMPLERS["count"](ground):
        (owner,) = chain.placeholders
        assert ground.owns(owner.app, owner.type, owner.value)


def test_a_sign_is_put_only_under_what_names_the_person_and_asks_nothing(ground: Ground) -> None:
    me = str(ground.account("slack"))
    chains = list(SAMPLERS["act"](ground))

    assert chains
    for chain in chains:
        texts = ground.view("slack").kinds.names_of(chain.placeholders[0].value)
        assert any(me in each and "?" not in each and "？" not in each for each in texts)


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
