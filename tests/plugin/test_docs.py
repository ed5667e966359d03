"""The tests that docs/testing-agents.md shows pass as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.plugin.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "testing-agents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", [each for each in BLOCKS if "def test_" in each])
def test_what_the_page_shows_passes(run: Run, block: str) -> None:
    done = run(block, "-o", "asyncio_mode=strict")

    outcomes = done.parseoutcomes()
    assert outcomes.pop("passed", 0) + outcomes.pop("skipped", 0) >= 1
    assert outcomes == {}


def test_the_workflow_of_the_page_installs_what_there_is_and_names_options_that_exist(run: Run) -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    steps = yaml.safe_load(block)["jobs"]["agent"]["steps"]
    install, test = (shlex.split(step["run"]) for step in steps if "run" in step)
    (checkout,) = [step["with"] for step in steps if "repository" in step.get("with", {})]
    (upload,) = [step["with"] for step in steps if "upload-artifact" in step.get("uses", "")]

    assert install[:2] == ["pip", "install"]
    folders = [each.removeprefix(f"./{checkout['path']}") for each in install if each.startswith("./")]
    # The farm is in an environment of its own: beside a framework it would move the framework's mcp.
    assert folders == ["/plugins/pytest"]
    assert all((ROOT / each.lstrip("/") / "pyproject.toml").is_file() for each in folders)
    assert test[:2] == ["pytest", "test_agent.py"]
    given = dict(each.split("=") for each in test if each.startswith("--"))
    said = "\n".join(run("", "--help").outlines)
    for option in (*given, "-n"):
        assert re.search(rf"^ +(-\w, )?{option}\b", said, re.MULTILINE), option
    assert upload["path"] == given["--mcp-farm-report"]
    assert given["--mcp-farm-install"] == f"./{checkout['path']}"


def test_the_scripts_of_the_page_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    scripts = [each for each in BLOCKS if "def test_" not in each]

    assert len(scripts) == 3
    for script in scripts:
        exec(script, {})


def test_the_first_test_asks_for_what_was_asked_of_the_agent(run: Run) -> None:
    wrong = BLOCKS[0].replace("24 chairs", "42 chairs")

    done = run(wrong)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E *AssertionError: *text is *42*wanted: to say number 24*"])
