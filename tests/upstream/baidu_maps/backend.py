"""A stand-in for Baidu's web services: the gazetteer's rows in the shape of the services' answers.

The real server gives bodies back as they are served, so bodies are asked of our app and nothing is to be learnt of
them. What is compared is all that the server does itself: which service it asks, with which parameters and defaults,
what it makes of a status, and its own checks and words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from farm.kernel import VendorError
from farm.testing import LocalApp
from tests.upstream.real import Asked, Reply

KEY = "a-key-of-nobody-0000"
_ABROAD = ("/api_geocoding_abroad/", "/place_abroad/", "/direction_abroad/", "/weather_abroad/")
_ROUTES, _MATRICES, _TRAFFIC = "/directionlite/v1/", "/routematrix/v2/", "/traffic/v1/"
_PREFIX = "API response error: "
# These services write their refusals' words under another name.
_GEOCODERS = ("/geocoding/v3/", "/reverse_geocoding/v3/")


def backend(maps: LocalApp) -> Callable[[Asked], Reply]:
    """Return what answers the services' requests."""
    texts: dict[str, str] = {}

    def answer(asked: Asked) -> Reply:
        given = dict(parse_qsl(asked.body.decode())) if asked.body else asked.query
        assert (given["ak"], given["from"]) == (KEY, "py_mcp"), "every service is asked with the key, and by whom"
        if asked.path.startswith(_ABROAD):
            return _reply({"status": 240, "message": "APP 服务被禁用"})
        if asked.path == "/api_mark/v1/submit":
            return _submit(maps, texts, given)
        if asked.path == "/api_mark/v1/result":
            return _extracted(maps, texts[given["map_id"]])
        return _ask(maps, asked.path, *_tool(asked.path, given))

    return answer


def _tool(path: str, given: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the tool and the arguments that a request stands for."""
    if path not in ("/weather/v1/", "/location/ip"):
        assert given["output"] == "json"
    match path:
        case "/geocoding/v3/":
            return "map_geocode", {"address": given["address"]}
        case "/reverse_geocoding/v3/":
            assert (given["extensions_road"], given["extensions_poi"]) == ("true", "1")
            latitude, longitude = map(json.loads, given["location"].split(","))
            return "map_reverse_geocode", {"latitude": latitude, "longitude": longitude}
        case "/place/v3/region" | "/place/v3/around":
            assert (given["scope"], given["region_limit"]) == ("2", "true")
            where = {name: given[name] for name in ("region", "location") if name in given}
            radius = {"radius": json.loads(given["radius"])} if given.get("radius") else {}
            return "map_search_places", {"query": given["query"], "tag": given["type"], **where, **radius}
        case "/place/v2/detail":
            assert given["scope"] == "2"
            return "map_place_details", {"uid": given["uid"]}
        case "/weather/v1/":
            assert given["data_type"] == "all"
            return "map_weather", {name: given[name] for name in ("location", "district_id") if name in given}
        case "/location/ip":
            return "map_ip_location", {"ip": given["ip"]}
    for prefix, tool in (
        (_ROUTES, "map_directions"),
        (_MATRICES, "map_directions_matrix"),
        (_TRAFFIC, "map_road_traffic"),
    ):
        if path.startswith(prefix):
            kept: dict[str, Any] = {
                name: value for name, value in given.items() if name not in ("ak", "output", "from")
            }
            if "radius" in kept:
                radius = kept.pop("radius")
                kept |= {"radius": json.loads(radius)} if radius else {}
            return tool, {**kept, "model": path.removeprefix(prefix)}
    raise AssertionError(f"the server asks for {path}, which nobody knew of")


def _ask(maps: LocalApp, path: str, tool: str, arguments: dict[str, Any]) -> Reply:
    try:
        return Reply(maps.text(tool, **arguments).encode())
    except VendorError as refused:
        status, said = refused.code, refused.message.removeprefix(_PREFIX)
        if path in _GEOCODERS:
            return _reply({"status": status, "msg": "Internal Service Error:无相关结果", "results": []})
        return _reply({"status": status, "message": said})


def _submit(maps: LocalApp, texts: dict[str, str], given: Mapping[str, str]) -> Reply:
    text = given.get("text_content", "")
    if not text.strip():
        return _reply({"status": 2, "message": "Parameter Invalid"})
    texts[f"map-{len(texts)}"] = text
    return _reply({"status": 0, "result": {"map_id": f"map-{len(texts) - 1}"}})


def _extracted(maps: LocalApp, text: str) -> Reply:
    result = maps.result("map_poi_extract", text_content=text)
    return _reply({"status": 0} if result["isError"] else result["structuredContent"])


def _reply(body: Mapping[str, Any]) -> Reply:
    return Reply(json.dumps(body, ensure_ascii=False).encode())
