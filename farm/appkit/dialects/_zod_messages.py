"""The differences between the two major versions of zod: the interface between the shapes and ``zod3``, ``zod4``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Path = tuple[str | int, ...]
Keyword = Literal["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "exact"]
Measured = Literal["string", "array", "number", "int", "unknown"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault of a value.

    Attributes:
        path: keys and indices from the arguments down to the value.
        message: zod's text.
        fatal: whether zod stops validating this value; a wrong type is fatal, a violated bound is not.
        late: whether zod 3 lists it after the others, as for unions, which it decides asynchronously.
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
        strict_objects: whether ``additionalProperties: false`` refuses unknown keys. Servers on zod 3 publish it for
            every object, yet strip unknown keys.
        record: the expected type in messages about objects that allow any keys.
        late_sizes: whether an array's size is checked after its items, and even if the type is wrong.
        exact_numbers: whether numbers must be finite, and integers within the exact range of doubles.
        anyof_discriminates: whether ``anyOf`` objects that differ in one constant are a discriminated union.
    """

    strict_objects: bool
    record: str
    late_sizes: bool
    exact_numbers: bool
    anyof_discriminates: bool

    @property
    def too_many_is_enough(self) -> bool:
        """Whether the items of an array that is too long are skipped."""
        ...

    def length(self, text: str) -> int:
        """Measure a string."""
        ...

    def type(self, path: Path, expected: str, value: Any) -> Issue:
        """Word a wrong type; ``value`` is ABSENT if the key is missing."""
        ...

    def anything(self, path: Path) -> list[Issue]:
        """Word a missing required key that accepts any value."""
        ...

    def integer(self, path: Path) -> Issue:
        """Word a number with a fraction in place of an integer."""
        ...

    def enum(self, path: Path, options: Sequence[Any], value: Any) -> Issue:
        """Word a value that is not one of several options."""
        ...

    def literal(self, path: Path, expected: Any, value: Any) -> Issue:
        """Word a value that differs from the constant."""
        ...

    def bound(self, path: Path, measured: Measured, is_small: bool, bound: Any, how: Keyword) -> Issue:
        """Word a violated bound of a length or a number."""
        ...

    def size(self, path: Path, is_small: bool, bound: int) -> Issue:
        """Word a tuple of the wrong length."""
        ...

    def multiple(self, path: Path, divisor: Any) -> Issue:
        """Word a number that is not a multiple of another."""
        ...

    def format(self, path: Path, name: str, pattern: str) -> Issue:
        """Word a string in the wrong format; ``pattern`` matters if the name is ``regex``."""
        ...

    def unrecognized(self, path: Path, keys: Sequence[str]) -> Issue:
        """Word unknown keys of a strict object."""
        ...

    def key(self, path: Path, issues: list[Issue]) -> list[Issue]:
        """Word a record's key that violates the key schema."""
        ...

    def union(self, path: Path, branches: Sequence[list[Issue]]) -> list[Issue]:
        """Word a value that fits none of a union's branches."""
        ...

    def custom(self, path: Path, message: str) -> Issue:
        """Word the message of a server's own rule."""
        ...

    def discriminator(self, path: Path, options: Sequence[Any]) -> Issue:
        """Word a discriminator that no branch of a union has."""
        ...
