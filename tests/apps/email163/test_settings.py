"""Accounts and servers that the server is told, and what it then reaches."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.email163.conftest import ME


@pytest.mark.fact("setup")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "❌ 邮箱设置失败: Cannot read properties of undefined (reading 'split')"),
        ({"email": None}, "❌ 邮箱设置失败: Cannot read properties of null (reading 'split')"),
        ({"email": 5}, "❌ 邮箱设置失败: email.split is not a function"),
        ({"email": ME, "provider": "yahoo"}, "❌ 邮箱设置失败: 不支持的邮箱类型: yahoo"),
        (
            {"email": ME, "provider": "toString"},
            "❌ 邮箱设置失败: Cannot read properties of undefined (reading 'host')",
        ),
        (
            {"email": "a@b.example"},
            "❌ 无法识别邮箱类型: a@b.example\n\n"
            "支持的邮箱类型请使用 list_supported_providers 查看，或手动指定 provider 参数。",
        ),
    ],
)
def test_a_set_up_that_fails_breaks_the_account_all_the_same(
    mail: LocalApp, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(VendorError) as refused:
        mail.call("setup_email_account", **given, password="new")

    assert refused.value.message == message
    assert [change["new"]["password"] for change in mail.changes()["servers"]] == ["new"]
    assert mail.text("test_email_connection", testType="imap") != "✅ IMAP服务器连接测试成功！"


@pytest.mark.fact("setup")
@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (
            {"email": "a@YEAH.net"},
            [
                "📤 SMTP服务器: smtp.163.com:465 (SSL: true)",
                "📥 接收协议: POP3",
                "📥 POP3服务器: pop.163.com:995 (SSL: true)",
            ],
        ),
        (
            {"email": "a@163.com", "provider": "sohu"},
            [
                "📤 SMTP服务器: smtp.sohu.com:25 (SSL: false)",
                "📥 接收协议: IMAP",
                "📥 IMAP服务器: imap.sohu.com:993 (SSL: true)",
            ],
        ),
    ],
)
def test_a_set_up_tries_nothing_out(mail: LocalApp, given: dict[str, Any], lines: list[str]) -> None:
    assert mail.text("setup_email_account", **given, password="x").split("\n")[4:7] == lines


@pytest.mark.fact("configure")
def test_what_is_empty_stays_as_it_was(mail: LocalApp) -> None:
    mail.call("configure_email_server", smtpHost="a.example", smtpPort="25", smtpSecure=False, user="u", password="p")

    said = mail.text("configure_email_server", smtpHost="", smtpPort=0, imapPort=1.5)

    assert said.split("\n")[1:] == [
        "SMTP服务器: a.example",
        "SMTP端口: 25",
        "SMTP SSL: false",
        "IMAP服务器: 未设置",
        "IMAP端口: 1.5",
        "IMAP SSL: 未设置",
        "用户: 未更新",
    ]


@pytest.mark.fact("configure")
def test_a_switch_that_is_null_fails_behind_what_was_kept(mail: LocalApp) -> None:
    with pytest.raises(VendorError, match=r"错误: Cannot read properties of null \(reading 'toString'\)"):
        mail.call("configure_email_server", smtpHost="a.example", smtpSecure=None, imapHost="b.example")

    (change,) = mail.changes()["servers"]
    assert (change["new"]["smtp_host"], change["new"]["imap_host"]) == ("a.example", None)


@pytest.mark.fact("test")
@pytest.mark.parametrize("kind", ["pop3", "all", 1, None, "SMTP"])
def test_another_test_says_nothing(mail: LocalApp, kind: Any) -> None:
    assert mail.text("test_email_connection", testType=kind) == ""


@pytest.mark.fact("test")
def test_each_connection_is_told_of(mail: LocalApp) -> None:
    assert mail.text("test_email_connection") == "✅ SMTP服务器连接测试成功！\n✅ IMAP服务器连接测试成功！"
    mail.call("configure_email_server", password="no")
    assert mail.text("test_email_connection") == (
        "❌ SMTP连接测试失败: Invalid login: 535 Error: authentication failed\n"
        "❌ IMAP连接测试失败: Authentication failed."
    )


@pytest.mark.fact("unreachable")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"smtpHost": "smtp.163.com", "smtpPort": 1}, "connect ECONNREFUSED 127.0.0.1:1"),
        ({"smtpHost": "mail.nowhere.example", "smtpPort": 25}, "getaddrinfo ENOTFOUND mail.nowhere.example"),
        ({"smtpHost": "smtp.163.com", "smtpPort": "no"}, "connect ECONNREFUSED 127.0.0.1:587"),
    ],
)
def test_a_server_that_is_not_there_is_told_of(mail: LocalApp, given: dict[str, Any], message: str) -> None:
    mail.call("configure_email_server", **given)

    assert mail.text("test_email_connection", testType="smtp") == f"❌ SMTP连接测试失败: {message}"
    with pytest.raises(VendorError, match=f"错误: {message}"):
        mail.call("send_email", to=[ME], subject="s", text="t")


@pytest.mark.fact("setup")
@pytest.mark.parametrize(
    ("provider", "name", "smtp", "protocol", "received"),
    [
        ("163", "网易邮箱", "smtp.163.com:465 (SSL: true)", "POP3", "pop.163.com:995 (SSL: true)"),
        ("qq", "QQ邮箱", "smtp.qq.com:587 (SSL: false)", "IMAP", "imap.qq.com:993 (SSL: true)"),
        ("gmail", "Gmail", "smtp.gmail.com:587 (SSL: true)", "IMAP", "imap.gmail.com:993 (SSL: true)"),
        ("outlook", "Outlook/Hotmail", "smtp-mail.outlook.com:587 (SSL: false)", "IMAP",
         "outlook.office365.com:993 (SSL: true)"),
        ("exmail", "腾讯企业邮箱", "smtp.exmail.qq.com:465 (SSL: true)", "IMAP", "imap.exmail.qq.com:993 (SSL: true)"),
        ("aliyun", "阿里云邮箱", "smtp.mxhichina.com:465 (SSL: true)", "IMAP", "imap.mxhichina.com:993 (SSL: true)"),
        ("sina", "新浪邮箱", "smtp.sina.com:587 (SSL: false)", "IMAP", "imap.sina.com:993 (SSL: true)"),
        ("sohu", "搜狐邮箱", "smtp.sohu.com:25 (SSL: false)", "IMAP", "imap.sohu.com:993 (SSL: true)"),
    ],
)  # fmt: skip
def test_each_provider_has_its_servers(
    mail: LocalApp, provider: str, name: str, smtp: str, protocol: str, received: str
) -> None:
    assert mail.text("setup_email_account", email="x@corp.example", password="p", provider=provider) == (
        f"✅ 邮箱账号设置成功！\n\n📧 邮箱地址: x@corp.example\n🏢 邮箱提供商: {name}\n📤 SMTP服务器: {smtp}\n"
        f"📥 接收协议: {protocol}\n📥 {protocol}服务器: {received}\n\n"
        "💡 提示: 配置已自动完成，您现在可以使用邮件功能了！"
    )

    (change,) = mail.changes()["servers"]
    row = change["new"]
    kept = {
        each: f"{row[f'{each}_host']}:{row[f'{each}_port']} (SSL: {row[f'{each}_secure']})"
        for each in ("smtp", "imap", "pop3")
    }
    assert (row["user"], row["password"], kept["smtp"]) == ("x@corp.example", "p", smtp)
    assert kept["pop3" if protocol == "POP3" else "imap"] == received
    assert kept["pop3"].endswith(":995 (SSL: true)")
    assert kept["imap"].endswith(":993 (SSL: true)")


@pytest.mark.fact("unreachable", "test")
@pytest.mark.parametrize(
    ("given", "smtp"),
    [
        ({"smtpHost": "127.0.0.1", "smtpPort": 465}, None),
        ({"smtpHost": "LocalHost", "smtpPort": "465"}, None),
        ({"smtpHost": "pop.163.com", "smtpPort": "465abc", "smtpSecure": True}, None),
        ({"smtpHost": "smtp.163.com", "smtpPort": 465, "smtpSecure": 0}, None),
        ({"smtpHost": "smtp.163.com", "smtpPort": 465, "smtpSecure": False}, "Greeting never received"),
        ({"smtpHost": "smtp.163.com", "smtpPort": 465, "smtpSecure": "false"}, "Greeting never received"),
        ({"smtpHost": "smtp.163.com", "smtpPort": 993}, "Greeting never received"),
        ({"smtpHost": "smtp.163.com", "smtpPort": 995}, "Greeting never received"),
        ({"smtpHost": "smtp.163.com"}, "connect ECONNREFUSED 127.0.0.1:587"),
        ({"smtpHost": "10.1.2.3"}, "connect ECONNREFUSED 10.1.2.3:587"),
        ({"smtpHost": "10.1.2.3.4"}, "getaddrinfo ENOTFOUND 10.1.2.3.4"),
        ({"smtpHost": "localhost", "smtpPort": 65_535}, "connect ECONNREFUSED 127.0.0.1:65535"),
        ({"smtpHost": "localhost", "smtpPort": 65_536},
         "Port should be >= 0 and < 65536. Received type number (65536)."),
        ({"smtpHost": "localhost", "smtpPort": -1}, "Port should be >= 0 and < 65536. Received type number (-1)."),
        ({"smtpHost": "nowhere.example", "smtpPort": 65_536}, "getaddrinfo ENOTFOUND nowhere.example"),
    ],
)  # fmt: skip
def test_smtp_is_spoken_where_it_is_said_to_be(mail: LocalApp, given: dict[str, Any], smtp: str | None) -> None:
    mail.call("configure_email_server", **given)

    said = "✅ SMTP服务器连接测试成功！" if smtp is None else f"❌ SMTP连接测试失败: {smtp}"
    assert mail.text("test_email_connection") == f"{said}\n✅ IMAP服务器连接测试成功！"


@pytest.mark.fact("unreachable", "test")
@pytest.mark.parametrize(
    ("given", "imap"),
    [
        ({"imapHost": "IMAP.163.com"}, None),
        ({"imapHost": "localhost", "imapPort": 993, "imapSecure": "no"}, None),
        ({"imapHost": "localhost", "imapSecure": False}, "Timed out while authenticating with server"),
        ({"imapHost": "localhost", "imapPort": 465}, "Timed out while authenticating with server"),
        ({"imapHost": "localhost", "imapPort": 995}, "Timed out while authenticating with server"),
        ({"imapHost": "localhost", "imapPort": 143}, "connect ECONNREFUSED 127.0.0.1:143"),
        ({"imapHost": "10.1.2.3"}, "connect ECONNREFUSED 10.1.2.3:993"),
        ({"imapHost": "nowhere.example"}, "getaddrinfo ENOTFOUND nowhere.example"),
        ({"imapHost": "nowhere.example", "imapPort": 65_535}, "getaddrinfo ENOTFOUND nowhere.example"),
        ({"imapHost": "nowhere.example", "imapPort": 65_536},
         "Port should be >= 0 and < 65536. Received type number (65536)."),
        ({"imapHost": "localhost", "imapPort": -5}, "Port should be >= 0 and < 65536. Received type number (-5)."),
    ],
)  # fmt: skip
def test_imap_is_spoken_where_it_is_said_to_be(mail: LocalApp, given: dict[str, Any], imap: str | None) -> None:
    mail.call("configure_email_server", **given)

    said = "✅ IMAP服务器连接测试成功！" if imap is None else f"❌ IMAP连接测试失败: {imap}"
    assert mail.text("test_email_connection", testType="imap") == said
    if imap is not None:
        with pytest.raises(VendorError) as refused:
            mail.call("get_email_content", uid="3")
        assert refused.value.message == f"错误: {imap}"


@pytest.mark.fact("test")
@pytest.mark.parametrize("user", ["me@163.com", "me@corp.example", "bo@163.com", "nobody@163.com"])
def test_an_account_opens_with_its_own_password_by_its_address_or_an_alias(mail: LocalApp, user: str) -> None:
    mail.call("setup_email_account", email=user, password="CODE", provider="163")

    is_known = user.startswith("me@")
    said = mail.text("test_email_connection")
    assert said == (
        "✅ SMTP服务器连接测试成功！\n✅ IMAP服务器连接测试成功！"
        if is_known
        else "❌ SMTP连接测试失败: Invalid login: 535 Error: authentication failed\n"
        "❌ IMAP连接测试失败: Authentication failed."
    )


@pytest.mark.fact("unreachable")
def test_a_name_without_a_provider_is_told_by_each_protocol(mail: LocalApp) -> None:
    mail.call("configure_email_server", user="me@corp.example")

    said = "无法识别邮箱类型: me@corp.example。如果是企业邮箱，请设置 EMAIL_TYPE 环境变量"
    assert mail.text("test_email_connection") == (
        f"❌ SMTP连接测试失败: {said}（如: 'exmail' 代表腾讯企业邮箱）\n❌ IMAP连接测试失败: {said}"
    )
    with pytest.raises(VendorError) as refused:
        mail.call("send_email", to=[ME], subject="s", text="t", attachments=[None])
    assert refused.value.message == f"错误: {said}（如: 'exmail' 代表腾讯企业邮箱）"
    assert mail.text("get_recent_emails") == (
        f"❌ IMAP功能不可用: {said}\n\n建议：\n1. 检查邮箱IMAP/POP3设置\n"
        "2. 确认使用正确的授权码\n3. 尝试使用QQ邮箱等其他邮箱服务"
    )


@pytest.mark.fact("configure")
def test_what_is_configured_is_kept_as_text(mail: LocalApp) -> None:
    said = mail.text(
        "configure_email_server",
        smtpHost="a.example", smtpPort=25, smtpSecure=True, imapHost="b.example", imapPort="143", imapSecure=False,
        user="u@x.example", password="p",
    )  # fmt: skip

    assert said == (
        "邮箱配置已更新：\nSMTP服务器: a.example\nSMTP端口: 25\nSMTP SSL: true\nIMAP服务器: b.example\n"
        "IMAP端口: 143\nIMAP SSL: false\n用户: u@x.example"
    )
    (change,) = mail.changes()["servers"]
    kept = {name: value for name, value in change["new"].items() if value is not None}
    assert kept == {
        "address": ME, "user": "u@x.example", "password": "p", "smtp_host": "a.example", "smtp_port": "25",
        "smtp_secure": "true", "imap_host": "b.example", "imap_port": "143", "imap_secure": "false",
    }  # fmt: skip
    mail.call("configure_email_server", imapPort=None, user="", password=0, imapSecure="maybe")
    row = mail.episode.db.one("SELECT * FROM servers WHERE address = ?", ME)
    assert row is not None
    assert {name: value for name, value in row.items() if value is not None} == kept | {"imap_secure": "maybe"}
