"""Places that a text names."""

from __future__ import annotations

import json

from farm.appkit import Answer, Episode, Result, Row
from farm.appkit.geography import places as gazetteer

from . import errors
from .places import full_address, kind_of, uid_of
from .points import show_point

_NAME_MIN = 2


def extract(ep: Episode, *, text_content: str) -> Result:
    """Return the places that a text names, the longest names first; a part of a name that was found is not another.

    The server gives this one answer as it stands, so it goes out printed by Python, and as structured content.

    Raises:
        InvalidParameter: no text.
        ResultTimeout: it names no place, so no result comes of it.
    """
    if not text_content.strip():
        raise errors.InvalidParameter
    found = _named(ep, text_content)
    if not found:
        raise errors.ResultTimeout
    link = {
        "title": f"{found[0]['name']}等{len(found)}个地点" if len(found) > 1 else found[0]["name"],
        "desc": "、".join(row["name"] for row in found),
        "jump_url": "",
        "image": "",
        "poi": [_place_to_json(ep, row) for row in found],
    }
    body = {"status": 0, "message": "ok", "result": {"data": [{"link": link}]}}
    return Answer(json.dumps(body, indent=2), structured=body)


def _named(ep: Episode, text: str) -> list[Row]:
    called = [
        (name, row)
        for row in gazetteer.search_places(ep.reference, "")
        for name in gazetteer.names(row)
        if len(name) >= _NAME_MIN and name in text
    ]
    found: dict[int, Row] = {}
    rest = text
    for name, row in sorted(called, key=lambda each: (-len(each[0]), each[1]["place_id"])):
        if name in rest:
            found.setdefault(row["place_id"], row)
            rest = rest.replace(name, "\0")
    return list(found.values())


def _place_to_json(ep: Episode, row: Row) -> Row:
    return {
        "uid": uid_of(row["place_id"]),
        "name": row["name"],
        "addr": full_address(ep, row),
        "tag": kind_of(ep, row)["tag"],
        "location": show_point(gazetteer.point_of(row)),
    }
