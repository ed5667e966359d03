"""Rows about the pytest plugin: what a world, a whole test and the plugin itself cost, in test runs of their own."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import orjson

from farm.errors import FarmError
from tests.bench.environment import Stage
from tests.bench.measure import Measurement, Sizes, take_turns
from tests.bench.measured_apps import TEST_APPS, TEST_CALL, TEST_TABLE, TEST_WORLD

_PLUGIN = "pytest_mcp_farm"
_TESTS_A_ROUND = 20
_WORLD_MS, _WHOLE_MS, _UNUSED_MS = 10.0, 30.0, 20.0

# Who measures is in the run, too: a test's duration is that of its setup, call and teardown.
_CONFTEST = """
import json
from pathlib import Path

took = []


def pytest_runtest_logreport(report):
    took.append((report.location[2], report.duration, dict(report.user_properties)))


def pytest_sessionfinish():
    Path(__file__).with_name("took.json").write_text(json.dumps(took))
"""
# Of each kind in turn, so that what the machine does meanwhile meets all of them.
_TESTS = """
import time


def test_empty_{number}():
    pass


def test_whole_{number}(mcp_farm, record_property):
    began = time.perf_counter()
    world = mcp_farm.world({world!r}, apps={apps!r})
    record_property("world", time.perf_counter() - began)
    world.call({app!r}, {tool!r}, **{arguments!r})
    world.assert_changed({table!r}, change="create")
    world.assert_only({table!r})
"""


def plugin_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """A world, a test that makes one, calls and asserts beside an empty one, and the plugin where nobody uses it."""
    folder = stage.data("plugin")
    used, unused = folder / "used", folder / "unused"
    for each in (used, unused):
        each.mkdir()
    app, tool, arguments = TEST_CALL
    given = {"world": TEST_WORLD, "apps": TEST_APPS, "app": app, "tool": tool, "arguments": arguments}
    count = _TESTS_A_ROUND * sizes.rounds
    tests = [_TESTS.format(number=number, table=TEST_TABLE, **given) for number in range(count)]
    (used / "test_used.py").write_text("".join(tests), "utf-8")
    (used / "conftest.py").write_text(_CONFTEST, "utf-8")
    (unused / "test_unused.py").write_text("def test_it():\n    pass\n", "utf-8")

    _run(used, "-p", f"{_PLUGIN}.plugin")
    empty, whole, world = _durations_ms(used / "took.json")
    found = take_turns(
        3 * sizes.rounds,
        {"with": lambda: _run(unused, "-p", f"{_PLUGIN}.plugin"), "without": lambda: _run(unused)},
    )
    more = [ours - theirs for ours, theirs in zip(found["with"], found["without"], strict=True)]
    notes = {"tests": count, "first_ms": world[0], "longest_ms": max(world[1:], default=world[0])}
    beside = statistics.median(empty)
    without = statistics.median(found["without"])
    return [
        Measurement("plugin_world", "ms", statistics.median(world), target=_WORLD_MS, bounds="value", notes=notes),
        Measurement(
            "plugin_test",
            "ms",
            statistics.median(whole),
            beside,
            "an empty test of the same run",
            target=_WHOLE_MS,
            bounds="value",
        ),
        Measurement(
            "plugin_unused",
            "ms CPU more",
            statistics.median(more),
            without,
            "the same run without the plugin",
            target=_UNUSED_MS,
            bounds="value",
        ),
    ]


def _run(folder: Path, *options: str) -> float:
    """Run a folder's tests with no plugin but those named, and return the milliseconds of CPU it took."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *options]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    process = subprocess.Popen([*command, str(folder)], env=environment, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise FarmError(f"the bench's own tests failed: {' '.join(command)} {folder}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def _durations_ms(path: Path) -> tuple[list[float], list[float], list[float]]:
    """Return how long empty tests, whole tests and their worlds took."""
    tests: dict[str, float] = defaultdict(float)
    worlds: dict[str, float] = {}
    for name, seconds, properties in orjson.loads(path.read_bytes()):
        tests[name] += seconds * 1000
        if "world" in properties:
            worlds[name] = properties["world"] * 1000
    kinds = [[took for name, took in tests.items() if name.startswith(kind)] for kind in ("test_empty", "test_whole")]
    return kinds[0], kinds[1], list(worlds.values())
