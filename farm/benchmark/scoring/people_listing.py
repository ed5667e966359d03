"""The people of a world and their ids in each app."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from farm import content
from farm.benchmark.scoring.initial_state import Start


def list_people(start: Start, apps: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """Return a world's people in its order: key, names, organisation, mail, and app → account id.

    Args:
        start: the start of the world.
        apps: the apps to include; None for all of the world's.
    """
    world = start.world
    wanted = world.apps if apps is None else apps
    ids = {app: start.accounts(app) for app in wanted if app in content.app_names()}
    return [
        {
            "person": key,
            "name_zh": each.get("name_zh"),
            "name_en": each.get("name_en"),
            "organisation": each.get("organisation"),
            "email": each.get("email"),
            "accounts": {app: known[key] for app, known in ids.items() if key in known},
            "is_protagonist": key == world.protagonist,
        }
        for key, each in world.people.items()
    ]
