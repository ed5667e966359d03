"""The tests that docs/testing-agents.md shows pass as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plugin.conftest import Run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "testing-agents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", [each for each in BLOCKS if "def test_" in each])
def test_what_the_page_shows_passes(run: Run, block: str) -> None:
    done = run(block, "-o", "asyncio_mode=strict")

    outcomes = done.parseoutcomes()
    assert outcomes.pop("passed", 0) + outcomes.pop("skipped", 0) >= 1
    assert outcomes == {}


def test_the_script_of_the_page_runs() -> None:
    (script,) = [each for each in BLOCKS if "def test_" not in each]

    exec(script, {})


def test_the_first_test_asks_for_what_was_asked_of_the_agent(run: Run) -> None:
    wrong = BLOCKS[0].replace("24 chairs", "42 chairs")

    done = run(wrong)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E *AssertionError: *text should *24*"])
