"""`farm run --engine ray` on two workers of this machine: one is killed in the middle, and each trial is logged once.

Printed is one line of JSON; a check that fails ends with a traceback. With ``--rates`` it is also measured how many
oracle trials a second Ray holds beside two plain processes (``python check.py --rates``).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

WORKERS, TRIALS_OF_A_TASK, ROUNDS = 2, 12, 3
LONG = 24  # trials of a task: a run that is interrupted must not be over before
START_S_MAX, END_S_MAX = 180.0, 300.0
SUITE = "demo"


def farm(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "farm", *arguments]


def marked(folder: Path) -> dict[int, str]:
    """Return the processes that have the folder in their environment, and their titles."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"={folder}".encode() in path.read_bytes():
                found[int(path.parent.name)] = (path.parent / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # another user's, or it has ended
    return found


class Run:
    """A run on Ray in a process of its own, whose temporary files are in a folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.out, self.temporary, self.home = folder / "out", folder / "t", folder / "home"
        self.temporary.mkdir(parents=True)
        self.home.mkdir()
        places = {"TMPDIR": str(self.temporary), "HOME": str(self.home), "XDG_DATA_HOME": str(folder / "data")}
        words = farm("run", SUITE, "--agent", "oracle", "--engine", "ray", "--parallel", str(WORKERS))
        self.process = subprocess.Popen(
            [*words, "--out", str(self.out), *options],
            env={**os.environ, **places},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines(self) -> list[dict[str, Any]]:
        path = self.out / "trials.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def wait_for(self, trials: int) -> None:
        """Wait until so many trials are logged."""
        until = time.monotonic() + START_S_MAX
        while len(self.lines()) < trials:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < until, f"not {trials} trials in {START_S_MAX:.0f} s"
            time.sleep(0.01)

    def workers(self) -> list[int]:
        return [pid for pid, title in marked(self.temporary).items() if title.startswith("ray::TrialWorker")]

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the status and what was printed on standard error."""
        _, said = self.process.communicate(timeout=END_S_MAX)
        return self.process.returncode, said

    def left(self) -> list[str]:
        """Return the processes that outlive the run by a second, and the files that no next run would remove."""
        until = time.monotonic() + 1
        while (processes := marked(self.temporary)) and time.monotonic() < until:
            time.sleep(0.05)
        files = [str(path) for path in self.temporary.iterdir() if not (path / "owner").exists()]
        return [*processes.values(), *files]


def killed(folder: Path, tasks: int) -> dict[str, Any]:
    """Kill a worker in the middle of a run."""
    run = Run(folder, "-k", str(LONG))
    run.wait_for(tasks // 4)
    before = len(run.lines())
    os.kill(run.workers()[0], signal.SIGKILL)
    status, said = run.end()
    trials = run.lines()
    assert status == 0, f"{said}\nended with {status}"
    assert before < tasks * LONG, "the run was over before a worker was killed"
    assert len(trials) == len({(trial["task"], trial["trial"]) for trial in trials}) == tasks * LONG, len(trials)
    assert {trial["acc"] for trial in trials} == {1.0}
    assert not (left := run.left()), left
    assert not (run.home / ".ray").exists()
    return {"trials": len(trials), "killed_after": before, "acc": 1.0}


def broken_off(folder: Path) -> dict[str, Any]:
    """Break a run off, and go on with it."""
    run = Run(folder, "-k", str(LONG))
    run.wait_for(8)
    started = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    status, said = run.end()
    seconds = time.monotonic() - started
    assert status == 130, f"{said}\nended with {status}"
    assert said.splitlines()[-1].startswith("broken off; go on with the same command and --resume"), said
    assert not (left := run.left()), left
    return {"ended_after_s": round(seconds, 2)}


# -- how many trials a second ----------------------------------------------------------------------------------------

_worker: Any = None


def start_process(names: list[str]) -> None:
    """Start a worker, and load what one of Ray loads before its first trial."""
    global _worker
    from farm.benchmark.agents.factory import make_agent
    from farm.benchmark.runner.options import Options
    from farm.benchmark.runner.trial_worker import TrialWorker

    _worker = TrialWorker(make_agent("oracle"), Options())
    _worker.conditions(names)


def held_here(chunk: list[tuple[str, int]]) -> int:
    """Hold trials of the oracle in this process; return how many."""
    return len(_worker.trials(chunk))


def rates(names: list[str]) -> dict[str, Any]:
    """Measure trials a second of Ray and of processes in turn; the start of either is not counted."""
    from farm.benchmark.agents.factory import make_agent
    from farm.benchmark.runner.options import Options
    from farm.benchmark.runner.ray_engine import RayEngine
    from farm.benchmark.runner.trial_worker import chunks
    from farm.benchmark.scoring.expectations import require_task

    work = [(require_task(name), number) for number in range(TRIALS_OF_A_TASK) for name in names]
    oracle = make_agent("oracle")
    engine = RayEngine(oracle, Options(parallel=WORKERS), (), (), None)
    first = WORKERS * len(chunks(work, oracle, WORKERS)[0])

    def on_ray() -> float:
        # Both workers are busy from their first chunk on.
        results = engine.trials(work)
        for _ in range(first):
            next(results)
        started = ended = time.monotonic()
        for _ in results:
            ended = time.monotonic()
        return (len(work) - first) / (ended - started)

    def on_processes() -> float:
        with ProcessPoolExecutor(WORKERS, get_context("spawn"), start_process, (names,)) as pool:
            list(pool.map(held_here, [[(name, 0) for name in names[:8]]] * WORKERS * 4))  # until both have started
            started = time.monotonic()
            count = sum(pool.map(held_here, chunks(work, oracle, WORKERS)))
            return count / (time.monotonic() - started)

    pairs = [(on_ray(), on_processes()) for _ in range(ROUNDS)]
    return {
        "ray_per_s": round(median(ray for ray, _ in pairs), 1),
        "processes_per_s": round(median(plain for _, plain in pairs), 1),
        "ratio": round(median(ray / plain for ray, plain in pairs), 2),
    }


def main() -> None:
    from farm.play import tasks

    # A shell that has us run in the background has us ignore SIGINT, and with us the run that is broken off.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    names = [card.task for card in tasks(SUITE)]
    checks: dict[str, Callable[[Path], dict[str, Any]]] = {
        "killed": lambda folder: killed(folder, len(names)),
        "broken_off": broken_off,
    }
    found: dict[str, Any] = {"harness": "ray", "version": version("ray"), "farm": version("mcp-farm")}
    for name, check in checks.items():
        # Short, as Ray has sockets in it.
        with tempfile.TemporaryDirectory(prefix="r-", dir="/tmp") as folder:
            found[name] = check(Path(folder))
    if "--rates" in sys.argv[1:]:
        found["rates"] = rates(names)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
