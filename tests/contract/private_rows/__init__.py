"""Which rows of a context are private, and to whom: one list of rules an app."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from farm.appkit import Episode
from tests.contract.private_rows.rules import Rule

APPS = (
    *("discord", "email163", "gmail", "instagram", "lark", "notion"),
    *("obsidian", "reddit", "rednote", "slack", "telegram", "wecom"),
)


def rules_of(app: str) -> tuple[Rule, ...]:
    """Return the rules of an app."""
    rules: tuple[Rule, ...] = import_module(f"{__name__}.{app}").RULES
    return rules


def known_of(app: str, ep: Episode, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what else the caller may know of a row and needs to ask for it, such as a token given out earlier."""
    known = getattr(import_module(f"{__name__}.{app}"), "known_of", None)
    return {} if known is None else dict(known(ep, row))
