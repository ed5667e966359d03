"""Places by words and around a point, one place, and places that a text names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit.handler_api import Database, VendorError
from farm.testing import LocalApp


def _names(maps: LocalApp, **arguments: Any) -> list[str]:
    return [each["name"] for each in maps.call("map_search_places", **arguments)["results"]]


@pytest.mark.fact("search")
def test_a_place_has_what_is_known_of_it(maps: LocalApp) -> None:
    found = maps.call("map_search_places", query="小舟咖啡")

    assert (found["status"], found["message"]) == (0, "ok")
    place = found["results"][0]
    assert list(place) == [
        "uid", "name", "location", "address", "province", "city", "area", "telephone", "detail", "detail_info",
    ]  # fmt: skip
    assert (place["name"], place["address"]) == ("小舟咖啡", "上海市徐汇区复兴中路1331号")
    assert (place["province"], place["city"], place["area"]) == ("上海市", "上海市", "徐汇区")
    assert list(place["detail_info"]) == ["tag", "overall_rating", "shop_hours", "price"]
    assert place["detail_info"]["tag"] == "美食;咖啡厅"


@pytest.mark.fact("search")
@pytest.mark.parametrize("region", ["北京市", "北京", "110000", "131"])
def test_a_region_has_a_name_an_adcode_and_a_number(maps: LocalApp, region: str) -> None:
    cities = {each["city"] for each in maps.call("map_search_places", query="公园", region=region)["results"]}

    assert cities == {"北京市"}


@pytest.mark.fact("search")
def test_any_of_the_words_will_do_and_the_first_ones_come_first(maps: LocalApp) -> None:
    assert _names(maps, query="栈桥空间,西岸美术馆", region="上海市")[:2] == ["栈桥空间", "西岸美术馆"]
    assert _names(maps, query="没有这个词,栈桥空间", region="上海市") == ["栈桥空间"]


@pytest.mark.fact("search")
def test_kinds_are_baidu_s_own_words_and_a_tag_leaves_the_others_out(maps: LocalApp) -> None:
    foods = maps.call("map_search_places", query="美食", region="上海市")["results"]
    named = maps.call("map_search_places", query="上海", tag="购物,文化传媒", region="上海市")["results"]

    assert len(foods) == 10
    assert {each["detail_info"]["tag"].split(";")[0] for each in foods} == {"美食"}
    assert {each["detail_info"]["tag"].split(";")[0] for each in named} == {"购物", "文化传媒"}


@pytest.mark.fact("search")
def test_nothing_of_a_name_is_an_empty_list(maps: LocalApp) -> None:
    assert maps.call("map_search_places", query="没有这个词") == {"status": 0, "message": "ok", "results": []}


@pytest.mark.fact("search-around")
def test_around_a_point_the_nearest_come_first(maps: LocalApp) -> None:
    at = maps.call("map_geocode", address="栈桥空间")["result"]["location"]
    location = f"{at['lat']},{at['lng']}"

    near = maps.call("map_search_places", query="龙腾大道", location=location, radius=600, region="北京市")["results"]
    within = maps.call("map_search_places", query="龙腾大道", location=location)["results"]

    distances = [each["detail_info"]["distance"] for each in near]
    assert near[0]["name"] == "栈桥空间"
    assert distances[0] == 0
    assert distances == sorted(distances)
    assert distances[-1] <= 600
    assert 600 < within[-1]["detail_info"]["distance"] <= 1000 or len(within) == 10


@pytest.mark.fact("search-limits")
@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ""},
        {"query": " , "},
        {"query": ",".join("一二三四五六七八九十甲")},
        {"query": "公园", "region": "亚特兰蒂斯"},
        {"query": "公园", "region": "99999"},
        {"query": "公园", "location": "121.46;31.17"},
        {"query": "公园", "location": "121.46,31.17"},
        {"query": "公园", "location": "31.17,121.46", "radius": 0},
    ],
)
def test_what_cannot_be_searched_is_an_invalid_parameter(maps: LocalApp, arguments: dict[str, Any]) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_search_places", **arguments)

    assert (refused.value.code, refused.value.message) == (2, "API response error: Parameter Invalid")


@pytest.mark.fact("search-limits")
def test_ten_words_are_not_too_many(maps: LocalApp) -> None:
    assert maps.call("map_search_places", query=",".join("一二三四五六七八九十"))["status"] == 0


@pytest.mark.fact("is-china")
def test_the_search_alone_looks_closely_at_is_china(maps: LocalApp) -> None:
    closely = maps.result("map_search_places", query="天安门", is_china="yes")
    abroad = maps.result("map_search_places", query="塔", region="东京", is_china="false")

    assert closely["content"][0]["text"].startswith("input `is_china` invaild, please reinput")
    assert abroad["content"][0]["text"] == "API response error: APP 服务被禁用"


@pytest.mark.fact("details")
def test_a_place_is_found_again_by_its_uid(maps: LocalApp) -> None:
    listed = maps.call("map_search_places", query="天安门广场")["results"][0]

    found = maps.call("map_place_details", uid=listed["uid"])

    assert found == {"status": 0, "message": "ok", "result": listed}
    assert len(listed["uid"]) == 24
    assert int(listed["uid"], 16)


@pytest.mark.fact("details")
@pytest.mark.parametrize("uid", ["", "0" * 24, "B0FFH3NVVG"])
def test_an_unknown_uid_is_an_invalid_parameter(maps: LocalApp, uid: str) -> None:
    with pytest.raises(VendorError) as refused:
        maps.call("map_place_details", uid=uid)

    assert refused.value.code == 2


@pytest.mark.fact("details")
def test_no_two_places_have_one_uid(maps: LocalApp, gazetteer: Database) -> None:
    words = [row["name"] for row in gazetteer.all("SELECT name FROM places ORDER BY place_id LIMIT 60")]
    uids = [maps.call("map_search_places", query=word)["results"][0]["uid"] for word in words]

    assert len(set(uids)) == len(set(words))


@pytest.mark.fact("search")
def test_every_kind_and_every_city_has_baidu_s_word_for_it(gazetteer: Database) -> None:
    kinds = gazetteer.all("SELECT category FROM categories WHERE category NOT IN (SELECT category FROM tags)")
    cities = gazetteer.all(
        "SELECT name FROM districts WHERE level = 'city' AND adcode NOT IN (SELECT adcode FROM city_codes)"
    )

    assert (kinds, cities) == ([], [])


@pytest.mark.fact("extract")
def test_places_that_a_text_names_come_as_structured_content(maps: LocalApp) -> None:
    result = maps.result("map_poi_extract", text_content="周日先去上海虹桥站，再到栈桥空间")

    body = result["structuredContent"]
    assert result["content"] == [{"type": "text", "text": json.dumps(body, indent=2)}]
    assert result["isError"] is False
    poi = body["result"]["data"][0]["link"]["poi"]
    assert [each["name"] for each in poi] == ["上海虹桥站", "栈桥空间"]  # the longer name first
    listed = maps.call("map_search_places", query="栈桥空间")["results"][0]
    assert (poi[1]["uid"], poi[1]["location"]) == (listed["uid"], {k: listed["location"][k] for k in ("lng", "lat")})


@pytest.mark.fact("extract-none")
def test_a_text_that_names_no_place_comes_to_nothing(maps: LocalApp) -> None:
    result = maps.result("map_poi_extract", text_content="今天什么也不做")

    assert result == {"content": [{"type": "text", "text": "Timeout to get the result"}], "isError": True}


@pytest.mark.fact("extract-none")
def test_no_text_is_refused_when_it_is_handed_in(maps: LocalApp) -> None:
    assert maps.result("map_poi_extract", text_content="")["content"][0]["text"] == (
        "API response error: Parameter Invalid"
    )
