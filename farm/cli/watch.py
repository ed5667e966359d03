"""``farm watch``: shows agents' calls in an episode live."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.console import Console
from rich.text import Text

from farm._util.json_io import dumps
from farm.cli.options import Content, Json, NamedFarm, with_farm
from farm.client import FarmClient
from farm.connect.call_summary import sentence
from farm.connect.clients import CLIENTS
from farm.connect.display_names import DisplayNames, find_own_person, short
from farm.errors import FarmError, NotFoundError

# An app that restarts is back within seconds; a farm that was ended is not.
GONE_AFTER_S = 20.0
# Printed only for an outage longer than an app's restart.
_SAID_AFTER_S = 1.5
_RETRY_S = 0.3
_SETTLE_S = 0.05
_COLOURS = ("cyan", "magenta", "blue", "yellow", "green")

Entry = dict[str, Any]


@dataclass(frozen=True)
class Update:
    """A message of one app's thread: calls, a change of its state, or the problem that ended it.

    Attributes:
        went_back: the episode was reset or restored.
        waits_for: the problem whose end the thread awaits.
        is_back: the problem has ended.
    """

    episode: str
    app: str
    calls: tuple[Entry, ...] = ()
    went_back: bool = False
    waits_for: FarmError | None = None
    is_back: bool = False
    problem: FarmError | None = None


class Watcher:
    """Waits for the calls of one app, in a separate thread."""

    def __init__(
        self, control: FarmClient, episode: str, app: str, after: int | None, out: queue.Queue[Update]
    ) -> None:
        self._control = control
        self._episode = episode
        self._app = app
        self._after = after
        self._out = out
        # A daemon: it waits in a request that only the farm ends.
        self.thread = threading.Thread(target=self.run, name=f"watch-{app}", daemon=True)

    def run(self) -> None:
        """Wait for calls, report them, and repeat; outages of the farm are waited out."""
        failing_since: float | None = None
        is_said = False
        while True:
            try:
                self._step()
                if is_said:
                    self._out.put(Update(self._episode, self._app, is_back=True))
                failing_since, is_said = None, False
            except NotFoundError as gone:
                self._out.put(Update(self._episode, self._app, problem=gone))
                return
            except FarmError as problem:
                failing_since = failing_since or time.monotonic()
                failing_s = time.monotonic() - failing_since
                if failing_s > GONE_AFTER_S:
                    self._out.put(Update(self._episode, self._app, problem=problem))
                    return
                if failing_s > _SAID_AFTER_S and not is_said:
                    self._out.put(Update(self._episode, self._app, waits_for=problem))
                    is_said = True
                time.sleep(_RETRY_S)

    def _step(self) -> None:
        found = self._control.watch(self._episode, self._app, self._after)
        if self._after is not None and found["last"] < self._after:
            # Reset or restored: the numbers begin at 1 again, and all calls are new.
            self._out.put(Update(self._episode, self._app, went_back=True))
            self._after = found["last"]
            return
        if found["calls"]:
            self._out.put(Update(self._episode, self._app, tuple(found["calls"])))
        self._after = found["calls"][-1]["n"] if found["calls"] else found["last"]


@with_farm
def watch(
    named: NamedFarm,
    episode: Annotated[
        str | None, typer.Argument(help="Id or label; default: the default episode and those of connected clients.")
    ] = None,
    past: Annotated[bool, typer.Option("--past", help="Show the calls made so far, too.")] = False,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Show each call and the rows that it changed, one line each, as it happens. Ctrl-C ends it.

    With --json, each line is the call in the trace's form, with its episode, app, changes and summary.

    Example: farm watch claude-desktop
    """
    chosen = choose(named.client().episodes(), episode)
    names: dict[tuple[str, str], DisplayNames] = {}
    out: queue.Queue[Update] = queue.Queue()
    for each in chosen:
        for app, own in names_of(named.client(), each).items():
            names[each["id"], app] = own
            after = 0 if past else None
            Watcher(named.client(), each["id"], app, after, out).thread.start()
    print_call = _json_line if as_json else _Lines(chosen).print_call
    if not as_json:
        typer.echo(f"watching {_summary(chosen)}; Ctrl-C ends it", err=True)
    waiting = _Waiting()
    try:
        for update, entry in _entries(out):
            known = names[update.episode, update.app]
            if entry is not None:
                print_call(update, entry, sentence(entry, known))
            elif update.went_back:
                known.forget()
                typer.echo(f"{update.app} went back to an earlier state", err=True)
            else:
                waiting.take(update)
    except KeyboardInterrupt:
        return


_NAMED_MAX = 3


def _summary(chosen: list[Entry]) -> str:
    """Return the watched episodes in a few words: labels, or ids where there are none."""
    names = [short(each["label"] or each["id"], 16) for each in chosen]
    more = len(names) - _NAMED_MAX
    return ", ".join(names[:_NAMED_MAX]) + (f" and {more} more" if more > 0 else "")


class _Waiting:
    """Prints once that the farm does not answer, however many apps notice, and once that it does again."""

    def __init__(self) -> None:
        self._apps: set[tuple[str, str]] = set()

    def take(self, update: Update) -> None:
        """Record that one app waits, or waits no more."""
        if update.waits_for is not None:
            if not self._apps:
                typer.echo(f"{update.waits_for}; waiting for it, {GONE_AFTER_S:.0f} s at most", err=True)
            self._apps.add((update.episode, update.app))
            return
        self._apps.discard((update.episode, update.app))
        if not self._apps:
            typer.echo("the farm answers again", err=True)


def choose(episodes: list[Entry], wanted: str | None) -> list[Entry]:
    """Return the episodes to watch.

    Args:
        episodes: every episode, oldest first.
        wanted: an id, or a label, which selects its newest episode; None: the default episode and the latest episode of
            each connected client.

    Raises:
        NotFoundError: there is none.
    """
    by_id = {each["id"]: each for each in episodes}
    by_label = {each["label"]: each for each in episodes if each["label"]}
    if wanted is None:
        return [by_id["default"], *(each for label, each in by_label.items() if label in CLIENTS)]
    if wanted in by_id or wanted in by_label:
        return [by_id[wanted] if wanted in by_id else by_label[wanted]]
    raise NotFoundError(
        f"no episode '{wanted}'; have {', '.join([*list(by_id)[:5], *list(by_label)[:5]])} ({len(by_id)})"
    )


def names_of(control: FarmClient, found: Entry) -> dict[str, DisplayNames]:
    """Return app → names of an episode's rows, as the person sees them whose accounts the agent uses."""
    people = control.request("GET", f"/v1/episodes/{quote(found['id'], safe='')}/people")["people"]
    own = find_own_person(people, found["me"])
    accounts = own["accounts"] if own else {}

    def read(app: str, table: str, after: int) -> Entry:
        return control.rows(found["id"], app, table, after=after, limit=1000)

    return {app: DisplayNames(app, found["world"], partial(read, app), accounts.get(app)) for app in found["apps"]}


def _entries(out: queue.Queue[Update]) -> Iterator[tuple[Update, Entry | None]]:
    """Yield every call with its message, and None for every other message; raise the error that ended a thread."""
    while True:
        gathered = _gather(out)
        for update in gathered:
            if update.went_back or update.is_back or update.waits_for is not None:
                yield update, None
        calls = [(update, entry) for update in gathered for entry in update.calls]
        yield from sorted(calls, key=lambda each: (each[1]["started_ns"], each[0].app))
        for update in gathered:
            if update.problem is not None:
                raise update.problem


def _gather(out: queue.Queue[Update]) -> list[Update]:
    """Return the apps' messages so far, with calls of several apps in the order in which they were made."""
    gathered: list[Update] = []
    while not gathered or not out.empty():
        try:
            # Waits have a limit, so that Ctrl-C is noticed on every system.
            gathered.append(out.get(timeout=1.0))
            time.sleep(_SETTLE_S)
        except queue.Empty:
            continue
    return gathered


class _Lines:
    """Prints coloured lines on a terminal."""

    def __init__(self, episodes: list[Entry]) -> None:
        apps = sorted({app for each in episodes for app in each["apps"]})
        self._width = max(map(len, apps))
        self._colours = {app: _COLOURS[index % len(_COLOURS)] for index, app in enumerate(apps)}
        # The episode's name matters only if there are several.
        labels = {each["id"]: short(each["label"] or each["id"], 16) for each in episodes}
        width = max(map(len, labels.values()))
        self._labels = {id_: f"{label:<{width}}  " for id_, label in labels.items()} if len(episodes) > 1 else {}
        self._console = Console(highlight=False, soft_wrap=True)

    def print_call(self, update: Update, entry: Entry, said: str) -> None:
        """Print one call."""
        at = datetime.fromtimestamp(entry["at_ms"] / 1000).astimezone()
        style = "red" if entry.get("refused") else "bold" if entry["changes"] else "dim"
        line = Text.assemble(
            (f"{at:%H:%M:%S} ", "dim"),
            self._labels.get(update.episode, ""),
            (f"{update.app:<{self._width}}  ", self._colours[update.app]),
            (f"{entry['by']}: " if "by" in entry else "", "bold"),
            f"{short(entry['tool'])} → ",
            (said, style),
            (f" (planned: {entry['fault']})" if "fault" in entry else "", "dim"),
        )
        self._console.print(line)


def _json_line(update: Update, entry: Entry, said: str) -> None:
    line = {"episode": update.episode, "app": update.app, **entry, "sentence": said}
    sys.stdout.write(dumps(line).decode() + "\n")
    sys.stdout.flush()


COMMANDS: dict[str, Any] = {"watch": watch}
