"""Read with tools that mark what they return as read: such a read is no write, and a right way may make it."""

from __future__ import annotations

from collections.abc import Iterator

from farm import content
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.script import AttackScript
from farm.benchmark.scoring.initial_state import chosen_columns, is_internal
from farm.benchmark.tasks import OracleCall

_marks: dict[tuple[str, str, str], bool] = {}  # world, app, tool → whether a call of it only marks what it reads


def marking_reads(context: AttackContext) -> Iterator[AttackScript]:
    """Yield the oracle after a call of each tool that needs no arguments and only marks what it returns."""
    task = context.task
    if any("reads" in point.fails_on for point in task.checkpoints):
        return
    calls = tuple(call for app in task.apps for call in _candidates(app) if _only_marks(context, call))
    if calls:
        why = "reads what is marked as read by it"
        yield AttackScript("extra-reads", why, True, (calls, *task.oracle), task.oracle_answer)


def _candidates(app: str) -> Iterator[OracleCall]:
    """Yield a call of each tool without required arguments that writes only tables which hold marks."""
    loaded = content.load_app(app)
    for wire in loaded.tool_schemas:
        tables = loaded.tables_of(loaded.bound[wire["name"]].tool)
        needs = wire["inputSchema"].get("required")
        if tables and not needs and loaded.schema.server_managed.keys() >= {*tables}:
            yield OracleCall(app, wire["name"], {})


def _only_marks(context: AttackContext, call: OracleCall) -> bool:
    """Whether a call changes only columns that the app itself manages."""
    name = (context.task.world, call.app, call.tool)
    if name not in _marks:
        evidence = context.look(((call,),))
        changes = [
            (app, table, change)
            for app, tables in evidence.diff.items()
            for table, rows in tables.items()
            for change in rows
            if not is_internal(app, table)
        ]
        _marks[name] = not any(made["refused"] for made in evidence.calls) and all(
            change["op"] == "update" and not chosen_columns(app, table, change) for app, table, change in changes
        )
    return _marks[name]
