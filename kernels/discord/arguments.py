"""Arguments as the server's own code takes them: unchecked, so what is wrong is said by Python, or by Discord."""

from __future__ import annotations

from typing import Any, Final

from . import errors

ABSENT: Final[Any] = type("Absent", (), {"__repr__": lambda _self: "ABSENT"})()
_SNOWFLAKE_MAX = (1 << 63) - 1


def require(name: str, value: Any) -> Any:
    """Return an argument as it came.

    Raises:
        KeyMissing: it did not.
    """
    if value is ABSENT:
        raise errors.KeyMissing(name)
    return value


def to_int(name: str, value: Any) -> int:
    """Return an argument as Python's ``int`` takes it: a text of digits, any number, true and false.

    Raises:
        KeyMissing: it is not there.
        PythonError: it is nothing of that kind, in Python's words.
    """
    try:
        return int(require(name, value))
    except (TypeError, ValueError) as problem:
        raise errors.PythonError(str(problem)) from None


def snowflake(name: str, number: int) -> str:
    """Return an id as Discord has it.

    Args:
        name: what Discord calls it, which is not always what the tool does.
        number: what the caller gave.

    Raises:
        InvalidFormBody: no id can be this number.
    """
    if number < 0:
        raise errors.InvalidFormBody(**{name: "snowflake value should be greater than or equal to 0."})
    if number > _SNOWFLAKE_MAX:
        raise errors.InvalidFormBody(**{name: f"snowflake value should be less than or equal to {_SNOWFLAKE_MAX}."})
    return str(number)
