"""Settings: what the running server was told of its account, kept in memory and never tried out."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.javascript import OBJECT_MEMBERS, UNDEFINED, js_is_true, js_string

from . import errors
from .providers import PROVIDERS, Provider, protocol_of, provider_of

_NOT_SET = "未设置"


def read(ep: Episode) -> Row:
    """Return the settings of the caller's server; one that was told nothing has its account and no hosts."""
    row = ep.db.one("SELECT * FROM servers WHERE address = ?", ep.me)
    if row is not None:
        return row
    account = ep.db.one("SELECT password, server_user FROM accounts WHERE address = ?", ep.me) or {}
    hosts = {f"{protocol}_{part}": None for protocol in ("smtp", "imap", "pop3") for part in ("host", "port", "secure")}
    user, password = account.get("server_user") or ep.me, account.get("password") or ""
    return {"address": ep.me, "user": user, "password": password, **hosts}


def provider(ep: Episode, user: str) -> Provider | None:
    """Return the provider of a name: the one the server was started for, whatever the name, else by its domain."""
    started = ep.db.scalar("SELECT server_type FROM accounts WHERE address = ?", ep.me)
    return PROVIDERS.get(started or "") or provider_of(user)


def zone(ep: Episode) -> tzinfo:
    """Return the zone the caller's server writes times in."""
    name = ep.db.scalar("SELECT server_zone FROM accounts WHERE address = ?", ep.me)
    return ZoneInfo(name) if name else ep.zone


def forget(ep: Episode) -> None:
    """Start the caller's server again: all that it was told is lost."""
    ep.db.delete("servers", address=ep.me)


def setup_email_account(
    ep: Episode, *, email: Any = UNDEFINED, password: Any = UNDEFINED, provider: Any = UNDEFINED
) -> Result:
    """Take another account, and the servers of its provider.

    Address and password are kept whatever follows, and neither is tried out.

    Raises:
        UnknownProvider: no provider has the address's domain.
        SetupFailed: the address is no text, or there is no such provider.
    """
    values = {"user": js_string(email), "password": js_string(password)}
    _keep(ep, **values)
    found = _require_provider(email, provider)
    for protocol, host in found.hosts.items():
        values |= {f"{protocol}_host": host.name, f"{protocol}_port": str(host.port)}
        values[f"{protocol}_secure"] = str(host.is_secure).lower()
    _keep(ep, **values)
    received = found.pop3 if found.prefers_pop3 else found.imap
    protocol = protocol_of(found)
    return (
        f"✅ 邮箱账号设置成功！\n\n📧 邮箱地址: {js_string(email)}\n🏢 邮箱提供商: {found.name}\n"
        f"📤 SMTP服务器: {found.smtp}\n📥 接收协议: {protocol}\n📥 {protocol}服务器: {received}\n"
        "\n💡 提示: 配置已自动完成，您现在可以使用邮件功能了！"
    )


def _require_provider(email: Any, provider: Any) -> Provider:
    if js_is_true(provider):
        key = js_string(provider)
        if key in OBJECT_MEMBERS:  # it finds something that is no provider
            raise errors.SetupFailed(reason="Cannot read properties of undefined (reading 'host')")
        if key not in PROVIDERS:
            raise errors.SetupFailed(reason=f"不支持的邮箱类型: {key}")
        return PROVIDERS[key]
    if email is None or email is UNDEFINED:
        raise errors.SetupFailed(reason=f"Cannot read properties of {js_string(email)} (reading 'split')")
    if not isinstance(email, str):
        raise errors.SetupFailed(reason="email.split is not a function")
    found = provider_of(email)
    if found is None:
        raise errors.UnknownProvider(email)
    return found


def configure_email_server(
    ep: Episode,
    *,
    smtpHost: Any = UNDEFINED,
    smtpPort: Any = UNDEFINED,
    smtpSecure: Any = UNDEFINED,
    imapHost: Any = UNDEFINED,
    imapPort: Any = UNDEFINED,
    imapSecure: Any = UNDEFINED,
    user: Any = UNDEFINED,
    password: Any = UNDEFINED,
) -> Result:
    """Set servers and account by hand; what is empty stays as it was, and nothing is tried out.

    Raises:
        Failed: a switch is null; what stands before it is kept.
    """
    for protocol, host, port, secure in (
        ("smtp", smtpHost, smtpPort, smtpSecure),
        ("imap", imapHost, imapPort, imapSecure),
    ):
        for part, value in (("host", host), ("port", port)):
            if js_is_true(value):
                _keep(ep, **{f"{protocol}_{part}": js_string(value)})
        if secure is None:
            raise errors.Failed("Cannot read properties of null (reading 'toString')")
        if secure is not UNDEFINED:
            _keep(ep, **{f"{protocol}_secure": js_string(secure)})
    if js_is_true(user):
        _keep(ep, user=js_string(user))
    if js_is_true(password):
        _keep(ep, password=js_string(password))
    now = {name: value or _NOT_SET for name, value in read(ep).items()}
    return (
        f"邮箱配置已更新：\nSMTP服务器: {now['smtp_host']}\nSMTP端口: {now['smtp_port']}\n"
        f"SMTP SSL: {now['smtp_secure']}\n"
        f"IMAP服务器: {now['imap_host']}\nIMAP端口: {now['imap_port']}\nIMAP SSL: {now['imap_secure']}\n"
        f"用户: {js_string(user) if js_is_true(user) else '未更新'}"
    )


def _keep(ep: Episode, **values: str) -> None:
    """Remember what the server was told: its environment variables, which are texts."""
    if not ep.db.update("servers", {"address": ep.me}, **values):
        ep.db.insert("servers", **{**read(ep), **values})
