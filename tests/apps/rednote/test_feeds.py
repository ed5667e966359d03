"""The home feed and the search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import ADA, BO, CLIP, FRIENDS, GONE, LAMP, ME, MINE, PRIVATE, note, rows, user


def ids(body: dict[str, Any]) -> list[str]:
    assert body["count"] == len(body["feeds"])
    return [feed["id"] for feed in body["feeds"]]


@pytest.mark.fact("home")
def test_the_home_feed_has_the_public_notes_of_others_newest_first(rednote: LocalApp) -> None:
    assert ids(rednote.call("list_feeds")) == [LAMP, CLIP]


@pytest.mark.fact("home")
def test_a_card_has_the_servers_keys_in_their_order(rednote: LocalApp) -> None:
    card, video = rednote.call("list_feeds")["feeds"]

    assert list(card) == ["xsecToken", "id", "modelType", "noteCard", "index"]
    assert list(card["noteCard"]) == ["type", "displayTitle", "user", "interactInfo", "cover"]
    assert card["noteCard"]["interactInfo"] == {
        "liked": False,
        "likedCount": "1.2万",
        "sharedCount": "",
        "commentCount": "",
        "collectedCount": "",
        "collected": False,
    }
    assert list(card["noteCard"]["cover"]) == ["width", "height", "url", "fileId", "urlPre", "urlDefault", "infoList"]
    assert card["noteCard"]["user"]["nickname"] == card["noteCard"]["user"]["nickName"] == "波波"
    assert (video["noteCard"]["video"], video["index"]) == ({"capa": {"duration": 37}}, 1)


@pytest.mark.fact("home")
def test_one_screen_is_all_there_is(start: Callable[..., LocalApp]) -> None:
    many = [note(f"66{number:02}", BO, "灯", days=-number) for number in range(50)]
    app = start("rednote", rows=[*rows(), *many], me="me")

    assert len(ids(app.call("list_feeds"))) == 35


@pytest.mark.fact("home")
def test_an_empty_page_is_an_error(start: Callable[..., LocalApp]) -> None:
    with pytest.raises(VendorError) as refused:
        start("rednote").call("list_feeds")

    assert refused.value.message == "获取Feeds列表失败: 没有捕获到 feeds 数据"


@pytest.mark.fact("search")
def test_a_title_counts_more_than_a_tag_and_a_tag_more_than_the_body(rednote: LocalApp) -> None:
    assert ids(rednote.call("search_feeds", keyword="台灯")) == [LAMP, MINE, CLIP]


@pytest.mark.fact("search")
def test_search_cards_carry_every_counter(rednote: LocalApp) -> None:
    first = rednote.call("search_feeds", keyword="护眼台灯")["feeds"][0]

    assert first["noteCard"]["interactInfo"] == {
        "liked": False,
        "likedCount": "1.2万",
        "sharedCount": "7",
        "commentCount": "0",
        "collectedCount": "1",
        "collected": True,
    }


@pytest.mark.fact("search")
def test_case_does_not_matter_and_the_author_is_found(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", rows=[*rows(), note("66aa", ADA, "Ember S2 unboxing")], me="me")

    assert ids(app.call("search_feeds", keyword="EMBER s2")) == ["66aa"]
    assert ids(app.call("search_feeds", keyword="艾达")) == ["66aa"]


@pytest.mark.fact("search")
def test_a_long_chinese_term_is_found_by_its_parts(rednote: LocalApp) -> None:
    assert ids(rednote.call("search_feeds", keyword="莫干山徒步攻略")) == [CLIP]
    assert ids(rednote.call("search_feeds", keyword="攻略大全集")) == []


@pytest.mark.fact("search")
def test_parts_of_a_term_are_looked_for_only_when_the_whole_is_nowhere(rednote: LocalApp) -> None:
    assert ids(rednote.call("search_feeds", keyword="护眼台灯")) == [LAMP]
    assert ids(rednote.call("search_feeds", keyword="护台灯")) == [LAMP, MINE, CLIP]


@pytest.mark.fact("search")
def test_nothing_found_is_an_empty_list(rednote: LocalApp) -> None:
    assert rednote.call("search_feeds", keyword="冲浪") == {"feeds": [], "count": 0}
    assert rednote.call("search_feeds", keyword="  ") == {"feeds": [], "count": 0}


@pytest.mark.fact("search")
def test_nothing_is_found_on_an_empty_site(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", rows=[user(ME, "我", person="me"), {"table": "sessions", "user_id": ME}], me="me")

    assert app.call("search_feeds", keyword="冲浪") == {"feeds": [], "count": 0}


@pytest.mark.fact("search")
def test_a_word_that_every_note_holds_ranks_by_where_it_hits_then_by_likes(start: Callable[..., LocalApp]) -> None:
    crowd = [note(f"77{n:02}", BO, "…", body="冲浪", days=-n) for n in range(30)]
    wanted = [
        note("78a1", BO, "冲浪板", body="冲浪", tags='["\\u51b2\\u6d6a"]', days=-40),
        note("78a2", BO, "学冲浪", days=-40, liked_base=5),
        note("78a3", BO, "冲浪去", days=-40),
        note("78a4", BO, "…", tags='["冲浪","海"]', days=-40),
    ]
    app = start("rednote", rows=[*rows(), *crowd, *wanted], me="me")

    found = ids(app.call("search_feeds", keyword="冲浪"))

    assert found == ["78a1", "78a2", "78a3", "78a4", *(f"77{n:02}" for n in range(16))]
    assert ids(app.call("search_feeds", keyword="冲浪 海"))[0] == "78a4"
    assert ids(app.call("search_feeds", keyword="冲浪", filters={"sort_by": "最新"}))[:2] == ["7700", "7701"]


@pytest.mark.fact("search")
def test_an_empty_keyword_is_refused(rednote: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("search_feeds", keyword="")

    assert refused.value.message == "搜索Feeds失败: 缺少关键词参数"


@pytest.mark.fact("visibility")
@pytest.mark.parametrize("keyword", ["没写完的信", "给朋友的照片", "删掉的笔记"])
def test_private_friends_and_deleted_notes_are_not_found(rednote: LocalApp, keyword: str) -> None:
    assert not {PRIVATE, FRIENDS, GONE} & set(ids(rednote.call("search_feeds", keyword=keyword)))


@pytest.mark.fact("search-filters")
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"sort_by": "最新"}, [LAMP, MINE, CLIP]),
        ({"sort_by": "最多点赞"}, [LAMP, MINE, CLIP]),
        ({"sort_by": "最多评论"}, [MINE, LAMP, CLIP]),
        ({"sort_by": "最多收藏"}, [LAMP, CLIP, MINE]),
        ({"note_type": "视频"}, [CLIP]),
        ({"note_type": "图文"}, [LAMP, MINE]),
        ({"publish_time": "一天内"}, [LAMP]),
        ({"publish_time": "一周内"}, [LAMP, MINE]),
        ({"publish_time": "半年内"}, [LAMP, MINE, CLIP]),
        ({"search_scope": "已看过"}, [LAMP, MINE, CLIP]),
        ({"search_scope": "未看过"}, []),
        ({"search_scope": "已关注"}, [LAMP]),
        ({"location": "同城"}, [LAMP, MINE]),
        ({"location": "附近"}, [LAMP, MINE]),
        ({"note_type": "不限", "sort_by": ""}, [LAMP, MINE, CLIP]),
        ({"note_type": "图文", "search_scope": "已关注", "sort_by": "最新"}, [LAMP]),
    ],
)
def test_filters_narrow_and_sort(rednote: LocalApp, filters: dict[str, str], found: list[str]) -> None:
    assert ids(rednote.call("search_feeds", keyword="台灯", filters=filters)) == found


@pytest.mark.fact("search-filters")
def test_nearby_looks_at_the_district_where_both_are_known(rednote: LocalApp) -> None:
    rednote.episode.db.update("users", {"user_id": ME}, district="徐汇区")
    rednote.episode.db.update("notes", {"note_id": LAMP}, district="浦东新区")

    assert ids(rednote.call("search_feeds", keyword="台灯", filters={"location": "附近"})) == [MINE]


@pytest.mark.fact("search-filters")
def test_a_value_the_page_does_not_offer_is_refused_with_the_offer(rednote: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("search_feeds", keyword="台灯", filters={"sort_by": "newest", "note_type": "图片"})

    assert refused.value.message == (
        '搜索Feeds失败: 排序依据 不支持 "newest"，可选：综合、最新、最多点赞、最多评论、最多收藏'
    )


@pytest.mark.fact("counters")
@pytest.mark.parametrize(
    ("likes", "shown"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "1万"),
        (19_999, "1.9万"),
        (99_999, "9.9万"),
        (100_000, "10万+"),
        (10**8, "10万+"),
    ],
)
def test_big_counters_are_told_in_wan_up_to_ten(start: Callable[..., LocalApp], likes: int, shown: str) -> None:
    app = start("rednote", rows=[*rows(), note("66aa", BO, "灯", days=0, liked_base=likes)], me="me")

    assert app.call("list_feeds")["feeds"][0]["noteCard"]["interactInfo"]["likedCount"] == shown


@pytest.mark.fact("tokens")
def test_every_listing_issues_the_same_token_for_a_note(rednote: LocalApp) -> None:
    home = {feed["id"]: feed["xsecToken"] for feed in rednote.call("list_feeds")["feeds"]}
    found = {feed["id"]: feed["xsecToken"] for feed in rednote.call("search_feeds", keyword="台灯")["feeds"]}

    assert home[LAMP] == found[LAMP] != home[CLIP]
    assert len(home[LAMP]) == 46
    assert (home[LAMP][:2], home[LAMP][-1]) == ("AB", "=")


@pytest.mark.fact("home")
def test_reading_changes_nothing(rednote: LocalApp) -> None:
    for tool in ("list_feeds", "get_my_profile", "get_unread_count"):
        rednote.call(tool)
    rednote.call("search_feeds", keyword="台灯")

    assert rednote.changes() == {}


@pytest.mark.fact("search-filters")
@pytest.mark.parametrize("word", ["冲浪", "surf"])  # looked for in SQLite, and note by note
def test_a_chosen_order_takes_the_place_of_the_score(start: Callable[..., LocalApp], word: str) -> None:
    found = [
        note("79a1", BO, "…", body=word, days=-3, liked_base=9),
        note("79a2", BO, word, days=-4, liked_base=1),
        note("79a3", BO, "…", body=word, days=-2, liked_base=1),
        note("79a4", BO, "…", body=word, days=-1, liked_base=2),
    ]
    app = start("rednote", rows=[*rows(), *found], me="me")

    def order(sort_by: str) -> list[str]:
        return ids(app.call("search_feeds", keyword=word, filters={"sort_by": sort_by}))

    assert order("综合") == ["79a2", "79a1", "79a4", "79a3"]
    assert order("最多点赞") == ["79a1", "79a4", "79a3", "79a2"]
    assert order("最新") == ["79a4", "79a3", "79a1", "79a2"]


@pytest.mark.fact("search")
def test_a_third_of_the_parts_is_enough_and_less_is_not(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", rows=[*rows(), note("7aa1", BO, "甲乙与丙丁")], me="me")

    # Seven characters have six neighbouring pairs, eight have seven: two of them stand there.
    assert ids(app.call("search_feeds", keyword="甲乙丙丁戊己庚")) == ["7aa1"]
    assert ids(app.call("search_feeds", keyword="甲乙丙丁戊己庚辛")) == []


@pytest.mark.fact("search")
@pytest.mark.parametrize("words", [("surf", "wave", "reef"), ("冲浪", "海浪", "礁石")])
@pytest.mark.parametrize("crowd", [0, 40])  # rare words are looked up in the index, common ones in every note
def test_a_note_is_found_where_half_of_the_terms_hit_and_more_hits_stand_first(
    start: Callable[..., LocalApp], words: tuple[str, str, str], crowd: int
) -> None:
    one, two, three = words
    made = [
        user("5f0c000000000009", f"爱{one}"),
        note("7ba1", BO, f"{one} {two} {three}", days=-9),
        note("7ba2", BO, f"{one}…", tags=f'["{two}"]', days=-9),
        note("7ba3", BO, "…", body=f"{one} {two}", days=-9),
        note("7ba4", BO, one, body=one, days=-9),
        note("7ba5", BO, one, days=-8),
        note("7ba6", BO, "…", tags=f'["海","{one}"]', days=-9, liked_base=9),
        note("7ba7", BO, "…", body=one, days=-9, liked_base=99),
        note("7ba8", "5f0c000000000009", "…", days=-9, liked_base=999),
    ]
    others = [note(f"7c{number:02}", BO, "…", body="别的", days=-20 - number) for number in range(crowd)]
    app = start("rednote", rows=[*rows(), *made, *others], me="me")

    def found(keyword: str, **filters: str) -> list[str]:
        return ids(app.call("search_feeds", keyword=keyword, filters=filters))

    # In title and body, in the title, in a tag, in the body, in the author's name; then by likes, then newest first.
    assert found(one) == ["7ba4", "7ba5", "7ba1", "7ba2", "7ba6", "7ba7", "7ba3", "7ba8"]
    assert found(f"{one} {two}")[:3] == ["7ba1", "7ba2", "7ba3"]
    assert found(f"{one}  {two} {one}") == found(f"{one} {two}")
    # Two of three are enough, one is not.
    assert found(f"{one} {two} {three}") == ["7ba1", "7ba2", "7ba3"]
    assert found(f"{one} {two} {three}", sort_by="最新") == ["7ba1", "7ba2", "7ba3"]
    assert found(f"{one} {two} {three} 雪地") == ["7ba1", "7ba2", "7ba3"]
    assert found(f"{three} 雪地 滑板") == []


@pytest.mark.fact("search")
def test_a_page_of_equals_is_the_best_liked_then_the_newest(start: Callable[..., LocalApp]) -> None:
    made = [note(f"7d{n:02}", BO, "surf", days=-1 - n, liked_base=int(n in (30, 31))) for n in range(40)]
    app = start("rednote", rows=[*rows(), *made], me="me")

    found = ids(app.call("search_feeds", keyword="surf"))

    assert found == ["7d30", "7d31", *(f"7d{n:02}" for n in range(18))]
    assert ids(app.call("search_feeds", keyword="surf", filters={"sort_by": "最新"})) == [
        f"7d{n:02}" for n in range(20)
    ]


@pytest.mark.fact("search-filters")
@pytest.mark.parametrize(
    ("value", "hours", "is_found"),
    [
        ("一天内", 24, True), ("一天内", 24.001, False), ("一周内", 24 * 7, True), ("一周内", 24 * 7 + 0.001, False),
        ("半年内", 24 * 182, True), ("半年内", 24 * 182 + 0.001, False),
    ],
)  # fmt: skip
def test_a_span_of_time_ends_to_the_moment(
    start: Callable[..., LocalApp], value: str, hours: float, is_found: bool
) -> None:
    app = start("rednote", rows=[*rows(), note("7e01", BO, "surf", days=-hours / 24)], me="me")

    found = ids(app.call("search_feeds", keyword="surf", filters={"publish_time": value}))

    assert found == (["7e01"] if is_found else [])
