"""Connections: the machine behind the server, which speaks SMTP, IMAP and POP3 over TLS, and who may log in there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.javascript import UNDEFINED, js_parse_int

from . import errors, settings
from .providers import Host

# Names of the one machine there is, and what listens there, all of it over TLS.
_NAMES = frozenset(("smtp.163.com", "imap.163.com", "pop.163.com", "localhost", "127.0.0.1"))
_MACHINE = "127.0.0.1"
_LISTENING = {465: "smtp", 993: "imap", 995: "pop3"}
_DEFAULT_PORTS = {"smtp": 587, "imap": 993, "pop3": 995}
_PORTS = 65536
_NUMERIC = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
# What a client says in the end that waits for the first word of a server of another kind, or of one that waits for TLS.
_SILENCE = {"smtp": "Greeting never received", "imap": "Timed out while authenticating with server", "pop3": None}
_REFUSED = {"smtp": "Invalid login: 535 Error: authentication failed", "imap": "Authentication failed."}
_NO_USER = "缺少邮箱用户名配置。请设置 EMAIL_USER 环境变量。"
_NO_PASSWORD = "缺少邮箱密码配置。请设置 EMAIL_PASSWORD 环境变量。"


@dataclass(frozen=True)
class Login:
    """Who is logged in.

    Attributes:
        user: the name that was used, which is also what mails are sent from.
        address: whose mailbox it is.
    """

    user: str
    address: str


def test_email_connection(ep: Episode, *, testType: Any = UNDEFINED) -> Result:
    """Log in over SMTP, IMAP or both; another kind of test is none and says nothing."""
    results = []
    kind = "both" if testType is UNDEFINED else testType
    for protocol in ("smtp", "imap"):
        if kind not in (protocol, "both"):
            continue
        name = protocol.upper()
        try:
            log_in(ep, protocol)
        except errors.Failed as failed:
            results.append(f"❌ {name}连接测试失败: {failed.reason}")
        else:
            results.append(f"✅ {name}服务器连接测试成功！")
    return "\n".join(results)


def log_in(ep: Episode, protocol: str) -> Login:
    """Connect to the server of a protocol that the settings name, and log in.

    Raises:
        Failed: there is no such server, or it does not know the account.
        NeverAnswers: a POP3 server that waits for TLS is waited for.
    """
    credentials = settings.read(ep)
    host = require_host(ep, protocol)
    _reach(protocol, host)
    login = _find_login(ep, credentials)
    if login is None:
        if protocol == "pop3":
            raise errors.Failed("POP3登录失败: -ERR [AUTH] Authentication failed.\r\n")
        raise errors.Failed(_REFUSED[protocol])
    return login


def require_host(ep: Episode, protocol: str) -> Host:
    """Return where a protocol is spoken: as set, else as the provider of the account has it.

    Raises:
        Failed: nothing is set, and no provider has the account's domain.
    """
    credentials = settings.read(ep)
    if credentials[f"{protocol}_host"]:
        port = js_parse_int(credentials[f"{protocol}_port"] or "") or _DEFAULT_PORTS[protocol]
        return Host(credentials[f"{protocol}_host"], port, credentials[f"{protocol}_secure"] != "false")
    if not credentials["user"]:
        raise errors.Failed(_NO_USER)
    provider = settings.provider(ep, credentials["user"])
    if provider is None:
        example = "（如: 'exmail' 代表腾讯企业邮箱）" if protocol == "smtp" else ""
        hint = f"如果是企业邮箱，请设置 EMAIL_TYPE 环境变量{example}"
        raise errors.Failed(f"无法识别邮箱类型: {credentials['user']}。{hint}")
    if not credentials["password"]:
        raise errors.Failed(_NO_PASSWORD)
    return provider.hosts[protocol]


def _reach(protocol: str, host: Host) -> None:
    failed = "POP3连接错误: " if protocol == "pop3" else ""
    no_port = errors.Failed(f"Port should be >= 0 and < 65536. Received type number ({host.port}).")
    # SMTP's client looks the name up before it asks for a connection.
    if protocol != "smtp" and not 0 <= host.port < _PORTS:
        raise no_port
    if host.name.lower() not in _NAMES:
        if _NUMERIC.fullmatch(host.name):
            raise errors.Failed(f"{failed}connect ECONNREFUSED {host.name}:{host.port}")
        raise errors.Failed(f"{failed}getaddrinfo ENOTFOUND {host.name}")
    if not 0 <= host.port < _PORTS:
        raise no_port
    listening = _LISTENING.get(host.port)
    if listening is None:
        raise errors.Failed(f"{failed}connect ECONNREFUSED {_MACHINE}:{host.port}")
    if not host.is_secure or listening != protocol:
        silence = _SILENCE[protocol]
        if silence is None:
            raise errors.NeverAnswers
        raise errors.Failed(silence)


def _find_login(ep: Episode, credentials: Row) -> Login | None:
    address = ep.db.scalar(
        """
        SELECT address FROM accounts
        WHERE password = :password AND (address = :user OR address IN (SELECT address FROM aliases WHERE login = :user))
        ORDER BY address
        """,
        user=credentials["user"],
        password=credentials["password"],
    )
    return None if address is None else Login(credentials["user"], address)
