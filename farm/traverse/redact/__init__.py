"""Replace private values in recorded calls by stand-ins; they are found by form, by name and from a user's list."""

from farm.traverse.redact.mapping import Mapping, read_mapping, write_mapping
from farm.traverse.redact.parts import redact_parts, redact_seeds
from farm.traverse.redact.private import of_environment, of_machine, read_private
from farm.traverse.redact.redactor import Private, Redactor

__all__ = [
    "Mapping",
    "Private",
    "Redactor",
    "of_environment",
    "of_machine",
    "read_mapping",
    "read_private",
    "redact_parts",
    "redact_seeds",
    "write_mapping",
]
