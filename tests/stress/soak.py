"""Uses a farm for minutes as agents, operators and strangers do, and says what of it has grown.

``make soak MINUTES=3``. The first fifth of the time fills what a farm remembers of requests; what processes hold at the
end is compared with what they held then, after a rest each time. Everything that was created has been dropped by both.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from farm.benchmark.agents.process_group import descendants
from tests.e2e.conftest import RunningFarm
from tests.stress.fuzz import fuzz

_WARM_SHARE = 0.2
_REST_S = 8.0
# How much more there may be at the end. Memory: an app with four kinds of printed rows may remember 16 MiB of them.
MEMORY_SHARE, MEMORY_MIB = 0.15, 16.0
DESCRIPTORS, THREADS, FILES, DISK_MIB = 8, 2, 8, 1.0


@dataclass(frozen=True)
class Held:
    """What one process, or the data folder, holds."""

    memory_mib: float = 0.0
    descriptors: int = 0
    threads: int = 0
    files: int = 0
    disk_mib: float = 0.0


def held_by(farm: RunningFarm) -> dict[str, Held]:
    """Return what each process of a farm holds, and its data folder."""
    state = farm.state
    names = {state.pid: "supervisor", state.gateway_pid: "gateway"}
    names |= {each.pid: f"{each.app} {each.worker}" for each in state.apps}
    found = {names.get(pid, "starter"): _process(pid) for pid in (state.pid, *descendants(state.pid))}
    files = [path.stat() for path in farm.data.rglob("*") if path.is_file() and path.name != "out.txt"]
    return {
        **found,
        "data folder": Held(files=len(files), disk_mib=sum(each.st_blocks for each in files) * 512 / 2**20),
    }


def _process(pid: int) -> Held:
    folder = Path(f"/proc/{pid}")
    fields = dict(line.split(":", 1) for line in (folder / "smaps_rollup").read_text().splitlines()[1:])
    threads = len(os.listdir(folder / "task"))
    return Held(int(fields["Pss"].split()[0]) / 1024, len(os.listdir(folder / "fd")), threads)


def grown(before: Mapping[str, Held], after: Mapping[str, Held]) -> list[str]:
    """Say what holds more than it may, a line each."""
    found = [f"{name} is another process" for name in before.keys() ^ after.keys()]
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        limits = {
            "memory_mib": old.memory_mib + max(MEMORY_MIB, MEMORY_SHARE * old.memory_mib),
            "descriptors": old.descriptors + DESCRIPTORS,
            "threads": old.threads + THREADS,
            "files": old.files + FILES,
            "disk_mib": old.disk_mib + DISK_MIB,
        }
        for what, limit in limits.items():
            if getattr(new, what) > limit:
                found.append(f"{name}: {what} {getattr(old, what):.1f} -> {getattr(new, what):.1f}, over {limit:.1f}")
    return sorted(found)


def table(before: Mapping[str, Held], after: Mapping[str, Held]) -> Iterator[str]:
    """Yield the lines of a table of both."""
    yield "| | memory (MiB, PSS) | descriptors | threads | files | disk (MiB) |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, old in before.items():
        new = after.get(name, Held())
        pairs = (
            (f"{old.memory_mib:.1f}", f"{new.memory_mib:.1f}"),
            (old.descriptors, new.descriptors),
            (old.threads, new.threads),
            (old.files, new.files),
            (f"{old.disk_mib:.1f}", f"{new.disk_mib:.1f}"),
        )
        yield f"| {name} | " + " | ".join(f"{a} → {b}" if float(a) or float(b) else "" for a, b in pairs) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Use a farm, weigh it twice, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long; %(default)s")
    parser.add_argument("--seed", type=int, help="what is sent; chosen and printed when absent")
    parser.add_argument("--clients", type=int, default=2, help="processes that send; %(default)s")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    sys.stdout.write(f"seed {seed}\n")
    sys.stdout.flush()
    folder = Path(tempfile.mkdtemp(prefix="farm-soak-"))
    farm = RunningFarm(folder / "data")
    saved, seconds, weighed, problems = Path("build/soak"), given.minutes * 60, [], []
    first = 0
    try:
        for share in (_WARM_SHARE, 1 - _WARM_SHARE):
            numbers = range(first, first + 10**6)
            report = fuzz(farm, seed=seed, numbers=numbers, seconds=seconds * share, clients=given.clients, saved=saved)
            first += report.tally.scenes
            problems += [f"{each.kind}: {each.detail[:200]}" for each in report.findings]
            sys.stdout.write("\n".join(report.lines()) + "\n")
            time.sleep(_REST_S)
            weighed.append(held_by(farm))
    finally:
        farm.end()
        shutil.rmtree(folder, ignore_errors=True)
    problems += grown(*weighed)
    sys.stdout.write("\n".join((*table(*weighed), *problems, "flat" if not problems else "not flat")) + "\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
