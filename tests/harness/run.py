"""``make harness-test``: every harness plays the demo suite through its adapter, as ``farm run`` does.

Each harness has an environment of its own, with wheels of the farm (or of the client alone) and of the adapter. Its
``check.py`` prints agent → task → score, for the oracle's calls and for no call at all; the scores must be those of
``farm run``. A harness whose packages this Python cannot install is named and left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import environments
from tests.environments import Failed, build_wheel, make_environment

HERE = Path(__file__).resolve().parent
SUITE = "demo"
AGENTS = ("oracle", "null")
Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Harness:
    """One harness.

    Attributes:
        name: its name, and that of its folder here if none is given.
        projects: the folders of this repository whose wheels it needs.
        needs_farm: whether its check plays on a farm, at ``FARM_URL`` with ``FARM_TOKEN``.
        python: the least version of Python that its packages take.
        folder: its folder here, with ``check.py``.
        requirements: the file there with what else its environment has.
        has_scores: whether its check prints scores; that of Ray prints what it saw of a killed worker.
    """

    name: str
    projects: tuple[str, ...]
    needs_farm: bool = False
    python: tuple[int, int] = (3, 11)
    folder: str = ""
    requirements: str = "requirements.txt"
    has_scores: bool = True

    @property
    def place(self) -> Path:
        """Its folder."""
        return HERE / (self.folder or self.name)


HARNESSES = (
    Harness("client-mcp1", ("plugins/client",), True, folder="client", requirements="requirements-mcp1.txt"),
    Harness("client-verifiers", ("plugins/client",), True, folder="client", requirements="requirements-verifiers.txt"),
    Harness("gymnasium", (".", "plugins/gymnasium")),
    Harness("inspect", (".", "plugins/inspect")),
    Harness("openenv", (".", "plugins/openenv")),
    Harness("ray", (".",), has_scores=False),
    Harness("verifiers", ("plugins/client", "plugins/verifiers"), True),
)


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(f"harness-test: {text}\n")
    sys.stdout.flush()


def run(command: Sequence[str], what: str, folder: Path, **more: str) -> str:
    """Run a command as ``environments.run`` does, with a home of its own."""
    return environments.run(command, what, folder, HOME=str(folder), XDG_DATA_HOME=str(folder / "share"), **more)


def wheel_of(project: str, folder: Path, built: dict[str, Path]) -> Path:
    """Return the wheel of a folder of this repository, which is built once."""
    if project not in built:
        built[project] = build_wheel(project, folder / "wheels" / str(len(built)))
    return built[project]


@contextmanager
def started_farm(farm: Path) -> Iterator[dict[str, str]]:
    """Run a farm until the end, and yield the variables that name it."""
    process = subprocess.Popen([str(farm), "up", "--ephemeral"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        told = json.loads(process.stdout.readline())
        yield {"FARM_URL": told["url"], "FARM_TOKEN": told["token"]}
    finally:
        process.stdin.close()
        process.wait(30)


# Writes what the oracle does, for harnesses beside which the farm cannot be installed.
ORACLES = """
import json, sys
from farm.play import Play, joint_name, play_oracle, tasks
found = []
for card in tasks(sys.argv[1]):
    with Play(card.task) as play:
        played = play_oracle(play)
    turns = [[(joint_name(app, tool), dict(given)) for app, tool, given in turn] for turn in played.turns or ()]
    found.append({"task": card.task, "instruction": card.instruction, "turns": turns, "answer": played.answer})
print(json.dumps(found))
"""


def scores_of_run(farm: Path, folder: Path) -> Scores:
    """Return agent → task → score of ``farm run``."""
    found = {}
    for agent in AGENTS:
        out = folder / f"run-{agent}"
        run([str(farm), "run", SUITE, "--agent", agent, "--out", str(out)], f"farm run by {agent}", folder)
        lines = (json.loads(line) for line in (out / "trials.jsonl").read_text("utf-8").splitlines())
        found[agent] = {f"{SUITE}/{line['task']}": line["acc"] for line in lines}
    return found


def play(harness: Harness, wanted: Scores, farm: Path, folder: Path, built: dict[str, Path]) -> None:
    """Install a harness, let it play, and compare its scores with those of ``farm run``."""
    began = time.monotonic()
    wheels = [str(wheel_of(project, folder, built)) for project in harness.projects]
    requirements = ["--requirement", str(harness.place / harness.requirements)]
    python = make_environment(folder / harness.name, [*wheels, *requirements]) / "python"
    installed = time.monotonic()
    check = [str(python), str(harness.place / "check.py")]
    if harness.needs_farm:
        oracles = folder / "oracles.json"
        if not oracles.exists():
            told = run([str(farm.with_name("python")), "-c", ORACLES, SUITE], "the oracles", folder)
            oracles.write_text(told, "utf-8")
        with started_farm(farm) as variables:
            printed = run(check, harness.name, folder, ORACLES=str(oracles), **variables)
    else:
        printed = run(check, harness.name, folder)
    found: dict[str, dict[str, Any]] = json.loads(printed.splitlines()[-1])
    first = (harness.place / harness.requirements).read_text("utf-8").split()[0]
    spent = f"{installed - began:.0f} s to install, {time.monotonic() - installed:.0f} s to play"
    if not harness.has_scores:
        say(f"{first}: {json.dumps(found)} ({spent})")
        return
    for agent, scores in found.items():
        other = {task: score for task, score in scores.items() if wanted[agent][task] != score}
        if other or not scores:
            raise Failed(f"{harness.name}: {agent} scores otherwise than in farm run: {other or 'no task at all'}")
    count = ", ".join(f"{len(scores)} tasks by {agent}" for agent, scores in found.items())
    say(f"{first}: {count}, scored as by farm run ({spent})")


def main() -> int:
    """Play with all harnesses, or with those that are named; return the exit status."""
    began = time.monotonic()
    chosen = [each for each in HARNESSES if each.name in sys.argv[1:] or not sys.argv[1:]]
    if not chosen:
        say(f"no harness {' '.join(sys.argv[1:])}; have {', '.join(each.name for each in HARNESSES)}")
        return 2
    built: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="farm-harness-") as name:
        folder = Path(name)
        try:
            farm = make_environment(folder / "farm", [str(wheel_of(".", folder, built))]) / "farm"
            wanted = scores_of_run(farm, folder)
            for harness in chosen:
                if sys.version_info < harness.python:
                    say(f"{harness.name}: NOT PLAYED, as it needs Python {'.'.join(map(str, harness.python))}")
                    continue
                play(harness, wanted, farm, folder, built)
        except Failed as failed:
            say(f"FAILED: {failed}")
            return 1
    say(f"all is well, after {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
