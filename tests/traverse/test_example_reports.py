"""The tables of examples/traverse: each report.txt is what its held-out calls and its apps give today."""

from __future__ import annotations

import pytest

from farm import content
from farm.cli import main
from tests.traverse.example_tables import POOLS as EXAMPLES
from tests.traverse.example_tables import between
from tests.traverse.synth_tables import APPS, MARKS, PAGE, tables

SERVERS = sorted(path.parent.name for path in EXAMPLES.glob("*/report.txt"))
# Discord's is the one that needs an app's own start; the others take longer together than a person waits.
QUICK = "discord"


@pytest.mark.parametrize(
    "server", [pytest.param(each, marks=() if each == QUICK else (pytest.mark.slow,)) for each in SERVERS]
)
def test_a_report_is_what_the_held_out_calls_give(
    server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, app = EXAMPLES / server, APPS[server]
    monkeypatch.setenv("FARM_CONTENT", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    known = content.app_names(hidden=True)
    arms = [f"--arm={arm}={app}_{arm}" for arm in ("none", "vanilla", "paper") if f"{app}_{arm}" in known]

    with pytest.raises(SystemExit) as ended:
        main(["traverse", "report", str(folder / "held"), *arms, f"--arm=traversed={app}"])

    assert ended.value.code in (0, None)
    assert capsys.readouterr().out == (folder / "report.txt").read_text("utf-8")


def test_the_page_says_what_the_reports_and_kept_answers_say() -> None:
    assert between(PAGE.read_text("utf-8"), MARKS) == tables(), "python -m tests.traverse.synth_tables"


def test_every_server_with_held_out_calls_has_a_report() -> None:
    assert {path.parent.name for path in EXAMPLES.glob("*/held")} == set(SERVERS) == set(APPS)
