"""What people who answer are going to do and have done, over all apps of an episode."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any


def list_people(told: Mapping[str, Mapping[str, Any]], zone: tzinfo) -> dict[str, Any]:
    """Return the ``rules``, what is ``waiting`` and what people ``acted`` in all apps, each in order of time.

    Args:
        told: app → what ``Store.people`` returned.
        zone: the world's time zone.
    """
    rules = [{"app": app, **each} for app, found in told.items() for each in found["rules"]]
    return {"rules": rules, **{name: _in_order(told, name, zone) for name in ("waiting", "acted")}}


def _in_order(told: Mapping[str, Mapping[str, Any]], name: str, zone: tzinfo) -> list[dict[str, Any]]:
    acts = sorted((each for found in told.values() for each in found[name]), key=lambda each: each["at_ms"])
    return [
        {"at": datetime.fromtimestamp(each["at_ms"] / 1000, zone).isoformat(timespec="seconds")}
        | {key: value for key, value in each.items() if key != "at_ms"}
        for each in acts
    ]
