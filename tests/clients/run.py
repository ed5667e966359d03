"""``make clients-test``: real clients and frameworks do the same small job in a simulated Lark, judged by our score.

Each program has an environment of its own, with the packages of its lock file, an episode of its own and a script of
the mock model. What comes of it is judged by checkpoints and by the trace; docs/clients.md is written by a full run.
``python -m tests.clients.run codex langchain`` runs two of them, ``--lock`` writes their lock files anew, ``--trials``
plays those that are agents by name in trials of ``farm run`` instead.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from farm.client import FarmClient, mcp_tools
from farm.content import load_app
from tests.clients import job
from tests.clients.clients import CLIENTS, FARM, Given, run_driver, shown
from tests.clients.environments import Environments, NotHereError, Program, programs
from tests.clients.page import write_page
from tests.clients.schemas import Losses, compare
from tests.clients.trials import OPTIONS, find_problem, oracle_turns

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = ROOT / "build" / "clients"
_PYTHON = (3, 12)


@dataclass
class Outcome:
    """What came of one program."""

    name: str
    title: str
    version: str = ""
    score: float = 0.0
    tools: int | None = None
    calls: int = 0
    refused: int = 0
    damage: int = 0
    seconds: float = 0.0
    nulls: bool = False
    problem: str | None = None
    losses: Losses | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def is_green(self) -> bool:
        """Whether the job was done, and nothing besides."""
        return self.score == 1.0 and not self.damage and self.problem is None


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(f"clients-test: {text}\n")
    sys.stdout.flush()


@contextmanager
def started(*arguments: str) -> Iterator[dict[str, Any]]:
    """Run a command of the farm until the end, and yield the JSON that it prints."""
    process = subprocess.Popen([*FARM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        told: dict[str, Any] = json.loads(process.stdout.readline())
        yield told
    finally:
        process.stdin.close()
        process.wait(30)


class Model:
    """The mock model: ``farm model --ephemeral``."""

    def __init__(self, url: str) -> None:
        self._url = url

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request about scripts."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self._url}{path}", data, {"content-type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())


class Bench:
    """A farm and a model, on which the programs are tried."""

    def __init__(self, control: FarmClient, model: Model, environments: Environments, connect: tuple[str, ...]) -> None:
        self._control = control
        self._model = model
        self._environments = environments
        self._connect = connect

    def job(self, program: Program, folder: Path) -> Outcome:
        """Let a program do the job and judge it."""
        outcome = Outcome(program.name, program.title)
        began = time.monotonic()
        try:
            outcome.version = self._environments.version_of(program)
            self._play(program, folder, outcome)
        except (NotHereError, RuntimeError, OSError, ValueError, LookupError, subprocess.TimeoutExpired) as problem:
            outcome.problem = f"{type(problem).__name__}: {problem}"[:400]
        outcome.seconds = round(time.monotonic() - began, 1)
        return outcome

    def _play(self, program: Program, folder: Path, outcome: Outcome) -> None:
        episode = self._control.create(world=job.WORLD, apps=[job.APP], label=program.name)
        turns = _turns_of(program)
        script = self._model.ask("POST", "/scripts", {"turns": turns})
        url = f"{episode['mcp'][job.APP]}?menu=desktop:{job.TOOLS}"
        connect = (*self._connect, "--episode", episode["id"], "--apps", job.APP)
        path = self._environments.path_of(program)
        given = Given(
            folder, path, self._environments.node(), url, episode["token"], job.TEXT,
            turns, script["environment"], connect,
        )  # fmt: skip
        start = CLIENTS.get(program.name)
        done = run_driver(given, program.name) if start is None else start(given)
        (folder / "output.txt").write_text(f"{done.stdout}\n----\n{done.stderr}", "utf-8")
        told = self._model.ask("GET", f"/scripts/{script['id']}")
        (folder / "requests.json").write_text(json.dumps(told, indent=1), "utf-8")
        self._judge(program, episode["id"], done, told, outcome)
        self._control.drop(episode["id"])

    def _judge(self, program: Program, episode: str, done: Any, told: Any, outcome: Outcome) -> None:
        body = {"checkpoints": job.CHECKPOINTS, "allow": job.ALLOW}
        verdict = self._control.request("POST", f"/v1/episodes/{episode}/check", body)
        calls = self._control.calls(episode)
        outcome.score = sum(each["score"] for each in verdict["checkpoints"]) / len(verdict["checkpoints"])
        outcome.damage = len(verdict["damage"])
        outcome.calls, outcome.refused = len(calls), sum(bool(each["refused"]) for each in calls)
        outcome.nulls = any(_has_null(each["arguments"]) for each in calls)
        if program.has_agent:
            outcome.tools = max((_ours(each["tools"]) for each in told["requests"]), default=0)
            outcome.problem = told["unfinished"]
        elif done.returncode == 0:
            outcome.tools = json.loads(done.stdout.strip().splitlines()[-1])["tools"]
        if (outcome.score < 1 and outcome.problem is None) or (not program.has_agent and done.returncode):
            outcome.problem = shown(done)
        elif outcome.problem and outcome.score < 1 and done.returncode:
            outcome.problem = f"{outcome.problem}; {shown(done)}"

    def schemas(self, program: Program, folder: Path) -> Losses | None:
        """Return what a framework makes of every tool of every app."""
        if not program.has_agent or program.name in CLIENTS:
            return None
        episode = self._control.create(world=job.WORLD, label=f"{program.name}-all")
        whole = {app: mcp_tools(url, episode["token"]) for app, url in episode["mcp"].items()}
        path = self._environments.path_of(program)

        def sent(url: str) -> list[dict[str, Any]] | None:
            """Return the tools as the framework sends them, or None if it fails before."""
            script = self._model.ask("POST", "/scripts", {"turns": _turns_of(program)[-1:]})
            given = Given(
                folder, path, self._environments.node(), url, episode["token"], "Say hello.", [],
                script["environment"], (),
            )  # fmt: skip
            try:
                run_driver(given, program.name)
            except subprocess.TimeoutExpired:
                return None
            told = self._model.ask("GET", f"/scripts/{script['id']}")
            self._model.ask("DELETE", f"/scripts/{script['id']}")
            bodies = [each["body"] for each in told["requests"] if each["body"].get("tools")]
            return bodies[0]["tools"] if bodies else None

        try:
            return compare(
                whole, mcp_tools(episode["mcp_all"], episode["token"]), episode["mcp"], episode["mcp_all"], sent
            )
        finally:
            self._control.drop(episode["id"])


def play_trials(chosen: Sequence[Program], environments: Environments, folder: Path) -> int:
    """Play the programs that are agents by name in trials; return the number of those that failed."""
    failed = 0
    with started("model", "--ephemeral") as address:
        model = Model(address["url"])
        for program in chosen:
            script = model.ask("POST", "/scripts", {"turns": oracle_turns()})
            path = os.pathsep.join([str(environments.path_of(program)), str(environments.node()), os.environ["PATH"]])
            run = Path(tempfile.mkdtemp(prefix=f"{program.name}-", dir=folder)) / "run"
            problem = find_problem(program.name, path, script["environment"], run)
            failed += problem is not None
            say(f"{program.name} {program.version} in trials: {'green' if problem is None else f'RED: {problem}'}")
    return failed


def _turns_of(program: Program) -> list[Any]:
    if not program.has_agent:
        return job.single_turns()
    if program.name == "smolagents":
        # Its agents end by a tool of their own.
        calls = [_with_every_argument(each) for each in job.single_turns()[:-1]]
        return [*calls, {"tool": "final_answer", "arguments": {"answer": job.ANSWER}}]
    return job.TURNS


def _with_every_argument(turn: dict[str, Any]) -> dict[str, Any]:
    """Return a call with every argument of its tool: smolagents takes none for optional."""
    (tool,) = (each for each in load_app(job.APP).tool_schemas if each["name"] == turn["tool"])
    empty = {"object": {}, "boolean": False, "string": "", "array": []}
    known = tool["inputSchema"].get("properties", {})
    return {**turn, "arguments": {**{name: empty[each["type"]] for name, each in known.items()}, **turn["arguments"]}}


def _ours(tools: list[str]) -> int:
    """Return the number of Lark's tools among those that a request offers."""
    return sum(any(part in name for part in ("_v1_", "_v2_", "_v4_", "_v3_", "_builtin_")) for name in tools)


def _has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return any(map(_has_null, value)) if isinstance(value, list) else value is None


def main() -> int:
    """Try all programs, or those that are named; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients.run", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--lock", action="store_true", help="resolve the packages anew and write the lock files")
    parser.add_argument("--schemas", action="store_true", help="also see what is made of every tool (minutes)")
    parser.add_argument("--trials", action="store_true", help="play the agents by name in trials of farm run instead")
    parser.add_argument("--write", action="store_true", help="write docs/clients.md")
    parser.add_argument("--environments", type=Path, default=ENVIRONMENTS, help="the folder of the environments")
    parser.add_argument("--out", type=Path, default=ENVIRONMENTS / "out", help="the folder of the programs' outputs")
    options = parser.parse_args()
    known, node = programs()
    chosen = [each for each in known if each.name in options.names or not options.names]
    if unknown := sorted(set(options.names) - {each.name for each in known}):
        say(f"no program {', '.join(unknown)}; have {', '.join(each.name for each in known)}")
        return 2
    if sys.version_info < _PYTHON and any(each.kind == "python" for each in chosen):
        say("the lock files are those of Python 3.12; set up with 'rm -rf .venv && make PYTHON=python3.12 setup'")
        return 2
    environments = Environments(options.environments.absolute(), node)
    if options.lock:
        for program in chosen:
            try:
                environments.lock(program)
                say(f"{program.name}: locked")
            except NotHereError as problem:
                say(f"{program.name}: NOT HERE: {problem}")
        return 0
    if options.trials:
        (out := options.out.absolute()).mkdir(parents=True, exist_ok=True)
        return 1 if play_trials([each for each in chosen if each.name in OPTIONS], environments, out) else 0
    outcomes = []
    with (
        tempfile.TemporaryDirectory(prefix="farm-clients-") as temporary,
        started("up", "--ephemeral", *(() if options.schemas else ("--apps", job.APP))) as farm,
        started("model", "--ephemeral") as model,
    ):
        token = Path(temporary) / "token"
        token.write_text(farm["token"], "ascii")
        connect = ("--farm", farm["url"], "--token-file", str(token))
        control = FarmClient(farm["url"], farm["token"])
        bench = Bench(control, Model(model["url"]), environments, connect)
        for program in chosen:
            folder = options.out.absolute() / program.name
            folder.mkdir(parents=True, exist_ok=True)
            outcome = bench.job(program, folder)
            if options.schemas and outcome.problem is None:
                outcome.losses = bench.schemas(program, folder)
            outcomes.append(outcome)
            (folder / "outcome.json").write_text(json.dumps(asdict(outcome), indent=1), "utf-8")
            colour = "green" if outcome.is_green else "RED"
            more = f"; {outcome.problem}" if outcome.problem else ""
            say(
                f"{program.name} {outcome.version}: {colour}, score {outcome.score:g}, {outcome.tools} tools, "
                f"{outcome.calls} calls, {outcome.refused} refused, {outcome.damage} damage, {outcome.seconds} s{more}"
            )
            if outcome.losses:
                say(f"{program.name}: {outcome.losses.sentence()}")
        control.close()
    if options.write:
        write_page(ROOT / "docs" / "clients.md", options.out.absolute(), known)
    green = sum(each.is_green for each in outcomes)
    explained = {each.name for each in chosen if each.not_done}
    wrong = [each.name for each in outcomes if each.is_green == (each.name in explained)]
    red = len(outcomes) - green
    say(f"{green} of {len(outcomes)} green; {red} red, {len(explained)} of them explained in programs.toml")
    for name in wrong:
        say(f"{name}: {'can do the job now; remove not_done' if name in explained else 'RED and not explained'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
