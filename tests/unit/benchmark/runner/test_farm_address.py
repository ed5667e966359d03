"""A run's own farm."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.runner.farm_address import own_farm
from farm.errors import FarmError


def test_a_runs_own_farm_that_ends_before_it_is_told_anything_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start = subprocess.Popen

    def dead(*_: Any, **options: Any) -> subprocess.Popen[bytes]:
        process = start(["sh", "-c", "exit 3"], **options)
        process.wait()
        return process

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", dead)

    with pytest.raises(FarmError, match=r"the run's own farm did not start \(status 3\)"), own_farm(["slack"]):
        pytest.fail("there is none")
    assert list(tmp_path.iterdir()) == []
