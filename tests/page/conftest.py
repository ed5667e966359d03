"""A farm for the page, and a browser on it: ``make page-test``."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from farm.client import FarmClient, mcp_call
from tests.page.browser import Browser, Chromium, started
from tests.ports import free_ports

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRAWN = "!!document.querySelector('main .tabs, main .tile, main .bill, main .compare, main .lines, main .noCalls')"
FARM = [sys.executable, "-m", "farm"]


@dataclass(frozen=True)
class Page:
    """A farm with all apps, whose page a test opens."""

    control: FarmClient
    agents_url: str
    data: Path
    chromium: Chromium

    def call(self, app: str, tool: str, arguments: dict[str, Any], episode: str = "default") -> Any:
        """Make a call as the agent."""
        token = self.control.request("GET", f"/v1/episodes/{episode}")["token"]
        return mcp_call(f"{self.agents_url}/mcp/{episode}/{app}", tool, arguments, token)

    def address(self, more: str = "", *, read_only: bool = False, episode: str = "default") -> str:
        """Return an address that signs a browser in."""
        code = self.control.request("POST", "/v1/page/codes", {"read_only": read_only})["code"]
        return f"{self.control.url}/#code={code}&episode={episode}{more}"

    def use(
        self, more: str, then: Callable[[Browser], Awaitable[Any]], *, read_only: bool = False, url: str | None = None
    ) -> Any:
        """Open the page in a browser of its own, and return what a function finds there."""
        address = url or self.address(more, read_only=read_only)

        async def run() -> Any:
            async with self.chromium.tab() as tab:
                await tab.size(1280, 800)
                await tab.open(address, DRAWN)
                found = await then(tab)
                assert tab.problems == []
                return found

        return asyncio.run(run())

    def html(self, more: str, *, read_only: bool = False, url: str | None = None) -> str:
        """Return the page's elements as HTML, half a second after it is drawn."""

        async def read(tab: Browser) -> str:
            await asyncio.sleep(0.5)
            return str(await tab.value("document.documentElement.outerHTML"))

        return str(self.use(more, read, read_only=read_only, url=url))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Return a Chromium in which each test has a tab of its own."""
    if "FARM_PAGE_TEST" not in os.environ:
        pytest.skip("make page-test runs it, in Chromium")
    if CHROMIUM is None:
        pytest.fail("make page-test needs Chromium: apt-get install chromium")
    with started(CHROMIUM, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="session")
def page(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    data = tmp_path_factory.mktemp("data")
    agents, operators = free_ports(2)
    ports = ["--port", str(agents), "--operator-port", str(operators)]
    subprocess.run([*FARM, "up", "--detach", "--data", str(data), *ports], check=True, timeout=180)
    control = FarmClient(f"http://127.0.0.1:{operators}", (data / "operator.token").read_text().strip())
    try:
        yield Page(control, f"http://127.0.0.1:{agents}", data, chromium)
    finally:
        control.close()
        subprocess.run([*FARM, "down", "--data", str(data)], check=True, timeout=60)
