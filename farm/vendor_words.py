"""Serves somebody's own copy of a vendor's tool list in place of our words; the structure must be ours.

``FARM_VENDOR_WORDS`` names them: ``APP=FILE``, more of them separated like PATH. Our descriptions are shorter than the
vendors', so what an agent is told differs; who wants to measure with the vendor's words brings the list along.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.contracts import read_contract, structure
from farm.errors import FarmError

VARIABLE = "FARM_VENDOR_WORDS"


def files() -> dict[str, Path]:
    """Return app → the list that ``FARM_VENDOR_WORDS`` names for it.

    Raises:
        FarmError: one of them is not ``APP=FILE``, or an app is named twice.
    """
    return parse(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def parse(named: Iterable[str]) -> dict[str, Path]:
    """Return app → file of some ``APP=FILE``.

    Raises:
        FarmError: one of them is something else, or an app is named twice.
    """
    found: dict[str, Path] = {}
    for each in named:
        app, _, path = each.partition("=")
        app = app.strip().lower()
        if not app or not path:
            raise FarmError(f"the vendor's words (--vendor-words, {VARIABLE}) are given as APP=FILE, not '{each}'")
        if app in found:
            raise FarmError(f"the vendor's words of '{app}' are in {found[app]} and in {path}; name one")
        found[app] = Path(path)
    return found


def named(lists: Mapping[str, Path]) -> str:
    """Return what ``FARM_VENDOR_WORDS`` holds for these lists."""
    return os.pathsep.join(f"{app}={path}" for app, path in lists.items())


def in_vendors_words(
    app: str, contract: Sequence[dict[str, Any]], path: Path, *, server: Mapping[str, str]
) -> tuple[dict[str, Any], ...]:
    """Return an app's tools as the vendor's list has them, in our order.

    Args:
        server: name and version of the real server that the app imitates.

    Raises:
        FarmError: the list cannot be read, lacks a tool, or describes other arguments than ours take.
    """
    try:
        theirs = {tool["name"]: tool for tool in read_contract(path).tools}
    except OSError as problem:
        raise FarmError(f"the vendor's words of '{app}': {path} cannot be read: {problem.strerror}") from None
    imitated = f"{server.get('name')} {server.get('version')}"
    for ours in contract:
        name = ours["name"]
        if name not in theirs:
            raise FarmError(f"the vendor's words of '{app}': {path} has no tool '{name}'; give the list of {imitated}")
        for part in ("inputSchema", "outputSchema"):
            if structure(theirs[name].get(part)) != structure(ours.get(part)):
                raise FarmError(
                    f"the vendor's words of '{app}': the {part} of '{name}' in {path} is another than that of "
                    f"{imitated}; give the list of this version"
                )
    return tuple(theirs[ours["name"]] for ours in contract)
