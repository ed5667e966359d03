"""Sends a farm generated calls and mutated requests, and says what it did not handle, crossed or lost.

``make fuzz``; ``CALLS``, ``MINUTES`` and ``SEED`` say how much and which. Ten calls come with one mutated request: a
release is tried with a million and a hundred thousand. What is found is printed with the command that shows it again,
and its request is saved, made as short as it can be.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from farm.client import FarmClient
from farm.content import app_names, load_app
from tests.e2e.conftest import RunningFarm
from tests.stress.findings import Finding, shrunk, unhandled
from tests.stress.scene import CALLS, Tally, Where, play, request_of, send_once
from tests.stress.wire import Unreadable

FINDINGS_MAX = 5
_CALLS_WANTED = 1_000_000
_SHOWN = 2000
# What every farm says when it starts.
# What uvicorn says of requests that are none, and of WebSockets.
_NO_REQUEST = (
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "or install 'websockets' or 'wsproto' manually.",
)
# What stands behind a line that was held back for a while (farm/server/limits/log_throttle.py).
_HELD = re.compile(r" \(\d+ more since this was last said\)$")
_FINE = ("ready: ", "agents ", "operators ", "token ", "log ", "  ")


@dataclass
class Report:
    """What a run came to."""

    seed: int
    tally: Tally = field(default_factory=Tally)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0

    def lines(self) -> Iterator[str]:
        """Yield it as it is printed."""
        tally = self.tally
        yield (
            f"seed {self.seed}: {tally.calls:,} calls of {len(tally.tools)} tools and {tally.requests:,} mutated "
            f"requests in {tally.scenes:,} scenes, {self.seconds:.0f} s; longest wait {tally.longest_s:.2f} s"
        )
        for kind, count in sorted(tally.kinds.items()):
            yield f"  {kind:28} {count:>10,}"
        for kind in ("unhandled", "crossed", "lost", "frozen"):
            yield f"{kind}: {sum(each.kind == kind for each in self.findings)}"


def where_of(farm: RunningFarm) -> Where:
    """Return what a scene must know of a farm."""
    apps = tuple(sorted({app.app for app in farm.state.apps}))
    profiles = {profile for app in apps if app in app_names() for profile in load_app(app).profiles}
    world = farm.client.episode("default")["world"]
    return Where(farm.state.operators_url, farm.token, world, apps, tuple(sorted(profiles)))


def complaints(farm: RunningFarm) -> str:
    """Return what a farm's processes have said, beside what every farm says, and of requests that are none."""
    return "\n".join(
        line
        for line in farm.output.splitlines()
        if line.strip() and not line.startswith(_FINE) and not _HELD.sub("", line).endswith(_NO_REQUEST)
    )


def fuzz(
    farm: RunningFarm, *, seed: int, numbers: Sequence[int], seconds: float = 1e9, clients: int = 2, saved: Path
) -> Report:
    """Play scenes in processes of their own until all are played, the time is over or enough was found."""
    report, where = Report(seed), where_of(farm)
    started, heard, ended = time.monotonic(), complaints(farm), _ended(farm)
    left = iter(numbers)
    # Not forked: a child would share this process's connections.
    with ProcessPoolExecutor(clients, mp_context=multiprocessing.get_context("spawn")) as pool:
        running: dict[Future[tuple[Tally, Finding | None]], int] = {}
        while True:
            is_over = time.monotonic() - started > seconds or len(report.findings) >= FINDINGS_MAX
            while not is_over and len(running) < clients + 1 and (number := next(left, None)) is not None:
                running[pool.submit(play, where, seed, number)] = number
            if not running:
                break
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                number = running.pop(done)
                tally, found = done.result()
                report.tally.add(tally)
                if found is not None:
                    _keep(report, _shortest(where, found), saved)
                elif (said := complaints(farm)) != heard:
                    what = f"in the log: {said[len(heard) :][:_SHOWN]}"
                    _keep(report, Finding("unhandled", what, seed, number), saved)
                heard = complaints(farm)
                if (now := _ended(farm)) != ended:
                    _keep(report, Finding("unhandled", f"processes that ended: {now}", seed, number), saved)
                    ended = now
    report.seconds = time.monotonic() - started
    return report


def _ended(farm: RunningFarm) -> dict[str, int]:
    state = farm.state
    counts = {f"{each.app}/{each.worker}": each.ended for each in state.apps} | {"gateway": state.gateway_ended}
    return {name: count for name, count in counts.items() if count}


def _keep(report: Report, finding: Finding, saved: Path) -> None:
    report.findings.append(finding)
    path = finding.save(saved, len(report.findings))
    said = f"{finding.kind}: {finding.detail[:_SHOWN]}\n  again: {finding.command}\n  saved: {path}\n"
    sys.stderr.write(said)


class Again:
    """A new episode to which a finding's request is sent alone, as often as need be."""

    def __init__(self, where: Where, finding: Finding) -> None:
        self._where, self._finding = where, finding
        self._client = FarmClient(where.operators_url, where.token)
        self._made = self._client.create(apps=list(where.apps), seed=finding.seed)

    def __enter__(self) -> Again:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.drop(self._made["id"])
        self._client.close()

    def shows(self, data: bytes | None = None) -> bool:
        """Say whether its request, or another in its place, shows something that is not handled."""
        finding = self._finding
        if finding.place is None or finding.kind != "unhandled":
            return False
        place = finding.place
        if data is not None:
            finding = replace(finding, request=data.decode("latin-1"))
        try:
            answers = send_once(self._where, place, self._made, request_of(finding, self._made), wait_s=1.0)
        except Unreadable:
            return True
        return any(unhandled(each) for each in answers)


def _shortest(where: Where, finding: Finding) -> Finding:
    """Return a finding with as short a request as shows it; as it is where it takes the whole scene."""
    with Again(where, finding) as again:
        if not again.shows():
            return finding
        return replace(finding, request=shrunk(finding.request.encode("latin-1"), again.shows).decode("latin-1"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Start a farm, try it, print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=_CALLS_WANTED, help="how many generated calls; %(default)s")
    parser.add_argument("--minutes", type=float, help="stop after this long, whatever has been sent")
    parser.add_argument("--seed", type=int, help="repeat a run; chosen and printed when absent")
    parser.add_argument("--scene", type=int, help="play only this scene of the run")
    parser.add_argument("--clients", type=int, default=2, help="processes that send; %(default)s")
    parser.add_argument("--apps", help="only these apps; all")
    parser.add_argument("--again", type=Path, metavar="FILE", help="send one saved request again")
    parser.add_argument("--save", type=Path, default=Path("build/fuzz"), help="where findings are saved; %(default)s")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    folder = Path(tempfile.mkdtemp(prefix="farm-fuzz-"))
    farm = RunningFarm(folder / "data", *([f"--apps={given.apps}"] if given.apps else []))
    try:
        if given.again is not None:
            with Again(where_of(farm), Finding.load(given.again)) as again:
                is_there = again.shows()
            sys.stdout.write(f"it is {'still' if is_there else 'no longer'} so\n{complaints(farm)}\n")
            return int(is_there)
        sys.stdout.write(f"seed {seed}\n")
        sys.stdout.flush()
        numbers = range(-(-given.calls // CALLS)) if given.scene is None else [given.scene]
        seconds = given.minutes * 60 if given.minutes else 1e9
        report = fuzz(farm, seed=seed, numbers=numbers, seconds=seconds, clients=given.clients, saved=given.save)
        sys.stdout.write("\n".join(report.lines()) + "\n")
        return int(bool(report.findings))
    finally:
        farm.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
