"""Replace private values in recorded calls by stand-ins; they are found by form, by name and from a user's list."""

from farm.traverse.redact.mapping import RedactionMapping, read_mapping, write_mapping
from farm.traverse.redact.private import add_machine_values, read_private
from farm.traverse.redact.recordings import redact_recordings, redact_seeds
from farm.traverse.redact.redactor import Private, Redactor

__all__ = [
    "Private",
    "RedactionMapping",
    "Redactor",
    "add_machine_values",
    "read_mapping",
    "read_private",
    "redact_recordings",
    "redact_seeds",
    "write_mapping",
]
