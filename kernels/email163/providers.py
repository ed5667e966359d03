"""Providers: the server's own table of mail services, in the order it goes through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from farm.appkit import Episode, Result


@dataclass(frozen=True)
class Host:
    """Where one protocol of a provider is spoken."""

    name: str
    port: int
    is_secure: bool = True

    def __str__(self) -> str:
        """Return it as the server shows it."""
        return f"{self.name}:{self.port} (SSL: {str(self.is_secure).lower()})"


@dataclass(frozen=True)
class Provider:
    """One mail service."""

    name: str
    domains: tuple[str, ...]
    smtp: Host
    imap: Host
    pop3: Host
    prefers_pop3: bool = False

    @property
    def hosts(self) -> Mapping[str, Host]:
        """Protocol → where it is spoken."""
        return {"smtp": self.smtp, "imap": self.imap, "pop3": self.pop3}


def _provider(
    name: str,
    domains: str,
    smtp: Host,
    received_at: str,
    pop3_at: str | None = None,
    *,
    prefers_pop3: bool = False,
) -> Provider:
    imap, pop3 = Host(received_at, 993), Host(pop3_at or received_at, 995)
    return Provider(name, tuple(domains.split()), smtp, imap, pop3, prefers_pop3)


# JavaScript goes through keys that look like numbers first.
PROVIDERS: Mapping[str, Provider] = {
    "163": _provider(
        "网易邮箱",
        "163.com 126.com yeah.net",
        Host("smtp.163.com", 465),
        "imap.163.com",
        "pop.163.com",
        prefers_pop3=True,
    ),
    "qq": _provider("QQ邮箱", "qq.com", Host("smtp.qq.com", 587, False), "imap.qq.com", "pop.qq.com"),
    "gmail": _provider(
        "Gmail", "gmail.com googlemail.com", Host("smtp.gmail.com", 587), "imap.gmail.com", "pop.gmail.com"
    ),
    "outlook": _provider(
        "Outlook/Hotmail",
        "outlook.com hotmail.com live.com msn.com",
        Host("smtp-mail.outlook.com", 587, False),
        "outlook.office365.com",
    ),
    "exmail": _provider(
        "腾讯企业邮箱", "exmail.qq.com", Host("smtp.exmail.qq.com", 465), "imap.exmail.qq.com", "pop.exmail.qq.com"
    ),
    "aliyun": _provider(
        "阿里云邮箱",
        "aliyun.com alibaba-inc.com",
        Host("smtp.mxhichina.com", 465),
        "imap.mxhichina.com",
        "pop.mxhichina.com",
    ),
    "sina": _provider(
        "新浪邮箱", "sina.com sina.cn", Host("smtp.sina.com", 587, False), "imap.sina.com", "pop.sina.com"
    ),
    "sohu": _provider("搜狐邮箱", "sohu.com", Host("smtp.sohu.com", 25, False), "imap.sohu.com", "pop.sohu.com"),
}

_HOW_TO_USE = """💡 使用方法:
1. 使用 setup_email_account 工具
2. 填写完整邮箱地址和密码/授权码
3. 系统会自动识别并配置对应的邮箱服务器

⚠️  注意: 请确保已在对应邮箱中开启POP3/IMAP/SMTP服务并获取授权码！"""


def provider_of(address: str) -> Provider | None:
    """Return the provider an address belongs to: what stands between its first two ``@`` decides."""
    _, *parts = address.split("@")
    domain = parts[0].lower() if parts else ""
    return next((each for each in PROVIDERS.values() if domain in each.domains), None)


def list_supported_providers(ep: Episode) -> Result:
    """List the providers of the table with their domains."""
    blocks = [
        f"🏢 {each.name} ({key})\n   域名: {', '.join(each.domains)}\n   推荐协议: {protocol_of(each)}\n"
        f"   示例: user@{each.domains[0]}\n\n"
        for key, each in PROVIDERS.items()
    ]
    return f"📋 支持的邮箱提供商:\n\n{''.join(blocks)}{_HOW_TO_USE}"


def protocol_of(provider: Provider) -> str:
    """Return the protocol a provider's mails are listed over."""
    return "POP3" if provider.prefers_pop3 else "IMAP"
