"""Which rows there are, and running some of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from farm.bench.environment import Stage
from farm.bench.measure import Measurement, Sizes, require_linux
from farm.errors import NotFound

Measure = Callable[[Stage, Sizes], list[Measurement]]


@dataclass(frozen=True)
class Group:
    """Rows that are measured together because they share servers, rounds or files."""

    module: str
    function: str
    rows: tuple[str, ...]

    @property
    def measure(self) -> Measure:
        """The function behind it; imported late, because some groups bring much along."""
        found: Measure = getattr(importlib.import_module(f"farm.bench.{self.module}"), self.function)
        return found


GROUPS = (
    Group("calls", "cpu_rows", ("cpu_read", "cpu_page", "cpu_write", "cpu_refused", "starlette")),
    Group("calls", "fastmcp_rows", ("calls_per_s", "p50_one_client")),
    Group("calls", "protocol_rows", ("initialize", "tools_list")),
    Group(
        "files",
        "file_rows",
        ("create", "reset", "restore", "snapshot", "fork", "snapshot_used", "fork_used"),
    ),
    Group("farms", "relay_rows", ("relay", "relay_p50", "relay_cpu")),
    Group("turns", "turn_rows", ("neighbour_flood", "neighbour_heavy")),
    Group("attacks", "attack_rows", ("attack_peak", "attack_after")),
    Group("workers", "worker_rows", ("workers_2",)),
    Group("tasks", "task_rows", ("tasks_per_s", "oracle_tasks_per_s")),
    Group("farms", "kill_rows", ("kill_lost", "kill_back")),
    Group(
        "farms",
        "up_rows",
        ("up_21_apps", "up_real_apps", "memory_21_apps", "growth_apps_up", "growth_apps_memory"),
    ),
    Group("episode_scale", "crowd_rows", ("episodes_on_disk", "episodes_memory", "growth_episodes")),
    Group("scaling", "message_rows", ("growth_messages_read", "growth_messages_page", "growth_messages_write")),
    Group("scaling", "search_rows", ("search", "growth_search")),
    Group("scaling", "client_rows", ("growth_clients",)),
    Group("plugin", "plugin_rows", ("plugin_world", "plugin_test", "plugin_unused")),
)


def row_names() -> list[str]:
    """Return every row's name, in the order of the table."""
    return [name for group in GROUPS for name in group.rows]


def run(names: Sequence[str], sizes: Sizes) -> Iterator[Measurement]:
    """Measure and yield rows as they come; all of them when none is named.

    Raises:
        NotFound: a name is no row's.
        FarmError: this is not Linux, or a server of the bench did not work.
    """
    require_linux()
    for name in names:
        if name not in row_names():
            raise NotFound(f"no row '{name}'; have {', '.join(row_names())}")
    for group in GROUPS:
        if names and not set(names) & set(group.rows):
            continue
        with Stage() as stage:
            yield from (row for row in group.measure(stage, sizes) if not names or row.name in names)
