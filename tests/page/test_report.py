"""The report of runs in a headless Chromium: one file, without a farm."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.runner.log import RunLog
from farm.cli.report_page.report_data import report_file
from tests.page.browser import Browser, Chromium
from tests.page.hostile import HOSTILE
from tests.page.test_access import AXE, FINDINGS
from tests.page.test_page import click, text_of
from tests.unit.cli.report_page.test_report_data import MANIFEST, USAGE, call, posted, trial

DRAWN = "!!document.querySelector('main.report h2')"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of two runs, in which every text of the agent is hostile."""
    folder = tmp_path_factory.mktemp("report")
    lines = []
    for number, text in enumerate(HOSTILE):
        made = call("slack_post_message", {"channel_id": "C0ZB0AVX1IK", "text": text}, text)
        diff = {"slack": {"messages": [posted("C0ZB0AVX1IK", text)]}}
        said = [{"role": "assistant", "content": text}, {"role": "user", "content": text}]
        more: dict[str, Any] = {
            "calls": [made],
            "diff": diff,
            "transcript": said,
            "answer": text,
            "usage": USAGE,
            "models": ["gpt-4o"],
        }
        lines.append(trial(trial=number, outcome="fail" if number % 2 else "pass", acc=float(1 - number % 2), **more))
    logs = [RunLog.write(folder / name, MANIFEST | {"agent": name}, lines) for name in ("first", "<b>second</b>")]
    file = folder / "report.html"
    file.write_bytes(report_file(logs, ["first", "<b>second</b>"]))
    return file


def use(report: Path, chromium: Chromium, then: Callable[[Browser], Awaitable[Any]], width: int = 1280) -> Any:
    async def run() -> Any:
        async with chromium.tab() as tab:
            await tab.size(width, 800)
            await tab.open(f"file://{report}", DRAWN)
            found = await then(tab)
            assert tab.problems == []
            return found

    return asyncio.run(run())


def test_the_report_shows_figures_and_leads_to_each_trial(report: Path, chromium: Chromium) -> None:
    async def look(tab: Browser) -> Any:
        heads = await tab.value(text_of(".report h2"))
        await tab.value(click(".trial-line"))
        await tab.until("!!document.querySelector('.beside .change')", 10)
        return heads, await tab.value(text_of(".beside .sentence")), await tab.value(text_of(".beside .change"))

    heads, sentences, changes = use(report, chromium, look)

    wanted = (
        "Leaderboard",
        "By category score",
        "Cost against score",
        "Why trials missed",
        "Tokens by model",
        "Trials 100",
    )
    assert tuple(heads) == wanted
    assert sentences[0].startswith("posted a message in #general")
    assert len(changes) == 1


def test_the_list_is_narrowed_by_outcome(report: Path, chromium: Chromium) -> None:
    async def choose(tab: Browser) -> Any:
        await tab.value(
            "(() => { const s = document.querySelectorAll('.filters select')[1]; s.value = 'fail';"
            " s.dispatchEvent(new Event('change')); })()"
        )
        return await tab.value(text_of("#trials h2")), await tab.value(text_of(".trial-line .outcome"))

    (head,), outcomes = use(report, chromium, choose)

    assert head == "Trials 50"
    assert set(outcomes) == {"fail"}


def test_no_text_of_an_agent_runs_or_loads_anything(report: Path, chromium: Chromium) -> None:
    async def open_all(tab: Browser) -> Any:
        for number in range(len(HOSTILE)):
            await tab.value(f"location.hash = 'trial={number}'")
            await tab.until(f"document.querySelector('article')?.textContent.includes('#{number} ')", 10)
        loaded = await tab.value("performance.getEntriesByType('resource').map((each) => each.name)")
        return (
            await tab.value("document.title"),
            loaded,
            await tab.value("document.querySelectorAll('article img').length"),
        )

    title, loaded, images = use(report, chromium, open_all)

    assert (title, images) == ("mcp-farm", 0)
    assert [each for each in loaded if not each.startswith("data:")] == []


@pytest.mark.parametrize("width", [1280, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_is_for_everybody(report: Path, chromium: Chromium, scheme: str, width: int) -> None:
    async def look(tab: Browser) -> Any:
        await tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        await tab.value(f"{AXE.read_text()}; 0")
        found = [*await tab.value(FINDINGS)]
        await tab.value(click("header button", "中文"))
        heads = await tab.value(text_of(".report h2"))
        await tab.value(click(".trial-line"))
        await tab.until("!!document.querySelector('.beside .change')", 10)
        found += await tab.value(FINDINGS)
        wide = await tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return found, heads[0], wide

    found, head, wide = use(report, chromium, look, width=width)

    assert found == []
    assert head == "排行榜"
    assert wide <= 0
