"""What mailparser and Node said to mails and dates drawn by lot (``libraries.jsonl``), beside what our tools say.

``tests/upstream/email163/libraries.py`` asked mailparser 3.7.3 on Node 20, in November 2026. ``differs`` marks what
FIDELITY.md names as a knowing difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from farm.content import kernel_module
from farm.testing import LocalApp
from tests.apps.email163.conftest import ME, message

LINES = [
    json.loads(line) for line in Path(__file__).with_name("libraries.jsonl").read_text("utf-8").split("\n") if line
]
MAILS = [each for each in LINES if each["ask"] == "mail" and "differs" not in each]
DATES = [each for each in LINES if each["ask"] == "date" and "differs" not in each]
LINE = "─" * 32
PARTS = 8


def shown(uid: int, mail: dict[str, Any], date: str) -> str:
    """Return how the server shows a mail that mailparser has read."""
    lines = [f"📧 邮件详情 (UID: {uid})", LINE, f"📅 日期: {date}", f"👤 发件人: {mail.get('from') or '未知'}"]
    lines.append(f"👥 收件人: {mail.get('to') or '未知'}")
    lines += [f"📋 抄送: {mail['cc']}"] if mail.get("cc") is not None else []
    lines += [f"📝 主题: {mail.get('subject') or '(无主题)'}", LINE]
    lines += [f"📄 文本内容:\n{mail['text']}"] if mail.get("text") else []
    lines += [f"🌐 HTML内容:\n{mail['html']}"] if mail.get("html") and mail["html"] != mail.get("text") else []
    lines += ["📎 附件列表:"] if mail["attachments"] else []
    for number, (filename, size) in enumerate(mail["attachments"], start=1):
        lines.append(f"  {number}. {filename or '未命名'} ({size} bytes)")
    return "\n".join(lines) + "\n"


def _source(asked: dict[str, Any]) -> str:
    """Return the column that keeps a mail: a text with LF for CRLF, or bytes."""
    return f"data:message/rfc822;base64,{asked['bytes']}" if "bytes" in asked else asked["source"].replace("\n", "\r\n")


@pytest.mark.fact("mime", "content", "html", "bytes")
@pytest.mark.parametrize("part", range(PARTS))
def test_mails_are_read_as_mailparser_reads_them(start: Callable[..., LocalApp], part: int) -> None:
    account = {"table": "accounts", "address": ME, "person": "me", "password": "CODE", "server_zone": "UTC"}
    asked = dict(enumerate(MAILS[part::PARTS], start=1))
    sources = {uid: _source(each) for uid, each in asked.items()}
    mails = [row for uid, source in sources.items() for row in message(f"m{uid}", uid, source=source)]
    app = start("email163", rows=[account, *mails], me="me")

    for uid, each in asked.items():
        said = app.text("get_email_content", uid=uid)
        date = said.split("日期: ")[1].split("\n")[0]
        assert said == shown(uid, each["is"], date), sources[uid]
        at_ms = each["is"].get("date")
        read = kernel_module("email163", "dates").read_date(date.partition(" (")[0], UTC)
        assert read == (None if at_ms is None else at_ms // 1000 * 1000), sources[uid]


@pytest.mark.fact("mime")
def test_dates_are_read_as_node_reads_them() -> None:
    dates = kernel_module("email163", "dates")

    for each in DATES:
        assert dates.read_date(each["text"], UTC) == each["is"], each
