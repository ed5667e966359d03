"""What turns a specification into an app's rows: ``contexts/<app>/generate.py``.

A generator module has ``rows(spec)``, the rows of the app in an order in which they can be inserted within a table, and
``identities(rows)``, person → what the app shows of them (``name``, ``address``, ``handle``, ``title``; any may lack),
for the check that people are the same over apps. It may have ``ACCOUNT_KEYS``, the keys of its accounts.toml beside
those of every app (as ``check_keys`` takes them; it may name one of those to make it required), and ``links(spec)``,
key → ``Link``: what texts of any app may point to with ``{{doc:KEY}}``. ``said(rows)`` gives what people, programs and
the app itself said, for the measures of ``farm.world.life``; ``later(spec)`` what comes in the week after the start.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType

from farm import content
from farm.context.schema import Schema
from farm.kernel import Row


@dataclass(frozen=True)
class Link:
    """Something with an address of its own that other apps may point to."""

    address: str
    title: str


@dataclass(frozen=True)
class Coming:
    """A row that comes to a live world after its start."""

    at: datetime
    row: Row


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


def schema(app: str) -> Schema:
    """Return the context tree of an app that can be generated."""
    return Schema(importlib.import_module(f"{generators()[app]}.schema").METADATA)
