"""Places: by words, around a point, and one with all that is known of it."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography import places
from farm.appkit.geography.districts import find_locality, named_districts

from . import canned_responses, errors
from .formats import or_nothing, place_key, read_place_key, read_point, show_point

_PAGE = 20
_RADIUS_M_MAX = 50_000
_RADIUS_M = 5_000  # the API's own, where too large a one was given
_SUGGESTED_MAX = 10
# What is looked for where nothing is said: food, services, offices and homes.
_USUAL = ("050000", "070000", "120000")
# What people call the kinds of places that the vendor's table names otherwise.
_ALSO_CALLED = {"美食": "餐饮服务", "餐馆": "餐饮服务", "景点": "风景名胜"}
# The API says of some kinds of places whether they can be ordered from here; nothing can.
_ORDERED = {"05": "meal_ordering", "08": "seat_ordering", "10": "hotel_ordering", "11": "ticket_ordering"}


def search(ep: Episode, *, keywords: str, city: str = "", citylimit: str = "false") -> Result:
    """Return the first twenty places that words describe; cities that have some, where the city has none.

    Without a city, the word of a kind of places (美食, 咖啡厅) finds no place, only cities.

    Args:
        keywords: words between blanks; alternatives between bars.
        city: name, pinyin, area code or adcode; an unknown one is as none.
        citylimit: makes no difference here, as no place outside of a city that was named is returned.

    Raises:
        MissingRequiredParams: no keywords.

    Source: https://lbs.amap.com/api/webservice/guide/api/search
    """
    query = {"keywords": keywords, "city": city, "citylimit": citylimit}
    if (answer := canned_responses.find_answer(ep, "/v3/place/text", **query)) is not None:
        return {"suggestion": canned_responses.suggestion(answer), "pois": canned_responses.places(answer)}
    if not keywords.strip():
        raise errors.MissingRequiredParams
    named = named_districts(ep.reference, city)
    words = _with_kinds(keywords)
    found = places.search_places(ep.reference, words, within=named[0]["adcode"] if named else None)
    cities: list[Row] = []
    if named and not found:
        cities = _cities(ep, places.search_places(ep.reference, words))
    elif not named and _is_kind(keywords, found):
        cities, found = _cities(ep, found), []
    return {"suggestion": {"keywords": [], "cities": cities}, "pois": [_listed(place) for place in found[:_PAGE]]}


def search_around(ep: Episode, *, location: str, radius: str = "1000", keywords: str = "") -> Result:
    """Return the twenty nearest places within a radius, of any kind that words name; without words, of the usual ones.

    Raises:
        InvalidParams: no point, or no radius.

    Source: https://lbs.amap.com/api/webservice/guide/api/search
    """
    query = {"location": location, "radius": radius, "keywords": keywords}
    if (answer := canned_responses.find_answer(ep, "/v3/place/around", **query)) is not None:
        return {"pois": canned_responses.places(answer)}
    point = read_point(location)
    if not (radius.isascii() and radius.isdecimal()) and radius:
        raise errors.InvalidParams
    reach = int(radius[:9]) if radius else _RADIUS_M
    if reach > _RADIUS_M_MAX:
        reach = _RADIUS_M
    usual = () if keywords.strip() else _USUAL
    found = places.places_near(ep.reference, point, reach, _with_kinds(keywords), usual)
    return {"pois": [_listed(place) for _, place in found[:_PAGE]]}


def show(ep: Episode, *, id: str) -> Result:
    """Return one place: where it is, what kind it is, how it is rated.

    Raises:
        InvalidParams: no id.
        NoPlace: there is none of this id.

    Source: https://lbs.amap.com/api/webservice/guide/api/search
    """
    if (answer := canned_responses.find_answer(ep, "/v3/place/detail", id=id)) is not None:
        return canned_responses.place(answer)
    if not id:
        raise errors.InvalidParams
    place_id = read_place_key(id)
    place = None if place_id is None else places.find_place(ep.reference, place_id)
    if place is None:
        raise errors.NoPlace
    at = find_locality(ep.reference, place["adcode"])
    assert at is not None and at.city is not None, "every place of the gazetteer is in a city"
    return {
        "id": id,
        "name": place["name"],
        "location": show_point(places.point_of(place)),
        "address": or_nothing(place["address"]),
        "business_area": or_nothing(place["business_area"]),
        "city": at.city["name"],
        "type": places.kind(place),
        "alias": or_nothing((place["alias"] or "").replace("|", ";")),
        **_business(place),
    }


def _business(place: Row) -> Row:
    shown: Row = {
        "rating": or_nothing(place["rating"] and f"{place['rating']:.1f}"),
        "cost": or_nothing(place["cost"] and f"{place['cost']:.2f}"),
    }
    if place["opening"]:
        shown["open_time"] = place["opening"]
    if ordering := _ORDERED.get(place["category"][:2]):
        shown[ordering] = "0"
    return shown


def _listed(place: Row) -> Row:
    return {
        "id": place_key(place["place_id"]),
        "name": place["name"],
        "address": or_nothing(place["address"]),
        "typecode": place["category"],
    }


def _with_kinds(keywords: str) -> str:
    """Return words with a further alternative for each that has a word which the vendor's table does not use."""
    given = keywords.split("|")
    known = [" ".join(_ALSO_CALLED.get(word, word) for word in each.split()) for each in given]
    return "|".join((*given, *(new for new, each in zip(known, given, strict=True) if new != " ".join(each.split()))))


def _is_kind(keywords: str, found: list[Row]) -> bool:
    """Return whether words say no more than a kind of places, and are no place's name."""
    word = keywords.strip()
    if any(word in places.names(each) for each in found):
        return False
    return word in _ALSO_CALLED or any(word in (each["large"], each["middle"], each["small"]) for each in found)


def _cities(ep: Episode, found: list[Row]) -> list[Row]:
    """Return the cities of places, those with most of them first."""
    counts: dict[str, int] = {}
    for place in found:
        at = find_locality(ep.reference, place["adcode"])
        assert at is not None and at.city is not None, "every place of the gazetteer is in a city"
        counts[at.city["name"]] = counts.get(at.city["name"], 0) + 1
    ordered = sorted(counts, key=lambda name: -counts[name])
    return [{"name": name} for name in ordered[:_SUGGESTED_MAX]]
