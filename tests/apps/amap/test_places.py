"""Places by words, around a point, and one by its id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp

VENUE = "121.461100,31.165200"


@pytest.mark.fact("search")
def test_a_search_gives_twenty_places_at_most_and_no_coordinates(amap: LocalApp, refused: Callable[..., str]) -> None:
    found = amap.call("maps_text_search", keywords="地铁站", city="上海")

    assert found["suggestion"] == {"keywords": [], "cities": []}
    assert len(found["pois"]) == 20
    assert {tuple(each) for each in found["pois"]} == {("id", "name", "address", "typecode")}
    assert {each["typecode"] for each in found["pois"]} == {"150500"}
    assert refused("maps_text_search", keywords=" ") == "Text Search failed: MISSING_REQUIRED_PARAMS"


@pytest.mark.fact("order")
def test_the_exact_name_comes_first(amap: LocalApp) -> None:
    names = [each["name"] for each in amap.call("maps_text_search", keywords="上海站")["pois"]]

    assert names[0] == "上海站"


@pytest.mark.fact("search")
def test_bars_stand_between_alternatives_and_blanks_between_words(amap: LocalApp) -> None:
    either = amap.call("maps_text_search", keywords="栈桥空间|小舟咖啡")["pois"]
    both = amap.call("maps_text_search", keywords="明渡 静安")["pois"]

    assert {each["name"] for each in either} == {"栈桥空间", "小舟咖啡"}
    assert [each["name"] for each in both] == ["明渡生活(静安店)"]


@pytest.mark.fact("suggestion")
def test_cities_that_have_it_are_suggested_where_the_city_has_none(amap: LocalApp) -> None:
    assert amap.call("maps_text_search", keywords="栈桥空间", city="北京", citylimit="true") == {
        "suggestion": {"keywords": [], "cities": [{"name": "上海市"}]},
        "pois": [],
    }


@pytest.mark.fact("kinds")
@pytest.mark.parametrize("word", ["美食", "餐饮服务", "景点"])
def test_the_word_of_a_kind_suggests_cities_where_none_is_named(amap: LocalApp, word: str) -> None:
    everywhere = amap.call("maps_text_search", keywords=word)

    assert everywhere["pois"] == []
    assert {"name": "上海市"} in everywhere["suggestion"]["cities"]
    assert len(everywhere["suggestion"]["cities"]) > 1


@pytest.mark.fact("kinds")
def test_people_s_word_for_food_finds_restaurants(amap: LocalApp) -> None:
    in_shanghai = amap.call("maps_text_search", keywords="美食", city="上海")
    near = amap.call("maps_around_search", location=VENUE, radius="3000", keywords="美食")

    assert in_shanghai["suggestion"]["cities"] == []
    for body in (in_shanghai, near):
        assert body["pois"]
        assert {each["typecode"][:2] for each in body["pois"]} == {"05"}


@pytest.mark.fact("around")
def test_places_around_come_nearest_first(amap: LocalApp, refused: Callable[..., str]) -> None:
    usual = amap.call("maps_around_search", location=VENUE)["pois"]
    museums = amap.call("maps_around_search", location=VENUE, keywords="美术馆", radius="3000")["pois"]

    assert usual[0]["name"] == "栈桥空间"
    assert {each["typecode"][:2] for each in usual} <= {"05", "07", "12"}
    assert [each["name"] for each in museums][:2] == ["上海油罐艺术中心", "西岸美术馆"]
    # Too large a radius is as none, which is 5 km.
    too_large, default = (
        amap.call("maps_around_search", location=VENUE, keywords="美术馆", radius=each) for each in ("50001", "5000")
    )
    assert too_large == default
    assert refused("maps_around_search", location=VENUE, radius="far") == "Around Search failed: INVALID_PARAMS"


@pytest.mark.fact("detail")
def test_a_place_is_shown_with_where_and_what_it_is(amap: LocalApp, refused: Callable[..., str]) -> None:
    listed = amap.call("maps_text_search", keywords="小舟咖啡", city="上海")["pois"][0]
    place = amap.call("maps_search_detail", id=listed["id"])

    assert {key: place[key] for key in ("id", "name", "address")} == {
        key: listed[key] for key in ("id", "name", "address")
    }
    assert (place["city"], place["type"]) == ("上海市", "餐饮服务;咖啡厅;咖啡厅")
    assert (place["rating"], place["cost"], place["meal_ordering"]) == ("4.7", "38.00", "0")
    for unknown in ("B0ZZZZZZZZ", "nonsense"):
        assert refused("maps_search_detail", id=unknown) == "No POI found"
    assert refused("maps_search_detail", id="") == "Get poi detail failed: INVALID_PARAMS"


@pytest.mark.fact("detail")
def test_a_place_is_where_its_address_and_its_name_are_found(amap: LocalApp) -> None:
    for name in ("栈桥空间", "小舟咖啡", "拙政园", "北京南站"):
        key = amap.call("maps_text_search", keywords=name)["pois"][0]["id"]
        location = amap.call("maps_search_detail", id=key)["location"]
        assert amap.call("maps_geo", address=name)["return"][0]["location"] == location
