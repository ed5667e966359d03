"""Texts of rows are judged by what their readers see."""

from __future__ import annotations

import pytest

from farm.benchmark.scoring.findings import Finding, all_hold
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.try_text import try_text
from farm.benchmark.tasks.cache import TaskCache

TASKS = TaskCache()


def findings(task: str, checkpoint: str, text: str) -> list[Finding]:
    """Return the findings of a demo task about a text."""
    return try_text(TASKS.task("demo", task), checkpoint, text)


BEANS = load_start("harbor").find("obsidian", "files", {"path": "收件箱.md"})[0]["content"]
REMINDER = "3月12日周四去小舟，再买一包晨雾"
LINES = BEANS.splitlines()


def noted(text: str) -> list[Finding]:
    """Return the findings about a note to which a reminder was added."""
    return findings("obsidian-best-beans", "reminded", text)


@pytest.mark.parametrize("added", [f"- {REMINDER}\n", f"- [ ] **{REMINDER}**\n", "- ~~3月11日~~ 3月12日去小舟买晨雾\n"])
def test_visible_reminders_are_accepted_surely(added: str) -> None:
    assert all_hold(noted(BEANS + added), "low")


@pytest.mark.parametrize(
    "added",
    [
        f"%%{REMINDER}%%",
        f"<!-- {REMINDER} -->",
        f"- [a](https://example.com/{REMINDER})",
        f"![{REMINDER}](a.png)",
        f"[//]: # ({REMINDER})",
        f"~~{REMINDER}~~",
        f"<span style='color:#fff'>{REMINDER}</span>",
        f"```\n{REMINDER}\n```",
        f"$$\n{REMINDER}\n$$",
    ],
)
def test_a_reminder_that_nobody_sees_as_one_is_refused_surely(added: str) -> None:
    assert not all_hold(noted(f"{BEANS}\n{added}\n"), "high")


@pytest.mark.parametrize(
    "text",
    [
        f"%%\n{BEANS}\n%%\n\n- {REMINDER}\n",
        "\n".join(f"    {line}" for line in LINES) + f"\n\n- {REMINDER}\n",
        "\n".join(f"> {line}" for line in LINES) + f"\n- {REMINDER}\n",
        "\n".join(f"**{line}**" for line in LINES) + f"\n- {REMINDER}\n",
        "\n".join(f"~~{line}~~" for line in LINES) + f"\n- {REMINDER}\n",
        BEANS.replace("# ", "## ") + f"- {REMINDER}\n",
        BEANS.replace("- ", "# ") + f"- {REMINDER}\n",
    ],
)
def test_old_lines_that_are_hidden_or_look_different_are_not_kept(text: str) -> None:
    assert not all_hold(noted(text), "high")


def test_other_blanks_and_bullets_keep_the_old_lines() -> None:
    rewritten = BEANS.replace("- ", "* ").replace("\n", "  \r\n")

    assert all_hold(noted(f"{rewritten}* {REMINDER}\n"), "low")


def test_a_ticked_reminder_is_not_accepted_surely() -> None:
    found = noted(f"{BEANS}- [x] {REMINDER}\n")

    assert all_hold(found, "guess")
    assert not all_hold(found, "low")


def test_code_beside_a_right_text_that_contradicts_it_makes_the_verdict_unsure() -> None:
    found = noted(f"{BEANS}- {REMINDER}\n\n```\n取消：3月12日周四不去小舟，也不买晨雾\n```\n")

    assert not all_hold(found, "low")
