"""Jotting remarks."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context


class NothingToJotOn(VendorError):
    """Cannot jot: no node is called {label}"""

    code = "nothing_to_jot_on"


class NoRoom(VendorError):
    """{label} has room for {room} more"""

    code = "no_room"


def jot_remarks(ep: Episode, *, remarks: list[Any]) -> Result:
    """Add the remarks that a node does not have yet; all that are given must have room.

    Raises:
        NothingToJotOn: the node does not exist.
        NoRoom: the node would have too many remarks.
    """
    results = []
    for item in remarks:
        label = context.as_label(item["nodeLabel"])
        row = context.find_node(ep, label)
        if row is None:
            raise NothingToJotOn(label=label)
        present = context.remarks_of(row)
        room = max(0, context.MOST_REMARKS - len(present))
        if len(item["jottings"]) > room:
            raise NoRoom(label=label, room=room)
        added = [text for text in item["jottings"] if text not in present]
        context.set_remarks(ep, row, present + added)
        results.append({"nodeLabel": label, "addedRemarks": added})
    return results
