"""Contents: one mail of the INBOX, always over IMAP."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import UNDEFINED, js_number_text, js_parse_int, js_string
from farm.appkit.formats.times import js_date

from . import connections, errors, mails, settings

_LINE = "─" * 32
_RANGE = re.compile(r"(?:\d+|\*):(?:\d+|\*)", re.ASCII)
_UID_MAX = 2**32 - 1
_DIGITS_MAX = 20
_BAD_SET = "Error in IMAP command UID FETCH: Invalid uidset (0.001 + 0.000 secs)."


def get_email_content(ep: Episode, *, uid: Any = UNDEFINED) -> Result:
    """Show a mail: its headers, its texts and what is attached. Nothing is marked as read.

    Args:
        uid: a number, ``*`` for the newest, or a range of which the first one is shown; what begins with a number is
            that number.

    Raises:
        Failed: no connection, no login, or no number that IMAP knows.
        NeverAnswers: no mail has it.
        Dies: it is none of these.
    """
    login = connections.log_in(ep, "imap")
    wanted = _require_set(ep, uid)
    found = _first(ep, login.address, wanted)
    if found is None:
        raise errors.NeverAnswers
    mail = mails.read(ep, login.address, found)
    date = "未知" if mail.date_ms is None else js_date(mail.date_ms, settings.zone(ep))
    lines = [
        f"📧 邮件详情 (UID: {js_string(uid)})",
        _LINE,
        f"📅 日期: {date}",
        f"👤 发件人: {mail.sender or '未知'}",
        f"👥 收件人: {mail.recipients or '未知'}",
    ]
    if mail.cc is not None:
        lines.append(f"📋 抄送: {mail.cc}")
    lines += [f"📝 主题: {mail.subject or mails.NO_SUBJECT}", _LINE]
    if mail.text:
        lines.append(f"📄 文本内容:\n{mail.text}")
    if mail.html and mail.html != mail.text:
        lines.append(f"🌐 HTML内容:\n{mail.html}")
    if mail.attachments:
        lines.append("📎 附件列表:")
        lines += [
            f"  {number}. {each.filename or '未命名'} ({each.size_bytes} bytes)"
            for number, each in enumerate(mail.attachments, start=1)
        ]
    return "\n".join(lines) + "\n"


def _require_set(ep: Episode, uid: Any) -> str:
    """Return what IMAP is asked for.

    Raises:
        Dies: the IMAP library throws where nobody catches it.
    """
    if isinstance(uid, str) and (uid in ("*", "*:*") or _RANGE.fullmatch(uid)):
        return uid
    number = js_parse_int(js_string(uid))
    if number is None or number <= 0:
        settings.forget(ep)
        raise errors.Dies
    # A number goes out as it is, even if it is no whole one.
    return js_number_text(uid) if isinstance(uid, int | float) else js_number_text(number)


def _first(ep: Episode, address: str, wanted: str) -> int | None:
    """Return the first uid of a set.

    Raises:
        Failed: IMAP does not know such a set.
    """
    ends = []
    for end in wanted.split(":"):
        if end == "*":
            ends += mails.newest(ep, address, 1) or [1]
        elif len(end) <= _DIGITS_MAX and end.isascii() and end.isdigit() and 0 < int(end) <= _UID_MAX:
            ends.append(int(end))
        else:
            raise errors.Failed(_BAD_SET)
    return mails.first_between(ep, address, min(ends), max(ends))
