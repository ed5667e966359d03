"""Tells the calls and changes of a finished trial in words, by the rows at the start of its world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm import content
from farm.appkit.handler_api import Row
from farm.appkit.view_model import table_models
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import Task
from farm.connect.call_summary import differing, edited_columns, placed, sentence
from farm.connect.display_names import DisplayNames, readable
from farm.context.trace import Call
from farm.errors import NotFoundError
from farm.traverse.recordings.calls import text_of

# What is longer is cut; the run's folder has all of it.
ANSWER_CHARS_MAX = 3000
_TEXT_CHARS_MAX = 1500
_CHANGES_MAX = 40  # of one call

_UNSEEN = ("hidden", "read_mark")

Change = Mapping[str, Any]


class EpisodeStory:
    """Names the rows of one trial's apps; what calls add is learned."""

    def __init__(self, task: Task) -> None:
        """Use the start of a task's world, and the accounts of the person for whom the agent works."""
        self._start, self._me = start_of_task(task), task.me
        self._world = task.world
        self._names: dict[str, DisplayNames] = {}
        self._views: dict[str, dict[str, Any]] = {}

    def calls(self, trial: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the calls of a trial in order, each with a sentence and the changes of rows that remained."""
        changed = _by_call(trial["diff"])
        return [self._call(call, changed.get((call["app"], call["call"]), {})) for call in trial["calls"]]

    def damage(self, trial: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return each row that nobody asked for: why, and the change as ``calls`` has it; None if the diff has none."""
        return [{"why": each["why"], "change": self._damaged(trial, each)} for each in trial["damage"]]

    def _damaged(self, trial: Mapping[str, Any], damage: Mapping[str, Any]) -> dict[str, Any] | None:
        rows = trial["diff"].get(damage["app"], {}).get(damage["table"], ())
        found = next((each for each in rows if each["key"] == damage["key"]), None)
        if found is None or self._of_app(damage["app"]) is None:
            return None
        return self._change(damage["app"], damage["table"], found)

    def _call(self, call: Call, changes: Mapping[str, Sequence[Change]]) -> dict[str, Any]:
        names = self._of_app(call["app"])
        found = {
            "n": call["n"],
            "app": call["app"],
            "tool": call["tool"],
            "arguments": call["arguments"],
            "answer": text_of(call["result"])[:ANSWER_CHARS_MAX] if call.get("result") else "",
            "refused": call["refused"],
            "by": call.get("by"),
            "wrote": bool(changes),
        }
        if names is None:
            return found | {"sentence": "", "changes": []}
        entry = {**call, "changes": changes, "result": call.get("result") or {}}
        shown = [(table, each) for table, rows in changes.items() if table not in names.internal for each in rows]
        said = sentence(entry, names, with_counts=False)  # it also learns the new rows' names
        return found | {
            "sentence": said,
            "changes": [self._change(call["app"], *each) for each in shown[:_CHANGES_MAX]],
        }

    def _change(self, app: str, table: str, change: Change) -> dict[str, Any]:
        """Return one changed row as a page shows it: what it is, where, and its text or what was edited."""
        names, row = self._names[app], change["new"] or change["old"]
        view = self._views[app][table]
        is_gone = bool(change["new"]) and names.is_gone(table, change["new"])
        edits = edited_columns(change) if change["op"] == "update" else []
        body = readable(row[view["body"]]) if view.get("body") and row.get(view["body"]) else ""
        return {
            "app": app,
            "op": "delete" if is_gone and not _was_gone(names, table, change) else change["op"],
            "one": view["one"],
            "name": _name(names, table, row, body),
            "place": placed(table, row, names).strip(),
            "when": names.starts(table, row),
            "text": body[:_TEXT_CHARS_MAX],
            "edits": [self._edit(app, table, change, column) for column in edits],
        }

    def _edit(self, app: str, table: str, change: Change, column: str) -> list[str]:
        """Return a column's words with what it was and is; of long texts only what differs."""
        names, old, new = self._names[app], change["old"].get(column), change["new"][column]
        before, after = differing(old, new) or (
            names.value(table, column, old) if old not in (None, "") else "",
            names.value(table, column, new) if new not in (None, "") else "",
        )
        return [column.replace("_", " "), before[:_TEXT_CHARS_MAX], after[:_TEXT_CHARS_MAX]]

    def _of_app(self, app: str) -> DisplayNames | None:
        """Return the names of an app's rows; None for an app that is not installed."""
        if app not in self._names:
            try:
                self._views[app] = table_models(content.load_app(app).schema)
            except NotFoundError:
                return None
            me = self._start.world.protagonist if self._me is None else self._me
            account = self._start.accounts(app).get(me)
            self._names[app] = DisplayNames(app, self._world, _reader(self._start, app), account)
        return self._names[app]


def _reader(start: Start, app: str) -> Any:
    def read(table: str, after: int) -> Mapping[str, Sequence[Row]]:
        return {"rows": start.rows(app, table)[after:]}

    return read


def _name(names: DisplayNames, table: str, row: Row, body: str) -> str:
    """Return what a row is called; nothing if that is the beginning of its text, which is shown whole."""
    known = (names.told(table, row), names.person_of(table, row), names.other_person(table, row))
    name = next((each for each in known if each), None) or names.other_of(table, row) or ""
    return "" if body.startswith(name.removesuffix("…")) else name


def _was_gone(names: DisplayNames, table: str, change: Change) -> bool:
    return bool(change["old"]) and names.is_gone(table, change["old"])


def _by_call(diff: Mapping[str, Mapping[str, Sequence[Change]]]) -> dict[tuple[str, int], dict[str, list[Change]]]:
    """Return (app, number of the call) → table → the changes that this call was the last to make."""
    found: dict[tuple[str, int], dict[str, list[Change]]] = {}
    for app, tables in diff.items():
        for table, rows in tables.items():
            for each in rows:
                found.setdefault((app, each.get("call") or 0), {}).setdefault(table, []).append(each)
    return found
