"""Places: by words in a city or around a point, and one with all that is known of it."""

from __future__ import annotations

from hashlib import blake2b

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import places as gazetteer
from farm.appkit.geography.districts import find_district, find_locality, named_districts

from . import errors
from .points import read_point, show_place_point

_PAGE = 10
_WORDS_MAX = 10
_RADIUS_M = 1000
_RADIUS_M_MAX = 50_000
_ANYWHERE = ("全国", "中国", "")


def search(
    ep: Episode,
    *,
    query: str,
    tag: str = "",
    region: str = "全国",
    location: str = "",
    radius: int | None = None,
    is_china: str = "true",
) -> Result:
    """Return ten places at most that fit any of the words: the best of a region, or the nearest to a point.

    Args:
        query: names or kinds between commas, ten at most.
        tag: kinds between commas; only places of one of them.
        region: a district's name or adcode, or the API's number of a city. It is not looked at where there is a point.

    Raises:
        InvalidIsChina: it is neither ``true`` nor ``false``; no other tool looks so closely.
        ServiceOff: it is to be sought abroad, which takes a right that the key has not.
        InvalidParameter: no words or too many, no such region, no point, no radius.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-placeapiV3/interfaceDocumentV3
    """
    if is_china not in ("true", "false"):
        raise errors.InvalidIsChina
    if is_china == "false":
        raise errors.ServiceOff
    words, tags = _split(query), _split(tag)
    if not words or len(words) > _WORDS_MAX:
        raise errors.InvalidParameter
    if location:
        found = _around(ep, words, location, radius)
    else:
        found = [(None, row) for row in _matching(ep, words, _within(ep, region))]
    kept = [each for each in found if not tags or _is_of(ep, each[1], tags)]
    return {"status": 0, "message": "ok", "results": [_place_to_json(ep, row, away) for away, row in kept[:_PAGE]]}


def show(ep: Episode, *, uid: str, is_china: str = "true") -> Result:
    """Return one place: where it is, what kind it is, how it is rated.

    Raises:
        ServiceOff: it is to be sought abroad.
        InvalidParameter: there is none of this uid.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-placeapi/detail
    """
    if is_china != "true":
        raise errors.ServiceOff
    numbers = [row["place_id"] for row in ep.reference.all("SELECT place_id FROM places ORDER BY place_id")]
    place_id = next((number for number in numbers if uid_of(number) == uid), None)
    place = None if place_id is None else gazetteer.find_place(ep.reference, place_id)
    if place is None:
        raise errors.InvalidParameter
    return {"status": 0, "message": "ok", "result": _place_to_json(ep, place)}


def uid_of(place_id: int) -> str:
    """Return the API's id of a place: 24 hexadecimal digits."""
    return blake2b(f"place:{place_id}".encode(), digest_size=12).hexdigest()


def kind_of(ep: Episode, place: Row) -> Row:
    """Return what the API calls a place's kind, ``tag``, and an address of it, ``level``."""
    kind = ep.reference.one("SELECT tag, level FROM tags WHERE category = ?", place["category"])
    assert kind is not None, "every category has a tag: a test of the gazetteer holds it"
    return kind


def city_code(ep: Episode, adcode: str) -> int:
    """Return the API's number of a city."""
    return int(ep.reference.scalar("SELECT code FROM city_codes WHERE adcode = ?", adcode))


def full_address(ep: Episode, place: Row) -> str:
    """Return a place's address from the province on."""
    above = _above(ep, place)
    names = dict.fromkeys((above["province"], above["city"], above["area"]))
    return "".join((*names, place["address"] or ""))


def _above(ep: Episode, place: Row) -> Row:
    at = find_locality(ep.reference, place["adcode"])
    assert at is not None and at.city is not None, "every place of the gazetteer is in a city"
    area = at.district["name"] if at.district else ""
    return {"province": at.province["name"], "city": at.city["name"], "area": area}


def _split(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _within(ep: Episode, region: str) -> str | None:
    """Return the adcode of a region; None of the whole country."""
    given = region.strip()
    if given in _ANYWHERE:
        return None
    if given.isascii() and given.isdigit():
        numbered = ep.reference.scalar("SELECT adcode FROM city_codes WHERE CAST(code AS TEXT) = ?", given)
        found = find_district(ep.reference, str(numbered or given))
    else:
        found = next(iter(named_districts(ep.reference, given)), None)
    if found is None:
        raise errors.InvalidParameter
    return str(found["adcode"])


def _matching(ep: Episode, words: list[str], within: str | None) -> list[Row]:
    """Return places whose names, kinds or tags hold a word, those of the first word first."""
    found: dict[int, Row] = {}
    for word in words:
        named = gazetteer.search_places(ep.reference, word.replace("|", " "), within=within)
        if kinds := _categories(ep, word):
            named += gazetteer.search_places(ep.reference, "", within=within, categories=kinds)
        for row in named:
            found.setdefault(row["place_id"], row)
    return list(found.values())


def _categories(ep: Episode, word: str) -> list[str]:
    rows = ep.reference.all("SELECT category FROM tags WHERE instr(tag, ?) ORDER BY category", word)
    return [row["category"] for row in rows]


def _around(ep: Episode, words: list[str], location: str, radius: int | None) -> list[tuple[int | None, Row]]:
    point = read_point(location)
    reach = _RADIUS_M if radius is None else radius
    if point is None or reach <= 0:
        raise errors.InvalidParameter
    reach = min(reach, _RADIUS_M_MAX)
    matching = {row["place_id"] for row in _matching(ep, words, None)}
    near = gazetteer.places_near(ep.reference, point, reach)
    return [(away, row) for away, row in near if row["place_id"] in matching]


def _is_of(ep: Episode, place: Row, tags: list[str]) -> bool:
    tag = kind_of(ep, place)["tag"]
    return any(each in tag for each in tags)


def _place_to_json(ep: Episode, place: Row, away: int | None = None) -> Row:
    known = {"telephone": place["telephone"]} if place["telephone"] else {}
    return {
        "uid": uid_of(place["place_id"]),
        "name": place["name"],
        "location": show_place_point(gazetteer.point_of(place)),
        "address": full_address(ep, place),
        **_above(ep, place),
        **known,
        "detail": 1,
        "detail_info": _details(ep, place, away),
    }


def _details(ep: Episode, place: Row, away: int | None) -> Row:
    details: Row = {"tag": kind_of(ep, place)["tag"]}
    if place["rating"]:
        details["overall_rating"] = f"{place['rating']:.1f}"
    if place["opening"]:
        details["shop_hours"] = place["opening"]
    if place["cost"]:
        details["price"] = f"{place['cost']:.1f}"
    if away is not None:
        details["distance"] = away
    return details
