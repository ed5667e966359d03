"""The rules by which a world's own people answer: what is in the files is right, and is said where it is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from farm import content
from farm.context.template import load_world
from farm.context.world_people import check_rules, try_text, world_rules
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of rules of a copy of mini that is called ``small``."""
    folder = tmp_path / "contexts" / "worlds" / "small"
    shutil.copytree(content.world_dir("mini"), folder)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return folder / "people" / "people.toml"


@pytest.mark.parametrize(("name", "rules", "apps"), [("harbor", 40, 8), ("halfday", 10, 6), ("mini", 10, 8)])
def test_every_world_has_people_who_answer_and_their_rules_are_right(name: str, rules: int, apps: int) -> None:
    world = load_world(name)

    assert list(check_rules(world)) == []
    found = world_rules(world, 0, world.apps)
    assert len(found) >= rules
    assert len({each["when"]["app"] for each in found}) >= apps
    assert len({each["id"] for each in found}) == len(found)


def test_facts_and_dates_are_filled_in_for_the_week_that_is_played() -> None:
    world = load_world("mini")
    [rule] = [each for each in world_rules(world, 0, world.apps) if each["id"] == "ben-chairs"]

    assert rule["then"][0]["text"] == "24. They come on Wednesday, ask Gus."


def test_only_rules_of_the_episodes_apps_are_in_force() -> None:
    world = load_world("mini")

    assert {each["when"]["app"] for each in world_rules(world, 0, ["slack"])} == {"slack"}
    with LocalWorld("mini", apps=["slack"], world_people=True) as lively, LocalWorld("mini", apps=["slack"]) as quiet:
        assert len(lively.answers["rules"]) == len(world_rules(world, 0, ["slack"]))
        assert quiet.answers["rules"] == []


def test_on_a_live_clock_the_worlds_people_answer() -> None:
    with LocalWorld("mini", apps=["slack"], now="live") as world:
        world.call("slack", "slack_post_message", channel_id="#opening", text="Ben, how many chairs?")
        came = world.move_clock(advance_s=360)

    assert [(each["by"], each["what"][:3]) for each in came if each.get("rule") == "ben-chairs"] == [("ben", "24.")]


def test_a_text_is_tried_without_an_episode() -> None:
    found = {each["id"]: each for each in try_text(load_world("mini"), "Ben, how many chairs?")}

    assert found.keys() == {"ben-chairs", "gus-chairs"}
    assert found["ben-chairs"]["if"] == {"channel": "#opening"}
    assert list(try_text(load_world("mini"), "Good morning")) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('who = "ben"', 'who = "bob"', "people.toml: rule 'ben-chairs': no person 'bob' in slack"),
        ('table = "messages"', 'table = "posts"', "no table 'posts' in slack"),
        ('do = "reply"', 'do = "shout"', "nobody can 'shout' in slack"),
        ('text = "{{fact:chairs.count}}', 'text = "{{fact:chairs.colour}}', "chairs.colour"),
    ],
)
def test_a_mistake_is_one_line_with_its_file(rules: Path, old: str, new: str, told: str) -> None:
    text = rules.read_text("utf-8")
    assert old in text
    rules.write_text(text.replace(old, new, 1), "utf-8")

    found = [*check_rules(load_world("small"))]

    assert any(told in line for line in found), found
    assert all("\n" not in line for line in found)


def test_a_rule_without_a_person_is_refused_when_an_episode_begins(rules: Path) -> None:
    rules.write_text('[[people]]\nwhen = { app = "slack" }\n', "utf-8")

    with pytest.raises(FarmError, match="a rule has 'who'"):
        world_rules(load_world("small"), 0, ["slack"])


def test_nobody_tells_a_fact_that_they_do_not_know(rules: Path) -> None:
    facts = rules.parents[1] / "facts" / "opening.toml"
    text = facts.read_text("utf-8")
    key = 'key = "chairs.count"'
    assert key in text
    facts.write_text(text.replace(key, f'{key}\nknown = {{ "gus" = "-2 09:00" }}'), "utf-8")

    assert "people/people.toml: rule 'ben-chairs': ben is not among those who know chairs.count" in [
        *check_rules(load_world("small"))
    ]
