"""Find the modules that convert a specification into an app's rows: ``contexts/<app>/generate.py``.

A generator module defines:

- ``rows(spec)``: the app's rows; within a table, they are in an order in which they can be inserted.
- ``identities(rows)``: person → their ``name``, ``address``, ``handle`` and ``title`` in the app (each optional), to
  check that people are the same in all apps.
- ``links(spec)`` (optional): key → ``farm.appkit.world_spec.Link``, the targets of ``{{doc:KEY}}`` in texts of any app.
- ``said(rows)`` (optional): the texts of people, programs and the app itself, for ``farm.appkit.world_spec.realism``.
- ``scheduled(spec)`` (optional): the rows scheduled for the week after the start.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from farm import content
from farm.appkit.schema import Schema
from farm.appkit.world_spec.spec_file import LIFE, PROMPTS, SpecFile

COMMON = (PROMPTS, LIFE)


def generators() -> dict[str, str]:
    """Return app → the package of its ``contexts/<app>``, for every app that can be generated."""
    found = {}
    for root in content.roots():
        for path in sorted((root.folder / "contexts").glob("*/generate.py")):
            found[path.parent.name] = f"{root.package}.contexts.{path.parent.name}"
    return found


def generator(app: str) -> ModuleType:
    """Return the module ``contexts/<app>/generate.py``."""
    return importlib.import_module(f"{generators()[app]}.generate")


def files(app: str) -> tuple[SpecFile, ...]:
    """Return the files of an app's part of a world: ``FILES`` of ``contexts/<app>/files.py``, and the common ones."""
    declared: tuple[SpecFile, ...] = importlib.import_module(f"{generators()[app]}.files").FILES
    return (*COMMON, *declared)


def schema(app: str) -> Schema:
    """Return the context tree of an app that can be generated."""
    return Schema(importlib.import_module(f"{generators()[app]}.schema").METADATA)
