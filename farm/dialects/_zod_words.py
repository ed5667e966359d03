"""What the two major versions of zod say differently: the interface between the shapes and ``zod3``, ``zod4``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Path = tuple[str | int, ...]
Keyword = Literal["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "exact"]
Measured = Literal["string", "array", "number", "int", "unknown"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing wrong.

    Attributes:
        path: keys and indices from the arguments down to the value.
        message: zod's text.
        fatal: whether zod goes no further with this value; a missed bound is not fatal, a wrong type is.
        late: whether zod 3 lists it after the others, as it does with unions, which it decides asynchronously.
        body: the issue as zod prints it, in zod's order of keys.
    """

    path: Path
    message: str
    fatal: bool = True
    late: bool = False
    body: Mapping[str, Any] = field(default_factory=dict)


class Words(Protocol):
    """The wording of one major version, and the few places where its checks differ.

    Attributes:
        strict_objects: whether ``additionalProperties: false`` means that unknown keys are refused. zod 3's servers
            publish it for every object and strip unknown keys all the same.
        record: what a wrong type should have been, where any keys are allowed.
        late_sizes: whether an array's size comes after its items, and is measured even when the type is wrong.
        exact_numbers: whether numbers must be finite, and integers end where doubles stop being exact.
        anyof_discriminates: whether ``anyOf`` objects that differ in one constant are a discriminated union.
    """

    strict_objects: bool
    record: str
    late_sizes: bool
    exact_numbers: bool
    anyof_discriminates: bool

    @property
    def too_many_is_enough(self) -> bool:
        """Whether the items of an array that is too long are not looked at."""
        ...

    def length(self, text: str) -> int:
        """Measure a string."""
        ...

    def type(self, path: Path, expected: str, value: Any) -> Issue:
        """Word a wrong type; ``value`` is ABSENT when the key is missing."""
        ...

    def anything(self, path: Path) -> list[Issue]:
        """Word a missing required key that would take anything."""
        ...

    def integer(self, path: Path) -> Issue:
        """Word a number with a fraction where an integer is wanted."""
        ...

    def enum(self, path: Path, options: Sequence[Any], value: Any) -> Issue:
        """Word a value that is none of several."""
        ...

    def literal(self, path: Path, expected: Any, value: Any) -> Issue:
        """Word a value that is not the one constant."""
        ...

    def bound(self, path: Path, measured: Measured, is_small: bool, bound: Any, how: Keyword) -> Issue:
        """Word a missed bound of a length or a number."""
        ...

    def size(self, path: Path, is_small: bool, bound: int) -> Issue:
        """Word a tuple of the wrong length."""
        ...

    def multiple(self, path: Path, divisor: Any) -> Issue:
        """Word a number that is no multiple of another."""
        ...

    def format(self, path: Path, name: str, pattern: str) -> Issue:
        """Word a string of the wrong form; ``pattern`` matters where the name is ``regex``."""
        ...

    def unrecognized(self, path: Path, keys: Sequence[str]) -> Issue:
        """Word keys that a strict object does not know."""
        ...

    def key(self, path: Path, issues: list[Issue]) -> list[Issue]:
        """Word a record's key that its key schema refuses."""
        ...

    def union(self, path: Path, branches: Sequence[list[Issue]]) -> list[Issue]:
        """Word a value that fits none of a union's branches."""
        ...

    def custom(self, path: Path, message: str) -> Issue:
        """Word what a server's own rule has to say."""
        ...

    def discriminator(self, path: Path, options: Sequence[Any]) -> Issue:
        """Word a discriminator that no branch of a union has."""
        ...
