"""What messages and uploads leave behind, whole, and the last bytes that are taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.wecom.conftest import KEY, NOW_S, Refusal, rows

Sent = Callable[[], list[dict[str, Any]]]
NOW_MS = NOW_S * 1000
OTHER = "0000-other"


@pytest.mark.fact("success")
def test_each_form_of_message_is_kept_whole(wecom: LocalApp, sent: Sent) -> None:
    wecom.call("send_text", content="<@李>好", mentioned_list="王,Bo", mentioned_mobile_list="1,２")
    wecom.call("send_markdown", content="# <@Bo> <@a b> <@> <@<c>>")
    wecom.call("send_news", title="t", description="d", url="u", picurl="p")

    assert sent() == [
        {
            "webhook_key": KEY, "seq": 1, "msgtype": "text", "content": "<@李>好", "sent_ms": NOW_MS,
            "mentioned_userids": json.dumps(["王", "Bo", "李"], ensure_ascii=False),
            "mentioned_mobiles": json.dumps(["1", "２"], ensure_ascii=False),
        },
        {
            "webhook_key": KEY, "seq": 2, "msgtype": "markdown", "content": "# <@Bo> <@a b> <@> <@<c>>",
            "sent_ms": NOW_MS + 1, "mentioned_userids": '["Bo"]', "mentioned_mobiles": "[]",
        },
        {
            "webhook_key": KEY, "seq": 3, "msgtype": "news", "title": "t", "description": "d", "url": "u",
            "picurl": "p", "mentioned_userids": "[]", "mentioned_mobiles": "[]", "sent_ms": NOW_MS + 2,
        },
    ]  # fmt: skip


@pytest.mark.fact("news")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("t" * 128, "d" * 512), ("t" * 128, "d" * 512)),
        (("t" * 129, "d" * 513), ("t" * 128, "d" * 512)),
        (("t" * 127 + "灯", "d" * 511 + "灯"), ("t" * 127, "d" * 511)),
    ],
)
def test_titles_and_descriptions_are_kept_up_to_their_last_byte(
    wecom: LocalApp, sent: Sent, given: tuple[str, str], kept: tuple[str, str]
) -> None:
    wecom.call("send_news", title=given[0], description=given[1], url="u", picurl="")

    assert (sent()[0]["title"], sent()[0]["description"]) == kept


@pytest.mark.fact("upload")
def test_an_upload_is_kept_whole_up_to_twenty_megabytes(start: Callable[..., LocalApp]) -> None:
    file = {"table": "files", "userid": "Me", "path": "/home/me/large.zip", "size_bytes": 20 * 1024 * 1024}
    app = start("wecom", rows=[*rows(), file], me="me")

    said = app.text("upload_file", file_path="../large.zip")

    (kept,) = app.episode.db.all("SELECT * FROM media")
    assert said == f"File uploaded successfully, media ID: {kept['media_id']}"
    assert kept == {
        "media_id": kept["media_id"], "webhook_key": KEY, "filename": "large.zip", "size_bytes": 20 * 1024 * 1024,
        "type": "file", "created_ms": NOW_MS, "expires_ms": NOW_MS + 3 * 86_400_000,
    }  # fmt: skip


@pytest.mark.fact("files")
def test_names_of_255_bytes_are_looked_for_and_longer_ones_are_not(refusal: Refusal) -> None:
    for name in ("x" * 255, "灯" * 85):
        assert refusal("upload_file", file_path=name) == ("ENOENT", f"open {name}: no such file or directory")
    for name in ("x" * 256, "灯" * 85 + "x", f"old/{'y' * 256}/z"):
        assert refusal("upload_file", file_path=name) == ("ENAMETOOLONG", f"open {name}: file name too long")


@pytest.mark.fact("rate")
def test_what_another_robot_says_does_not_count(start: Callable[..., LocalApp]) -> None:
    message = {"table": "messages", "webhook_key": OTHER, "msgtype": "text", "content": "x", "sent_ms": NOW_MS}
    message |= {"mentioned_userids": "[]", "mentioned_mobiles": "[]"}
    other = {"table": "robots", "webhook_key": OTHER, "chat_id": "wr1", "name": "Other"}
    app = start("wecom", rows=[*rows(), other, *({**message, "seq": number} for number in range(1, 25))], me="me")

    assert app.text("send_text", content="hi") == "Text message sent successfully"
    assert app.episode.db.all("SELECT seq FROM messages WHERE webhook_key = ?", KEY) == [{"seq": 1}]


@pytest.mark.fact("rate")
def test_twenty_messages_count_for_a_whole_minute(wecom: LocalApp) -> None:
    for _ in range(20):
        wecom.call("send_text", content="hi")

    def at(moment_ms: int) -> bool:
        wecom.store.set_clock(wecom.id, moment_ms)
        return "isError" in wecom.result("send_text", content="hi")

    assert at(NOW_MS + 59_990)
    assert not at(NOW_MS + 60_000)
