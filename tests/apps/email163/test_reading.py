"""Lists over POP3 and IMAP, and mails one by one."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.content import kernel_module
from farm.context.template import load_world
from farm.testing import LocalApp
from tests.apps.email163.conftest import ME, message

LINE = "─" * 32
HEAD = "From: =?utf-8?b?546L56OK?= <wang@163.com>\nTo: me@163.com\n"
ACCOUNT = {"table": "accounts", "address": ME, "person": "me", "password": "CODE", "server_zone": "UTC"}


def silent(app: LocalApp, tool: str, **arguments: Any) -> bool:
    error = app.result(tool, **arguments)["error"]
    return bool(error == {"code": -32001, "message": "Request timed out"})


def newest_number(app: LocalApp) -> int:
    """Return the POP3 number of the newest mail."""
    found = re.search(r"邮件号: (\d+)\n", app.text("get_recent_emails", days=30))
    assert found is not None
    return int(found[1])


def died(app: LocalApp, tool: str, **arguments: Any) -> bool:
    error = app.result(tool, **arguments)["error"]
    return bool(error == {"code": -32000, "message": "Connection closed"})


@pytest.mark.fact("pop3")
@pytest.mark.parametrize("given", [{}, {"limit": 1}, {"limit": "2"}, {"limit": 1000}, {"limit": True}])
def test_over_pop3_only_the_newest_mail_is_listed(mail: LocalApp, given: dict[str, Any]) -> None:
    entry = '📧 邮件号: 2\n📅 日期: 3/9/2026, 12:00:00 AM\n👤 发件人: "Bo Li" <bo@163.com>\n📝 主题: New'

    assert mail.text("get_recent_emails", **given) == f"📬 最近3天的邮件列表 (共1封，POP3协议):\n\n{entry}\n{LINE}"
    assert mail.changes() == {}


@pytest.mark.fact("pop3")
def test_the_number_over_pop3_is_the_place_in_the_mailbox_though_mails_come_due_and_are_sent_meanwhile(
    start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    began = load_world("harbor").starts_at
    monkeypatch.setattr(time, "time_ns", lambda: int(began.timestamp()) * 10**9)
    mail = start("email163", world="harbor", now="live")
    own, before = mail.episode.me, 0
    for hours in (0, 24, 72, 73):
        now = began + timedelta(hours=hours)
        monkeypatch.setattr(time, "time_ns", lambda now=now: int(now.timestamp()) * 10**9)
        there = newest_number(mail)

        mail.call("send_email", to=[own], subject="One more", text="x")

        assert there == mail.episode.db.scalar("SELECT count(*) - 1 FROM deliveries WHERE address = ?", own)
        assert newest_number(mail) == there + 1 > before
        before = there + 1
    ranked = "SELECT number, row_number() OVER (ORDER BY uid) AS place FROM deliveries WHERE address = ? ORDER BY uid"
    numbers = [(row["number"], row["place"]) for row in mail.episode.db.all(ranked, own)]
    assert {number for number, place in numbers if number != place} == {None}


@pytest.mark.fact("pop3")
def test_the_mails_of_a_mailbox_without_numbers_are_counted(mail: LocalApp) -> None:
    mail.call("send_email", to=[ME], subject="Third", text="x")

    assert newest_number(mail) == 3


@pytest.mark.fact("pop3")
def test_an_empty_mailbox_says_so(mail: LocalApp) -> None:
    mail.call("setup_email_account", email="bo@163.com", password="BOCODE")

    assert mail.text("get_recent_emails") == "邮箱中没有邮件。"


@pytest.mark.fact("pop3")
def test_a_wrong_password_is_told_in_the_server_s_words(mail: LocalApp) -> None:
    mail.call("setup_email_account", email=ME, password="no")

    said = mail.result("get_recent_emails")["content"][0]["text"]
    assert said == "错误: POP3登录失败: -ERR [AUTH] Authentication failed.\r\n"


@pytest.mark.fact("silence")
@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": -1}, {"limit": "x"}, {"limit": None}, {"days": 0}])
def test_a_list_over_pop3_that_finds_too_little_is_never_answered(mail: LocalApp, given: dict[str, Any]) -> None:
    assert silent(mail, "get_recent_emails", **given)


@pytest.mark.fact("silence")
@pytest.mark.parametrize(("days", "shown"), [(0, "0"), ("soon", "soon"), (-1, "-1"), (None, "null")])
def test_the_newest_mail_alone_may_be_too_old(mail: LocalApp, days: Any, shown: str) -> None:
    assert mail.text("get_recent_emails", limit=1, days=days) == f"最近{shown}天内没有找到邮件。"


@pytest.mark.fact("imap")
def test_over_imap_mails_are_listed_by_date_with_their_headers_as_they_are(over_imap: LocalApp) -> None:
    older = f"📧 UID: 3\n📅 日期: Sun, 08 Mar 2026 08:34:56 +0800\n👤 发件人: Bo Li <bo@163.com>\n📝 主题: Hi\n{LINE}"
    newer = f"📧 UID: 7\n📅 日期: Mon, 09 Mar 2026 00:00:00 +0000\n👤 发件人: Bo Li <bo@163.com>\n📝 主题: New\n{LINE}"

    assert over_imap.text("get_recent_emails") == f"📬 最近3天的邮件列表 (共2封):\n\n{newer}\n{older}"
    assert over_imap.text("get_recent_emails", limit=1, days=30) == f"📬 最近30天的邮件列表 (共1封):\n\n{newer}"
    assert over_imap.text("get_recent_emails", limit=0) == "最近3天内没有找到邮件。"
    assert over_imap.text("get_recent_emails", days=0) == "最近0天内没有找到邮件。"


@pytest.mark.fact("imap")
def test_over_imap_words_are_read_and_mails_without_a_date_left_out(start: Callable[..., LocalApp]) -> None:
    dated = f"{HEAD}Subject: =?utf-8?b?5L2g?=\n =?utf-8?b?5aW9?= x\nDate: Mon, 9 Mar 2026 00:00:00 GMT\n\nhi\n"
    sources = [dated, f"{HEAD}Subject: none\n\nhi\n", f"{HEAD}Date: some day\n\nhi\n"]
    mails = [message(f"m{uid}", uid, source=each.replace("\n", "\r\n")) for uid, each in enumerate(sources, start=1)]
    alias = {"table": "aliases", "login": "me@corp.example", "address": ME}
    app = start("email163", rows=[ACCOUNT, alias, *(row for each in mails for row in each)], me="me")
    app.call("configure_email_server", user="me@corp.example", imapHost="imap.163.com")

    entry = f"📧 UID: 1\n📅 日期: Mon, 9 Mar 2026 00:00:00 GMT\n👤 发件人: 王磊 <wang@163.com>\n📝 主题: 你好 x\n{LINE}"
    assert app.text("get_recent_emails") == f"📬 最近3天的邮件列表 (共1封):\n\n{entry}"


# What Node 20's ``setDate`` makes of the tests' clock in UTC: a date before year 1, the first day that a date can hold,
# the day before it, which is no date, and dates to come.
@pytest.mark.fact("imap")
@pytest.mark.parametrize(
    ("days", "is_listed"),
    [(1_000_000, True), (100_020_521, True), (100_020_522, False), (10**12, False), (-3_000_000, False), (-1, False)],
)
def test_days_count_as_far_back_as_a_date_goes(over_imap: LocalApp, days: int, is_listed: bool) -> None:
    said = over_imap.text("get_recent_emails", days=days)

    listed = f"📬 最近{days}天的邮件列表 (共2封):\n"
    assert said.startswith(listed if is_listed else f"最近{days}天内没有找到邮件。")


@pytest.mark.fact("imap")
def test_a_limit_far_below_zero_kills_the_server(over_imap: LocalApp) -> None:
    assert died(over_imap, "get_recent_emails", limit=-5)
    assert over_imap.changes() == {}


@pytest.mark.fact("imap")
def test_a_server_that_was_started_for_163_lists_over_pop3_whatever_the_name(over_imap: LocalApp) -> None:
    over_imap.episode.db.execute("UPDATE accounts SET server_type = '163' WHERE address = ?", ME)

    assert "POP3协议" in over_imap.text("get_recent_emails")


@pytest.mark.fact("fallback")
def test_where_imap_fails_the_list_comes_over_pop3(over_imap: LocalApp) -> None:
    over_imap.call("configure_email_server", imapPort=1)
    with pytest.raises(VendorError, match=r"错误: 无法识别邮箱类型: me@corp\.example"):
        over_imap.call("get_recent_emails")

    over_imap.call("setup_email_account", email="me@corp.example", password="CODE", provider="163")
    over_imap.call("configure_email_server", imapPort=1)
    assert "POP3协议" in over_imap.text("get_recent_emails")


@pytest.mark.fact("content")
@pytest.mark.parametrize("uid", ["3", 3, "3.9", " 3x", ["3", "7"], "1:5", "5:1"])
def test_a_mail_is_shown_by_its_uid(mail: LocalApp, uid: Any) -> None:
    shown = mail.text("get_email_content", uid=uid)

    head, *rest = shown.split("\n")
    assert head == f"📧 邮件详情 (UID: {'3,7' if isinstance(uid, list) else uid})"
    assert rest == [
        LINE,
        "📅 日期: Sun Mar 08 2026 00:34:56 GMT+0000 (Coordinated Universal Time)",
        '👤 发件人: "Bo Li" <bo@163.com>',
        "👥 收件人: me@163.com",
        '📋 抄送: "Li", "X" <x@y.example>',
        "📝 主题: Hi",
        LINE,
        "📄 文本内容:",
        "Hello.",
        "",
        "",
    ]
    assert mail.changes() == {}


@pytest.mark.fact("content")
@pytest.mark.parametrize("uid", ["9" * 5000, "9" * 5000 + ":1", "0:3", 2.5])
def test_a_set_that_imap_does_not_know_is_refused_in_its_words(mail: LocalApp, uid: Any) -> None:
    with pytest.raises(VendorError, match="错误: Error in IMAP command UID FETCH: Invalid uidset"):
        mail.call("get_email_content", uid=uid)


@pytest.mark.fact("content")
def test_a_star_is_the_newest_mail(mail: LocalApp) -> None:
    assert "主题: New" in mail.text("get_email_content", uid="*")


@pytest.mark.fact("death")
@pytest.mark.parametrize("uid", ["abc", "", None, {}, [], "0", "-1", 0, True])
def test_a_uid_that_is_no_number_kills_the_server_which_then_has_forgotten_all(mail: LocalApp, uid: Any) -> None:
    mail.call("setup_email_account", email="bo@163.com", password="BOCODE")

    assert died(mail, "get_email_content", uid=uid)

    assert mail.changes() == {}
    assert "主题: New" in mail.text("get_recent_emails")


@pytest.mark.fact("content", "death")
@pytest.mark.parametrize("uid", ["*", "*:*", "1:*", "*:9"])
def test_a_mailbox_without_mails_has_no_newest_one(mail: LocalApp, uid: str) -> None:
    mail.call("setup_email_account", email="bo@163.com", password="BOCODE")

    assert silent(mail, "get_email_content", uid=uid)


@pytest.mark.fact("death")
@pytest.mark.parametrize("uid", ["99", "4:6", 4])
def test_a_uid_that_is_not_there_is_never_answered(mail: LocalApp, uid: Any) -> None:
    assert silent(mail, "get_email_content", uid=uid)


@pytest.mark.fact("mime")
def test_a_character_set_and_quoted_printable_are_read(read: Callable[[str], str]) -> None:
    shown = read(
        HEAD + "Subject: =?gb2312?Q?=C4=E3_=BA=C3?=\nContent-Type: text/plain; charset=gbk\n"
        "Content-Transfer-Encoding: quoted-printable\n\n=C4=E3=\n=BA=C3\n"
    )

    assert shown.split("\n")[3:] == [
        '👤 发件人: "王磊" <wang@163.com>',
        "👥 收件人: me@163.com",
        "📝 主题: 你 好",
        LINE,
        "📄 文本内容:",
        "你好",
        "",
        "",
    ]
    assert "📅 日期: 未知" in shown


@pytest.mark.fact("bytes")
def test_a_mail_in_another_charset_is_kept_as_its_bytes(start: Callable[..., LocalApp]) -> None:
    source = (
        "From: Bo <bo@163.com>\r\nTo: me@163.com\r\nSubject: 报价\r\nDate: Mon, 9 Mar 2026 00:00:00 +0000\r\n"
        "Content-Type: text/plain; charset=gb2312\r\n\r\n你好\r\n"
    ).encode("gbk")
    stored = f"data:message/rfc822;base64,{b64encode(source).decode()}"
    account = {"table": "accounts", "address": ME, "person": "me", "password": "CODE", "server_zone": "UTC"}
    app = start("email163", rows=[account, *message("m", 1, source=stored)], me="me")
    lost = "报价".encode("gbk").decode("utf-8", "replace")

    shown = app.text("get_email_content", uid="1")
    app.call("configure_email_server", user="me@corp.example", imapHost="imap.163.com", imapPort=993)
    app.episode.db.insert("aliases", login="me@corp.example", address=ME)
    listed = app.text("get_recent_emails", days=9)

    assert shown.endswith(f"📝 主题: {lost}\n{LINE}\n📄 文本内容:\n你好\n\n")
    assert f"📝 主题: {lost}\n" in listed


@pytest.mark.fact("mime")
def test_pictures_stand_in_the_page_that_shows_them(read: Callable[[str], str]) -> None:
    shown = read(
        HEAD + "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src='cid:p@x'>\n"
        "--b\nContent-Type: image/png; name=p.png\nContent-ID: <p@x>\nContent-Transfer-Encoding: base64\n\n"
        "iVBO\n--b--\n"
    )

    assert shown.endswith("🌐 HTML内容:\n<img src='data:image/png;base64,iVBO'>\n📎 附件列表:\n  1. p.png (3 bytes)\n")
    assert "文本内容" not in shown


# Both as mailparser 3.7.3 reads them.
@pytest.mark.fact("mime")
def test_a_mail_within_a_mail_is_read_below_its_headers(read: Callable[[str], str]) -> None:
    shown = read(
        HEAD + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nabove\n"
        "--b\nContent-Type: message/rfc822\nContent-Disposition: inline\n\n"
        "From: Bo <bo@163.com>\nTo: me@163.com\nCc: c@x.example\nBcc: Hidden <h@x.example>\nSubject: Within\n"
        "Date: Mon, 9 Mar 2026 00:00:00 +0000\nContent-Type: text/plain\n\nbelow\n--b--\n"
    )

    assert shown.split("📄 文本内容:\n")[1].split("\n") == [
        "above",
        "",
        'From: "Bo" <bo@163.com>',
        "Subject: Within",
        "Date: Mon, 09 Mar 2026 00:00:00 GMT",
        "To: me@163.com",
        "Cc: c@x.example",
        'Bcc: "Hidden" <h@x.example>',
        "",
        "below",
        "",
    ]


@pytest.mark.fact("mime")
def test_what_is_attached_without_a_type_is_no_text(read: Callable[[str], str]) -> None:
    shown = read(
        HEAD + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nabove\n"
        "--b\nContent-Disposition: attachment; filename=a.txt\n\nabc\n--b--\n"
    )

    assert shown.endswith("📄 文本内容:\nabove\n📎 附件列表:\n  1. a.txt (3 bytes)\n")


@pytest.mark.fact("mime")
def test_addresses_in_a_text_beside_a_page_become_links(read: Callable[[str], str]) -> None:
    shown = read(
        HEAD + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        "See harbor.com/a?b=1, or https://x.example/p. Ask bo@163.com!\n"
        "--b\nContent-Type: text/html\n\n<b>y</b>\n--b--\n"
    )

    # As mailparser 3.7.3 does.
    assert shown.split("🌐 HTML内容:\n")[1].split("\n") == [
        '<p>See <a href="http://harbor.com/a?b=1">harbor.com/a?b=1</a>, or <a href="https://x.example/p">'
        'https://x.example/p</a>. Ask <a href="mailto:bo@163.com">bo@163.com</a>!</p><br/>',
        "<b>y</b>",
        "",
    ]


@pytest.mark.fact("mime")
def test_a_date_nobody_can_read_is_the_time_of_reading(read: Callable[[str], str]) -> None:
    assert "📅 日期: Mon Mar 09 2026 01:00:00 GMT+0000" in read(HEAD + "Date: tomorrow or so\n\nhi\n")


@pytest.mark.fact("mime")
@pytest.mark.parametrize(
    ("date", "shown"),
    [
        ("Tue, 30 Feb 2026 10:00:00 +0000", "Mon Mar 02 2026 10:00:00"),
        ("31 Apr 2026 24:00:00 GMT", "Sat May 02 2026 00:00:00"),
        ("31 Nov 2026 10:00:00 +0800", "Tue Dec 01 2026 02:00:00"),
        ("Sat Mar 7 2026 10:00:00 GMT+0800 (China Standard Time)", "Sat Mar 07 2026 02:00:00"),
    ],
)
def test_a_date_is_read_as_javascript_reads_it(read: Callable[[str], str], date: str, shown: str) -> None:
    assert f"日期: {shown} GMT+0000" in read(f"From: a@x.example\nDate: {date}\n\nx\n")


@pytest.mark.fact("mime")
@pytest.mark.parametrize("date", ["32 Mar 2026 10:00:00 GMT", "0 Mar 2026 10:00:00 GMT", "2 Mar 2026 24:30:00 GMT"])
def test_what_is_no_day_is_no_date(read: Callable[[str], str], date: str) -> None:
    # Which is the time of reading.
    assert "日期: Mon Mar 09 2026" in read(f"From: a@x.example\nDate: {date}\n\nx\n")


# What Node 20's ``Date.parse`` gives in UTC.
@pytest.mark.fact("mime")
@pytest.mark.parametrize(
    ("date", "at_ms"),
    [
        ("9 Mar 2026", 1773014400000),
        ("Monday, March 9, 2026", 1773014400000),
        ("Mon, 9 Mar 2026 10:00:00 +08:00", 1773021600000),
        ("Mon, 9 Mar 2026 10:00:00 GMT+8", 1773021600000),
        ("Mon, 9 Mar 2026 10:00:00.500 GMT", 1773050400500),
        ("9/3/2026", 1788393600000),
        ("2026/03/09 10:00", 1773050400000),
        ("2026-02-30T10:00:00Z", 1772445600000),
        ("Mon, 9 Mar 2026 10:00 PM (late)", 1773093600000),
        ("Mon, 9 Mar 2026 10:00:00 JST", None),
        ("Mon, 9 Mar 2026 25:00:00 GMT", None),
        ("20260309", None),
        ("2026-03-09T10:11:12+0800", 1773022272000),
        ("2026-03-09T10:11:12.5-0330", 1773063672500),
        ("2026-03-09T10:11:12+23:59", 1772964732000),
        ("2026-03-09T10:11:12+24:00", None),
        ("2026-03-09T10:11:12+99:00", None),
        ("2026-03-09T10:11:12+08:60", None),
        ("2026年3月9日", None),
    ],
)
def test_dates_of_many_forms_are_node_s(date: str, at_ms: int | None) -> None:
    dates = kernel_module("email163", "dates")

    assert dates.read_date(date, UTC) == at_ms
