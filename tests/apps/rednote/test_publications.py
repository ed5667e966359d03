"""Publishing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import EPISODE, LocalApp
from tests.apps.rednote.conftest import BO, HOUR_MS, ME, NOW_MS, rows

DESK, HIKE, LAMP = "/home/wan/desk.jpg", "/home/wan/hike.mp4", "https://img.example/lamp.png"
GOOD: dict[str, Any] = {"title": "春日野餐", "content": "今天天气真好", "images": [DESK]}
CLIP: dict[str, Any] = {"title": "徒步", "content": "莫干山", "video": HIKE}


def refusal(app: LocalApp, tool: str, **arguments: Any) -> str:
    with pytest.raises(VendorError) as refused:
        app.call(tool, **arguments)
    assert app.changes() == {}
    message = refused.value.message
    assert message.startswith("发布失败: ")
    return message.removeprefix("发布失败: ")


def inserted(app: LocalApp, table: str) -> list[dict[str, Any]]:
    return [dict(change["new"]) for change in app.changes()[table]]


@pytest.mark.fact("publish")
def test_a_published_note_is_stored_and_found(rednote: LocalApp) -> None:
    text = rednote.text("publish_content", **{**GOOD, "images": [DESK, LAMP]}, tags=["#野餐", "春天"], is_original=True)

    assert text == "内容发布成功: &{Title:春日野餐 Content:今天天气真好 Images:2 Status:发布完成}"
    (note,) = inserted(rednote, "notes")
    assert (note["user_id"], note["time"], note["schedule_at"], note["visibility"]) == (ME, NOW_MS, None, "公开可见")
    assert (note["type"], note["is_original"], note["ip_location"]) == ("normal", 1, "上海")
    assert json.loads(note["tags"]) == ["野餐", "春天"]
    images = inserted(rednote, "note_images")
    assert [(image["position"], image["source"], image["width"]) for image in images] == [
        (0, DESK, 1080),
        (1, LAMP, 1080),
    ]
    assert [feed["id"] for feed in rednote.call("search_feeds", keyword="野餐")["feeds"]] == [note["note_id"]]
    mine = rednote.call("get_my_profile")["feeds"][0]
    assert (mine["id"], mine["noteCard"]["cover"]["height"]) == (note["note_id"], 1440)


@pytest.mark.fact("publish")
def test_a_published_video_is_stored_with_its_cover(rednote: LocalApp) -> None:
    text = rednote.text("publish_with_video", **CLIP, tags=None, visibility="仅自己可见")

    assert text == "视频发布成功: &{Title:徒步 Content:莫干山 Video:/home/wan/hike.mp4 Status:发布完成}"
    (note,), (video,), (cover,) = (inserted(rednote, table) for table in ("notes", "videos", "note_images"))
    assert (note["type"], note["visibility"]) == ("video", "仅自己可见")
    assert (video["duration"], video["source"], cover["source"]) == (42, HIKE, None)
    assert rednote.call("get_my_profile")["feeds"][0]["noteCard"]["video"] == {"capa": {"duration": 42}}


@pytest.mark.fact("publish-title")
@pytest.mark.parametrize("title", ["一" * 20, "a" * 40, "一" * 19 + "ab", "😀" * 10, "", "a" * 39])
def test_twenty_by_the_sites_count_is_enough(rednote: LocalApp, title: str) -> None:
    rednote.text("publish_content", **{**GOOD, "title": title})

    assert inserted(rednote, "notes")[0]["title"] == title


@pytest.mark.fact("publish-title")
@pytest.mark.parametrize("title", ["一" * 21, "a" * 41, "一" * 20 + "a", "😀" * 11])
def test_more_than_twenty_is_too_long(rednote: LocalApp, title: str) -> None:
    assert refusal(rednote, "publish_content", **{**GOOD, "title": title}) == "标题长度超过限制"
    assert refusal(rednote, "publish_with_video", **{**CLIP, "title": title}) == "标题长度超过限制"


@pytest.mark.fact("publish-files")
@pytest.mark.parametrize(
    ("images", "message"),
    [
        (None, "no valid images found"),
        ([], "no valid images found"),
        (
            ["https://img.example/no.png"],
            "下载图片失败 https://img.example/no.png: download failed with status 404 for URL: https://img.example/no.png",
        ),
        ([HIKE], "小红书上传图片失败: 第1张图片上传超时(60s)，请检查网络连接和图片大小"),
        ([DESK] * 19, "小红书上传图片失败: 第19张图片上传超时(60s)，请检查网络连接和图片大小"),
    ],
)
def test_pictures_that_cannot_be_uploaded_are_refused(
    rednote: LocalApp, images: list[str] | None, message: str
) -> None:
    assert refusal(rednote, "publish_content", **{**GOOD, "images": images}) == message


@pytest.mark.fact("publish-missing")
def test_a_picture_that_is_not_there_is_left_out_and_counted(rednote: LocalApp) -> None:
    text = rednote.text("publish_content", **{**GOOD, "images": ["/no/such.jpg", DESK, "", LAMP]})

    assert text == "内容发布成功: &{Title:春日野餐 Content:今天天气真好 Images:4 Status:发布完成}"
    assert [(row["position"], row["source"]) for row in inserted(rednote, "note_images")] == [(0, DESK), (1, LAMP)]


@pytest.mark.fact("publish-missing")
def test_missing_pictures_are_not_counted_where_the_page_takes_eighteen(rednote: LocalApp) -> None:
    rednote.text("publish_content", **{**GOOD, "images": ["/no/such.jpg", *[DESK] * 18]})

    assert len(inserted(rednote, "note_images")) == 18
    with pytest.raises(VendorError, match="第1张图片上传超时"):
        rednote.call("publish_content", **{**GOOD, "images": ["/no/such.jpg", HIKE]})


@pytest.mark.fact("publish-missing", "order")
@pytest.mark.parametrize("images", [["/no/such.jpg"], ["", "/no/such.jpg"]])
def test_without_any_picture_the_title_s_field_is_not_found(rednote: LocalApp, images: list[str]) -> None:
    message = refusal(rednote, "publish_content", **{**GOOD, "images": images, "content": "长" * 1001})

    assert message == "小红书发布失败: 查找标题输入框失败: context deadline exceeded"


@pytest.mark.fact("publish-files")
@pytest.mark.parametrize(
    ("video", "message"),
    [
        ("", "缺少本地视频文件路径"),
        ("/no/such.mp4", "视频文件不存在或不可访问: stat /no/such.mp4: no such file or directory"),
        (LAMP, f"视频文件不存在或不可访问: stat {LAMP}: no such file or directory"),
        (DESK, "小红书上传视频失败: 等待发布按钮可点击超时: 新版发布按钮不可点击"),
    ],
)
def test_a_video_that_cannot_be_uploaded_is_refused(rednote: LocalApp, video: str, message: str) -> None:
    assert refusal(rednote, "publish_with_video", **{**CLIP, "video": video}) == message


@pytest.mark.fact("publish-body")
def test_a_thousand_characters_with_the_tags_is_the_limit(rednote: LocalApp) -> None:
    too_long = "小红书发布失败: 当前输入长度为1001，最大长度为1000"

    assert refusal(rednote, "publish_content", **{**GOOD, "content": "长" * 1001}) == too_long
    assert refusal(rednote, "publish_with_video", **{**CLIP, "content": "长" * 997}, tags=["灯灯"]) == too_long
    rednote.text("publish_content", **{**GOOD, "content": "长" * 1000})


@pytest.mark.fact("ids")
def test_the_id_of_a_new_note_begins_with_the_second_it_was_made_in(rednote: LocalApp) -> None:
    rednote.text("publish_content", **GOOD)
    rednote.text("publish_content", **GOOD)

    made = [note["note_id"] for note in inserted(rednote, "notes")]

    second = f"{NOW_MS // 1000:08x}"
    assert all(re.fullmatch(second + "0{8}[0-9a-f]{8}", each) for each in made)
    assert len(set(made)) == 2


@pytest.mark.fact("publish-body")
def test_only_ten_tags_are_used_and_stand_behind_the_text(rednote: LocalApp) -> None:
    rednote.text("publish_content", **GOOD, tags=[f"标签{number}" for number in range(12)])
    mine = rednote.call("get_my_profile")["feeds"][0]

    detail = rednote.call("get_feed_detail", feed_id=mine["id"], xsec_token=mine["xsecToken"])["data"]["note"]

    assert detail["desc"].startswith("今天天气真好 #标签0[话题]# #标签1[话题]#")
    assert detail["desc"].endswith("#标签9[话题]#")


@pytest.mark.fact("publish-schedule")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("2026-03-09T09:59:59+08:00", "必须至少在1小时后，当前设置: 2026-03-09 09:59，最早可选: 2026-03-09 10:00"),
        ("2020-01-01T10:00:00Z", "必须至少在1小时后，当前设置: 2020-01-01 10:00，最早可选: 2026-03-09 10:00"),
        ("0000-01-01T00:00:00Z", "必须至少在1小时后，当前设置: 0000-01-01 00:00，最早可选: 2026-03-09 10:00"),
        ("2026-03-23T01:00:01Z", "不能超过14天，当前设置: 2026-03-23 01:00，最晚可选: 2026-03-23 09:00"),
    ],
)
def test_a_schedule_out_of_range_is_refused_with_both_times(rednote: LocalApp, given: str, message: str) -> None:
    for tool, arguments in (("publish_content", GOOD), ("publish_with_video", CLIP)):
        assert refusal(rednote, tool, **arguments, schedule_at=given) == f"定时发布时间{message}"


# What Go prints for digits that are not ASCII.
WIDE = r"\xef\xbc\x92\xef\xbc\x9026-03-10T10:00:00Z"


def cannot(text: str, rest: str, element: str) -> str:
    return f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": cannot parse "{rest}" as "{element}"'


@pytest.mark.fact("publish-schedule")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("tomorrow", cannot("tomorrow", "tomorrow", "2006")),
        ("2026-03-10 10:00", cannot("2026-03-10 10:00", " 10:00", "T")),
        ("2026-3-10T10:00:00Z", cannot("2026-3-10T10:00:00Z", "3-10T10:00:00Z", "01")),
        ("2026-03-10", cannot("2026-03-10", "", "T")),
        ("2026-03-10T10:00:00", cannot("2026-03-10T10:00:00", "", "Z07:00")),
        ("2026-03-10T10:00:00+0800", cannot("2026-03-10T10:00:00+0800", "+0800", "Z07:00")),
        ("2026-13-10T10:00:00Z", 'parsing time "2026-13-10T10:00:00Z": month out of range'),
        ("2026-02-29T10:00:00Z", 'parsing time "2026-02-29T10:00:00Z": day out of range'),
        ("2026-03-10T24:00:00Z", 'parsing time "2026-03-10T24:00:00Z": hour out of range'),
        ("2026-03-10T10:00:00Zulu", 'parsing time "2026-03-10T10:00:00Zulu": extra text: "ulu"'),
        ("明天", cannot(r"\xe6\x98\x8e\xe5\xa4\xa9", r"\xe6\x98\x8e\xe5\xa4\xa9", "2006")),
        ("２０26-03-10T10:00:00Z", cannot(WIDE, WIDE, "2006")),
    ],
)
def test_a_schedule_that_is_no_time_is_refused_in_go_words(rednote: LocalApp, given: str, reason: str) -> None:
    message = refusal(rednote, "publish_content", **GOOD, schedule_at=given)

    assert message == f"定时发布时间格式错误，请使用 ISO8601 格式: {reason}"


@pytest.mark.fact("publish-schedule")
def test_a_scheduled_note_is_nowhere_until_its_time(rednote: LocalApp) -> None:
    rednote.text("publish_content", **GOOD, schedule_at="2026-03-10T05:30:00.250+02:30")
    (note,) = inserted(rednote, "notes")
    found = [feed["id"] for feed in rednote.call("get_my_profile")["feeds"]]
    # 03:00 UTC on the 10th; it is 01:00 UTC on the 9th.
    assert note["schedule_at"] == note["time"] == NOW_MS + 26 * HOUR_MS + 250
    assert note["note_id"] not in found

    rednote.store.open(EPISODE).set_clock(note["time"])

    assert [feed["id"] for feed in rednote.call("search_feeds", keyword="野餐")["feeds"]] == [note["note_id"]]
    assert note["note_id"] in [feed["id"] for feed in rednote.call("get_my_profile")["feeds"]]


@pytest.mark.fact("publish-visibility")
def test_an_unknown_visibility_is_refused_with_the_choices(rednote: LocalApp) -> None:
    message = refusal(rednote, "publish_content", **GOOD, visibility="好友")

    assert message == (
        "小红书发布失败: 设置可见范围失败: 不支持的可见范围: 好友，支持: 公开可见、仅自己可见、仅互关好友可见"
    )


@pytest.mark.fact("publish-visibility")
@pytest.mark.parametrize("visibility", ["仅自己可见", "仅互关好友可见"])
def test_a_note_not_for_all_is_on_my_profile_and_in_no_search(rednote: LocalApp, visibility: str) -> None:
    rednote.text("publish_content", **GOOD, visibility=visibility)

    assert rednote.call("search_feeds", keyword="野餐")["count"] == 0
    assert rednote.call("get_my_profile")["feeds"][0]["noteCard"]["displayTitle"] == "春日野餐"


@pytest.mark.fact("publish-goods")
def test_goods_need_a_shop(rednote: LocalApp) -> None:
    message = refusal(rednote, "publish_content", **GOOD, products=["台灯"])

    assert message == ("小红书发布失败: 绑定商品失败: 点击添加商品按钮失败: 未找到添加商品按钮，账号可能未开通商品功能")


@pytest.fixture
def shop(rednote: LocalApp) -> LocalApp:
    # Before the first call, so that it is part of the start.
    rednote.episode.db.update("users", {"user_id": ME}, has_shop=1)
    for product_id, name in (("p1", "余光台灯 S1"), ("p2", "余光台灯 S2")):
        rednote.episode.db.insert("products", product_id=product_id, user_id=ME, name=name)
    return rednote


@pytest.mark.fact("publish-goods")
def test_the_first_match_by_name_or_id_is_bound(shop: LocalApp) -> None:
    shop.text("publish_content", **GOOD, products=["p2", "台灯", "s2"])

    assert [row["product_id"] for row in inserted(shop, "note_products")] == ["p2", "p1"]


@pytest.mark.fact("publish-goods")
def test_goods_that_are_not_found_stop_the_note(shop: LocalApp) -> None:
    before = shop.changes()

    with pytest.raises(VendorError) as refused:
        shop.call("publish_content", **GOOD, products=["台灯", "面膜", "防晒霜"])

    assert refused.value.message == "发布失败: 小红书发布失败: 绑定商品失败: 部分商品未找到: [面膜 防晒霜]"
    assert shop.changes() == before


@pytest.mark.fact("order")
def test_the_first_check_that_fails_is_told(rednote: LocalApp) -> None:
    wrong: dict[str, Any] = {
        "title": "一" * 21,
        "content": "长" * 1001,
        "images": ["https://img.example/no.png", "/no/such.jpg"],
        "schedule_at": "tomorrow",
        "visibility": "好友",
        "products": ["x"],
    }
    steps: list[tuple[str, dict[str, Any]]] = [
        ("标题", {"title": "一"}),
        ("下载图片失败", {"images": ["/no/such.jpg"]}),
        ("定时发布时间格式错误", {"schedule_at": ""}),
        ("小红书发布失败: 查找标题输入框失败", {"images": [HIKE]}),
        ("小红书上传图片失败", {"images": [DESK]}),
        ("小红书发布失败: 当前输入长度为", {"content": "短"}),
        ("小红书发布失败: 设置可见范围失败", {"visibility": ""}),
        ("小红书发布失败: 绑定商品失败", {}),
    ]

    for beginning, repaired in steps:
        assert refusal(rednote, "publish_content", **wrong).startswith(beginning)
        wrong |= repaired


@pytest.mark.fact("order")
def test_a_missing_video_path_is_told_before_the_title(rednote: LocalApp) -> None:
    assert refusal(rednote, "publish_with_video", title="一" * 21, content="", video="") == "缺少本地视频文件路径"


@pytest.mark.fact("publish-schedule")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("20a6-03-10T10:00:00Z", cannot("20a6-03-10T10:00:00Z", "20a6-03-10T10:00:00Z", "2006")),
        ("2026/03/10", cannot("2026/03/10", "/03/10", "-")),
        ("2026-03/10", cannot("2026-03/10", "/10", "-")),
        ("2026-03-1T", cannot("2026-03-1T", "1T", "02")),
        ("2026-03-10Tx", cannot("2026-03-10Tx", "x", "15")),
        ("2026-03-10T10", cannot("2026-03-10T10", "", ":")),
        ("2026-03-10T10:5", cannot("2026-03-10T10:5", "5", "04")),
        ("2026-03-10T10:50-", cannot("2026-03-10T10:50-", "-", ":")),
        ("2026-03-10T10:50:5Z", cannot("2026-03-10T10:50:5Z", "5Z", "05")),
        ("2026-03-10T10:50:05.Z", cannot("2026-03-10T10:50:05.Z", ".Z", "Z07:00")),
        ("2026-03-10T10:00:00+8:00", cannot("2026-03-10T10:00:00+8:00", "+8:00", "Z07:00")),
        ("2026-03-10T10:00:00+08:0", cannot("2026-03-10T10:00:00+08:0", "+08:0", "Z07:00")),
        ("2026-03-10T10:00:00 08:00", cannot("2026-03-10T10:00:00 08:00", " 08:00", "Z07:00")),
        ("2026-03-10T10:00:00+ab:00", cannot("2026-03-10T10:00:00+ab:00", "+ab:00", "Z07:00")),
        ('a"b\\', cannot(r"a\"b\\", r"a\"b\\", "2006")),
        ("a\tb", cannot(r"a\x09b", r"a\x09b", "2006")),
        ("2026-00-10T10:00:00Z", 'parsing time "2026-00-10T10:00:00Z": month out of range'),
        ("2026-03-00T10:00:00Z", 'parsing time "2026-03-00T10:00:00Z": day out of range'),
        ("2026-04-31T10:00:00Z", 'parsing time "2026-04-31T10:00:00Z": day out of range'),
        ("2026-12-32T10:00:00Z", 'parsing time "2026-12-32T10:00:00Z": day out of range'),
        ("2100-02-29T10:00:00Z", 'parsing time "2100-02-29T10:00:00Z": day out of range'),
        ("2026-03-10T10:60:00Z", 'parsing time "2026-03-10T10:60:00Z": minute out of range'),
        ("2026-03-10T10:00:60Z", 'parsing time "2026-03-10T10:00:60Z": second out of range'),
        (
            "2026-03-10T10:00:00+25:00",
            'parsing time "2026-03-10T10:00:00+25:00": time zone offset hour out of range',
        ),
        (
            "2026-03-10T10:00:00+08:61",
            'parsing time "2026-03-10T10:00:00+08:61": time zone offset minute out of range',
        ),
    ],
)
def test_what_go_s_time_does_not_read_is_told_in_its_words(rednote: LocalApp, given: str, reason: str) -> None:
    message = refusal(rednote, "publish_content", **GOOD, schedule_at=given)

    assert message == f"定时发布时间格式错误，请使用 ISO8601 格式: {reason}"


@pytest.mark.fact("publish-schedule")
@pytest.mark.parametrize(
    ("now", "given", "utc"),
    [
        ("2026-03-09", "2026-03-10T9:05:07Z", "2026-03-10T09:05:07"),
        ("2026-03-09", "2026-03-10T09:05:07.5Z", "2026-03-10T09:05:07.500"),
        ("2026-03-09", "2026-03-10T09:05:07,0429999Z", "2026-03-10T09:05:07.042"),
        ("2026-03-09", "2026-03-10T00:30:00+05:45", "2026-03-09T18:45:00"),
        ("2026-03-09", "2026-03-09T22:30:00-03:30", "2026-03-10T02:00:00"),
        ("2026-03-09", "2026-03-11T00:00:00+24:00", "2026-03-10T00:00:00"),
        ("2026-03-09", "2026-03-10T12:00:00+08:60", "2026-03-10T03:00:00"),
        ("2024-02-20", "2024-02-29T23:59:59Z", "2024-02-29T23:59:59"),
        ("2024-02-20", "2024-03-01T00:00:00Z", "2024-03-01T00:00:00"),
        ("2023-12-25", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00"),
        ("2024-12-25", "2024-12-31T12:00:00Z", "2024-12-31T12:00:00"),
        ("2024-12-25", "2025-01-01T12:00:00Z", "2025-01-01T12:00:00"),
        ("2025-10-25", "2025-11-02T12:00:00Z", "2025-11-02T12:00:00"),
    ],
)
def test_a_scheduled_note_appears_at_the_moment_that_was_told(
    start: Callable[..., LocalApp], now: str, given: str, utc: str
) -> None:
    app = start("rednote", rows=rows(), me="me", now=f"{now}T00:00:00+00:00")

    app.text("publish_content", **GOOD, schedule_at=given)

    moment = datetime.fromisoformat(f"{utc}+00:00")
    (note,) = inserted(app, "notes")
    assert note["time"] == note["schedule_at"] == round(moment.timestamp() * 1000)


@pytest.mark.fact("publish-schedule")
@pytest.mark.parametrize(
    ("given", "is_taken"),
    [
        ("2026-03-09T10:00:00+08:00", True),
        ("2026-03-09T09:59:59.999+08:00", False),
        ("2026-03-23T09:00:00+08:00", True),
        ("2026-03-23T09:00:00.001+08:00", False),
    ],
)
def test_a_note_is_scheduled_from_one_hour_to_fourteen_days_ahead(
    rednote: LocalApp, given: str, is_taken: bool
) -> None:
    outcome = rednote.result("publish_with_video", **CLIP, schedule_at=given)

    assert ("isError" not in outcome) == is_taken


@pytest.mark.fact("publish")
def test_what_is_kept_of_a_note_is_all_that_was_given(rednote: LocalApp) -> None:
    rednote.episode.db.update("users", {"user_id": ME}, district="徐汇区")
    tags = ["##灯", "", "#", "夜"]

    rednote.text("publish_with_video", **CLIP, tags=tags, visibility="仅互关好友可见")

    (note,), (video,), (cover,) = (inserted(rednote, table) for table in ("notes", "videos", "note_images"))
    usual = {"status": "NORMAL", "liked_base": 0, "collected_base": 0, "shared_count": 0}
    assert {key: note[key] for key in note if key not in ("note_id", "tags")} == {
        **usual,
        "user_id": ME,
        "type": "video",
        "title": "徒步",
        "body": "莫干山",
        "time": NOW_MS,
        "schedule_at": None,
        "ip_location": "上海",
        "district": "徐汇区",
        "visibility": "仅互关好友可见",
        "is_original": 0,
    }
    assert json.loads(note["tags"]) == ["灯", "夜"]
    assert video == {"note_id": note["note_id"], "duration": 42, "width": 1080, "height": 1440, "source": HIKE}
    assert (cover["position"], cover["width"], cover["height"], cover["live_photo"]) == (0, 1080, 1440, 0)


@pytest.mark.fact("publish-files")
def test_eighteen_pictures_are_taken(rednote: LocalApp) -> None:
    text = rednote.text("publish_content", **{**GOOD, "images": [DESK] * 18})

    assert text == "内容发布成功: &{Title:春日野餐 Content:今天天气真好 Images:18 Status:发布完成}"
    assert {row["position"] for row in inserted(rednote, "note_images")} == set(range(18))


@pytest.mark.fact("publish-body")
@pytest.mark.parametrize(("length", "is_taken"), [(994, True), (995, False)])
def test_a_tag_counts_with_its_sign_and_a_blank(rednote: LocalApp, length: int, is_taken: bool) -> None:
    outcome = rednote.result("publish_content", **{**GOOD, "content": "长" * length}, tags=["灯😀灯"])

    # Four units of UTF-16, '#' and the blank behind it.
    assert ("isError" not in outcome) == is_taken


@pytest.mark.fact("publish-goods")
def test_goods_of_another_account_are_not_found_and_bound_ones_keep_their_order(shop: LocalApp) -> None:
    shop.episode.db.insert("products", product_id="p0", user_id=BO, name="别人的灯")
    with pytest.raises(VendorError) as refused:
        shop.call("publish_content", **GOOD, products=["p0", "别人"])
    assert refused.value.message == "发布失败: 小红书发布失败: 绑定商品失败: 部分商品未找到: [p0 别人]"

    shop.text("publish_with_video", **CLIP, products=["S2", "p1"])
    bound = inserted(shop, "note_products")
    assert [(row["position"], row["product_id"]) for row in bound] == [(0, "p2"), (1, "p1")]
