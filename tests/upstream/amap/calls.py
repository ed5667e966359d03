"""What both are asked: every tool several times, about half of it with success. ``{id:NAME}`` is a place's id."""

from __future__ import annotations

from typing import Any

_OFFICE, _VENUE, _STOP = "121.3983,31.1729", "121.4611,31.1652", "121.4595,31.168"
_LAKE, _PALACE, _BERLIN, _NORTH = "120.6975,31.3045", "116.397,39.9175", "13.405,52.52", "85.5,46.5"


def _ends(origin: str, destination: str, **cities: str) -> dict[str, str]:
    return {"origin_address": origin, "destination_address": destination, **cities}


def _way(origin: str, destination: str, **cities: str) -> dict[str, str]:
    return {"origin": origin, "destination": destination, **cities}


def _ride(origin: str, destination: str) -> dict[str, str]:
    return {"origin_coordinates": origin, "destination_coordinates": destination}


_BY_ADDRESS: list[dict[str, Any]] = [
    _ends("云锦路地铁站", "栈桥空间", origin_city="上海"),
    _ends("虹梅路88号", "龙腾大道2770号", origin_city="021", destination_city="310000"),
    _ends("不存在的地方", "栈桥空间"),
    _ends("栈桥空间", ""),
    {"origin_address": "栈桥空间"},
]

ASKED: dict[str, list[dict[str, Any]]] = {
    "maps_regeocode": [
        {"location": "116.482086,39.990496"},
        {"location": "120.6298,31.3238"},
        {"location": "121.5645,25.034"},
        {"location": "0,0"},
        {"location": "31.2;121.4"},
        {"location": ""},
        {"location": [121.4, 31.2]},
    ],
    "maps_geo": [
        {"address": "上海市"},
        {"address": "北京"},
        {"address": "浙江省"},
        {"address": "北京市朝阳区阜通东大街6号"},
        {"address": "西岸龙腾大道 2600 号 Tower B 9F", "city": "上海"},
        {"address": "栈桥空间", "city": "北京"},
        {"address": "上海市徐汇区"},
        {"address": "苏州", "city": "null"},
        {"address": "台北101", "city": ""},
        {"address": "不存在的地方"},
        {"address": ""},
        {"city": "上海"},
    ],
    "maps_ip_location": [
        {"ip": "114.247.50.2"},
        {"ip": "202.96.209.5"},
        {"ip": "61.177.3.4"},
        {"ip": "10.0.0.1"},
        {"ip": "8.8.8.8"},
        {"ip": "300.1.1.1"},
        {"ip": 8},
    ],
    "maps_weather": [
        {"city": "上海"},
        {"city": "320500"},
        {"city": "临安区"},
        {"city": "浙江省"},
        {"city": "Atlantis"},
        {"city": ""},
        {},
    ],
    "maps_bicycling_by_address": _BY_ADDRESS,
    "maps_bicycling_by_coordinates": [
        _ride(_OFFICE, _VENUE),
        _ride(_STOP, _VENUE),
        _ride(_PALACE, _VENUE),
        _ride("here", _VENUE),
        _way(_OFFICE, _VENUE),
    ],
    "maps_direction_walking_by_address": _BY_ADDRESS,
    "maps_direction_walking_by_coordinates": [
        _way(_STOP, _VENUE),
        _way(_OFFICE, _VENUE),
        _way(_PALACE, _VENUE),
        _way(_VENUE, _BERLIN),
        _way("121.4", _VENUE),
    ],
    "maps_direction_driving_by_address": _BY_ADDRESS,
    "maps_direction_driving_by_coordinates": [
        _way(_OFFICE, _VENUE),
        _way(_OFFICE, _LAKE),
        _way(_PALACE, _VENUE),
        _way(_VENUE, _BERLIN),
        _way(_VENUE, _NORTH),
        {"origin": _OFFICE, "destination": None},
    ],
    "maps_direction_transit_integrated_by_address": [
        _ends("虹梅路88号", "栈桥空间", origin_city="上海", destination_city="上海"),
        _ends("小舟咖啡", "湖岸花园酒店", origin_city="上海", destination_city="苏州"),
        _ends("不存在的地方", "栈桥空间", origin_city="上海", destination_city="上海"),
        _ends("栈桥空间", "小舟咖啡", origin_city="上海", destination_city="Atlantis"),
        _ends("栈桥空间", "小舟咖啡", origin_city="上海"),
    ],
    "maps_direction_transit_integrated_by_coordinates": [
        _way(_OFFICE, _VENUE, city="上海", cityd="上海"),
        _way(_OFFICE, _LAKE, city="上海市", cityd="0512"),
        _way("119.446,30.322", "119.401,30.301", city="杭州", cityd="杭州"),
        _way(_OFFICE, _VENUE, city="", cityd="上海"),
        _way(_OFFICE, _VENUE, city="Atlantis", cityd="上海"),
        _way(_OFFICE, _BERLIN, city="上海", cityd="上海"),
    ],
    "maps_distance": [
        {"origins": f"{_OFFICE}|{_STOP}", "destination": _VENUE},
        {"origins": _OFFICE, "destination": _VENUE, "type": "0"},
        {"origins": _STOP, "destination": _VENUE, "type": "3"},
        {"origins": _OFFICE, "destination": _VENUE, "type": "3"},
        {"origins": _OFFICE, "destination": _VENUE, "type": "7"},
        {"origins": _NORTH, "destination": _VENUE},
        {"origins": _OFFICE, "destination": _BERLIN},
        {"origins": _OFFICE, "destination": _VENUE, "type": 1},
    ],
    "maps_text_search": [
        {"keywords": "咖啡", "city": "上海"},
        {"keywords": "地铁站", "city": "南京", "citylimit": "true"},
        {"keywords": "栈桥空间", "city": "北京"},
        {"keywords": "栈桥空间|小舟咖啡"},
        {"keywords": "Atlantis"},
        {"keywords": ""},
        {"keywords": "咖啡", "citylimit": True},
    ],
    "maps_around_search": [
        {"location": _VENUE},
        {"location": _VENUE, "radius": "3000", "keywords": "美术馆"},
        {"location": _PALACE, "radius": "60000", "keywords": "公园"},
        {"location": _VENUE, "radius": "far"},
        {"location": "here"},
        {"location": _VENUE, "radius": 1000},
    ],
    "maps_search_detail": [
        {"id": "{id:小舟咖啡}"},
        {"id": "{id:拙政园}"},
        {"id": "{id:和平饭店}"},
        {"id": "{id:龙腾大道2600号}"},
        {"id": "B0ZZZZZZZZ"},
        {"id": ""},
        {},
    ],
}
