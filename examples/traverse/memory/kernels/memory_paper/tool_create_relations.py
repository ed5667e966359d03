"""Making relations."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def create_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Store the relations that did not exist before the call, and return them."""
    known = {(one["from"], one["to"], one["relationType"]) for one in context.all_relations(ep)}
    created = [
        {"from": item["from"], "to": item["to"], "relationType": item["relationType"]}
        for item in relations
        if (item["from"], item["to"], item["relationType"]) not in known
    ]
    for item in created:
        context.store_relation(ep, item["from"], item["to"], item["relationType"])
    return created
