"""What the robot says, and what it may not."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.wecom.conftest import KEY, NOW_S, TAIL, Refusal

Sent = Callable[[], list[dict[str, Any]]]
PNG = b"\x89PNG\r\n\x1a\n and the rest"


def picture(data: bytes, md5: str | None = None) -> dict[str, str]:
    return {"base64_data": base64.b64encode(data).decode(), "md5": md5 or hashlib.md5(data).hexdigest()}


@pytest.mark.fact("success")
def test_a_text_is_answered_with_one_sentence_and_stands_in_the_group(wecom: LocalApp, sent: Sent) -> None:
    result = wecom.result("send_text", content="hi")

    assert result == {"content": [{"type": "text", "text": "Text message sent successfully"}]}
    assert [(each["webhook_key"], each["seq"], each["msgtype"], each["content"]) for each in sent()] == [
        (KEY, 1, "text", "hi")
    ]
    assert set(wecom.changes()) == {"messages"}


@pytest.mark.fact("success")
def test_markdown_stands_in_the_group_as_it_was_written(wecom: LocalApp, sent: Sent) -> None:
    assert wecom.text("send_markdown", content="# t") == "Markdown message sent successfully"
    assert [(each["msgtype"], each["content"]) for each in sent()] == [("markdown", "# t")]


@pytest.mark.fact("refusal")
def test_a_refusal_says_what_failed_and_not_the_number(wecom: LocalApp) -> None:
    result = wecom.result("send_markdown", content="")

    assert result["isError"] is True
    assert (
        TAIL.sub("", result["content"][0]["text"]) == "Failed to send markdown message: WeCom API error: empty content"
    )


@pytest.mark.fact("tail")
def test_a_refusal_ends_with_the_second_the_address_and_a_page_about_the_code(wecom: LocalApp) -> None:
    text = wecom.result("send_text", content="")["content"][0]["text"]

    found = TAIL.search(text)
    assert found
    assert found[1] == "44004"
    assert str(NOW_S) in text


@pytest.mark.fact("unknown")
def test_arguments_nobody_asked_for_are_ignored(wecom: LocalApp) -> None:
    assert wecom.text("send_text", content="hi", safe=1) == "Text message sent successfully"


@pytest.mark.fact("unknown")
def test_a_tool_there_is_not_is_a_protocol_error(wecom: LocalApp) -> None:
    assert wecom.result("send_file", media_id="x") == {
        "error": {"code": -32602, "message": "Tool not found: send_file"}
    }


@pytest.mark.fact("panic")
@pytest.mark.parametrize(
    ("tool", "arguments", "found"),
    [
        ("send_text", {}, "nil"),
        ("send_text", {"content": 5}, "float64"),
        ("send_text", {"content": ["a"]}, "[]interface {}"),
        ("send_text", {"content": {"a": 1}}, "map[string]interface {}"),
        ("send_markdown", {"content": None}, "nil"),
        ("send_markdown", {"content": True}, "bool"),
        ("send_image", {"base64_data": "aGk="}, "nil"),
        ("send_image", {"base64_data": 1, "md5": "x"}, "float64"),
        ("send_news", {"title": "t", "url": "https://a.example"}, "nil"),
        ("send_news", {"title": "t", "description": "d", "url": "https://a.example", "picurl": 1}, "float64"),
        ("upload_file", {}, "nil"),
    ],
)
def test_an_argument_of_another_type_is_answered_with_the_panic_s_text(
    wecom: LocalApp, tool: str, arguments: dict[str, Any], found: str
) -> None:
    message = f"panic: interface conversion: interface {{}} is {found}, not string"

    assert wecom.result(tool, **arguments) == {"error": {"code": -32603, "message": message}}
    assert wecom.changes() == {}


@pytest.mark.fact("card")
@pytest.mark.parametrize(
    ("action", "message"),
    [(1, "float64, not int"), ("1", "string, not int"), (None, "nil, not int"), (True, "bool, not int")],
)
def test_a_template_card_is_never_sent(wecom: LocalApp, action: Any, message: str) -> None:
    card = {"card_type": "text_notice", "main_title": "t", "main_desc": "d", "card_action_type": action}

    error = wecom.result("send_template_card", **card)["error"]

    assert error == {"code": -32603, "message": f"panic: interface conversion: interface {{}} is {message}"}
    assert wecom.changes() == {}


@pytest.mark.fact("card")
def test_a_template_card_without_its_second_line_panics_before_its_action_is_looked_at(wecom: LocalApp) -> None:
    error = wecom.result("send_template_card", card_type="text_notice", main_title="t", card_action_type=1)["error"]

    assert error["message"].endswith("is nil, not string")


@pytest.mark.fact("mentions")
def test_both_lists_mention_and_are_taken_as_they_stand(wecom: LocalApp, sent: Sent) -> None:
    wecom.call("send_text", content="hi", mentioned_list="Bo, Me,@all", mentioned_mobile_list="13800001111,@all")

    assert json.loads(sent()[0]["mentioned_userids"]) == ["Bo", " Me", "@all"]
    assert json.loads(sent()[0]["mentioned_mobiles"]) == ["13800001111", "@all"]


@pytest.mark.fact("mention-alone")
def test_a_list_beside_an_empty_one_is_dropped(wecom: LocalApp, sent: Sent) -> None:
    wecom.call("send_text", content="hi", mentioned_list="Bo", mentioned_mobile_list="")
    wecom.call("send_text", content="hi", mentioned_list="", mentioned_mobile_list="13800001111")

    assert {(each["mentioned_userids"], each["mentioned_mobiles"]) for each in sent()} == {("[]", "[]")}


@pytest.mark.fact("mention-alone")
@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"mentioned_list": "Bo"}, "nil"),
        ({"mentioned_mobile_list": "13800001111"}, "nil"),
        ({"mentioned_list": ["Bo"], "mentioned_mobile_list": ""}, "[]interface {}"),
        ({"mentioned_list": "Bo", "mentioned_mobile_list": 1}, "float64"),
    ],
)
def test_a_list_without_the_other_is_a_panic(wecom: LocalApp, given: dict[str, Any], found: str) -> None:
    error = wecom.result("send_text", content="hi", **given)["error"]

    assert error["message"] == f"panic: interface conversion: interface {{}} is {found}, not string"
    assert wecom.changes() == {}


@pytest.mark.fact("mention-text")
def test_a_userid_in_angle_brackets_mentions_once_in_texts_and_markdown(wecom: LocalApp, sent: Sent) -> None:
    wecom.call("send_markdown", content="<@Bo> and <@Nobody>, <@Bo>")
    wecom.call("send_text", content="<@Bo>", mentioned_list="Me,Bo", mentioned_mobile_list="1")

    assert [json.loads(each["mentioned_userids"]) for each in sent()] == [["Bo", "Nobody"], ["Me", "Bo"]]


@pytest.mark.fact("text-length")
def test_a_text_of_2048_bytes_is_sent_and_one_more_is_refused(wecom: LocalApp, refusal: Refusal) -> None:
    assert wecom.text("send_text", content="灯" * 682 + "ab") == "Text message sent successfully"
    assert refusal("send_text", content="灯" * 683) == (
        40058,
        "WeCom API error: text.content exceed max length 2048. invalid Request Parameter",
    )
    assert refusal("send_text", content="") == (44004, "WeCom API error: empty content")


@pytest.mark.fact("markdown-length")
def test_markdown_of_4096_bytes_is_sent_and_one_more_is_refused(wecom: LocalApp, refusal: Refusal) -> None:
    assert wecom.text("send_markdown", content="灯" * 1365 + "a") == "Markdown message sent successfully"
    assert refusal("send_markdown", content="灯" * 1366) == (
        40058,
        "WeCom API error: markdown.content exceed max length 4096. invalid Request Parameter",
    )
    assert refusal("send_markdown", content="") == (44004, "WeCom API error: empty content")


@pytest.mark.fact("rate")
def test_twenty_messages_a_minute_are_sent_and_the_next_is_refused(
    wecom: LocalApp, sent: Sent, refusal: Refusal
) -> None:
    for _ in range(20):
        wecom.call("send_text", content="hi")

    for tool, arguments in (
        ("send_text", {"content": "hi"}),
        ("send_markdown", {"content": "hi"}),
        ("send_image", picture(PNG)),
        ("send_news", {"title": "t", "description": "", "url": "https://a.example", "picurl": ""}),
    ):
        assert refusal(tool, **arguments) == (45009, "WeCom API error: api freq out of limit")
    assert len(sent()) == 20


@pytest.mark.fact("rate")
def test_a_message_of_a_minute_ago_no_longer_counts(wecom: LocalApp) -> None:
    for _ in range(20):
        wecom.call("send_text", content="hi")
    wecom.episode.db.execute("UPDATE messages SET sent_ms = sent_ms - 60000 WHERE seq = 1")

    assert wecom.text("send_text", content="hi") == "Text message sent successfully"
    assert wecom.result("send_text", content="hi")["isError"] is True


@pytest.mark.fact("key")
def test_the_key_of_a_robot_that_is_gone_opens_nothing(wecom: LocalApp, refusal: Refusal) -> None:
    wecom.episode.db.delete("robots", webhook_key=KEY)

    for tool, arguments in (
        ("send_text", {"content": "hi"}),
        ("send_markdown", {"content": "hi"}),
        ("send_image", picture(PNG)),
        ("send_news", {"title": "t", "description": "", "url": "https://a.example", "picurl": ""}),
        ("upload_file", {"file_path": "report.txt"}),
    ):
        assert refusal(tool, **arguments) == (93000, "WeCom API error: invalid webhook url")


@pytest.mark.fact("image")
def test_a_picture_is_kept_by_its_md5_and_size(wecom: LocalApp, sent: Sent) -> None:
    jpg = b"\xff\xd8\xff".ljust(2 * 1024 * 1024, b"\0")

    assert wecom.text("send_image", **picture(PNG)) == "Image message sent successfully"
    assert wecom.text("send_image", **picture(jpg)) == "Image message sent successfully"
    assert [(each["msgtype"], each["md5"], each["size_bytes"]) for each in sent()] == [
        ("image", hashlib.md5(PNG).hexdigest(), len(PNG)),
        ("image", hashlib.md5(jpg).hexdigest(), len(jpg)),
    ]


@pytest.mark.fact("image")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ({"base64_data": "", "md5": "x"}, 40058, "image.base64 exceed min length 1. invalid Request Parameter"),
        ({"base64_data": "aGk=", "md5": ""}, 40058, "image.md5 exceed min length 1. invalid Request Parameter"),
        ({"base64_data": "a灯", "md5": "x"}, 40058, "image.base64 is not base64. invalid Request Parameter"),
        ({"base64_data": "data:,aGk=", "md5": "x"}, 40058, "image.base64 is not base64. invalid Request Parameter"),
        (picture(PNG.ljust(2 * 1024 * 1024 + 1)), 40009, "invalid image size"),
        (picture(PNG, "d41d8cd98f00b204e9800998ecf8427e"), 301019, "media file MD5 does not match"),
        (picture(PNG, hashlib.md5(PNG).hexdigest().upper()), 301019, "media file MD5 does not match"),
        (picture(b"GIF89a"), 40004, "invalid media type"),
    ],
    ids=["no data", "no md5", "no base64", "a data address", "too large", "another md5", "capitals", "a GIF"],
)
def test_a_picture_that_is_not_taken_is_refused_and_stores_nothing(
    refusal: Refusal, arguments: dict[str, str], code: int, message: str
) -> None:
    assert refusal("send_image", **arguments) == (code, f"WeCom API error: {message}")


@pytest.mark.fact("news")
def test_a_card_is_cut_where_it_is_too_long_and_never_within_a_character(wecom: LocalApp, sent: Sent) -> None:
    card = {"title": "灯" * 43, "description": "d" * 513, "url": "https://a.example", "picurl": ""}

    assert wecom.text("send_news", **card) == "News message sent successfully"
    assert (sent()[0]["title"], sent()[0]["description"]) == ("灯" * 42, "d" * 512)
    assert (sent()[0]["url"], sent()[0]["picurl"]) == ("https://a.example", "")


@pytest.mark.fact("news")
@pytest.mark.parametrize("field", ["title", "url"])
def test_a_card_without_a_title_or_a_link_is_refused(refusal: Refusal, field: str) -> None:
    card = {"title": "t", "description": "", "url": "https://a.example", "picurl": "", field: ""}

    assert refusal("send_news", **card) == (
        40058,
        f"WeCom API error: news.articles.{field} exceed min length 1. invalid Request Parameter",
    )


@pytest.mark.fact("success")
def test_in_harbor_a_message_comes_behind_what_the_robot_has_said_before(start: Callable[..., LocalApp]) -> None:
    harbor = start("wecom", world="harbor")
    before = harbor.episode.db.all("SELECT seq, sent_ms FROM messages ORDER BY seq")

    harbor.call("send_markdown", content="<@DengFei> 收到")

    assert [each["seq"] for each in before] == list(range(1, len(before) + 1))
    assert max(each["sent_ms"] for each in before) < harbor.episode.now_ms
    assert [change["new"]["seq"] for change in harbor.changes()["messages"]] == [len(before) + 1]
