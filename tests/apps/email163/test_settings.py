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
