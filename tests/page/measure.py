"""How fast the page is: ``python -m tests.page.measure`` prints a line of JSON for each figure.

Loads a farm with 5,000 messages in one app, then makes 50 calls a second and looks how far the page is behind.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from farm.client import FarmClient, mcp_call
from tests.page.browser import Browser, browser
from tests.page.conftest import CHROMIUM, FARM
from tests.ports import free_ports

ROWS, LOAD_S_MAX = 5_000, 1.0
CALLS_A_SECOND, SECONDS, CALLERS, LATE_S_MAX = 50, 10, 5, 1.0


def rows(world: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages like one of the world's, a minute apart."""
    like = {name: value for name, value in world[0].items() if name in ("channel_id", "user_id")}
    first = float(world[0]["ts"])
    return [
        {"table": "messages", **like, "ts": f"{first - 60 * n - 1:.6f}", "text": f"message {n} of many lamps"}
        for n in range(ROWS)
    ]


async def load(tab: Browser, control: FarmClient, episode: str) -> float:
    """Return the seconds from navigation until an app's rows are drawn."""
    code = control.request("POST", "/v1/page/codes", {})["code"]
    await tab.ask("Page.navigate", url="about:blank")
    begun = time.monotonic()
    await tab.open(f"{control.url}/#code={code}&episode={episode}&app=slack", "!!document.querySelector('.message')")
    return time.monotonic() - begun


async def follow(tab: Browser, url: str, token: str) -> tuple[float, float]:
    """Return the calls made a second, and how many seconds after the last one the page has shown them all."""

    def call(_: int) -> None:
        begun, pause_s = time.monotonic(), CALLERS / CALLS_A_SECOND
        for n in range(CALLS_A_SECOND * SECONDS // CALLERS):
            mcp_call(url, "slack_post_message", {"channel_id": "#general", "text": f"live {n}"}, token)
            time.sleep(max(begun + (n + 1) * pause_s - time.monotonic(), 0))

    before = int(await tab.value("Number(document.querySelector('.timeline input').max)"))
    begun = time.monotonic()
    await asyncio.gather(*(asyncio.to_thread(call, n) for n in range(CALLERS)))
    ended = time.monotonic()
    rate, wanted = CALLS_A_SECOND * SECONDS / (ended - begun), before + CALLS_A_SECOND * SECONDS
    await tab.until(f"Number(document.querySelector('.timeline input').max) >= {wanted}", 60)
    return rate, time.monotonic() - ended


async def measure(control: FarmClient, agents_url: str, folder: Path) -> list[dict[str, Any]]:
    """Return the figures."""
    world = control.request("GET", "/v1/episodes/default/state/slack/messages?limit=1")["rows"]
    made = control.request("POST", "/v1/episodes", {"apps": ["slack"], "rows": {"slack": rows(world)}})
    async with browser(str(CHROMIUM), folder) as tab:
        await tab.size(1280, 800)
        loads = [await load(tab, control, made["id"]) for _ in range(5)]
        rate, late_s = await follow(tab, f"{agents_url}/mcp/{made['id']}/slack", made["token"])
    return [
        {"name": f"page with {ROWS} more rows: load", "unit": "s", "value": round(statistics.median(loads), 2)}
        | {"target": LOAD_S_MAX, "met": statistics.median(loads) < LOAD_S_MAX},
        {"name": "calls a second while followed", "unit": "1/s", "value": round(rate, 1)}
        | {"target": CALLS_A_SECOND, "met": rate > CALLS_A_SECOND * 0.98},
        {"name": "page behind the last of them", "unit": "s", "value": round(late_s, 2)}
        | {"target": LATE_S_MAX, "met": late_s < LATE_S_MAX},
    ]


def main() -> None:
    """Start a farm, measure, and end it."""
    with tempfile.TemporaryDirectory() as name:
        folder, (agents, operators) = Path(name), free_ports(2)
        ports = ["--port", str(agents), "--operator-port", str(operators), "--data", str(folder / "data")]
        subprocess.run([*FARM, "up", "--detach", "--apps", "slack", *ports], check=True, stdout=subprocess.DEVNULL)
        token = (folder / "data" / "operator.token").read_text().strip()
        try:
            with FarmClient(f"http://127.0.0.1:{operators}", token) as control:
                for row in asyncio.run(measure(control, f"http://127.0.0.1:{agents}", folder / "profile")):
                    sys.stdout.write(json.dumps(row) + "\n")
        finally:
            subprocess.run([*FARM, "down", "--data", str(folder / "data")], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
