"""What Rednote's site and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from . import access, errors

_LIST = "list_notifications"
_FEEDS = {"list_feeds": "获取Feeds列表", "search_feeds": "搜索Feeds"}
# Tools that look whether the note's page opens, and what each was about to do.
_NOTES = {
    "get_feed_detail": "获取Feed详情",
    "post_comment_to_feed": "发表评论",
    "reply_comment_in_feed": "回复评论",
}
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


def _too_often(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    """Return what each tool makes of the page that the site shows instead of a note to somebody who opens too many."""
    if tool in _NOTES:
        return errors.NoteInaccessible(_NOTES[tool], reason=access.NOT_NOW)
    return _unreachable(ep, tool, retry_after_s)


_DeadlineExceeded = errors.RednoteError.define("deadline_exceeded", "context deadline exceeded")

FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        _too_often,
        "inferred",
        "the sentence is recorded where notes are opened too fast, for some tools only: "
        "https://github.com/xpzouying/xiaohongshu-mcp/issues/375",
    ),
    "token_expired": FaultAnswer(_signed_out, "inferred", "the sentences are recorded, for some tools only"),
    "no_permission": NoFaultAnswer("nobody recorded what an account meets that has lost a permission"),
    "server_error": FaultAnswer(_unreachable, "inferred", "what the server says of a page that does not load"),
    "timeout": FaultAnswer(_unreachable, "inferred", "what the server says of a page that does not load"),
}
