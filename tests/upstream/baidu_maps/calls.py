"""The calls made to the real server and to ours: successes, what the services refuse, and arguments that do not fit."""

from __future__ import annotations

from typing import Any

_VENUE, _STATION = "31.171358,121.467539", "31.200112,121.326443"
_ODD: tuple[Any, ...] = (None, 42, 1.5, True, ["外滩"], {"a": 1})
# Places of seven cities, for what most calls should come to: a success.
_PLACES = (
    "栈桥空间", "西岸美术馆", "小舟咖啡", "上海虹桥站", "人民广场", "豫园", "上海迪士尼度假区",
    "静安寺", "苏州站", "拙政园", "杭州东站", "九溪烟树", "灵隐寺", "天安门广场",
    "故宫博物院", "北京南站", "颐和园", "北京大学", "北海公园", "国家图书馆", "外滩",
    "上海博物馆", "徐家汇", "西湖", "平江路", "朝阳区", "天河区", "玄武区",
    "武侯区",
)  # fmt: skip
_CITIES = (
    "上海市",
    "北京市",
    "苏州市",
    "杭州市",
    "南京市",
    "宁波市",
    "广州市",
    "深圳市",
    "成都市",
    "武汉市",
    "西安市",
    "台北市",
)
_ADCODES = (
    "310101",
    "310115",
    "110108",
    "320508",
    "320571",
    "330106",
    "320100",
    "330200",
    "440100",
    "510100",
    "420100",
    "610100",
)
_ROUTES: list[dict[str, Any]] = [
    *(
        {"origin": "栈桥空间", "destination": "上海虹桥站", "model": model}
        for model in ("driving", "riding", "walking", "transit")
    ),
    {"origin": "栈桥空间", "destination": "杭州市", "model": "transit"},
    {"origin": "栈桥空间", "destination": "上海虹桥站"},
    {"origin": _VENUE, "destination": _STATION},
    *({"origin": "人民广场", "destination": each} for each in _PLACES[:9]),
    {"origin": f"  {_VENUE.replace(',', ' , ')} ", "destination": "外滩", "is_china": "true"},
    {"origin": "121.467539,31.171358", "destination": "外滩"},
    {"origin": "91,121", "destination": "外滩"},
    {"origin": "31.17；121.46", "destination": "外滩"},
    {"origin": "没有这个地方", "destination": "外滩"},
    {"origin": "外滩", "destination": "没有这个地方"},
    {"origin": "", "destination": ""},
    {"origin": "外滩", "destination": "人民广场", "is_china": "false"},
    {"origin": _VENUE, "destination": _STATION, "is_china": "no"},
    *({"origin": _VENUE, "destination": _STATION, "model": model} for model in ("flying", "", "Driving", "cycling")),
    *({"origin": odd, "destination": "外滩"} for odd in _ODD),
    *({"origin": "外滩"}, {"destination": "外滩"}, {}, {"origin": "外滩", "destination": "外滩", "model": 3}),
]
ASKED: dict[str, list[Any]] = {
    "map_geocode": [
        *(
            {"address": each}
            for each in ("外滩", "上海市徐汇区虹梅路88号", "徐汇区", "杭州市", "台北市", "龙腾大道", "北京大学")
        ),
        *({"address": each} for each in ("没有这个地方", "", "x" * 85, *_ODD)),
        *({"address": "外滩", "is_china": each} for each in ("true", "false", "yes", "", True)),
        *({}, {"Address": "外滩"}, {"address": "外滩", "city": "上海"}, None),
        *({"address": each} for each in (*_PLACES, *_CITIES)),
    ],
    "map_reverse_geocode": [
        *(
            {"latitude": lat, "longitude": lng}
            for lat, lng in ((31.1713, 121.4675), (39.91, 116.4), (31, 121.5), (31.17, 121.46))
        ),
        *({"latitude": lat, "longitude": lng} for lat, lng in ((0, 0), (-33.8, 151.2), (91, 121), (1e-7, 180.5))),
        *({"latitude": odd, "longitude": 121.5} for odd in (*_ODD[:1], "31.2", True, [])),
        *({"latitude": 31.15 + step / 100, "longitude": 121.4 + step / 80} for step in range(12)),
        *({"latitude": 31.2}, {}, {"latitude": "31.2", "longitude": "121.4"}),
    ],
    "map_search_places": [
        *({"query": "咖啡", "region": region} for region in ("上海市", "289", "310104", "徐汇区", "全国")),
        *({"query": each} for each in ("天安门", "美食,酒店", "没有这个词", "地铁站")),
        {"query": "上海", "tag": "购物,医疗", "region": "上海市"},
        {"query": "美食", "location": _VENUE},
        {"query": "美食", "location": _VENUE, "radius": 2000, "region": "北京市"},
        {"query": "美食", "location": _VENUE, "radius": 2000.0},
        {"query": "地铁站", "location": "", "region": "杭州市"},
        {"query": "美食", "language": "en"},
        *({"query": "美食", "location": each} for each in ("121.46,31.17", "here", "31.17")),
        *({"query": "美食", "location": _VENUE, "radius": each} for each in (0, -1, "500", 1.5, None, True)),
        *({"query": each} for each in ("", ",".join("甲乙丙丁戊己庚辛壬癸子"), *_ODD)),
        *({"query": "博物馆,公园", "region": each} for each in _CITIES),
        *({"query": "美食", "region": each} for each in ("亚特兰蒂斯", "99999", 289)),
        *({"query": "塔", "region": "东京", "is_china": each} for each in ("false", "yes", "", "TRUE", False)),
        *({}, None),
    ],
    "map_directions": _ROUTES,
    "map_directions_matrix": [
        *({"origins": _VENUE, "destinations": _STATION, "model": model} for model in ("driving", "riding", "walking")),
        {"origins": f"{_VENUE}|31.2,121.4", "destinations": f"{_STATION}|31.24,121.49|31.22,121.45"},
        {"origins": _VENUE, "destinations": _VENUE},
        *({"origins": _VENUE, "destinations": _STATION, "model": model} for model in ("transit", "", "walk")),
        *({"origins": each, "destinations": _STATION} for each in ("", "|", "外滩", "31.2", f"{_VENUE}|")),
        {"origins": "|".join([_VENUE] * 11), "destinations": "|".join([_VENUE] * 10)},
        {"origins": _VENUE, "destinations": "39.9,116.4", "model": "walking"},
        *({"origins": odd, "destinations": _STATION} for odd in _ODD),
        *({"origins": _VENUE, "destinations": f"{31.2 + step / 50},{121.4 + step / 50}"} for step in range(6)),
        *({}, {"origins": _VENUE}, {"destinations": _STATION}),
    ],
    "map_weather": [
        *({"district_id": each} for each in ("310000", "310104", "110000", "710100", *_ADCODES)),
        *({"location": each} for each in ("121.467539,31.171358", "116.4,39.91")),
        {"location": "116.4,39.91", "district_id": "310000"},
        {"location": "", "district_id": "310000", "is_china": "true"},
        *({}, None, {"district_id": ""}, {"district_id": "上海"}, {"district_id": "999999"}, {"location": _VENUE}),
        *({"district_id": "310000", "is_china": each} for each in ("false", "no")),
        *({"district_id": 310000}, {"location": [121.4, 31.1]}, {"is_china": True}),
    ],
    "map_ip_location": [
        *({}, None, {"ip": ""}, {"ip": "61.177.0.1"}, {"ip": "101.80.3.3"}, {"IP": "8.8.8.8"}),
        *({"ip": each} for each in ("10.0.0.1", "8.8.8.8", "not an address", "240e::1", "1.2.3", *_ODD)),
    ],
    "map_road_traffic": [
        *(
            {"model": "road", "road_name": each, "city": "上海市"}
            for each in ("内环高架路", "延安高架路西向东", "龙腾大道", "衡山路")
        ),
        {"model": "road", "road_name": "二环路", "city": "110000"},
        {"model": "road", "road_name": "龙腾大道", "city": "上海市", "bounds": "x", "radius": 5, "center": "y"},
        {"model": "around", "center": _VENUE, "radius": 800},
        {"model": "around", "center": "30.0,124.0", "radius": 1000},
        {"model": "bound", "bounds": "31.171,121.4676;31.18,121.475"},
        {"model": "polygon", "vertexes": "31.171,121.4676;31.18,121.475;31.175,121.460"},
        *({"model": each} for each in ("road", "bound", "polygon", "around", "city", "")),
        *({"model": "around", "center": _VENUE, "radius": each} for each in (0, 1001, "200", None)),
        {"model": "bound", "bounds": "31.1,121.4;31.2,121.5"},
        {"model": "road", "road_name": "没有这条路", "city": "上海市"},
        *({"model": odd} for odd in _ODD),
        {},
    ],
    "map_place_details": [
        *(
            {"uid": each}
            for each in ("{id:栈桥空间}", "{id:外滩}", "{id:天安门广场}", "{id:上海虹桥站}", "{id:小舟咖啡}")
        ),
        *({"uid": each} for each in ("", "0" * 24, "B0FFH3NVVG", *_ODD)),
        {"uid": "{id:外滩}", "is_china": "false"},
        {},
    ],
    "map_poi_extract": [
        *(
            {"text_content": each}
            for each in (
                "周日先去上海虹桥站，再到栈桥空间",
                "在外滩见",
                "天安门广场附近的酒店",
                "去西湖",
                "从人民广场出发",
            )
        ),
        *({"text_content": each} for each in ("今天什么也不做", "", " ", *_ODD)),
        {},
    ],
    **{name: [{"address": "外滩"}, {}] for name in ("map_mark", "map_distance_matrix", "Map_Geocode", "")},
}
