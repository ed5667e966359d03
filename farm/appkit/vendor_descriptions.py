"""Replaces our tool descriptions with a user's copy of the vendor's tool list; the schemas must equal ours.

``FARM_VENDOR_DESCRIPTIONS`` names the files: ``APP=FILE``, several separated as in PATH. Our descriptions are shorter
than the vendors', so agents read different texts; a user who wants to measure with the vendor's provides the list.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.appkit.tool_schemas import read_tool_schemas, structure
from farm.errors import FarmError

VARIABLE = "FARM_VENDOR_DESCRIPTIONS"


def files() -> dict[str, Path]:
    """Return app → the file that ``FARM_VENDOR_DESCRIPTIONS`` names for it.

    Raises:
        FarmError: an entry is not ``APP=FILE``, or an app is named twice.
    """
    return parse(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def parse(named: Iterable[str]) -> dict[str, Path]:
    """Parse entries ``APP=FILE``; return app → file.

    Raises:
        FarmError: an entry has another form, or an app is named twice.
    """
    found: dict[str, Path] = {}
    for each in named:
        app, _, path = each.partition("=")
        app = app.strip().lower()
        if not app or not path:
            raise FarmError(f"--vendor-descriptions and {VARIABLE} are given as APP=FILE, not '{each}'")
        if app in found:
            raise FarmError(f"the vendor's words of '{app}' are in {found[app]} and in {path}; name one")
        found[app] = Path(path)
    return found


def named(lists: Mapping[str, Path]) -> str:
    """Return the value of ``FARM_VENDOR_DESCRIPTIONS`` for these files."""
    return os.pathsep.join(f"{app}={path}" for app, path in lists.items())


def with_vendor_descriptions(
    app: str, tools: Sequence[dict[str, Any]], path: Path, *, server: Mapping[str, str]
) -> tuple[dict[str, Any], ...]:
    """Return an app's tools from the vendor's list, in our order.

    Args:
        server: name and version of the real server that the app imitates.

    Raises:
        FarmError: the list cannot be read, lacks a tool, or has another input or output schema than ours.
    """
    try:
        theirs = {tool["name"]: tool for tool in read_tool_schemas(path).tools}
    except OSError as problem:
        raise FarmError(f"the vendor's words of '{app}': {path} cannot be read: {problem.strerror}") from None
    imitated = f"{server.get('name')} {server.get('version')}"
    for ours in tools:
        name = ours["name"]
        if name not in theirs:
            raise FarmError(f"the vendor's words of '{app}': {path} has no tool '{name}'; give the list of {imitated}")
        for part in ("inputSchema", "outputSchema"):
            if structure(theirs[name].get(part)) != structure(ours.get(part)):
                raise FarmError(
                    f"the vendor's words of '{app}': the {part} of '{name}' in {path} is another than that of "
                    f"{imitated}; give the list of this version"
                )
    return tuple(theirs[ours["name"]] for ours in tools)
