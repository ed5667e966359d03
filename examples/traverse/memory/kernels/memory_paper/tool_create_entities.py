"""Making entities."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def create_entities(ep: Episode, *, entities: list[Any]) -> Result:
    """Store the entities whose names did not exist before the call, and return them."""
    known = context.entity_names(ep)
    created = [
        {"name": item["name"], "entityType": item["entityType"], "observations": list(item["observations"])}
        for item in entities
        if item["name"] not in known
    ]
    for item in created:
        context.store_entity(ep, item["name"], item["entityType"], item["observations"])
    return created
