"""Ids as the server takes them: a number, the same as a text, or a username; checked before anything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from farm.appkit import Handler, Result

from .errors import ToolMessage

Id = int | str
_USERNAME = re.compile(r"^@?[a-zA-Z0-9_]{5,}$")


def checked(*names: str) -> Callable[[Handler], Handler]:
    """Check these arguments in this order, each item of a list, and make numbers of texts that are some."""

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def checking(ep: Any, **given: Any) -> Result:
            for name in names:
                value = given.get(name)
                if value is not None:
                    given[name] = [_id(each, name) for each in value] if isinstance(value, list) else _id(value, name)
            return handler(ep, **given)

        return checking

    return decorate


def _id(value: Id, name: str) -> Id:
    try:
        number = int(value)
    except ValueError:
        if _USERNAME.match(str(value)):
            return value
        raise ToolMessage(f"Invalid {name}: '{value}'. Must be a valid integer ID, or a username string.") from None
    if not -(2**63) <= number <= 2**63 - 1:
        raise ToolMessage(f"Invalid {name}: {value}. ID is out of the valid integer range.")
    return number
