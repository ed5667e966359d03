"""What becomes of a mail that is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.email163.conftest import BO, ME, message, rows

MAIL: dict[str, Any] = {"to": [ME], "subject": "s", "text": "t"}


def received(app: LocalApp, uid: str = "*") -> str:
    """Return the newest mail from its subject on."""
    return app.text("get_email_content", uid=uid).split("📝 ")[1]


@pytest.mark.fact("delivery")
def test_a_mail_reaches_every_mailbox_there_is_and_bcc_is_not_shown(mail: LocalApp) -> None:
    said = mail.text("send_email", to=[ME, "x@client.example"], bcc=[BO], subject="Report", text="done")

    lines = said.split("\n")
    assert lines[0] == "邮件发送成功！"
    assert lines[2:] == [f"收件人: {ME}, x@client.example", "主题: Report"]
    places = mail.episode.db.all("SELECT address, uid FROM deliveries WHERE message_key LIKE '%-%' ORDER BY address")
    assert places == [{"address": BO, "uid": 1}, {"address": ME, "uid": 8}]
    assert mail.episode.db.scalar("SELECT bcc FROM messages WHERE subject = 'Report'") == BO
    shown = mail.text("get_email_content", uid="8")
    assert f"👥 收件人: {ME}, x@client.example\n📝 主题: Report" in shown
    assert "抄送" not in shown
    assert BO not in shown


@pytest.mark.fact("refused")
def test_a_receiver_nobody_knows_is_left_out_and_one_alone_is_refused(mail: LocalApp) -> None:
    assert mail.text("send_email", **{**MAIL, "to": ["nobody@163.com", BO]}).startswith("邮件发送成功！")
    with pytest.raises(VendorError) as refused:
        mail.call("send_email", **{**MAIL, "to": ["nobody@163.com", "Never <no.one@163.com>"]})

    last = "all recipients were rejected: 550 User not found: no.one@163.com"
    assert refused.value.message == f"错误: Can't send mail - {last}"
    assert len(mail.changes()["messages"]) == 1


@pytest.mark.fact("delivery")
def test_whoever_has_written_from_the_service_can_be_answered(start: Callable[..., LocalApp]) -> None:
    mail = start(
        "email163", rows=[*rows(), *message("m3", 8, sender="Ann <ann@163.com>", sent_ms=1773014400000)], me="me"
    )

    assert mail.text("send_email", **{**MAIL, "to": ["Ann@163.com"]}).startswith("邮件发送成功！")
    with pytest.raises(VendorError, match="550 User not found"):
        mail.call("send_email", **{**MAIL, "to": ["nn@163.com"]})


@pytest.mark.fact("refused")
def test_a_refusal_is_read_byte_by_byte(mail: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        mail.call("send_email", **{**MAIL, "to": ["é@163.com"]})

    assert refused.value.message.endswith("550 User not found: Ã©@163.com")


@pytest.mark.fact("folded-subject")
@pytest.mark.parametrize(("length", "blank"), [(66, ""), (67, " "), (200, " ")])
def test_a_long_first_word_of_a_subject_stands_on_a_line_of_its_own(mail: LocalApp, length: int, blank: str) -> None:
    mail.call("send_email", **{**MAIL, "to": [ME], "subject": f"{'x' * length} y"})
    assert received(mail).startswith("主题: xxx")

    mail.call("configure_email_server", user="me@corp.example", imapHost="imap.163.com", imapPort=993)
    assert f"主题: {blank}xxx" in mail.text("get_recent_emails", limit=1)


@pytest.mark.fact("refused")
def test_an_address_without_a_domain_is_refused(mail: LocalApp) -> None:
    with pytest.raises(VendorError, match=r"all recipients were rejected: 501 "):
        mail.call("send_email", **{**MAIL, "to": "X <abc>"})


@pytest.mark.fact("to")
@pytest.mark.parametrize("to", [[], None, "", 5, ["plain"], [None], {"a": 1}, [{"address": BO}], False])
def test_without_an_address_nothing_is_sent(mail: LocalApp, to: Any) -> None:
    with pytest.raises(VendorError, match="错误: No recipients defined"):
        mail.call("send_email", **{**MAIL, "to": to})
    assert mail.changes() == {}


@pytest.mark.fact("to")
@pytest.mark.parametrize(
    ("to", "told", "header"),
    [
        (f"Bo <{BO}>", f"Bo <{BO}>", f"Bo <{BO}>"),
        (f"{BO}; {ME}", f"{BO}; {ME}", f"{BO}, {ME}"),
        ({"address": BO, "name": "Li, Bo"}, "[object Object]", f'"Li, Bo" <{BO}>'),
        (["bo@163.COM"], "bo@163.COM", BO),
        ([f"team: {BO}, {ME};"], f"team: {BO}, {ME};", f"team:{BO}, {ME};"),
    ],
)
def test_receivers_are_taken_in_many_forms(mail: LocalApp, to: Any, told: str, header: str) -> None:
    assert mail.text("send_email", **{**MAIL, "to": to}).split("\n")[2] == f"收件人: {told}"
    assert mail.episode.db.scalar("SELECT recipients FROM messages WHERE subject = 's'") == header
    assert mail.episode.db.scalar("SELECT count(*) FROM deliveries WHERE address = ?", BO) == 1


# What mailparser 3.7.3 shows of the header that its nodemailer writes.
@pytest.mark.fact("to")
@pytest.mark.parametrize("name", ['Bo "the" Li', "a\\b", 'Li, Bo "x" \\ y'])
def test_quotes_and_backslashes_in_a_name_arrive_as_they_are(mail: LocalApp, name: str) -> None:
    mail.call("send_email", **{**MAIL, "to": {"address": ME, "name": name}})

    assert f'👥 收件人: "{name}" <{ME}>\n' in mail.text("get_email_content", uid="*")


@pytest.mark.fact("to")
def test_groups_in_groups_without_end_are_no_receivers(mail: LocalApp) -> None:
    with pytest.raises(VendorError, match="错误: No recipients defined"):
        mail.call("send_email", **{**MAIL, "to": "a:" * 2000})


@pytest.mark.fact("to")
def test_names_and_subjects_that_look_encoded_are_read_as_encoded(mail: LocalApp) -> None:
    mail.call("send_email", to=[f"=?utf-8?B?546L?= <{ME}>"], subject="=?utf-8?B?5L2g?= x", text="t")

    assert f'👥 收件人: "王" <{ME}>\n📝 主题: 你 x' in mail.text("get_email_content", uid="*")


@pytest.mark.fact("body")
@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"text": {"a": 1}}, "an instance of Object"),
        ({"text": ["a"]}, "an instance of Array"),
        ({"text": True}, "type boolean (true)"),
        ({"html": 1.5}, "type number (1.5)"),
        ({"attachments": [{"content": 7}]}, "type number (7)"),
    ],
)
def test_a_body_that_is_no_text_is_node_s_error(mail: LocalApp, body: dict[str, Any], found: str) -> None:
    with pytest.raises(VendorError) as refused:
        mail.call("send_email", **{**MAIL, **body})

    wanted = "of type string or an instance of Buffer, TypedArray, or DataView"
    assert refused.value.message == f'错误: The "chunk" argument must be {wanted}. Received {found}'
    assert mail.changes() == {}


@pytest.mark.fact("line-end")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short", "short\n"),
        ("two\r\nlines\n", "two\nlines\n"),
        ("a" * 100, "a" * 100 + "\n"),
        ("mostly letters é", "mostly letters é\n"),
        ("你好，世界", "你好，世界"),
    ],
    ids=["7bit", "with a line end", "long", "quoted-printable", "base64"],
)
def test_a_body_alone_has_a_line_end_unless_it_went_in_base64(mail: LocalApp, text: str, shown: str) -> None:
    mail.call("send_email", **{**MAIL, "text": text})

    assert received(mail) == f"主题: s\n{'─' * 32}\n📄 文本内容:\n{shown}\n"


@pytest.mark.fact("html")
def test_html_alone_is_shown_with_the_text_made_of_it(mail: LocalApp) -> None:
    page = f"<h1>News</h1><p>{'word ' * 20}<a href='https://a.example'>here</a></p><ul><li>one<li>two</ul>"

    mail.call("send_email", to=[ME], subject="s", html=page)

    text = f"NEWS\n\n{'word ' * 15}word\n{'word ' * 4}here [https://a.example]\n\n * one\n * two"
    assert received(mail) == f"主题: s\n{'─' * 32}\n📄 文本内容:\n{text}\n🌐 HTML内容:\n{page}\n\n"


# As html-to-text 9 writes it.
@pytest.mark.fact("html")
def test_items_are_numbered_with_letters_where_the_list_says_so(mail: LocalApp) -> None:
    page = '<ol type="a" start="26"><li>x</li><li>y</li></ol><ol type="A"><li>z</ol>'

    mail.call("send_email", to=[ME], subject="s", html=page)

    assert received(mail).split("📄 文本内容:\n")[1].startswith(" z.  x\n aa. y\n\n A. z\n🌐")


@pytest.mark.fact("html")
def test_text_and_html_are_shown_as_they_were_sent(mail: LocalApp) -> None:
    mail.call("send_email", **MAIL, html="<p>t</p>")

    assert received(mail).endswith("📄 文本内容:\nt\n🌐 HTML内容:\n<p>t</p>\n")


@pytest.mark.fact("attachments")
def test_attachments_are_named_and_measured(mail: LocalApp) -> None:
    given = [
        {"filename": "a.txt", "content": "aGVs bG8*"},
        {"content": "aGk="},
        {"filename": "empty"},
        [],
    ]
    mail.call("send_email", **MAIL, attachments=given)

    listed = (
        "  1. a.txt (5 bytes)\n  2. attachment-2.* (2 bytes)\n  3. empty (0 bytes)\n  4. attachment-4.* (0 bytes)\n"
    )
    assert received(mail).endswith(f"📄 文本内容:\nt\n📎 附件列表:\n{listed}")
    assert mail.episode.db.scalar("SELECT content FROM attachments WHERE number = 1") == "hello"


@pytest.mark.fact("attachments")
def test_an_address_that_holds_its_data_is_attached(mail: LocalApp) -> None:
    mail.call("send_email", **MAIL, attachments=[{"path": "data:text/csv,a%2Cb"}])

    assert received(mail).endswith("  1. attachment-1.csv (3 bytes)\n")


# The server passes no path on beside a content (index.js, send_email), so nodemailer cannot name the file by it.
@pytest.mark.fact("attachments")
@pytest.mark.parametrize("path", ["/tmp/notes.txt?v=1", "/tmp/notes.txt", "/tmp/notes", "/tmp/"])
def test_the_path_of_what_comes_with_its_content_is_not_looked_at(mail: LocalApp, path: str) -> None:
    mail.call("send_email", **MAIL, attachments=[{"content": "aGk=", "path": path}])

    assert received(mail).endswith("📎 附件列表:\n  1. attachment-1.* (2 bytes)\n")


@pytest.mark.fact("attachments")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("a.txt", "attachments.map is not a function"),
        ({"length": 1}, "attachments.map is not a function"),
        (["text"], "Cannot use 'in' operator to search for 'contentTransferEncoding' in text"),
        ([{"path": 5}], 'The "path" argument must be of type string. Received type number (5)'),
        ([{"path": "https://a.example/x.pdf"}], "getaddrinfo ENOTFOUND a.example"),
        ([None], "Cannot read properties of null (reading 'content')"),
        ([{"filename": "a", "path": "/etc/passwd"}], "ENOENT: no such file or directory, open '/etc/passwd'"),
        ([{"filename": "a", "path": "/tmp"}], "EISDIR: illegal operation on a directory, read"),
        ([{"path": "./"}], "EISDIR: illegal operation on a directory, read"),
    ],
)
def test_attachments_that_cannot_be_read_are_refused(mail: LocalApp, given: Any, message: str) -> None:
    with pytest.raises(VendorError) as refused:
        mail.call("send_email", **MAIL, attachments=given)

    assert refused.value.message == f"错误: {message}"
    assert mail.changes() == {}


@pytest.mark.fact("mime")
@pytest.mark.parametrize("charset", ["unicode_escape", "undefined", "idna", "punycode"])
def test_a_word_in_no_charset_is_read_as_utf_8(mail: LocalApp, charset: str) -> None:
    mail.call("send_email", **{**MAIL, "subject": f"=?{charset}?Q?xn--=5Cud800?="})

    assert "主题: xn--\\ud800\n" in mail.text("get_email_content", uid="*")


@pytest.mark.fact("attachments")
@pytest.mark.parametrize(("length", "is_list"), [("x", False), (" ", False), ("0x10", True), ("٣", False)])
def test_a_length_is_a_number_as_javascript_reads_it(mail: LocalApp, length: str, is_list: bool) -> None:
    if is_list:
        with pytest.raises(VendorError, match=r"attachments\.map is not a function"):
            mail.call("send_email", **MAIL, attachments={"length": length})
    else:
        assert "邮件发送成功" in mail.text("send_email", **MAIL, attachments={"length": length})
