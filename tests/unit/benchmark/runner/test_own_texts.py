"""Prompts and skills of the user's own: what is read, what an agent is told, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.runner.own_texts import read_prompt, read_skills, skill_names
from farm.benchmark.runner.prompts import Prompt, Skill
from farm.errors import FarmError
from tests.suites import parsed_suite

TASK = parsed_suite("demo").task("slack-boards-rate")
NOW = "2026-03-09T01:00:00+00:00"


def test_a_prompt_is_a_file_or_one_of_the_farms(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("You help $name. It costs $$5.", "utf-8")

    own = read_prompt(str(path))

    assert own == Prompt("mine.md", "You help $name. It costs $$5.")
    assert prompts.system_prompt("plain", TASK, NOW, TrialLimits(12), own=own) == "You help Wan Lin. It costs $5."
    assert read_prompt("plain") is None
    assert prompts.fingerprint("plain", own) != prompts.fingerprint("plain")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Hello $nobody", r"no placeholder '\$nobody'; have allowed_time, calls_expected, calls_max, city"),
        ("It costs $5", r"a dollar sign begins no placeholder; write \$\$ for one"),
        (" \n", "is empty; a prompt is a text"),
    ],
)
def test_a_prompt_that_is_no_template_is_refused_in_a_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "mine.md"
    path.write_text(text, "utf-8")

    with pytest.raises(FarmError, match=why) as refused:
        read_prompt(str(path))
    assert "\n" not in str(refused.value)


def test_a_skill_is_told_after_the_prompt_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "tone.md"
    path.write_text("Be brief. It costs $5.\n", "utf-8")

    skills = read_skills([str(path)])
    text = prompts.system_prompt("plain", TASK, NOW, TrialLimits(12), skills=skills)

    assert skills == (Skill("tone", "Be brief. It costs $5.\n"),)
    assert text.startswith(prompts.system_prompt("plain", TASK, NOW, TrialLimits(12)).rstrip())
    assert text.endswith("\n\n# Skill: tone\n\nBe brief. It costs $5.\n")


def test_a_file_called_skill_is_named_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "tone").mkdir()
    path = tmp_path / "tone" / "SKILL.md"
    path.write_text("Be brief.", "utf-8")

    assert read_skills([str(path)]) == (Skill("tone", "Be brief."),)


def test_a_folder_is_no_skill_and_the_refusal_names_the_file_in_it(tmp_path: Path) -> None:
    with pytest.raises(FarmError) as refused:
        read_skills([str(tmp_path)])

    assert str(refused.value) == f"the skill '{tmp_path}' is a folder; name the file in it, such as {tmp_path}/SKILL.md"


def test_an_app_with_a_skill_lends_it_by_name() -> None:
    assert skill_names() == ["lark", "rednote"]
    assert [skill.name for skill in read_skills(["rednote", "lark"])] == ["rednote", "lark"]


@pytest.mark.parametrize("app", ["lark", "rednote"])
def test_a_skill_of_the_farms_names_only_tools_that_the_app_has(app: str) -> None:
    import re

    (skill,) = read_skills([app])
    tools = {tool["name"] for tool in content.load_app(app).tool_schemas}

    named = {each for each in re.findall(r"`([A-Za-z]\w+)`", skill.text) if re.match(r"[a-z]+(_v\d|_builtin)_", each)}
    assert named <= tools
    assert len(set(re.findall(r"`(\w+)`", skill.text)) & tools) >= 10


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe", "is no text in UTF-8, as a skill must be"),
        (b"", "is empty"),
        (b"a\0b", "is no text; a skill is a"),
    ],
)
def test_a_skill_that_is_no_text_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "tone.md"
    path.write_bytes(data)

    with pytest.raises(FarmError, match=why):
        read_skills([str(path)])


def test_unknown_and_doubled_skills_are_refused() -> None:
    with pytest.raises(FarmError, match="no skill 'nothing'; have lark, rednote, or name a file"):
        read_skills(["nothing"])
    with pytest.raises(FarmError, match="two skills are called 'lark'"):
        read_skills(["lark", "lark"])
