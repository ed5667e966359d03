"""Two people play: each posts with the key that their own server holds, from their own machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.wecom.conftest import KEY, rows

NIGHT = "11110000-7a0c-4bc4-97a0-0ec25fa5aaa0"


def start_rows() -> list[dict[str, Any]]:
    return [
        *rows(),
        {"table": "users", "userid": "Cy", "person": "cy", "corp_id": "ww1", "name": "Cy"},
        {"table": "chats", "chat_id": "wr2", "corp_id": "ww1", "name": "Night"},
        {"table": "robots", "webhook_key": NIGHT, "chat_id": "wr2", "name": "Moon"},
        {"table": "servers", "userid": "Bo", "webhook_key": NIGHT, "folder": "/home/bo"},
        {"table": "files", "userid": "Bo", "path": "/home/bo/night.txt", "size_bytes": 64},
        {"table": "member_messages", "chat_id": "wr1", "seq": 1, "userid": "Bo", "content": "Hm", "sent_ms": 1},
    ]


@pytest.mark.fact("one server a person")
@pytest.mark.parametrize(("person", "key"), [("me", KEY), ("bo", NIGHT)])
def test_a_call_speaks_with_the_key_of_its_persons_server(
    start: Callable[..., LocalApp], person: str, key: str
) -> None:
    app = start("wecom", rows=start_rows(), me=person)

    app.text("send_text", content="Hello")

    assert [row["new"]["webhook_key"] for row in app.changes()["messages"]] == [key]
    assert "member_messages" not in app.changes()


@pytest.mark.fact("one server a person")
def test_a_file_of_anothers_machine_is_not_there_and_their_server_is_not_turned(
    start: Callable[..., LocalApp],
) -> None:
    app = start("wecom", rows=start_rows(), me="bo")

    said = app.result("upload_file", file_path="/home/me/duty/report.txt")

    assert said["content"][0]["text"] == (
        "Failed to upload file: open /home/me/duty/report.txt: no such file or directory"
    )
    turned = app.episode.db.all("SELECT userid, posts_to FROM servers ORDER BY userid")
    assert turned == [{"userid": "Bo", "posts_to": "upload_media"}, {"userid": "Me", "posts_to": "send"}]
    assert app.text("upload_file", file_path="night.txt").startswith("File uploaded")


@pytest.mark.fact("one server a person")
def test_somebody_without_a_server_is_refused_as_with_a_key_that_is_nobodys(start: Callable[..., LocalApp]) -> None:
    app = start("wecom", rows=start_rows(), me="cy")

    said = app.result("send_text", content="Hello")["content"][0]["text"]

    assert said.startswith("Failed to send text message: WeCom API error: invalid webhook url, hint: [")
    assert app.changes() == {}
