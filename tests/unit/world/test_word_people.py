"""``farm world word-people``: what people say by rules in other words, judged by code, kept, and chosen by the seed."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm._util.prompt_writers import KeptOnly, Writer
from farm.cli import main
from farm.context.template import load_world
from farm.context.world_people import check_rules, read_rules
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld
from farm.world import Spec
from farm.world.writing.people_words import said_texts, word_people

Answers = Callable[[str], list[str]]
WRITER = """
import re
from pathlib import Path
text = re.search(r"## The answer\\n\\n```\\n(.*?)\\n```", Path("TASK.md").read_text("utf-8"), re.DOTALL)[1]
Path("ANSWER.md").write_text(f"```\\nok: {text}\\n---\\nhm. {text}\\n```\\n", "utf-8")
"""


class Scripted(Writer):
    """Answers by a function of the text that is to be worded."""

    def __init__(self, answer: Answers, work: Path) -> None:
        super().__init__("scripted", work)
        self._answer = answer
        self.steps: list[str] = []

    def _complete(self, step: str, prompt: str) -> str:
        self.steps.append(step)
        found = re.search(r"## The answer\n\n```\n(.*?)\n```", prompt, re.DOTALL)
        assert found is not None
        return "```\n" + "\n---\n".join(self._answer(found[1])) + "\n```"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a copy of mini that is called ``small``."""
    folder = tmp_path / "contexts" / "worlds" / "small"
    shutil.copytree(content.world_dir("mini"), folder)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return folder


def word(world: Path, answer: Answers, *only: str) -> Scripted:
    writer = Scripted(answer, world / "written")
    word_people(Spec.load("small"), writer, only)
    return writer


def three(text: str) -> list[str]:
    return [f"ok: {text}", f"hm. {text}", f"{text} :)"]


def said_by(rule: str) -> object:
    [found] = [each for _, each in read_rules(load_world("small")) if each["id"] == rule]
    return found["then"][0]["text"]


def test_a_rules_text_becomes_a_choice_of_its_wordings_with_the_facts_filled_in(world: Path) -> None:
    word(world, three, "ben-chairs")

    own = "24. Ask Gus when they come."
    assert said_by("ben-chairs") == [f"ok: {own}", f"hm. {own}", f"{own} :)"]
    assert str(said_by("gus-chairs")).startswith("24 chairs, order 5521, leaves ")
    assert list(check_rules(load_world("small"))) == []


def test_runs_ask_nobody_and_give_the_same_words(world: Path) -> None:
    word(world, three, "ben-chairs")

    def answers(seed: int) -> list[str]:
        with LocalWorld("small", apps=["slack"], world_people=True, seed=seed) as episode:
            episode.call("slack", "slack_post_message", channel_id="#opening", text="Ben, how many chairs?")
            return [each["what"] for each in episode.move_clock(advance_s=600) if each.get("rule") == "ben-chairs"]

    found = [answers(seed) for seed in (*range(8), *range(8))]

    assert found[:8] == found[8:]
    assert {len(each) for each in found} == {1}
    assert 1 < len({each[0] for each in found}) <= 3


def test_what_was_worded_is_asked_once_and_written_again_to_the_byte(world: Path) -> None:
    word(world, three, "ben-chairs", "ben-budget")
    first = (world / "people" / "worded.toml").read_bytes()

    assert word(world, three, "ben-chairs").steps == []
    (world / "people" / "worded.toml").unlink()
    word_people(Spec.load("small"), KeptOnly("kept", world / "written"), ["ben-chairs", "ben-budget"])

    assert (world / "people" / "worded.toml").read_bytes() == first


@pytest.mark.parametrize(
    ("wording", "told"),
    [
        ("24. Ask Gus when they come", "does not tell {{fact:chairs.count}}"),
        ("{{fact:chairs.count}} or {{fact:chairs.count}}", "tells {{fact:chairs.count}}, which the text does not"),
        ("{{fact:chairs.count}}, order {{fact:chairs.order}}", "tells {{fact:chairs.order}}, which the text does not"),
        ("{{fact:chairs.count}}, and 3 stools", "types '3"),
        ("{{fact:chairs.count}}, on 5 June", "types '5 june' (date), which the text does not"),
        ("{{fact:chairs.count}}, ask Dan when they come", "names Dan, whom the text does not name"),
        ("{{fact:chairs.count}}, call +31 6 12345678", "has '+31 6 12345678', which looks like a"),
        ("{{fact:chairs.count}}. " + "Ask Gus, he knows. " * 8, "characters, and 106 may be"),
        ("{{fact:chairs.count}}.\nAsk Gus", "has more lines than the text"),
        ("{{fact:chairs.count}}。问 Gus", "is in another language than the text"),
        ("{{fact:chairs.count}}.  ask gus when they come.", "is one that there is already"),
    ],
)
def test_a_bad_answer_gets_a_line_and_the_text_stays(world: Path, wording: str, told: str) -> None:
    writer = Scripted(lambda _: [wording], world / "written")
    [result] = word_people(Spec.load("small"), writer, ["ben-chairs"])

    assert result.state == "refused"
    assert writer.steps == ["ben-chairs-1", "ben-chairs-1-again-1", "ben-chairs-1-again-2"]
    [line] = result.problems
    assert line.startswith("wording 1 ")
    assert told in line
    assert "\n" not in line
    assert said_by("ben-chairs") == "24. Ask Gus when they come."


def test_after_refused_answers_another_writer_is_asked_and_kept_answers_tell_the_same(world: Path) -> None:
    work = world / "written"
    for _ in range(2):
        bad = Scripted(lambda _: ["bananas"], work)
        [result] = word_people(Spec.load("small"), bad, ["ben-chairs"])
        assert (result.state, len(bad.steps)) == ("refused", 3)
    [kept] = word_people(Spec.load("small"), KeptOnly("kept", work), ["ben-chairs"])
    assert kept.state == "refused"

    good = word(world, three, "ben-chairs")

    assert good.steps == ["ben-chairs-1-again-6"]
    first = (world / "people" / "worded.toml").read_bytes()
    (world / "people" / "worded.toml").unlink()
    [kept] = word_people(Spec.load("small"), KeptOnly("kept", work), ["ben-chairs"])
    assert kept.state == "worded"
    assert (world / "people" / "worded.toml").read_bytes() == first


def test_of_an_answer_the_good_wordings_are_kept(world: Path) -> None:
    word(world, lambda text: ["24.", f"hm. {text}"], "ben-chairs")

    assert said_by("ben-chairs") == ["hm. 24. Ask Gus when they come."]


def test_a_rule_with_another_text_says_that_and_the_check_names_the_old_wording(world: Path) -> None:
    word(world, three, "ben-chairs")
    path = world / "people" / "people.toml"
    path.write_text(path.read_text("utf-8").replace("Ask Gus when they come.", "Gus knows when."), "utf-8")

    assert said_by("ben-chairs") == "24. Gus knows when."
    [line] = check_rules(load_world("small"))
    assert line.startswith("people/worded.toml: the wording of rule 'ben-chairs' is of a text that no rule has")

    word(world, three, "ben-chairs")

    assert said_by("ben-chairs") == ["ok: 24. Gus knows when.", "hm. 24. Gus knows when.", "24. Gus knows when. :)"]
    assert list(check_rules(load_world("small"))) == []


def test_a_wording_that_was_changed_by_hand_is_checked(world: Path) -> None:
    word(world, three, "ben-chairs")
    path = world / "people" / "worded.toml"
    path.write_text(path.read_text("utf-8").replace("hm. {{fact:chairs.count}}", "hm. 23"), "utf-8")

    told = "people/worded.toml: the wording of rule 'ben-chairs' does not tell {{fact:chairs.count}}"
    assert list(check_rules(load_world("small"))) == [told]


def test_short_texts_and_corrections_stay() -> None:
    found = {each.rule for each in said_texts("harbor")}

    assert "jason-next-week" not in found  # xu ran
    assert "daniel-boards" not in found  # *flicker
    assert {"daniel-postmortem", "rao-jing-venue", "chris-tan-sheet"} <= found


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(FarmError, match=r"no rule 'ben-chair' says a text; have .*ben-chairs"):
        said_texts("mini", ["ben-chair"])


def test_a_program_words_by_the_command_line(world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "worder.py").write_text(WRITER, "utf-8")
    arguments = ["world", "word-people", "small", "--rules", "ben-chairs"]

    with pytest.raises(SystemExit, match="0"):
        main([*arguments, "--by", f"command:{sys.executable} {tmp_path / 'worder.py'}"])

    assert "ben-chairs-1: worded in 2 ways" in capsys.readouterr().out
    assert said_by("ben-chairs") == ["ok: 24. Ask Gus when they come.", "hm. 24. Ask Gus when they come."]
    with pytest.raises(SystemExit, match="1"):
        main([*arguments, "--by", "none"])
