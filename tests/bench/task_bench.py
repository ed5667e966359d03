"""Rows about whole tasks: an episode created, used, scored and dropped."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner.farm_address import FarmAddress
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import run_suite
from farm.benchmark.tasks import Suite, load_suite
from farm.client import mcp_call
from farm.content import app_names
from farm.errors import FarmError
from tests.bench.environment import Stage
from tests.bench.farm_bench import slack_calls
from tests.bench.measure import Measurement, Sizes, cpu_ns, pss_mib, with_descendants
from tests.bench.measured_apps import APP, PAGE_TOOL, WORLD, WRITE_TOOL
from tests.bench.synthetic_apps import RunningFarm, start_farm

_SUITE = "demo"
_PER_S_MIN = 1000 / 60
_ORACLE_PER_S_MIN = 30
_MEMORY_MIB_MAX = 350.0


def task_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Five calls in an episode of its own, from one client; a suite's tasks by the oracle, scored by the runner.

    After all of them, the memory of every process of the farm.
    """
    with ExitStack() as stack:
        farm = start_farm(stage.data("tasks"), [APP] if sizes.is_quick else app_names(), WORLD)
        stack.callback(farm.end)
        five = _Rates(farm, _five_calls(farm, stage, 3 if sizes.is_quick else 60))
        oracle = _Rates(farm, _oracle(farm, APP if sizes.is_quick else ""))
        for _ in range(sizes.rounds + 1):
            five.measure()
            oracle.measure()
        memory_mib = pss_mib(*with_descendants(farm.process.pid))
    return [
        five.row("tasks_per_s", _PER_S_MIN),
        oracle.row("oracle_tasks_per_s", _ORACLE_PER_S_MIN),
        Measurement("memory_after_tasks", "MiB PSS", memory_mib, target=_MEMORY_MIB_MAX, bounds="value"),
    ]


class _Rates:
    """Tasks a second of one way to do them, and what the farm's processes spent on one."""

    def __init__(self, farm: RunningFarm, work: Callable[[], int]) -> None:
        self._pids = [farm.state.gateway_pid, *farm.app_pids]
        self._work = work
        self._rates: list[float] = []
        self._cpu_ms: list[float] = []

    def measure(self) -> None:
        before_ns, started = cpu_ns(*self._pids), time.perf_counter()
        tasks = self._work()
        self._rates.append(tasks / (time.perf_counter() - started))
        self._cpu_ms.append((cpu_ns(*self._pids) - before_ns) / tasks / 1e6)

    def row(self, name: str, at_least: float) -> Measurement:
        """Return the row, without the first round, which fills caches."""
        rates = self._rates[1:]
        notes = {"low": min(rates), "high": max(rates), "farm_cpu_ms": statistics.median(self._cpu_ms[1:])}
        middle = statistics.median(rates)
        return Measurement(name, "tasks/s", middle, target=at_least, better="higher", bounds="value", notes=notes)


def _five_calls(farm: RunningFarm, stage: Stage, tasks: int) -> Callable[[], int]:
    client = farm.client()
    channels: Sequence[str] = slack_calls(farm, stage.data("tasks"))[3]

    def work() -> int:
        for number in range(tasks):
            made = client.create(apps=[APP], world=WORLD)
            for each in channels[:4]:
                arguments = {"channel_id": each, "limit": 10}
                mcp_call(made["direct"][APP], PAGE_TOOL, arguments, made["token"])
            posted = {"channel_id": channels[number % len(channels)], "text": "Done."}
            mcp_call(made["direct"][APP], WRITE_TOOL, posted, made["token"])
            assert len(client.diff(made["id"])[APP]["messages"]) == 1
            client.drop(made["id"])
        return tasks

    return work


def _oracle(farm: RunningFarm, only_app: str) -> Callable[[], int]:
    suite = load_suite(_SUITE)
    tasks = tuple(task for task in suite.tasks if not only_app or task.apps == (only_app,))
    chosen = Suite(suite.name, suite.title, tasks)
    address = FarmAddress(farm.state.operators_url, farm.operator_token())

    def work() -> int:
        found = run_suite(chosen, Oracle(), address, Options(parallel=4))
        if found["acc"] != 1.0:
            raise FarmError(f"the oracle scored {found['acc']} on '{_SUITE}'; nothing was measured")
        return len(tasks)

    return work
