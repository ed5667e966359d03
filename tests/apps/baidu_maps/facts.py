"""What the real Baidu Maps, behind mcp-server-baidu-maps 0.2.4, does."""

from farm.testing import Fact

_SERVER = (
    "https://pypi.org/project/mcp-server-baidu-maps/0.2.4/ (its code, read; and run in front of a stand-in backend)"
)
_GEOCODER = "https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-geocoding"
_PLACES = "https://lbsyun.baidu.com/faq/api?title=webapi/guide/webservice-placeapiV3/interfaceDocumentV3"
_STATUS = "https://lbsyun.baidu.com/index.php?title=webapi/appendix"
_TRAFFIC = "https://lbsyun.baidu.com/index.php?title=webapi/traffic"
_ROUTES = "https://lbsyun.baidu.com/faq/api?title=webapi/webservice-lwrouteplanapi/dirve"
_WEATHER = "https://lbsyun.baidu.com/faq/api?title=webapi/weather"
_PUBLISHED = "bodies that people published with their code, 2016 to 2021"

FACTS = {
    "verbatim": Fact(_SERVER, "A success is the API's body as it was served: one text, compact, isError false."),
    "abroad": Fact(
        f"{_SERVER}; {_STATUS}",
        "is_china: all but 'true' asks the services for abroad; a key without the right to them gets status 240.",
        differs="nothing abroad is simulated, so every key is without that right",
    ),
    "is-china": Fact(
        _SERVER, "The search alone refuses an is_china that is neither 'true' nor 'false', in words of its own."
    ),
    "msg": Fact(
        f"{_SERVER}; {_PUBLISHED}",
        "The geocoder refuses with 'msg' where the server reads 'message': an agent is told 'unknown error'.",
    ),
    "geocode": Fact(
        _GEOCODER, "Point, precise, confidence, comprehension and level, which is a kind of place or of district."
    ),
    "geocode-long": Fact(
        _GEOCODER, "An address has 84 bytes at most.", differs="how longer ones are refused is inferred"
    ),
    "reverse": Fact(
        f"{_GEOCODER}-abroad; {_PUBLISHED}",
        "Address, parts, places within a kilometre, the nearest three roads, a sentence, the number of the city.",
        differs="a point in no district that is known is refused; the real API knows all of China",
    ),
    "search": Fact(
        f"{_SERVER}; {_PLACES}",
        "Words between commas, any of them, in a region by name, adcode or the API's number; ten places, best first.",
        differs="a search of the whole country names places, where the real one may name cities and counts",
    ),
    "search-around": Fact(
        _PLACES, "With a point: within a radius, a kilometre where none is given, nearest first, with distances."
    ),
    "search-limits": Fact(
        _PLACES, "No words, more than ten, no such region: status 2.", differs="the status is inferred"
    ),
    "details": Fact(
        f"{_PLACES}/detail",
        "One place by its uid of 24 hexadecimal digits.",
        differs="that an unknown uid is status 2 is inferred",
    ),
    "address": Fact(
        f"{_SERVER}; httpx 0.28",
        "A kind of route or of traffic ends the path of the address: none holds a control character, ? and # end it.",
    ),
    "matrix": Fact(
        "https://lbsyun.baidu.com/faq/api?title=webapi/routchtout-base",
        "Row by row, length and time in words and numbers; each as the route between the two has it.",
    ),
    "matrix-limits": Fact(
        "https://lbsyun.baidu.com/faq/api?title=webapi/routchtout-base",
        "At most a hundred ways, at most 200 km on foot.",
        differs="words of the refusal, and that the hundred holds for every kind, are inferred",
    ),
    "directions": Fact(_ROUTES, "Steps with lengths and times that add up to the route's, texts, ends and a path."),
    "directions-names": Fact(
        _SERVER, "What is no pair of numbers in range is looked up first, the origin before the destination."
    ),
    "directions-kinds": Fact(
        f"{_SERVER}; {_STATUS}",
        "The kind of route is a part of the address; there is no service of another name.",
        differs="that this is status 260 is inferred",
    ),
    "directions-transit": Fact(
        "https://lbsyun.baidu.com/faq/api?title=webapi/webservice-lwrouteplanapi/transit",
        "Steps are lists of one; a ride has its line, direction, stops and their number.",
        differs="waiting counts in the route's time and in no step's",
    ),
    "weather": Fact(
        f"{_WEATHER}; {_PUBLISHED}",
        "Now and five days, today first, by the episode's clock.",
        differs="the real forecast is no model; its text of now is observed",
    ),
    "weather-point": Fact(
        _WEATHER,
        "Longitude first, unlike everywhere else; with a point the district is not looked at.",
        differs="the point is taken in BD-09, where the API's default is WGS-84",
    ),
    "ip": Fact(
        "https://lbsyun.baidu.com/faq/api?title=webapi/ip-api",
        "A city by an address, or of whoever asks; what is not known is status 1.",
        differs="IPv6 is not known",
    ),
    "ip-metres": Fact(
        "https://lbsyun.baidu.com/faq/api?title=webapi/ip-api; a body of May 2017 published with its code",
        "Asked for no system, the point is in metres of BD-09 MC, as texts with two decimals.",
    ),
    "traffic": Fact(
        f"{_TRAFFIC}; {_PUBLISHED}",
        "A road by its name, with a direction or both; only a road with a congested piece lists pieces.",
        differs="drawn by hour, weekday and kind of road, not measured",
    ),
    "traffic-areas": Fact(_TRAFFIC, "A rectangle of at most 2 km across, a polygon, a circle of at most a kilometre."),
    "extract": Fact(
        f"{_SERVER}; https://www.npmjs.com/package/@baidumap/mcp-server-baidu-map/v/1.0.5 (the members it reads)",
        "The one answer that is no text: printed by Python, indented and escaped, and beside it as structured content.",
        differs="the members of a place are inferred; the real service needs a right, which this key has",
    ),
    "extract-none": Fact(
        _SERVER,
        "Without a result after five questions the server gives up.",
        differs="at once, and that a text without places never has one is inferred",
    ),
    "agree": Fact(
        "two services on one gazetteer",
        "Amap and Baidu Maps place the same places, measure the same ways, tell the same weather.",
        differs="the two real ones differ a little in everything",
    ),
}
