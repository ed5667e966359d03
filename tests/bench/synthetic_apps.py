"""The apps that exist under many names, so that a farm of 21 can be measured before there are 21 kernels.

Each name is a copy of a kernel's and a schema's files in a content folder of the run, imported anew: nothing is shared
between two names that two different apps would not share.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from farm import content
from farm.client import FarmClient
from farm.errors import FarmError
from farm.runtime.supervisor.state import FarmState
from tests.bench.measured_apps import WORLD

MANY_WORLD = "bench"
_END_S_MAX = 20.0


def many_apps(folder: Path, count: int) -> list[str]:
    """Fill a content folder with ``count`` apps and a world that has rows for all of them; return their names."""
    real = content.app_names()
    world = content.world_dir(WORLD)
    target = folder / "contexts" / "worlds" / MANY_WORLD
    target.mkdir(parents=True)
    shutil.copyfile(world / "world.toml", target / "world.toml")
    names = []
    for number in range(count):
        app = real[number % len(real)]
        name = f"{app}x{number // len(real) + 1}"
        _copy_app(app, name, folder)
        if (world / f"{app}.jsonl").is_file():
            shutil.copyfile(world / f"{app}.jsonl", target / f"{name}.jsonl")
        names.append(name)
    return names


def _copy_app(app: str, name: str, folder: Path) -> None:
    kernel, schema = content.load_app(app).folder, content.context_dir(app)
    shutil.copytree(kernel, folder / "kernels" / name, ignore=shutil.ignore_patterns("__pycache__"))
    init = folder / "kernels" / name / "__init__.py"
    init.write_text(init.read_text("utf-8").replace(f'name="{app}"', f'name="{name}"'), "utf-8")
    (folder / "contexts" / name).mkdir()
    for each in schema.glob("*.py"):
        shutil.copyfile(each, folder / "contexts" / name / each.name)


@dataclass
class RunningFarm:
    """A farm started for the bench."""

    process: subprocess.Popen[bytes]
    state: FarmState
    up_s: float

    @property
    def app_pids(self) -> list[int]:
        """Processes of the apps, and the starter they were forked from."""
        pids = [app.pid for app in self.state.apps]
        starter = int(Path(f"/proc/{pids[0]}/stat").read_text().rpartition(")")[2].split()[1])
        return pids if starter == self.state.pid else [starter, *pids]

    def operator_token(self) -> str:
        """Return the bearer of its control API."""
        return Path(self.state.token_file).read_text("ascii").strip()

    def client(self) -> FarmClient:
        """Return a client of its control API."""
        return FarmClient(self.state.operators_url, self.operator_token())

    def end(self) -> None:
        """End it and wait."""
        self.process.terminate()
        try:
            self.process.wait(_END_S_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_farm(data: Path, apps: Sequence[str], world: str, extra: Path | None = None, *options: str) -> RunningFarm:
    """Run ``farm up`` on free ports and return when it says that it is ready.

    Args:
        data: its data folder.
        apps: the apps it runs.
        world: the world of its default episode.
        extra: a content folder beside the farm's own.
        options: more of what ``farm up`` takes.

    Raises:
        FarmError: it ended instead.
    """
    given = ["--apps", ",".join(apps), "--world", world, "--port", "0", "--operator-port", "0", "--data", str(data)]
    given += options
    environment = os.environ | ({"FARM_CONTENT": str(extra)} if extra else {})
    started = time.perf_counter()
    complaints = data / "stderr.txt"
    with complaints.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "farm", "up", *given], stdout=subprocess.PIPE, stderr=stderr, env=environment
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    up_s = time.perf_counter() - started
    state = FarmState.load(data)
    if not line.startswith(b"ready") or state is None:
        process.kill()
        said = complaints.read_text("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise FarmError(f"the bench's farm of {len(apps)} apps did not start: {said[0]}")
    return RunningFarm(process, state, up_s)
