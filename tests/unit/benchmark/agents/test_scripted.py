"""Agents that follow a script: a run that is played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.errors import FarmError


def test_a_run_is_played_again_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gpt"
    folder.mkdir()
    (folder / "trials.jsonl").write_text('{"task": "one", "calls": [], "answer": "38"}\n')

    assert make_agent(f"replay:{folder}").name == "replay:gpt"
    assert make_agent(f"replay:{folder / 'trials.jsonl'}").name == "replay:trials.jsonl"
    with pytest.raises(FarmError, match=f"recording {tmp_path}/trials.jsonl cannot be read"):
        make_agent(f"replay:{tmp_path}")
