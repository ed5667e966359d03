"""What the real Amap server and the REST API behind it do."""

from farm.testing import Fact

_GEO = "https://lbs.amap.com/api/webservice/guide/api/georegeo"
_IP = "https://lbs.amap.com/api/webservice/guide/api/ipconfig"
_WEATHER = "https://lbs.amap.com/api/webservice/guide/api/weatherinfo"
_WAY = "https://lbs.amap.com/api/webservice/guide/api/direction"
_SEARCH = "https://lbs.amap.com/api/webservice/guide/api/search"
_CODES = "https://lbs.amap.com/api/webservice/guide/tools/info"
_SERVER = "https://pypi.org/project/amap-mcp-server/0.1.11/ (its code, read and run)"

FACTS = {
    "in-band": Fact(
        _SERVER, "A refusal of the API looks like a success: isError false and {error: PREFIX failed: INFO}."
    ),
    "no-info": Fact(
        _SERVER,
        "The bicycling API refuses with errcode and errmsg; the server looks for info and infocode, so it says None.",
    ),
    "samples": Fact(
        "envelope_samples.jsonl: the real server in front of a stand-in", "Every body's members, order and types."
    ),
    "canned-responses": Fact(
        f"{_SERVER}, asked in front of 58 odd answers of the API",
        "What the API answers is shown member by member, null for what is absent; it may tell of no point, no route.",
    ),
    "municipality": Fact(_GEO, "A municipality has an empty list as its city when a point is looked up."),
    "nowhere": Fact(_GEO, "A point that is in no district has empty lists."),
    "cities": Fact(_GEO, "A city is its name, its pinyin, its area code or its adcode."),
    "municipality-level": Fact(
        "public answers for 上海市 and 北京市, and " + _GEO, "A municipality is found as 省, with itself as city."
    ),
    "no-area-code": Fact(
        _GEO, "What an address lacks is an empty list.", differs="That a province lacks a citycode is inferred."
    ),
    "levels": Fact(_GEO, "An address is found as 门址, 兴趣点, 道路, 区县 or 市; what it lacks is an empty list."),
    "elsewhere": Fact(_GEO, "Where the city has no such address the whole country is looked at."),
    "no-address": Fact(
        _CODES, "An address that is nowhere is ENGINE_RESPONSE_DATA_ERROR; none at all is MISSING_REQUIRED_PARAMS."
    ),
    "points": Fact(_CODES, "What is no longitude,latitude is INVALID_PARAMS."),
    "ip": Fact(
        _IP, "An address has a province, city, adcode and rectangle; what is none and foreign ones have empty lists."
    ),
    "local-ip": Fact(
        _IP,
        "An address of a local network has 局域网 as its province and nothing else.",
        differs="That these are the networks of RFC 1918 is inferred.",
    ),
    "forecast": Fact(_WEATHER, "Four days from today on, all texts; a city is a name or an adcode."),
    "no-forecast": Fact(_SERVER, "An empty list of forecasts is No forecast data available."),
    "sums": Fact(_WAY, "A way's length and time are those of its steps; numbers are texts, but for bicycles."),
    "ranges": Fact(_WAY, "Walks of more than 100 km and rides of more than 500 km are OVER_DIRECTION_RANGE."),
    "null-path": Fact(_SERVER, "The server asks each path of a drive for a path, which the API does not have: null."),
    "speeds": Fact(_WAY, "Walking takes longer than cycling, and that longer than driving."),
    "steps": Fact(_WAY, "A step's sentence names its road, direction, length and what to do at its end."),
    "abroad": Fact(_CODES, "Points outside of China are OUT_OF_SERVICE."),
    "addresses": Fact(_SERVER, "By address: the first point of each is taken, and shown beside the way."),
    "unknown-end": Fact(_SERVER, "An end that is not found is Failed to geocode origin (or destination) address: …"),
    "transit": Fact(_WAY, "A ride names line, stops and what is between; walks add up to walking_distance."),
    "transit-cities": Fact(
        _CODES,
        "The first city must be one.",
        differs="Inferred: which of the two codes a missing and an unknown one have.",
    ),
    "trains": Fact(_WAY, "Between cities a segment has railway with name and trip."),
    "no-line": Fact(_WAY, "Where no line goes, transits is empty."),
    "distances": Fact(_WAY, "0 as the crow flies, 1 by car, 3 on foot up to 5 km; one result an origin, in order."),
    "search": Fact(_SEARCH, "At most twenty places without coordinates; without keywords MISSING_REQUIRED_PARAMS."),
    "order": Fact(
        _SEARCH, "The best fit comes first.", differs="The vendor's order is a secret; ours begins with the exact name."
    ),
    "suggestion": Fact(_SEARCH, "Nothing in the city: the cities that have some are suggested."),
    "kinds": Fact(
        _SEARCH,
        "Without a city, the word of a kind of places suggests cities; in one it finds places of the kind.",
        differs="Which words are such is inferred.",
    ),
    "around": Fact(
        _SEARCH, "Nearest first; without keywords food, services, offices and homes; over 50 km the default radius."
    ),
    "detail": Fact(
        _SEARCH, "A place has its coordinates, kind in words and business keys; an unknown id is No POI found."
    ),
    "agree": Fact(
        _WAY,
        "What maps_distance says is what the way takes.",
        differs="The real ones may differ by traffic; ours are the same.",
    ),
}
