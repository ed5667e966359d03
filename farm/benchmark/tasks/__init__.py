"""Tasks: their classes (``model``, ``checkpoints``), the loader of their files (``load``) and the checks (``check``).

``toml_schema`` declares keys of a file, ``value_syntax`` the syntax of their values. ``farm.benchmark.scoring`` grades
trials by tasks.
"""

from farm.benchmark.tasks.checkpoints import CHANGES, Change, Checkpoint, Operate, Other, Search
from farm.benchmark.tasks.load import load_suite, load_task
from farm.benchmark.tasks.model import Allow, KnownSurvivor, OracleCall, StartRow, Steps, Suite, Task, Variant
from farm.benchmark.tasks.reader import TaskError
from farm.benchmark.tasks.value_syntax import REFERENCE, references_in

__all__ = [
    "CHANGES",
    "REFERENCE",
    "Allow",
    "Change",
    "Checkpoint",
    "KnownSurvivor",
    "Operate",
    "OracleCall",
    "Other",
    "Search",
    "StartRow",
    "Steps",
    "Suite",
    "Task",
    "TaskError",
    "Variant",
    "load_suite",
    "load_task",
    "references_in",
]
