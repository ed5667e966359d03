"""Tokens: the one that the server on this machine keeps, and whether Tushare takes it."""

from __future__ import annotations

from farm.appkit import Episode, Result

from . import errors

_ENV_FILE = "~/.tushare_mcp/.env"


def setup_tushare_token(ep: Episode, *, token: str) -> Result:
    """Store a token. Whether it is any good is not asked, and the first one that the process reads it keeps.

    Source: the server's code at ba9c0200, and tushare 1.4.29's.
    """
    if not ep.db.update("servers", {"env_file": _ENV_FILE}, token=token):
        ep.db.insert("servers", env_file=_ENV_FILE, token=token, token_read=token)
    return "Token配置成功！您现在可以使用Tushare的API功能了。"


def check_token_status(ep: Episode) -> Result:
    """Say whether there is a token; Tushare is not asked.

    Source: the server's code at ba9c0200.
    """
    if not _token(ep):
        return "未配置Tushare token。请使用configure_token提示来设置您的token。"
    return "Token配置正常，可以使用Tushare API。"


def require_token(ep: Episode, failed: type[errors.QueryFailed] = errors.QueryFailed) -> None:
    """Ask for a token that Tushare knows.

    Raises:
        NotConfigured: the server has none.
        QueryFailed: as ``failed``: it is nobody's.
    """
    token = _token(ep)
    if not token:
        raise errors.NotConfigured
    if ep.db.one("SELECT 1 AS one FROM tokens WHERE token = ?", token) is None:
        raise failed(problem=errors.WRONG_TOKEN)


def _token(ep: Episode) -> str | None:
    found: str | None = ep.db.scalar("SELECT token_read FROM servers WHERE env_file = ?", _ENV_FILE)
    return found
