"""Who is in a world, and by which id each app knows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from farm import content
from farm.score.initial_state import Start


def list_people(start: Start, apps: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """Return everybody of a world in its order: key, names, organisation, mail, and app → id of the account there.

    Args:
        apps: the apps that are looked at; all of the world's when absent.
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
