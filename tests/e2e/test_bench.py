"""The bench end to end, quickly: every row comes out sane. Nothing is asserted about time."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.bench.run import row_names

pytestmark = [
    pytest.mark.slow,
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform != "linux", reason="the bench reads CPU and memory of processes from /proc"),
]


def test_every_row_comes_out_with_finite_figures_and_a_plot(tmp_path: Path) -> None:
    plot = tmp_path / "bench.svg"
    command = [sys.executable, "-m", "tests.bench", "--quick", "--json", "--plot", str(plot)]

    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=900)

    rows = orjson.loads(done.stdout)["rows"]
    assert [row["name"] for row in rows] == row_names()
    for row in rows:
        assert math.isfinite(row["value"]), row
        assert row["baseline"] is None or row["baseline"] > 0, row
        assert row["met"] is None or (row["target"] is not None and isinstance(row["met"], bool)), row
    assert next(row["value"] for row in rows if row["name"] == "kill_lost") == 0
    assert plot.read_text("utf-8").startswith("<svg")
