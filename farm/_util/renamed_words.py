"""Names that farm 0.1.0 used, so that messages can give the new name of an old one. docs/renames.md lists all."""

from __future__ import annotations

import re
from collections.abc import Mapping

PAGE = "docs/renames.md"
TASK_KEYS = {"churn": "reverted", "survivors": "known_survivors"}
_KEYWORDS = {
    "automatic": "server_managed",
    "bookkeeping": "internal",
    "gone": "deleted_value",
    "keeps": "commits_on_error",
    "made": "generation",
    "noticed": "notifies",
    "shown": "visible_keys",
}
_MODULES = {
    "farm.app": "farm.appkit",
    "farm.context.schema": "farm.appkit.schema",
    "farm.dialects": "farm.appkit.dialects",
    "farm.envelope": "farm.appkit",
    "farm.formats": "farm.appkit.formats",
    "farm.geography": "farm.appkit.geography",
    "farm.ids": "farm.appkit",
    "farm.kernel": "farm.appkit",
    "farm.memo": "farm.appkit",
    "farm.world": "farm.appkit.world_spec",
}
_NAMES = {
    "ArgumentsRefused": "InvalidArgumentsError",
    "BadCursor": "InvalidCursorError",
    "Coming": "ScheduledRow",
    "NoWay": "NoRouteError",
    "Plain": "GenericJsonSchema",
    "Whereabouts": "Locality",
    "double": "to_float64",
    "most_fitting": "best_match",
    "whereabouts": "find_locality",
}
# As Python says it, and as SQLAlchemy does of options that it does not know.
_NAME = re.compile(r"cannot import name '(\w+)'")
_KEYWORD = re.compile(r"(?:unexpected keyword argument|<dialectname>_<argument>, got) '(\w+)'")


def hint(problem: Exception) -> str:
    """Return ``; 'made' is called 'generation' …`` if an app's code failed over an old name, else an empty text."""
    old = new = None
    if isinstance(problem, ImportError) and (found := _NAME.search(str(problem))):
        old, new = found[1], _NAMES.get(found[1])
    elif isinstance(problem, ImportError):
        old, new = problem.name, _nearest(problem.name or "", _MODULES)
    elif isinstance(problem, TypeError) and (found := _KEYWORD.search(str(problem))):
        old, new = found[1], _KEYWORDS.get(found[1])
    return called(old, new) if old and new else ""


def called(old: str, new: str) -> str:
    """Return the message that names the new word for an old one."""
    return f"; '{old}' is called '{new}' since 0.1.0, see {PAGE}"


def _nearest(module: str, names: Mapping[str, str]) -> str | None:
    """Return the new name of a module, or of its former package."""
    while module:
        if module in names:
            return names[module]
        module = module.rpartition(".")[0]
    return None
