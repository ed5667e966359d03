"""What Rednote's site and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from . import errors

_LIST = "list_notifications"
_FEEDS = {"list_feeds": "获取Feeds列表", "search_feeds": "搜索Feeds"}
_PUBLISHES = ("publish_content", "publish_with_video")


def _signed_out(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    """Return what each tool makes of a page that shows nothing to a visitor."""
    if tool == "get_unread_count":
        return errors.UnreadCountMissing("获取未读数")
    if tool == _LIST:
        return errors.TabMissing("获取通知", tab="mentions")
    return _unreachable(ep, tool, retry_after_s)


def _unreachable(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    """Return what each tool makes of a page that does not load."""
    if tool in _PUBLISHES:
        return errors.PublishPageUnreachable("发布")
    if tool in _FEEDS:
        return errors.NoFeeds(_FEEDS[tool])
    return _DeadlineExceeded()


_DeadlineExceeded = errors.RednoteError.define("deadline_exceeded", "context deadline exceeded")

FAULTS: Faults = {
    "rate_limited": NoFaultAnswer("the site shows a captcha, and what the server makes of it is unknown"),
    "token_expired": FaultAnswer(_signed_out, "inferred", "the sentences are recorded, for some tools only"),
    "no_permission": NoFaultAnswer("nobody recorded what an account meets that has lost a permission"),
    "server_error": FaultAnswer(_unreachable, "inferred", "what the server says of a page that does not load"),
    "timeout": FaultAnswer(_unreachable, "inferred", "what the server says of a page that does not load"),
}
