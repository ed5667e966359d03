"""Breaks the code on purpose, one small change at a time, and counts how many of the changes some test notices.

``make mutate`` draws a seeded sample of all mutants of each area, runs the area's tests on every one until the first
fails, and prints the share that was noticed and what was not. A mutant that no test reaches counts as survived. Those
that cannot be noticed are listed in ``equivalent.toml``, each with its reason, and do not count. Everything happens in
a copy below ``build/mutate/``.

An area is a name of ``AREAS``, or ``kernel-APP``: the kernel of an app, its own tests and its contract tests.

Results can be repeated: the same code, seed and version of mutmut give the same mutants.
"""

from __future__ import annotations

import argparse
import configparser
import contextlib
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLE, SEED = 320, 7
_COPIED = ("farm", "gateway", "kernels", "contexts", "papers", "tasks", "docs", "tests", "pyproject.toml")
# mutmut's exit codes of a mutant's tests: none of them failed, and there were none.
_SURVIVED, _NOT_REACHED = 0, 33
# And what says that they took too long. A machine that is too busy makes more of them.
_TIMED_OUT = frozenset({-24, 24, 36, 152, 255})


@dataclass(frozen=True)
class Area:
    """Code that is mutated together, and the tests that are to notice: paths, which may have a ``*``.

    Attributes:
        app: the app whose kernel it is, if it is one; the copy has it in ``farm/_content``, as a wheel does.
    """

    files: tuple[str, ...]
    tests: tuple[str, ...]
    app: str | None = None


AREAS = {
    "context": Area(
        ("farm/context/*.py", "farm/appkit/schema*.py"),
        (
            "tests/unit/context/test_*.py",
            "tests/unit/appkit/test_handler_api.py",
            "tests/unit/appkit/test_schema.py",
            "tests/unit/appkit/test_schema_cache.py",
            "tests/unit/server/test_pipeline.py",
            "tests/unit/world/test_placeholders.py",
        ),
    ),
    "pipeline": Area(
        ("farm/server/pipeline.py",), ("tests/unit/server/test_pipeline.py", "tests/unit/context/test_context.py")
    ),
    "runner": Area(
        ("farm/benchmark/runner/*.py",),
        ("tests/unit/benchmark/runner/test_*.py", "tests/unit/testing/test_local_world.py"),
    ),
    "scoring": Area(
        ("farm/context/operators.py", "farm/benchmark/scoring/*.py"),
        (
            "tests/unit/benchmark/scoring/test_damage.py",
            "tests/unit/benchmark/scoring/test_expectations.py",
            "tests/unit/benchmark/scoring/test_grade.py",
            "tests/unit/benchmark/scoring/test_initial_state.py",
            "tests/unit/benchmark/scoring/test_metrics.py",
            "tests/unit/benchmark/scoring/test_operators.py",
            "tests/unit/benchmark/scoring/test_people.py",
            "tests/unit/benchmark/scoring/test_predicates.py",
            "tests/unit/benchmark/scoring/test_reading_budget.py",
            "tests/unit/benchmark/scoring/test_sheets.py",
            "tests/unit/benchmark/scoring/test_texts.py",
            "tests/unit/benchmark/scoring/test_try_text.py",
            "tests/unit/benchmark/scoring/test_visible_texts.py",
            "tests/unit/benchmark/runner/test_judge.py",
        ),
    ),
    "gateway": Area(
        ("gateway/*.py",),
        (
            "tests/protocol/test_gateway*.py",
            "tests/unit/gateway/test_*.py",
            "tests/unit/context/test_episode_request.py",
            "tests/unit/runtime/test_gc.py",
        ),
    ),
    "claims": Area(
        ("farm/benchmark/scoring/claims/*.py", "farm/benchmark/scoring/claims/lexicon/*.py"),
        ("tests/unit/benchmark/scoring/claims/test_*.py",),
    ),
}

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
_KERNEL = "kernel-"
# The contract tests that call tools. Each is run for the app whose kernel is mutated.
_CONTRACT = tuple(f"tests/contract/test_{name}.py" for name in ("hostile_texts", "provenance"))
_CONTENT = ("gateway", "kernels", "contexts", "papers", "tasks")


def area_of(name: str) -> Area:
    """Return the area of a name."""
    if not name.startswith(_KERNEL):
        return AREAS[name]
    app = name.removeprefix(_KERNEL)
    tests = (f"tests/apps/{app}", *_CONTRACT)
    return Area((f"farm/_content/kernels/{app}/*.py",), tests, app)


def area_names() -> list[str]:
    """Return the names of all areas."""
    tested = sorted(path.parent.name for path in (ROOT / "tests" / "apps").glob("*/facts.py"))
    return [*AREAS, *(f"{_KERNEL}{app}" for app in tested)]


# The tests run in a process forked after they were collected and before any ran: what the farm remembers in memory
# (loaded apps, planned statements) is then made by the mutant and not before it. Tests that start processes are left
# out: they would take most of the time, as a mutant that survives meets all tests of its function.
_CONFIG = """[mutmut]
source_paths=
    {sources}
only_mutate=
    {files}
also_copy=
    {beside}
pytest_add_cli_args_test_selection=
    {tests}
pytest_add_cli_args=
    -p
    no:cacheprovider
    -p
    tests.mutation.deep_stack
    -m
    not e2e
process_isolation=forkserver
timeout_multiplier=4
use_setproctitle=false
"""


@dataclass(frozen=True)
class Result:
    """What became of an area's sample.

    Attributes:
        mutants: how many there are in all.
        sampled: how many were tried.
        survivors: name → its exit code, of those that no test noticed.
        changes: survivor → what it changes.
        timed_out: how many count as noticed because the tests took too long.
        took_s: how long it took.
    """

    mutants: int
    sampled: int
    survivors: dict[str, int]
    changes: dict[str, str]
    timed_out: int
    took_s: float

    @property
    def share(self) -> float:
        """Killed of those tried."""
        return 1 - len(self.survivors) / self.sampled


def prepare(folder: Path, area: Area) -> None:
    """Copy the checkout into an empty folder and configure mutmut there."""
    shutil.rmtree(folder, ignore_errors=True)
    # Made before Python starts: a path that is missing then is never looked at again.
    (folder / "mutants").mkdir(parents=True)
    # Recorded calls lie beside a checkout; tests that find none skip. The checkout is ``mutants`` here.
    recorded = ROOT.parent / "shared"
    if recorded.is_dir():
        (folder / recorded.name).symlink_to(recorded.resolve(), target_is_directory=True)
    for name in _COPIED:
        source = ROOT / name
        # An app's kernel is mutated where a wheel has it, as that is the name it is imported by.
        target = folder / "farm" / "_content" / name if area.app is not None and name in _CONTENT else folder / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target)
    files = [str(path.relative_to(folder)) for pattern in area.files for path in sorted(folder.glob(pattern))]
    tests = [str(path.relative_to(folder)) for pattern in area.tests for path in sorted(folder.glob(pattern))]
    if area.app is not None:
        own, *contract = tests
        tests = [own, *_tests_of_app(folder, contract, area.app)]
    sources = ["farm"] if area.app is not None else ["farm", "gateway"]
    beside = ["docs"] if area.app is not None else ["docs", "kernels", "contexts", "papers", "tasks"]
    lists = {"sources": sources, "files": files, "beside": beside, "tests": tests}
    config = _CONFIG.format(**{name: "\n    ".join(lines) for name, lines in lists.items()})
    (folder / "setup.cfg").write_text(config, "utf-8")


def _tests_of_app(folder: Path, tests: Sequence[str], app: str) -> list[str]:
    """Return those of some tests that have the app as a parameter, as pytest names them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    listed = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if re.search(rf"\[(?:.+-)?{app}(?:-.+)?\]$", line)]


def mutants_of(folder: Path, area: Area) -> dict[str, str]:
    """Return the name of every mutant of an area, as mutmut will make them in a prepared folder, and its file."""
    try:
        mutate = importlib.import_module("mutmut.mutation.file_mutation").mutate_file_contents
    except ModuleNotFoundError:
        sys.exit("mutmut is not installed; `make mutate` installs it, or: pip install -e '.[dev,mutate]'")
    files = dict[str, str]()
    with contextlib.chdir(folder):  # where mutmut looks for its configuration
        for path in sorted(path for pattern in area.files for path in Path().glob(pattern)):
            module = ".".join(path.with_suffix("").parts)
            names = mutate(str(path), path.read_text("utf-8")).mutant_names
            files |= {f"{module}.{name}": str(path) for name in names}
    return files


def mutate_only(folder: Path, files: Iterable[str]) -> None:
    """Let mutmut mutate only these files: to mutate a large area takes longer than to try a small sample."""
    config = configparser.ConfigParser()
    config.read(folder / "setup.cfg", "utf-8")
    config["mutmut"]["only_mutate"] = "\n".join(["", *sorted(files)])
    with (folder / "setup.cfg").open("w", encoding="utf-8") as file:
        config.write(file)


def run(folder: Path, names: Iterable[str]) -> dict[str, int]:
    """Try these mutants and return name → exit code."""
    # Programs that tests start are mutated, too.
    environment = {**os.environ, "PYTHONPATH": str(folder / "mutants"), "PYTHONDONTWRITEBYTECODE": "1"}
    mutmut = Path(sys.executable).with_name("mutmut")
    with (folder / "mutmut.log").open("wb") as log:
        command: list[str | Path] = [mutmut, "run", "--max-children", "1", *names]
        done = subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"mutmut failed; see {folder / 'mutmut.log'}")
    codes: dict[str, int] = {}
    for path in (folder / "mutants").rglob("*.meta"):
        codes.update(json.loads(path.read_bytes())["exit_code_by_key"])
    return {name: codes[name] for name in names}


def measure(name: str, folder: Path, sample: int, seed: int) -> Result:
    """Try a sample of an area's mutants."""
    started, area = time.monotonic(), area_of(name)
    prepare(folder, area)
    files = mutants_of(folder, area)
    chosen = sorted(random.Random(seed).sample([*files], min(sample, len(files))))
    mutate_only(folder, {files[name] for name in chosen})
    codes = run(folder, chosen)
    survivors = {each: code for each, code in codes.items() if code in (_SURVIVED, _NOT_REACHED)}
    changes = {each: change_of(folder, each) for each in survivors}
    excused = equivalents()
    for each, change in changes.items():
        if (function_of(each), change) in excused:
            del survivors[each], codes[each]
    timed_out = sum(code in _TIMED_OUT for code in codes.values())
    return Result(len(files), len(codes), survivors, changes, timed_out, time.monotonic() - started)


def function_of(mutant: str) -> str:
    """Return a mutant's name without its number."""
    return mutant.rpartition("__mutmut_")[0]


def equivalents() -> dict[tuple[str, str], str]:
    """Return (function, change) → the reason why no test can notice this change."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("mutants", [])
    return {(each["function"], each["change"].strip("\n")): each["reason"] for each in listed}


def change_of(folder: Path, mutant: str) -> str:
    """Return what a mutant changes, as lines that went and lines that came."""
    shown = subprocess.run(
        [Path(sys.executable).with_name("mutmut"), "show", mutant],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = shown.stdout.splitlines()
    return "\n".join(line for line in lines if line[:1] in ("-", "+") and line[:3] not in ("---", "+++"))


def main(arguments: Sequence[str]) -> None:
    """Measure the areas named, all when none is, and print them."""
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument("areas", nargs="*", help=f"of {', '.join(area_names())}")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants of each area")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    if unknown := set(options.areas) - set(area_names()):
        parser.error(f"no area {', '.join(sorted(unknown))}; have {', '.join(area_names())}")
    say = sys.stdout.write
    table = ["area                mutants  tried  killed  timed out  survived  not reached   share  minutes"]
    for name in options.areas or AREAS:
        folder = ROOT / "build" / "mutate" / name
        result = measure(name, folder, options.sample, options.seed)
        missed = sum(code == _NOT_REACHED for code in result.survivors.values())
        for mutant, code in result.survivors.items():
            say(f"# {mutant}{' (not reached)' if code == _NOT_REACHED else ''}\n{result.changes[mutant]}\n")
            sys.stdout.flush()
        table.append(
            f"{name:19} {result.mutants:7} {result.sampled:6} {result.sampled - len(result.survivors):7} "
            f"{result.timed_out:10} {len(result.survivors) - missed:9} {missed:12} "
            f"{result.share:7.1%} {result.took_s / 60:8.1f}"
        )
    say("\n".join(["", *table, ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
