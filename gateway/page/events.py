"""What the page follows: the calls of all apps of an episode, as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from farm._util.json_io import dumps
from farm.errors import FarmError, NotFoundError

RESULT_BYTES_MAX = 20_000  # a longer result is left out; the page asks for it when somebody wants to see it
_RETRY_S = 0.5
_GATHER_S = 0.03
_BEAT_S = 15.0
_WAITING_MAX = 200

View = Mapping[str, Any]
Watch = Callable[[str, int], Awaitable[View]]
Summarize = Callable[[str, list[dict[str, Any]]], Awaitable[list[str]]]


class Follower:
    """Waits for the calls of several apps and merges them into one stream."""

    def __init__(self, watch: Watch, summarize: Summarize, after: Mapping[str, int]) -> None:
        """Follow apps.

        Args:
            watch: (app, number of the last known call) → the next calls, as the control API's ``watch`` answers.
            summarize: (app, calls) → a sentence for each.
            after: app → number of the last call that the page knows.
        """
        self._watch = watch
        self._summarize = summarize
        self._after = after
        self._out: asyncio.Queue[tuple[str, Any]] = asyncio.Queue(_WAITING_MAX)

    async def events(self) -> AsyncIterator[bytes]:
        """Yield events: ``calls`` (a list), ``back`` (an app went back to an earlier state), ``gone``, ``beat``."""
        tasks = [asyncio.create_task(self._follow(app, after)) for app, after in self._after.items()]
        try:
            yield event("hello", {"apps": list(self._after)})
            while True:
                for kind, body in await self._gather():
                    yield event(kind, body)
        finally:
            for task in tasks:
                task.cancel()

    async def _gather(self) -> list[tuple[str, Any]]:
        """Return what has come, with calls of several apps in one list, in the order in which they were made."""
        try:
            found = [await asyncio.wait_for(self._out.get(), _BEAT_S)]
        except TimeoutError:
            return [("beat", {})]
        await asyncio.sleep(_GATHER_S)
        while not self._out.empty():
            found.append(self._out.get_nowait())
        calls = [entry for kind, body in found if kind == "calls" for entry in body]
        calls.sort(key=lambda entry: (entry["started_ns"], entry["app"]))
        others = [each for each in found if each[0] != "calls"]
        return [*others, *([("calls", calls)] if calls else [])]

    async def _follow(self, app: str, after: int) -> None:
        while True:
            try:
                found = await self._watch(app, after)
            except NotFoundError:
                await self._out.put(("gone", {"app": app}))
                return
            except FarmError:
                await asyncio.sleep(_RETRY_S)
                continue
            if found["last"] < after:
                after = found["last"]
                await self._out.put(("back", {"app": app, "last": after}))
                continue
            calls = list(found["calls"])
            if calls:
                after = calls[-1]["n"]
                await self._out.put(("calls", await self._told(app, calls)))

    async def _told(self, app: str, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
        said = [""] * len(calls)
        with suppress(FarmError):  # the page shows the tool's name instead
            said = await self._summarize(app, calls)
        return told(app, calls, said)


def told(app: str, calls: Sequence[Mapping[str, Any]], sentences: Sequence[str]) -> list[dict[str, Any]]:
    """Return calls as the page takes them: with app and sentence, without results that are long."""
    return [{**_short(entry), "app": app, "sentence": text} for entry, text in zip(calls, sentences, strict=True)]


def _short(entry: Mapping[str, Any]) -> dict[str, Any]:
    size_bytes = len(dumps(entry["result"]))
    found = {**entry, "result_bytes": size_bytes}
    if size_bytes > RESULT_BYTES_MAX:
        del found["result"]
    return found


def event(kind: str, body: Any) -> bytes:
    """Return one server-sent event. JSON has no line breaks, so it is one line of data."""
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), dumps(body))
