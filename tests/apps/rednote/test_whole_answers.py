"""Answers whole: cards, notes, comments, notifications and profiles as an agent sees them."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import EPISODE, LocalApp
from tests.apps.rednote.conftest import (
    ADA,
    ANSWERED,
    ASKED,
    BO,
    CLIP,
    DAY_MS,
    EVE,
    HOUR_MS,
    LAMP,
    LATER,
    ME,
    MINE,
    NOW_MS,
    comment,
    follow,
    link,
    note,
    rows,
)

Token = Callable[[str], str]
Start = Callable[..., LocalApp]
AVATARS = "https://sns-avatar-qc.xhscdn.com/avatar"
PICTURES = "http://sns-webpic-qc.xhscdn.com"


def author(user_id: str, nickname: str, size: str = "") -> dict[str, Any]:
    avatar = f"{AVATARS}/{user_id}.jpg{size}"
    return {"userId": user_id, "nickname": nickname, "nickName": nickname, "avatar": avatar}


def lamp_card(token: str, **counters: Any) -> dict[str, Any]:
    preview, default = f"{PICTURES}/1040ga!nc_n_webp_prv_1", f"{PICTURES}/1040ga!nc_n_webp_mw_1"
    likes = {"liked": False, "likedCount": "1.2万"}
    other = {"sharedCount": "", "commentCount": "", "collectedCount": "", "collected": False}
    return {
        "xsecToken": token,
        "id": LAMP,
        "modelType": "note",
        "noteCard": {
            "type": "normal",
            "displayTitle": "护眼台灯测评",
            "user": author(BO, "波波"),
            "interactInfo": {**likes, **other, **counters},
            "cover": {
                "width": 3,
                "height": 4,
                "url": "",
                "fileId": "",
                "urlPre": preview,
                "urlDefault": default,
                "infoList": [
                    {"imageScene": "WB_PRV", "url": preview},
                    {"imageScene": "WB_DFT", "url": default},
                ],
            },
        },
        "index": 0,
    }


@pytest.mark.fact("home")
def test_the_home_feed_is_shown_whole(rednote: LocalApp, token: Token) -> None:
    first, second = rednote.call("list_feeds")["feeds"]

    assert first == lamp_card(token(LAMP))
    preview, default = f"{PICTURES}/1040gc!nc_n_webp_prv_1", f"{PICTURES}/1040gc!nc_n_webp_mw_1"
    assert second == {
        "xsecToken": token(CLIP),
        "id": CLIP,
        "modelType": "note",
        "noteCard": {
            "type": "video",
            "displayTitle": "莫干山徒步",
            "user": author(EVE, "伊芙"),
            "interactInfo": lamp_card("")["noteCard"]["interactInfo"] | {"liked": True, "likedCount": "1"},
            "cover": {
                "width": 7,
                "height": 8,
                "url": "",
                "fileId": "",
                "urlPre": preview,
                "urlDefault": default,
                "infoList": [
                    {"imageScene": "WB_PRV", "url": preview},
                    {"imageScene": "WB_DFT", "url": default},
                ],
            },
            "video": {"capa": {"duration": 37}},
        },
        "index": 1,
    }


@pytest.mark.fact("search")
@pytest.mark.fact("home")
def test_a_search_shows_the_same_cards_with_all_counters_and_a_note_without_picture(
    rednote: LocalApp, token: Token
) -> None:
    lamp, mine, _ = rednote.call("search_feeds", keyword="台灯")["feeds"]

    counters = {"sharedCount": "7", "commentCount": "0", "collectedCount": "1", "collected": True}
    assert lamp == lamp_card(token(LAMP), **counters)
    assert (mine["index"], mine["noteCard"]["cover"]) == (
        1,
        {"width": 0, "height": 0, "url": "", "fileId": "", "urlPre": "", "urlDefault": "", "infoList": []},
    )
    assert mine["noteCard"]["interactInfo"] == {
        "liked": False,
        "likedCount": "1",
        "sharedCount": "0",
        "commentCount": "3",
        "collectedCount": "0",
        "collected": False,
    }


@pytest.mark.fact("detail")
@pytest.mark.fact("detail-shares")
def test_a_note_is_shown_whole(rednote: LocalApp, token: Token) -> None:
    body = rednote.call("get_feed_detail", feed_id=LAMP, xsec_token=token(LAMP))

    def picture(file_id: str, width: int, height: int) -> dict[str, Any]:
        return {
            "width": width,
            "height": height,
            "urlDefault": f"{PICTURES}/{file_id}!nd_dft_wlteh_webp_3",
            "urlPre": f"{PICTURES}/{file_id}!nd_prv_wlteh_webp_3",
        }

    assert body == {
        "feed_id": LAMP,
        "data": {
            "note": {
                "noteId": LAMP,
                "xsecToken": token(LAMP),
                "title": "护眼台灯测评",
                "desc": "",
                "type": "normal",
                "time": NOW_MS - DAY_MS,
                "ipLocation": "上海",
                "user": author(BO, "波波"),
                "interactInfo": {
                    "liked": False,
                    "likedCount": "1.2万",
                    "sharedCount": "",
                    "commentCount": "0",
                    "collectedCount": "1",
                    "collected": True,
                },
                "imageList": [picture("1040ga", 3, 4), picture("1040gb", 5, 6) | {"livePhoto": True}],
            },
            "comments": {"list": [], "cursor": "", "hasMore": False},
        },
    }


@pytest.mark.fact("comment-lists")
@pytest.mark.fact("comments")
def test_the_comments_of_a_note_are_shown_whole(rednote: LocalApp, token: Token) -> None:
    rednote.episode.db.insert("comment_likes", comment_id=ASKED, user_id=ME, time=NOW_MS)
    rednote.episode.db.update("comments", {"comment_id": LATER}, ip_location="北京")

    body = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))["data"]

    size = "?imageView2/2/w/120/format/jpg"
    usual: dict[str, Any] = {"noteId": MINE, "likeCount": "0", "ipLocation": "", "liked": False, "showTags": []}
    answer = usual | {
        "id": ANSWERED,
        "content": "Ember",
        "createTime": NOW_MS - int(2.4 * DAY_MS),
        "userInfo": author(ME, "晚灯", size),
        "subCommentCount": "",
        "subComments": None,
        "showTags": ["is_author"],
    }
    assert body["comments"] == {
        "list": [
            usual
            | {
                "id": LATER,
                "content": "好看",
                "createTime": NOW_MS - DAY_MS,
                "ipLocation": "北京",
                "userInfo": author(EVE, "伊芙", size),
                "subCommentCount": "0",
                "subComments": [],
            },
            usual
            | {
                "id": ASKED,
                "content": "灯是哪款？",
                "likeCount": "3",
                "createTime": NOW_MS - int(2.5 * DAY_MS),
                "liked": True,
                "userInfo": author(BO, "波波", size),
                "subCommentCount": "1",
                "subComments": [answer],
            },
        ],
        "cursor": "",
        "hasMore": False,
    }
    assert (body["note"]["time"], body["note"]["user"]) == (NOW_MS - 3 * DAY_MS, author(ME, "晚灯"))


@pytest.mark.fact("detail-video")
def test_a_video_is_shown_whole(rednote: LocalApp, token: Token) -> None:
    shown = rednote.call("get_feed_detail", feed_id=CLIP, xsec_token=token(CLIP))["data"]["note"]
    video = shown["video"]

    assert (shown["title"], shown["desc"], len(shown["imageList"])) == ("莫干山徒步", "一盏台灯也没有", 1)
    assert video["image"] == {"firstFrameFileid": "1040gc", "thumbnailFileid": "1040gc"}
    assert video["capa"] == {"duration": 37}
    meta = dict(video["media"]["video"])
    digest = meta.pop("md5")
    # Thirty-two hexadecimal digits, of which the other ids are made.
    assert (len(digest), int(digest, 16) > 0) == (32, True)
    assert video["media"]["videoId"] == int(digest[:13], 16)
    assert meta == {
        "duration": 37,
        "hdrType": 0,
        "drmType": 0,
        "streamTypes": [259],
        "bizName": 110,
        "bizId": str(int(digest[:15], 16)),
    }
    streams = video["media"]["stream"]
    assert {codec: len(found) for codec, found in streams.items()} == {"av1": 0, "h264": 1, "h265": 0, "h266": 0}
    path = f"/stream/1/110/259/{digest[:24]}_259.mp4"
    until = NOW_MS // 1000 + 6 * 3600
    assert streams["h264"][0] == {
        "masterUrl": f"http://sns-video-qc.xhscdn.com{path}?sign={digest[::-1]}&t={until:x}",
        "backupUrls": [f"http://sns-bak-v1.xhscdn.com{path}"],
        "format": "mp4",
        "width": 720,
        "height": 1280,
        "duration": 37_000,
        "size": 5_550_000,
        "fps": 30,
        "rotate": 0,
        "qualityType": "HD",
        "streamType": 259,
        "streamDesc": "WM_X264_MP4",
        "hdrType": 0,
        "videoCodec": "h264",
        "videoBitrate": 1_100_000,
        "videoDuration": 37_000,
        "avgBitrate": 1_200_000,
        "audioCodec": "aac",
        "audioBitrate": 96_000,
        "audioDuration": 37_000,
        "audioChannels": 2,
        "volume": 0,
        "vmaf": -1,
        "psnr": 0,
        "ssim": 0,
        "weight": 62,
        "defaultStream": 0,
    }
    rednote.episode.db.execute("DELETE FROM note_images WHERE note_id = ?", CLIP)
    bare = rednote.call("get_feed_detail", feed_id=CLIP, xsec_token=token(CLIP))["data"]["note"]["video"]
    assert bare == video | {"image": {"firstFrameFileid": "", "thumbnailFileid": ""}}


@pytest.mark.fact("notifications")
def test_notifications_are_shown_whole(rednote: LocalApp, token: Token) -> None:
    rednote.episode.db.insert("comment_likes", comment_id=ASKED, user_id=ME, time=NOW_MS)

    def seen(tab: str) -> Any:
        told = rednote.call("list_notifications", tab=tab)
        tokens = [item["from"].pop("xsec_token") for item in told["items"]]
        assert [(each[:2], len(each), each[-1]) for each in tokens] == [("AB", 46, "=")] * len(tokens)
        return told

    about = {"feed_id": MINE, "feed_xsec_token": token(MINE), "feed_title": "我的书桌"}
    told = {"type": "comment/item", "title": "评论了你的笔记"}
    assert seen("mentions") == {
        "tab": "mentions",
        "filtered": 0,
        "items": [
            {
                "id": "1",
                **told,
                "time": NOW_MS // 1000 - 60,
                "from": {"user_id": EVE, "nickname": "伊芙"},
                "comment_id": LATER,
                "comment_text": "好看",
                "liked": False,
                **about,
            },
            {
                "id": "2",
                **told,
                "time": NOW_MS // 1000 - 120,
                "from": {"user_id": BO, "nickname": "波波"},
                "comment_id": ASKED,
                "comment_text": "灯是哪款？",
                "liked": True,
                **about,
            },
        ],
    }
    assert seen("LIKES") == {
        "tab": "likes",
        "filtered": 0,
        "items": [
            {
                "id": "3",
                "type": "liked/item",
                "title": "赞了你的笔记",
                "time": NOW_MS // 1000 - 180,
                "from": {"user_id": BO, "nickname": "波波"},
                "liked": False,
                **about,
            }
        ],
    }
    assert seen("connections")["items"] == [
        {
            "id": "4",
            "type": "follow/you",
            "title": "开始关注你了",
            "time": NOW_MS // 1000 - 240,
            "from": {"user_id": ADA, "nickname": "艾达"},
            "liked": False,
        }
    ]


@pytest.mark.fact("profile")
@pytest.mark.fact("profile-figures")
def test_a_profile_is_shown_whole(start: Start) -> None:
    more = [
        follow(BO, EVE),
        follow(EVE, BO),
        link("likes", LAMP, EVE),
        link("likes", LAMP, ADA),
        link("favorites", LAMP, EVE),
        # What was deleted counts no more, what is not public does.
        note("64b3", BO, "删了", liked_base=500, status="deleted"),
        note("64b4", BO, "私密", liked_base=30, collected_base=4, visibility="仅自己可见"),
    ]
    app = start("rednote", rows=[*rows(), *more], me="me")
    app.episode.db.update("users", {"user_id": BO}, liked_base=1000, bio="灯和光", avatar="bobo", gender=2)
    (lamp,) = [each for each in app.call("list_feeds")["feeds"] if each["id"] == LAMP]

    body = app.call("user_profile", user_id=BO, xsec_token=lamp["xsecToken"])

    assert body["userBasicInfo"] == {
        "gender": 2,
        "ipLocation": "上海",
        "desc": "灯和光",
        "imageb": f"{AVATARS}/bobo.jpg?imageView2/2/w/540/format/webp",
        "nickname": "波波",
        "images": f"{AVATARS}/bobo.jpg?imageView2/2/w/360/format/webp",
        "redId": "92",
    }
    assert body["interactions"] == [
        {"type": "follows", "name": "关注", "count": "1"},
        {"type": "fans", "name": "粉丝", "count": "2"},
        # 1000 of before, 12,345 and two more likes and two favourites of the lamp, 34 of the private note.
        {"type": "interaction", "name": "获赞与收藏", "count": "13383"},
    ]
    assert body["feeds"] == [lamp]
    app.episode.db.update("users", {"user_id": BO}, banner="wide")
    banner = app.call("user_profile", user_id=BO, xsec_token=lamp["xsecToken"])["userBasicInfo"]["imageb"]
    assert banner == f"{AVATARS}/wide.jpg?imageView2/2/w/540/format/webp"


@pytest.mark.fact("profile")
def test_a_profile_shows_thirty_notes_the_newest_first(start: Start) -> None:
    many = [note(f"66{number:02}", BO, "灯", days=-2 - number) for number in range(40)]
    app = start("rednote", rows=[*rows(), *many, *(link("favorites", row["note_id"], ME, -9) for row in many)], me="me")
    lamp = next(each for each in app.call("list_feeds")["feeds"] if each["id"] == LAMP)

    shown = [each["id"] for each in app.call("user_profile", user_id=BO, xsec_token=lamp["xsecToken"])["feeds"]]
    assert shown == [LAMP, *(f"66{number:02}" for number in range(29))]
    # Favourites stand by when they were put there, those of one moment by their id.
    favourites = [each["id"] for each in app.call("get_my_profile", tab="fav")["feeds"]]
    assert favourites == [LAMP, *(f"66{number:02}" for number in range(29))]


@pytest.mark.fact("comment-count")
def test_the_answers_of_a_deleted_comment_are_neither_shown_nor_counted(rednote: LocalApp, token: Token) -> None:
    rednote.episode.db.update("comments", {"comment_id": ASKED}, status="deleted")

    body = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))["data"]

    assert body["note"]["interactInfo"]["commentCount"] == "1"
    assert [each["id"] for each in body["comments"]["list"]] == [LATER]


@pytest.mark.fact("comments")
def test_more_answers_are_shown_up_to_the_limit_and_else_the_first(start: Start) -> None:
    more = [comment(f"71{n:02}", LAMP, BO, f"回{n}", days=-0.4 + n / 100, root_id="7001") for n in range(3)]
    more += [comment(f"72{n:02}", LAMP, EVE, f"再{n}", days=-0.4 + n / 100, root_id="7002") for n in range(2)]
    roots = [comment("7001", LAMP, EVE, "一", days=-0.5), comment("7002", LAMP, BO, "二", days=-0.6)]
    app = start("rednote", rows=[*rows(), *roots, *more], me="me")
    feed = next(each for each in app.call("list_feeds")["feeds"] if each["id"] == LAMP)

    def shown(**arguments: Any) -> dict[str, list[str]]:
        opened = {"feed_id": LAMP, "xsec_token": feed["xsecToken"], **arguments}
        listed = app.call("get_feed_detail", **opened)["data"]["comments"]["list"]
        assert [each["subCommentCount"] for each in listed] == ["3", "2"]
        return {each["content"]: [reply["content"] for reply in each["subComments"]] for each in listed}

    folded = {"一": ["回0"], "二": ["再0"]}
    whole = {"load_all_comments": True, "click_more_replies": True}
    assert shown() == shown(load_all_comments=True) == shown(click_more_replies=True, reply_limit=5) == folded
    assert shown(**whole, reply_limit=1) == folded
    assert shown(**whole, reply_limit=2) == {"一": ["回0"], "二": ["再0", "再1"]}
    assert shown(**whole, reply_limit=3) == shown(**whole) == {"一": ["回0", "回1", "回2"], "二": ["再0", "再1"]}


@pytest.mark.fact("qrcode")
def test_the_code_is_a_picture_of_modules_with_three_finders(rednote: LocalApp) -> None:
    rednote.text("delete_cookies")

    def picture() -> bytes:
        return base64.b64decode(rednote.result("get_login_qrcode")["content"][1]["data"])

    png = picture()
    assert picture() == png
    chunks, at = [], 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length) == (zlib.crc32(kind + data),)
        chunks.append((kind, data))
        at += 12 + length
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", chunks[0][1]) == (148, 148, 1, 0, 0, 0, 0)
    lines = zlib.decompress(chunks[1][1])
    # A line is a filter, none, and a bit for each of 148 pixels, 0 for black, to the end of the byte.
    assert len(lines) == 148 * 20
    rows = [lines[line * 20 : line * 20 + 20] for line in range(148)]
    assert {row[0] for row in rows} == {0}
    pixels = [f"{int.from_bytes(row[1:], 'big'):0152b}"[:148] for row in rows]
    modules = [row[::4] for row in pixels[::4]]
    assert pixels == ["".join(each * 4 for each in row) for row in modules for _ in range(4)]
    dark = ["".join("#" if each == "0" else "." for each in row) for row in modules]
    # Four empty modules around a code of 29.
    assert {*dark[:4], *dark[-4:]} == {"." * 37}
    assert {row[:4] + row[-4:] for row in dark} == {"." * 8}
    code = [row[4:-4] for row in dark[4:-4]]
    finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    assert [row[:8] for row in code[:8]] == [*(f"{row}." for row in finder), "." * 8]
    assert [row[-8:] for row in code[:8]] == [*(f".{row}" for row in finder), "." * 8]
    assert [row[:8] for row in code[-8:]] == ["." * 8, *(f"{row}." for row in finder)]
    # The rest is neither all dark nor all light.
    rest = "".join(code[8:21])
    assert 0.3 < rest.count("#") / len(rest) < 0.7

    rednote.store.open(EPISODE).set_clock(NOW_MS + HOUR_MS)
    assert picture() != png
