"""A headless Chromium, driven by its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import itertools
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

_POLL_S = 0.05
_START_S_MAX = 30.0
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-port=0",
    "--force-prefers-reduced-motion",
)


class Browser:
    """One tab.

    Attributes:
        problems: uncaught exceptions and errors of the console, such as what the page's policy refused.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Speak with the tab behind a socket."""
        self._socket = socket
        self._numbers = itertools.count(1)
        self.problems: list[str] = []

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the result of one command."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            told: dict[str, Any] = await self._socket.receive_json()
            if told.get("id") == number:
                result: dict[str, Any] = told.get("result", {})
                return result
            self._note(told)

    def _note(self, told: dict[str, Any]) -> None:
        params = told.get("params", {})
        if told.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        if told.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    async def size(self, width: int, height: int, scale: float = 1.0) -> None:
        """Give the tab a size in CSS pixels, as after zooming by ``scale``."""
        await self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )

    async def open(self, url: str, until: str, s_max: float = 30.0) -> None:
        """Load an address and wait until an expression is true."""
        await self.ask("Page.navigate", url=url)
        await self.until(until, s_max)

    async def until(self, expression: str, s_max: float = 30.0) -> None:
        """Wait until an expression is true.

        Raises:
            TimeoutError: it is not true in time.
        """
        async with asyncio.timeout(s_max):
            while not await self.value(expression):
                await asyncio.sleep(_POLL_S)

    async def value(self, expression: str) -> Any:
        """Return an expression's value; a promise is awaited."""
        told = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return told.get("result", {}).get("value")

    async def press(self, key: str) -> None:
        """Press and release a key."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        code = {"Enter": 13, "Escape": 27, "Tab": 9}.get(key, ord(key.upper()[0]))
        for kind in ("keyDown", "keyUp"):
            given = {"text": text} if text and kind == "keyDown" else {}
            await self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **given)

    async def picture(self, file: Path) -> None:
        """Save what is seen."""
        file.write_bytes(base64.b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"]))


@dataclass(frozen=True)
class Chromium:
    """A running Chromium.

    Attributes:
        url: where it speaks its DevTools protocol.
        socket: the address of the whole browser's socket.
    """

    url: str
    socket: str

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Browser]:
        """Open a tab that shares no cookies or storage with others, and close it whatever happens."""
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(self.socket, max_msg_size=0) as above,
        ):
            whole = Browser(above)
            context = (await whole.ask("Target.createBrowserContext"))["browserContextId"]
            try:
                made = await whole.ask("Target.createTarget", url="about:blank", browserContextId=context)
                address = f"{self.url}/devtools/page/{made['targetId']}".replace("http:", "ws:")
                async with session.ws_connect(address, max_msg_size=0) as socket:
                    tab = Browser(socket)
                    for domain in ("Page", "Runtime", "Log"):
                        await tab.ask(f"{domain}.enable")
                    yield tab
            finally:
                await whole.ask("Target.disposeBrowserContext", browserContextId=context)


@contextmanager
def started(chromium: str, folder: Path, *options: str) -> Iterator[Chromium]:
    """Start Chromium with a profile in ``folder``, and end it whatever happens."""
    command = [chromium, *_OPTIONS, f"--user-data-dir={folder}", *options, "about:blank"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        port, path = _address(folder / "DevToolsActivePort")
        yield Chromium(f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}{path}")
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def browser(chromium: str, folder: Path, *options: str) -> AsyncIterator[Browser]:
    """Start a Chromium for one tab."""
    with started(chromium, folder, *options) as running:
        async with running.tab() as tab:
            yield tab


def _address(file: Path) -> tuple[str, str]:
    """Return port and path of a Chromium's socket, which it writes when it is ready."""
    until = time.monotonic() + _START_S_MAX
    while not file.is_file() or len(told := file.read_text().split()) < 2:
        if time.monotonic() > until:
            raise TimeoutError(f"Chromium has not started within {_START_S_MAX:.0f} s")
        time.sleep(_POLL_S)
    return told[0], told[1]
