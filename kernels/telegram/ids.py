"""Ids as the server takes them: a number, the same as a text, a username or a saved alias; checked before all else."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from farm.appkit import Episode, Handler, Result

from . import alias_store
from .errors import Failed, ToolMessage, said_by_telethon
from .sanitize import unchanged
from .tl_objects import NO_LAYER

Id = int | str
_USERNAME = re.compile(r"^@?[a-zA-Z0-9_]{5,}$")
_ACCOUNT = inspect.Parameter("account", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
# Keyword arguments of handlers that no schema has: what is different from version to version.
_IN_2025 = {"clean": unchanged, "layer": NO_LAYER, "why": said_by_telethon}
_Check = Callable[[Episode, Id, str], Id]


def addressed(*names: str) -> Callable[[Handler], Handler]:
    """Return a decorator that checks these arguments in this order, each item of a list, and then the account.

    A handler that takes ``account`` checks it itself, after what the server checks before.
    """

    def decorate(handler: Handler) -> Handler:
        signature = inspect.signature(handler)
        takes_account = "account" in signature.parameters

        @wraps(handler)
        def checking(ep: Episode, *, account: str | None = None, **given: Any) -> Result:
            _check(ep, given, names, _id_or_alias)
            if takes_account:
                given["account"] = account
            else:
                require_account(account)
            return handler(ep, **given)

        if not takes_account:
            parameters = [*signature.parameters.values(), _ACCOUNT]
            vars(checking)["__signature__"] = signature.replace(parameters=parameters)
        vars(checking).update(plain=handler, names=names)
        return checking

    return decorate


def as_in_2025(handler: Handler) -> Handler:
    """Return a handler of today as the server of December 2025 had it.

    There was neither account nor alias, names were shown as they are, and Telethon knew fewer fields.
    """
    plain: Handler = vars(handler)["plain"]
    known = inspect.signature(plain).parameters
    changed = {name: value for name, value in _IN_2025.items() if name in known}

    @wraps(plain)
    def earlier(ep: Episode, **given: Any) -> Result:
        return plain(ep, **changed, **given)

    return checked(*vars(handler)["names"])(earlier if changed else plain)


def checked(*names: str) -> Callable[[Handler], Handler]:
    """Return a decorator that checks these arguments as the server of December 2025 did: it had no aliases."""

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def checking(ep: Any, **given: Any) -> Result:
            _check(ep, given, names, _id)
            return handler(ep, **given)

        return checking

    return decorate


def require_account(account: str | None) -> None:
    """Refuse any account but the one that the server was started with; its label is ``default``."""
    if account is not None and account.lower() != "default":
        raise Failed


def _check(ep: Episode, given: dict[str, Any], names: tuple[str, ...], check: _Check) -> None:
    for name in names:
        value = given.get(name)
        if value is not None:
            is_list = isinstance(value, list)
            given[name] = [check(ep, each, name) for each in value] if is_list else check(ep, value, name)


def _id(ep: Episode, value: Id, name: str) -> Id:
    number = _number(value, name)
    if number is None:
        if _USERNAME.match(str(value)):
            return value
        raise ToolMessage(f"Invalid {name}: '{value}'. Must be a valid integer ID, or a username string.")
    return number


def _id_or_alias(ep: Episode, value: Id, name: str) -> Id:
    number = _number(value, name)
    if number is not None:
        return number
    wording = str(value)
    found = alias_store.resolve(ep, wording)
    if found is None and not alias_store.is_handle(wording):
        raise ToolMessage(alias_store.question(ep, wording))
    return wording if found is None else found


def _number(value: Id, name: str) -> int | None:
    try:
        number = value if isinstance(value, int) else int(value)
    except ValueError:
        return None
    if not -(2**63) <= number <= 2**63 - 1:
        raise ToolMessage(f"Invalid {name}: {value}. ID is out of the valid integer range.")
    return number
