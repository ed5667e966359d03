"""Claims in rules of people: only what a text surely says lets somebody answer, and only such rules read texts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context.claim_reading import claim_reader, find_reader
from farm.context.person_rules import RuleChecker, completed
from farm.context.rule_book import RuleBook
from farm.context.template import load_world
from farm.context.world_people import try_text
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld


def rule(claims: Any, **where: Any) -> dict[str, Any]:
    """Return a rule by which Ben answers what a message in #opening says."""
    asked = {"channel": "#opening", "text": {"claims": claims}, **where}
    when = {"app": "slack", "table": "messages", "where": asked}
    return {"id": "ben", "who": "ben", "when": when, "then": [{"do": "reply", "text": "Good."}], "times": 0}


TASTING = [{"date": "+3", "of": ["tasting"]}]


@pytest.fixture
def world() -> Iterator[LocalWorld]:
    with LocalWorld("mini", apps=["slack"]) as made:
        yield made


def matched(world: LocalWorld) -> int:
    return int(world.answers["rules"][0]["matched"])


def say(world: LocalWorld, text: str) -> None:
    world.call("slack", "slack_post_message", channel_id="#opening", text=text)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("The tasting is moved to Thursday at 15:00.", 1),
        ("I have moved the tasting from Tuesday to Thursday, the invitation is updated. Bring spoons!", 1),
        ("The tasting is now on Thursday, the delivery on Friday.", 1),
        ("Please move the tasting to Thursday.", 1),
        ("Can we move the tasting to Thursday?", 0),
        ("Maybe the tasting moves to Thursday.", 0),
        ("The tasting is not on Thursday.", 0),
        ("If the oven comes, the tasting is on Thursday.", 0),
        ("The tasting is on Friday.", 0),
        ("The delivery is on Thursday, the tasting on Friday.", 0),
        ("~The tasting is on Thursday.~", 0),
        ("дегустация tasting Thursday дегустация", 0),
    ],
)
def test_only_what_a_text_surely_says_is_answered(world: LocalWorld, text: str, answers: int) -> None:
    world.add_person_rule(rule(TASTING))

    say(world, text)

    assert matched(world) == answers


def test_the_other_operators_of_a_column_must_hold_as_well(world: LocalWorld) -> None:
    world.add_person_rule(rule(TASTING, text={"claims": TASTING, "not_contains": ["joke"]}))

    say(world, "The tasting is on Thursday. This is no joke.")
    assert matched(world) == 0
    say(world, "The tasting is on Thursday.")
    assert matched(world) == 1


def test_a_text_that_is_too_long_to_be_read_is_not_answered(world: LocalWorld) -> None:
    world.add_person_rule(rule(TASTING))

    say(world, "The tasting is on Thursday. " + "It rains. " * 500)
    say(world, "*" * 30_000)

    assert matched(world) == 0


def test_of_a_mail_the_writers_own_words_count() -> None:
    where = {"to": {"has": "@kim"}, "text": {"claims": TASTING}}
    then = [{"do": "reply", "text": "Good."}]
    mails = {"id": "ben", "who": "kim", "when": {"app": "email163", "table": "messages", "where": where}, "then": then}
    with LocalWorld("mini", apps=["email163"], people=[{**mails, "times": 0}]) as world:
        [kim] = [each["accounts"]["email163"] for each in world.people if each["person"] == "kim"]
        quoted = "Hello Kim,\nno.\n\n> The tasting is on Thursday.\n"
        for text in (quoted, "Hello Kim,\nthe tasting is on Thursday."):
            world.call("email163", "send_email", to=[kim], subject="Tasting", text=text)

        assert matched(world) == 1


def test_the_same_calls_give_the_same_in_every_run_and_fork(world: LocalWorld) -> None:
    texts = ("The tasting is on Thursday.", "Is the tasting on Thursday?", "Thursday, the tasting.")
    others = [LocalWorld("mini", apps=["slack"]) for _ in range(2)]
    for each in (world, *others):
        each.add_person_rule(rule(TASTING))
        for text in texts:
            say(each, text)
        each.move_clock(quiet=True)

    states = [each.rows("slack", "messages") for each in (world, *others)]
    for each in others:
        each.close()
    assert states[0] == states[1] == states[2]
    assert matched(world) == 2


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ([], "claims: must be a list of claims, each a table, not []"),
        ("Thursday", "claims: must be a list of claims, each a table, not 'Thursday'"),
        ([{"date": "Thursday"}], "claims[0].date: must be an offset of days such as '+17', not 'Thursday'"),
        ([{"day": "+3"}], "claims[0].day: unknown key"),
        ([{"of": ["tasting"]}], "claims[0]: must name exactly one of date, clock"),
        ([{"date": "+3", "clock": "10:00"}], "claims[0]: must name exactly one of date, clock"),
        ([{"name": "nobody"}], "claims[0].name: no person 'nobody' in world 'mini'"),
        ([{"name": "me"}], "claims[0].name: must be the key of a person"),
        ([{"number": "many"}], "claims[0].number"),
        (
            [{"choice": "Elm", "rivals": {"table": "channels", "column": "name", "all": True}}],
            "claims[0].rivals: must be texts, or lists of one thing's names",
        ),
    ],
)
def test_a_malformed_claim_is_refused_in_one_line(world: LocalWorld, claims: Any, told: str) -> None:
    with pytest.raises(FarmError) as refused:
        world.add_person_rule(rule(claims))

    assert str(refused.value).startswith(f"rule 'ben', 'text': {told}")
    assert "\n" not in str(refused.value)
    assert world.answers["rules"] == []


def test_claims_need_a_world() -> None:
    checker = RuleChecker(["slack"], content.load_app, lambda app: ["ben"])

    with pytest.raises(FarmError, match="claims need a world, whose days and people they name; this episode has none"):
        checker.add(rule(TASTING))


def test_an_installation_without_the_reader_refuses_the_rule_and_not_a_later_call(
    world: LocalWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_reader.cache_clear()
    claim_reader.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr("importlib.metadata.entry_points", lambda **_: ())
        with pytest.raises(FarmError, match="install the farm again"):
            world.add_person_rule(rule(TASTING))
        with pytest.raises(FarmError, match="install the farm again"):
            RuleBook(7, None, lambda _: None, lambda *_: True).add(completed(rule(TASTING), 1))

    assert world.answers["rules"] == []


@pytest.mark.parametrize(
    ("rule_id", "text", "wrong"),
    [
        ("aisha-moved", "push and email go to 26 March, 10:00", "don't move the push to 26 March"),
        ("chris-lamps", "We bring 8 demo lamps.", "Do we bring 8 demo lamps?"),
        ("aisha-s2", "The S2 demo set is on the way.", "The S2 have not left yet."),
    ],
)
def test_harbors_people_hear_what_is_said_not_its_words(rule_id: str, text: str, wrong: str) -> None:
    harbor = load_world("harbor")

    assert rule_id in {each["id"] for each in try_text(harbor, text)}
    assert rule_id not in {each["id"] for each in try_text(harbor, wrong)}


_ONE_APP = """
import json, sys
from pathlib import Path
from farm.content import load_app
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import load_world
from farm.server.pipeline import call
data, rule = Path(sys.argv[1]), json.loads(sys.argv[2])
(data / "episodes" / "ep").mkdir(parents=True)
now = load_world("mini").starts_at.isoformat()
Settings("ep", "mini", ("slack",), now=now, me="ada").save(data / "episodes" / "ep")
store = Store(load_app("slack"), data)
store.create("ep")
context = store.open("ep")
context.add_person_rule(rule)
call(context, "slack_post_message", {"channel_id": "#opening", "text": "The tasting is on Thursday."})
print(context.show_people()["rules"][0]["matched"], any(name.startswith("farm.benchmark") for name in sys.modules))
"""


@pytest.mark.parametrize(
    ("text", "told"), [({"contains": "tasting"}, "1 False"), ({"claims": TASTING}, "1 True")], ids=["words", "claims"]
)
def test_an_apps_process_reads_texts_only_for_rules_with_claims(
    tmp_path: Path, text: dict[str, Any], told: str
) -> None:
    made = rule(TASTING, text=text)
    made = {
        **made,
        "when": {"change": "create", **made["when"]},
        "then": [{**made["then"][0], "app": "slack", "after": "3m"}],
    }
    done = subprocess.run(
        [sys.executable, "-c", _ONE_APP, str(tmp_path), json.dumps(made)], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == told
