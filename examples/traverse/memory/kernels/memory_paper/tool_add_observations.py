"""Adding observations."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context


class EntityNotFound(VendorError):
    """Entity with name {name} not found"""

    code = "entity_not_found"


def add_observations(ep: Episode, *, observations: list[Any]) -> Result:
    """Add the observations that an entity does not have yet; those of one call are not compared with each other.

    Raises:
        EntityNotFound: no entity has this name.
    """
    results = []
    for item in observations:
        row = context.find_entity(ep, item["entityName"])
        if row is None:
            raise EntityNotFound(name=item["entityName"])
        present = context.observations_of(row)
        added = [text for text in item["contents"] if text not in present]
        context.set_observations(ep, row, present + added)
        results.append({"entityName": item["entityName"], "addedObservations": added})
    return results
