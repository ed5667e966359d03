"""One robot in one group of two people, and a machine with four files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

KEY = "693a0000-7a0c-4bc4-97a0-0ec25fa5aaa0"
NOW_S = 1773018000
TAIL = re.compile(
    rf", hint: \[{NOW_S}\d{{15}}\], from ip: 203\.0\.113\.9,"
    r" more info at https://open\.work\.weixin\.qq\.com/devtool/query\?e=(\d+)$"
)


def rows() -> list[dict[str, Any]]:
    def user(userid: str) -> dict[str, Any]:
        return {"table": "users", "userid": userid, "person": userid.lower(), "corp_id": "ww1", "name": userid}

    def file(path: str, size_bytes: int) -> dict[str, Any]:
        return {"table": "files", "userid": "Me", "path": path, "size_bytes": size_bytes}

    return [
        {"table": "corps", "corp_id": "ww1", "name": "Acme"},
        user("Me"),
        user("Bo"),
        {"table": "chats", "chat_id": "wr1", "corp_id": "ww1", "name": "Duty"},
        {"table": "members", "chat_id": "wr1", "userid": "Me"},
        {"table": "members", "chat_id": "wr1", "userid": "Bo"},
        {"table": "robots", "webhook_key": KEY, "chat_id": "wr1", "name": "Lamp"},
        {"table": "servers", "userid": "Me", "webhook_key": KEY, "folder": "/home/me/duty"},
        file("/home/me/duty/report.txt", 64),
        file("/home/me/duty/old/report.txt", 5),
        file("/home/me/tiny.txt", 4),
        file("/home/me/film.mp4", 20 * 1024 * 1024 + 1),
    ]


@pytest.fixture
def wecom(start: Callable[..., LocalApp]) -> LocalApp:
    return start("wecom", rows=rows(), me="me")


Refusal = Callable[..., tuple[Any, str]]


@pytest.fixture
def refusal(wecom: LocalApp) -> Refusal:
    """Make a call that must be refused and change nothing but where the server posts; return its code and message."""

    def refuse(tool: str, **arguments: Any) -> tuple[Any, str]:
        before = [len(wecom.episode.db.all(f"SELECT 1 AS one FROM {table}")) for table in ("messages", "media")]
        with pytest.raises(VendorError) as refused:
            wecom.call(tool, **arguments)
        after = [len(wecom.episode.db.all(f"SELECT 1 AS one FROM {table}")) for table in ("messages", "media")]
        assert after == before
        return refused.value.code, TAIL.sub("", refused.value.message)

    return refuse


@pytest.fixture
def sent(wecom: LocalApp) -> Callable[[], list[dict[str, Any]]]:
    """Read what is in the group, without what a message of its type has not."""

    def read() -> list[dict[str, Any]]:
        messages = wecom.episode.db.all("SELECT * FROM messages ORDER BY seq")
        return [{name: value for name, value in row.items() if value is not None} for row in messages]

    return read
