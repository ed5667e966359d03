"""Lists: the newest mails, over POP3 or over IMAP, by the provider of the account.

Over POP3 the client asks for many mails at once and its library drops all commands but the first, so only the newest
mail ever comes; where that is too old, the server waits for the others, for ever.
"""

from __future__ import annotations

import math
from datetime import UTC, timedelta
from typing import Any, TypeVar

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import UNDEFINED, js_number, js_string
from farm.appkit.formats.times import js_locale

from . import connections, errors, mails, settings

_LINE = "─" * 32
_Each = TypeVar("_Each")
_MS_MAX = 8.64e15  # what a JavaScript date can hold


def get_recent_emails(ep: Episode, *, limit: Any = UNDEFINED, days: Any = UNDEFINED) -> Result:
    """List mails of the last days, newest first.

    Args:
        limit: how many at most; 20. Any JSON value, taken for a number as JavaScript does.
        days: how far back; 3. Shown as it was given.

    Raises:
        Failed: no connection, or no login.
        NeverAnswers: over POP3 the newest mail is too old, or the limit is no positive number.
        Dies: over IMAP a limit so far below zero that no mail is left to fetch.
    """
    limit = 20 if limit is UNDEFINED else limit
    days = 3 if days is UNDEFINED else days
    user = settings.read(ep)["user"]
    provider = settings.provider(ep, user) if user else None
    if provider is not None and provider.prefers_pop3:
        return _over_pop3(ep, limit, days)
    try:
        return _over_imap(ep, limit, days)
    except errors.Failed:
        return _over_pop3(ep, limit, days)


def _over_pop3(ep: Episode, limit: Any, days: Any) -> Result:
    login = connections.log_in(ep, "pop3")
    count = mails.count(ep, login.address)
    if not count:
        return "邮箱中没有邮件。"
    # A text is taken for a number by «-», as everything else is.
    first = count - js_number(limit) + 1
    first = first if math.isnan(first) else max(1.0, first)
    if not count >= first:
        raise errors.NeverAnswers
    (newest,) = mails.newest(ep, login.address, 1)
    mail = mails.read(ep, login.address, newest, is_ascii=True)
    since_ms = _since_ms(ep, days)
    if mail.date_ms is None or since_ms is None or mail.date_ms < since_ms:
        if count == first:
            return _nothing(days)
        raise errors.NeverAnswers
    date = js_locale(mail.date_ms, settings.zone(ep))
    who, what = mail.sender or "未知", mail.subject or mails.NO_SUBJECT
    entry = f"📧 邮件号: {count}\n📅 日期: {date}\n👤 发件人: {who}\n📝 主题: {what}"
    return f"📬 最近{js_string(days)}天的邮件列表 (共1封，POP3协议):\n\n{entry}\n{_LINE}"


def _over_imap(ep: Episode, limit: Any, days: Any) -> Result:
    try:
        connections.require_host(ep, "imap")
    except errors.Failed as failed:
        advice = "建议：\n1. 检查邮箱IMAP/POP3设置\n2. 确认使用正确的授权码\n3. 尝试使用QQ邮箱等其他邮箱服务"
        return f"❌ IMAP功能不可用: {failed.reason}\n\n{advice}"
    login = connections.log_in(ep, "imap")
    number = js_number(limit)
    # All, where the limit is none or below zero: then it drops the oldest ones.
    most = int(min(number * 3, mails.ALL_MAX)) if number * 3 >= 1 else mails.ALL_MAX
    uids = mails.newest(ep, login.address, most)
    if not uids:
        return _nothing(days)
    asked = _slice(uids, -min(number * 3, len(uids)) if not math.isnan(number) else math.nan, math.inf)
    if not asked:
        settings.forget(ep)
        raise errors.Dies
    since_ms = _since_ms(ep, days)
    heads = [mails.read_head(ep, login.address, uid) for uid in asked]
    recent = [each for each in heads if each.date_ms is not None and since_ms is not None and each.date_ms >= since_ms]
    recent.sort(key=lambda each: -(each.date_ms or 0))
    left = _slice(recent, 0, number)
    if not left:
        return _nothing(days)
    entries = [
        f"📧 UID: {each.uid}\n📅 日期: {each.date}\n👤 发件人: {each.sender}\n📝 主题: {each.subject}\n{_LINE}"
        for each in left
    ]
    return f"📬 最近{js_string(days)}天的邮件列表 (共{len(left)}封):\n\n" + "\n".join(entries)


def _nothing(days: Any) -> str:
    return f"最近{js_string(days)}天内没有找到邮件。"


def _since_ms(ep: Episode, days: Any) -> int | None:
    """Return now, so many days of the calendar earlier; None where that is no date."""
    number = js_number(days)
    if math.isnan(number):
        return None
    zone = settings.zone(ep)
    here = ep.now.astimezone(zone)
    # Whole days: what is behind the point of «day of the month - days» is dropped towards zero.
    day = math.trunc(here.day - number) if math.isfinite(number) else number
    if abs(day - here.day) * 86_400_000 > 2 * _MS_MAX:
        return None
    moved_days = int(day) - here.day
    try:
        moved = here.replace(tzinfo=None) + timedelta(days=moved_days)
        return round(moved.replace(tzinfo=zone).astimezone(UTC).timestamp() * 1000)
    except OverflowError:
        # Outside Python's years: a date all the same, as far as JavaScript's go.
        at_ms = ep.now_ms + moved_days * 86_400_000
        return at_ms if abs(at_ms) <= _MS_MAX else None


def _slice(values: list[_Each], start: float, end: float) -> list[_Each]:
    """Return what JavaScript's ``slice`` gives: numbers cut towards zero, NaN for 0."""

    def place(number: float) -> int:
        if math.isnan(number):
            return 0
        whole = len(values) if number == math.inf else -len(values) if number == -math.inf else math.trunc(number)
        return max(0, len(values) + whole) if whole < 0 else min(whole, len(values))

    return values[place(start) : place(end)]
