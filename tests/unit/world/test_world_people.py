"""The rules by which a world's own people answer: what is in the files is right, and is said where it is not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context.template import load_world
from farm.context.world_people import check_rules, try_text, world_rules
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld

RULE = """
[[people]]
id = "short"
who = "gus"
[people.when]
app = "telegram"
table = "messages"
where = {{ text = {{ contains_any = ["bakery", "{word}"] }} }}
[[people.then]]
do = "react"
emoji = "👍"
"""


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
    [rule] = [each for each in world_rules(world, 0, world.apps) if each["id"] == "gus-chairs"]

    assert rule["then"][0]["text"] == "24 chairs, order 5521, leaves Tuesday, here Wednesday."


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

    assert {"ben-chairs", "gus-chairs"} <= found.keys()
    assert found["ben-chairs"]["if"]["channel"] == "#opening"
    assert [each["id"] for each in tried("mini", "Good morning")] == ["ben-mail", "ben-deliveries"]


def tried(world: str, text: str) -> list[dict[str, Any]]:
    """Return the rules that a text meets and that look at it."""
    return [each for each in try_text(load_world(world), text) if not each.get("any_text")]


@pytest.mark.parametrize(
    ("world", "rule", "answered", "not_answered"),
    [
        ("halfday", "su-ping-dinner", "妈，我晚点回", "妈，我吃了"),  # only words that must not be there
        ("halfday", "ines-swap", "How many sheets?", "How many seats?"),  # a place by a part of its name
        ("harbor", "su-qing-wedding", "桌卡还差三张", "桌卡要几张吗"),  # and by one of several
    ],
)
def test_a_rule_is_tried_by_what_it_asks_of_the_text_alone(
    world: str, rule: str, answered: str, not_answered: str
) -> None:
    assert rule in {each["id"] for each in tried(world, answered)}
    assert rule not in {each["id"] for each in tried(world, not_answered)}


@pytest.mark.parametrize(
    ("world", "rule", "answered", "not_answered"),
    [
        ("mini", "leo-counter", "When is the sourdough out?", "The sourdough is sold out, sorry."),
        ("mini", "ben-budget", "What is the budget for the party?", "The budget is in the plan already."),
        ("halfday", "cai-zhen-paper", "尾款还差多少", "尾款我已经打过去了"),
        ("harbor", "zhu-li-writing", "贷记单能答应吗", "The credit note was confirmed in writing."),
        ("harbor", "marcus-stand-in", "Can you stand in tomorrow?", "No need to stand in, thanks."),
        ("harbor", "deng-fei-duty", "T-20417的退款到账了吗", "T-20417的退款已经到账了"),
        ("harbor", "chris-how-many", "The pop-up is on the 28th.", "The pop-up has 8 lamps."),
        ("harbor", "jason-next-week", "Who takes the pager from the 16th?", "Who has the pager this week?"),
    ],
)
def test_who_answers_a_request_does_not_answer_what_is_settled_or_something_else(
    world: str, rule: str, answered: str, not_answered: str
) -> None:
    assert rule in {each["id"] for each in tried(world, answered)}
    assert rule not in {each["id"] for each in tried(world, not_answered)}


def test_rules_that_take_any_text_come_last_with_what_they_ask_of_the_place_and_the_count() -> None:
    found = {each["id"]: each for each in try_text(load_world("harbor"), "Good morning")}

    assert found["helen-launch-team"]["any_text"]
    assert found["helen-launch-team"]["if"]["channel"] == "#launch-ember"
    assert found["helen-launch-team"]["if"]["nth"] == 3
    assert [*found].index("helen-launch-team") > [*found].index("lin-xia-mail")


def test_an_account_in_a_condition_is_no_word_of_the_text() -> None:
    found = {each["id"]: each for each in tried("mini", "Kim, please send me your shifts")}

    assert found["kim-mail"]["if"]["sender"] == {"contains": "@ada"}


@pytest.mark.parametrize("word", ["van", "车"])
def test_words_that_stand_inside_other_words_are_found(rules: Path, word: str) -> None:
    text = rules.read_text("utf-8")
    rules.write_text(text + RULE.format(word=word), "utf-8")
    told = f"rule 'short': 'contains_any' finds '{word}' inside other words; give a longer one, or a regex with \\b"

    assert [*check_rules(load_world("small"))] == [f"people/people.toml: {told}"]


def test_the_worlds_people_answer_only_the_person_for_whom_they_are_written() -> None:
    with LocalWorld("mini", apps=["slack"], me="gus", world_people=True) as world:
        world.call("slack", "slack_post_message", channel_id="#opening", text="Ben, how many chairs?")
        came = world.move_clock(advance_s=360)

    assert [each for each in came if each.get("rule") == "ben-chairs"] == []


@pytest.mark.parametrize(("days", "answers"), [(0, 1), (7, 0)])
def test_an_answer_that_names_a_day_ends_with_it(days: int, answers: int) -> None:
    with LocalWorld("mini", apps=["slack"], world_people=True) as world:
        if days:
            world.move_clock(advance_s=days * 86_400)
        [gus] = [each["id"] for each in world.rows("slack", "users") if each["person"] == "gus"]
        world.call("slack", "slack_post_message", channel_id="#opening", text=f"<@{gus}> when do the chairs come?")
        came = world.move_clock(advance_s=600)

    assert [each["rule"] for each in came if each.get("rule") == "gus-chairs"] == ["gus-chairs"] * answers


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
