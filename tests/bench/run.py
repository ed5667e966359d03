"""Which rows there are, and running some of them."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from farm.errors import FarmError, NotFoundError
from tests.bench.environment import Stage
from tests.bench.measure import Measurement, Sizes, require_linux
from tests.bench.measured_apps import LISTED

Measure = Callable[[Stage, Sizes], list[Measurement]]


@dataclass(frozen=True)
class Group:
    """Rows that are measured together because they share servers, rounds or files.

    Attributes:
        module: where the function is.
        function: what measures them.
        rows: their names.
        arguments: the function's first arguments.
        distribution: what has to be installed beside the farm, by its name.
        package: what it is imported as.
    """

    module: str
    function: str
    rows: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    distribution: str = ""
    package: str = ""

    @property
    def measure(self) -> Measure:
        """The function behind it; imported late, because some groups bring much along."""
        found = getattr(importlib.import_module(f"tests.bench.{self.module}"), self.function)
        return partial(found, *self.arguments)

    @property
    def is_available(self) -> bool:
        """Whether what it needs is installed."""
        return not self.package or importlib.util.find_spec(self.package) is not None


GROUPS = (
    Group("call_bench", "cpu_rows", ("cpu_read", "cpu_page", "cpu_write", "cpu_refused", "starlette")),
    Group("call_bench", "fastmcp_rows", ("calls_per_s", "p50_one_client")),
    Group("call_bench", "protocol_rows", ("initialize", "tools_list")),
    Group(
        "file_bench",
        "file_rows",
        ("create", "reset", "restore", "snapshot", "fork", "snapshot_used", "fork_used"),
    ),
    Group("farm_bench", "relay_rows", ("relay", "relay_p50", "relay_cpu")),
    Group("turn_bench", "turn_rows", ("neighbour_flood", "neighbour_heavy")),
    Group("abuse_bench", "attack_rows", ("attack_peak", "attack_after")),
    Group("check_bench", "check_rows", ("check_task", "check_beside", "hostile_beside", "hostile_longest")),
    Group("worker_bench", "worker_rows", ("workers_2",)),
    Group("task_bench", "task_rows", ("tasks_per_s", "oracle_tasks_per_s", "memory_after_tasks")),
    Group("play_bench", "play_rows", ("play_per_s", "play_two_processes")),
    Group("farm_bench", "kill_rows", ("kill_lost", "kill_back")),
    Group(
        "farm_bench",
        "up_rows",
        ("up_21_apps", "up_real_apps", "memory_21_apps", "growth_apps_up", "growth_apps_memory"),
    ),
    Group("episode_bench", "crowd_rows", ("episodes_on_disk", "episodes_memory", "growth_episodes")),
    Group("growth_bench", "message_rows", ("growth_messages_read", "growth_messages_page", "growth_messages_write")),
    Group("growth_bench", "search_rows", ("search", "growth_search")),
    *(Group("growth_bench", "list_rows", (f"growth_list_{app}",), (app,)) for app in LISTED),
    Group("growth_bench", "client_rows", ("growth_clients",)),
    Group(
        "plugin_bench",
        "plugin_rows",
        ("plugin_world", "plugin_test", "plugin_unused"),
        distribution="pytest-mcp-farm",
        package="pytest_mcp_farm",
    ),
)


def row_names() -> list[str]:
    """Return every row's name, in the order of the table."""
    return [name for group in GROUPS for name in group.rows]


def left_out() -> list[Group]:
    """Return what a run of all rows leaves out, because what it needs is not installed."""
    return [group for group in GROUPS if not group.is_available]


def run(names: Sequence[str], sizes: Sizes) -> Iterator[Measurement]:
    """Measure and yield rows as they come; when none is named, all that can be measured with what is installed.

    Raises:
        NotFound: a name is no row's.
        FarmError: this is not Linux, a named row needs what is not installed, or a server of the bench did not work.
    """
    require_linux()
    for name in names:
        if name not in row_names():
            raise NotFoundError(f"no row '{name}'; have {', '.join(row_names())}")
    groups = [group for group in GROUPS if not names or set(names) & set(group.rows)]
    if names:
        # Before the first row is measured, which may take minutes.
        for group in groups:
            if not group.is_available:
                rows, missing = ", ".join(group.rows), group.distribution
                raise FarmError(f"{rows} need {missing} beside the farm; install it, or name other --rows")
    for group in groups:
        if not group.is_available:
            continue
        with Stage() as stage:
            yield from (row for row in group.measure(stage, sizes) if not names or row.name in names)
