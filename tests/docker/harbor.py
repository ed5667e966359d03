"""``make harbor-test``: exported tasks in the Harbor framework: the oracle, an agent that does nothing, and a spy.

Needs a Docker engine with Compose v2, and Harbor: the command that ``HARBOR`` names, or a Python of 3.12 or newer with
a package index. Where one is missing, it says so and only parses the files. ``FARM_BASE_IMAGE`` names the base of the
farm's image, which is the agent's image as well.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from farm.benchmark.export.harbor import export_suite
from farm.benchmark.runner.play import Play
from farm.benchmark.tasks import Suite, load_suite
from tests.docker.engine import IMAGE, ROOT, Failed, build, expect, has_engine, remove_images, run, say

HARBOR_VERSION = "0.26.0"
PYTHONS = ("python3.14", "python3.13", "python3.12")
PARALLEL = 2
# A solution that tries what an agent must not be able to do; what it finds becomes its answer.
SPY = """
import json, os, pathlib, socket, urllib.error, urllib.request

def status(url):
    try:
        return urllib.request.urlopen(urllib.request.Request(url, b"{}", {"content-type": "application/json"})).status
    except urllib.error.HTTPError as problem:
        return problem.code

def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0

def is_written(path):
    try:
        pathlib.Path(path).write_text("{}")
    except OSError:
        return False
    return True

address = socket.gethostbyname("farm")
found = {
    "open_ports": [port for port in range(1, 65536) if is_open(port)],
    "statuses": sorted({status(f"http://farm:8700{path}") for path in ("/check", "/v1/episodes", "/mcp/", "/metrics")}),
    "verdict_written": is_written("/verdict/reward.json"),
    "farm_installed": bool([*pathlib.Path("/opt").glob("farm"), *pathlib.Path("/usr").rglob("farm/_content")]),
    "told": sorted(name for name in os.environ if "FARM" in name or "TOKEN" in name),
}
pathlib.Path("/answer/answer.md").write_text(json.dumps(found))
"""
NOTHING_FOUND = {
    "open_ports": [8700],
    "statuses": [404],
    "verdict_written": False,
    "farm_installed": False,
    "told": [],
}


def harbor_command(folder: Path) -> str | None:
    """Return the command of Harbor, installed into a folder if there is none; None if it cannot be had."""
    named = os.environ.get("HARBOR") or shutil.which("harbor")
    if named:
        return named
    for python in PYTHONS:
        # A name on the PATH may be a shim of a version that is not installed.
        if shutil.which(python) and subprocess.run([python, "-V"], capture_output=True, check=False).returncode == 0:
            run([python, "-m", "venv", str(folder)])
            pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            run([*pip, f"harbor=={HARBOR_VERSION}"])
            return str(folder / "bin" / "harbor")
    return None


def has_compose() -> bool:
    """Say whether Docker has Compose v2, which Harbor calls."""
    return subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


def trials(harbor: str, tasks: Path, agent: str, jobs: Path) -> dict[str, Path]:
    """Let an agent of Harbor play exported tasks; return task → the folder of its trial."""
    environment = {
        "FARM_IMAGE": IMAGE,
        "FARM_AGENT_IMAGE": os.environ.get("FARM_BASE_IMAGE", "python:3.12-slim"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    command = [harbor, "run", "--path", str(tasks), "--agent", agent, "--jobs-dir", str(jobs / agent)]
    with (jobs / f"{agent}.log").open("w") as log:
        subprocess.run(
            [*command, "--n-concurrent", str(PARALLEL)],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=True,
        )
    return {_result(path)["task_name"]: path.parent for path in (jobs / agent).glob("*/*/result.json")}


def reward(trial: Path) -> float:
    """Return a trial's reward.

    Raises:
        Failed: it has none.
    """
    found = _result(trial / "result.json")
    expect(found["exception_info"] is None, f"{trial.name}: {found['exception_info']}")
    value: float = found["verifier_result"]["rewards"]["reward"]
    return value


def _result(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def agents_score_as_in_a_run(harbor: str, suite: Suite, tasks: Path, jobs: Path) -> None:
    """Compare the oracle and an agent that does nothing with plays in this process."""
    names = {f"mcp-farm/{suite.name}-{task.id}": task for task in suite.tasks}
    oracle = trials(harbor, tasks, "oracle", jobs)
    expect(oracle.keys() == names.keys(), f"{len(oracle)} of {len(names)} tasks were played")
    low = {name: got for name, path in oracle.items() if (got := reward(path)) != 1}
    expect(not low, f"the oracle does not earn full marks: {low}")
    say(f"the oracle earns 1.0 in {len(oracle)} of {len(names)} tasks")
    other = {}
    for name, path in trials(harbor, tasks, "nop", jobs).items():
        with Play(names[name]) as play:
            if (here := play.finish("")["acc"]) != (there := reward(path)):
                other[name] = (here, there)
    expect(not other, f"an agent that does nothing is graded differently: {other}")
    say("an agent that does nothing is graded as in farm run")


def a_spy_finds_nothing(harbor: str, tasks: Path, jobs: Path) -> None:
    """Let a task's solution look for the verdict, and compare what it found."""
    folder = jobs / "spy" / "task"
    shutil.copytree(sorted(tasks.iterdir())[0], folder / "spy")
    (folder / "spy" / "solution" / "solve.py").write_text(SPY, "utf-8")
    (folder / "spy" / "solution" / "solve.sh").write_text("#!/bin/bash\npython3 /solution/solve.py\n", "utf-8")
    (trial,) = trials(harbor, folder, "oracle", jobs / "spy").values()
    found = _result(trial / "artifacts" / "answer.md")
    expect(found == NOTHING_FOUND, f"the agent's container reaches more than its episode: {found}")
    say("from the agent's container only the episode's MCP is reached, and the verdict cannot be written")


def main(names: Sequence[str]) -> None:
    """Run the test over the named tasks of ``demo``, or all."""
    demo = load_suite("demo")
    suite = Suite("demo", demo.title, tuple(demo.task(each) for each in names)) if names else demo
    with tempfile.TemporaryDirectory() as folder:
        tasks, jobs = Path(folder, "tasks"), Path(folder, "jobs")
        (jobs / "spy").mkdir(parents=True)
        export_suite(suite, tasks)
        say(f"{len(suite.tasks)} tasks exported; their files parse")
        harbor = harbor_command(ROOT / "build" / "harbor") if has_engine() and has_compose() else None
        if harbor is None:
            say("NO Docker engine with Compose v2 and no Harbor (Python 3.12 or newer) here: the tasks were not run")
            return
        try:
            build({"farm": IMAGE})
            agents_score_as_in_a_run(harbor, suite, tasks, jobs)
            a_spy_finds_nothing(harbor, tasks, jobs)
        finally:
            remove_images()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failed as problem:
        sys.exit(f"harbor-test: {problem}")
