"""Relations between entities."""

from typing import Any

from farm.appkit import Episode, Result, Row


def create_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Store the relations that are new and return them."""
    rows = ep.db.all("SELECT * FROM relations ORDER BY row_id")
    known = {(row["from_name"], row["to_name"], row["relation_type"]) for row in rows}
    new = [each for each in relations if (each["from"], each["to"], each["relationType"]) not in known]
    for each in new:
        ep.db.insert(
            "relations",
            row_id=ep.next_number("relations", "row_id"),
            from_name=each["from"],
            to_name=each["to"],
            relation_type=each["relationType"],
        )
    return new


def delete_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Delete relations that are equal to the given ones."""
    for each in relations:
        ep.db.execute(
            "DELETE FROM relations WHERE from_name = ? AND to_name = ? AND relation_type = ?",
            each["from"],
            each["to"],
            each["relationType"],
        )
    return "Relations deleted successfully"


def shown_relation(row: Row) -> Row:
    """Return a relation as answers show it."""
    return {"from": row["from_name"], "to": row["to_name"], "relationType": row["relation_type"]}
