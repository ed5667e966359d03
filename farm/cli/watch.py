"""``farm watch``: what agents do in an episode, as it happens."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.text import Text

from farm.cli.options import Content, Data, FarmUrl, Json, TokenFile, client
from farm.client import FarmClient
from farm.connect.names import Names, short
from farm.connect.sentences import sentence
from farm.errors import FarmError, NotFound

# An app that restarts is back within seconds; a farm that was ended is not.
GONE_AFTER_S = 20.0
_RETRY_S = 0.3
_SETTLE_S = 0.05
_COLOURS = ("cyan", "magenta", "blue", "yellow", "green")

Entry = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """What one app's thread has to say: calls, a mark that the episode went back, or the problem that ended it."""

    app: str
    calls: tuple[Entry, ...] = ()
    went_back: bool = False
    problem: FarmError | None = None


class Watcher:
    """Waits for the calls of one app, in a thread of its own."""

    def __init__(self, control: FarmClient, episode: str, app: str, after: int | None, out: queue.Queue[Told]) -> None:
        self._control = control
        self._episode = episode
        self._app = app
        self._after = after
        self._out = out
        # A daemon: it waits in a request that nothing but the farm ends.
        self.thread = threading.Thread(target=self.run, name=f"watch-{app}", daemon=True)

    def run(self) -> None:
        """Wait, tell, and wait again; a pause of the farm's is waited out."""
        failing_since: float | None = None
        while True:
            try:
                self._step()
                failing_since = None
            except NotFound as gone:
                self._out.put(Told(self._app, problem=gone))
                return
            except FarmError as problem:
                failing_since = failing_since or time.monotonic()
                if time.monotonic() - failing_since > GONE_AFTER_S:
                    self._out.put(Told(self._app, problem=problem))
                    return
                time.sleep(_RETRY_S)

    def _step(self) -> None:
        found = self._control.watch(self._episode, self._app, self._after)
        if self._after is not None and found["last"] < self._after:
            # Reset or restored: the numbers begin anew, and what is told now was not told before.
            self._out.put(Told(self._app, went_back=True))
            self._after = found["last"]
            return
        if found["calls"]:
            self._out.put(Told(self._app, tuple(found["calls"])))
        self._after = found["calls"][-1]["n"] if found["calls"] else found["last"]


def watch(
    episode: Annotated[str, typer.Argument(help="The episode.")] = "default",
    past: Annotated[bool, typer.Option("--past", help="Show the calls made so far, too.")] = False,
    as_json: Json = False,
    data: Data = ...,  # type: ignore[assignment] # filled by its default factory
    farm: FarmUrl = None,
    token_file: TokenFile = None,
    _: Content = None,
) -> None:
    """Show each call and the rows it changed, one line each, as it happens. Ctrl-C ends it.

    With --json, each line is the call as the trace has it, with its app, its changes and the sentence.

    Example: farm watch default
    """
    found = client(farm, token_file, data).episode(episode)
    names = {app: _names(client(farm, token_file, data), found, app) for app in found["apps"]}
    out: queue.Queue[Told] = queue.Queue()
    for app in found["apps"]:
        Watcher(client(farm, token_file, data), episode, app, 0 if past else None, out).thread.start()
    show = _json_line if as_json else _Lines(found["apps"]).show
    if not as_json:
        typer.echo(f"watching {episode} ({', '.join(found['apps'])}); Ctrl-C ends it", err=True)
    try:
        for app, entry in _entries(out):
            if entry is None:
                names[app].forget()
                typer.echo(f"{app} went back to an earlier state", err=True)
            else:
                show(app, entry, sentence(entry, names[app]))
    except KeyboardInterrupt:
        return


def _names(control: FarmClient, found: Entry, app: str) -> Names:
    return Names(
        app, found["world"], lambda table, after: control.rows(found["id"], app, table, after=after, limit=1000)
    )


def _entries(out: queue.Queue[Told]) -> Iterator[tuple[str, Entry | None]]:
    """Yield every call with its app, and None where an app went back; raises what ended a thread."""
    while True:
        gathered = _gather(out)
        for told in gathered:
            if told.went_back:
                yield told.app, None
        calls = [(entry["started_ns"], told.app, entry) for told in gathered for entry in told.calls]
        for _, app, entry in sorted(calls, key=lambda each: each[:2]):
            yield app, entry
        for told in gathered:
            if told.problem is not None:
                raise told.problem


def _gather(out: queue.Queue[Told]) -> list[Told]:
    """Return what the apps have to say by now: what several did at once is told in the order they did it."""
    gathered: list[Told] = []
    while not gathered or not out.empty():
        try:
            # Bounded waits, so that Ctrl-C is noticed on every system.
            gathered.append(out.get(timeout=1.0))
            time.sleep(_SETTLE_S)
        except queue.Empty:
            continue
    return gathered


class _Lines:
    """Prints lines for people, coloured on a terminal."""

    def __init__(self, apps: list[str]) -> None:
        self._width = max(map(len, apps))
        self._colours = {app: _COLOURS[index % len(_COLOURS)] for index, app in enumerate(apps)}
        self._console = Console(highlight=False, soft_wrap=True)

    def show(self, app: str, entry: Entry, said: str) -> None:
        """Print one call."""
        at = datetime.fromtimestamp(entry["at_ms"] / 1000).astimezone()
        style = "red" if entry.get("refused") else "bold" if entry["changes"] else "dim"
        line = Text.assemble(
            (f"{at:%H:%M:%S} ", "dim"),
            (f"{app:<{self._width}}  ", self._colours[app]),
            f"{short(entry['tool'])} → ",
            (said, style),
        )
        self._console.print(line)


def _json_line(app: str, entry: Entry, said: str) -> None:
    sys.stdout.write(orjson.dumps({"app": app, **entry, "sentence": said}).decode() + "\n")
    sys.stdout.flush()


COMMANDS: dict[str, Any] = {"watch": watch}
