"""Tasks: what they are (``model``), how their files are read (``load``) and checked against what there is (``check``).

``keys`` declares the keys of a file, ``forms`` what their values may be made of. ``farm.score`` judges by them.
"""

from farm.task.forms import REFERENCE, references_in
from farm.task.load import load_suite, load_task
from farm.task.model import (
    CHANGES,
    Allow,
    Change,
    Checkpoint,
    Explained,
    Operate,
    OracleCall,
    Other,
    Search,
    Steps,
    Suite,
    Task,
    TaskError,
    Variant,
)

__all__ = [
    "CHANGES",
    "REFERENCE",
    "Allow",
    "Change",
    "Checkpoint",
    "Explained",
    "Operate",
    "OracleCall",
    "Other",
    "Search",
    "Steps",
    "Suite",
    "Task",
    "TaskError",
    "Variant",
    "load_suite",
    "load_task",
    "references_in",
]
