"""Refusals: what Reddit lists in ``json.errors`` of a form, its plain HTTP errors, and how Composio wraps both.

The class is Reddit's code and the docstring its message; a form's refusal names the field besides. (inferred) marks
words that nobody recorded.
"""

from __future__ import annotations

from typing import Any, ClassVar

from farm.appkit import Answer, VendorError, composio_refusal


class FormError(VendorError):
    """A refusal in ``json.errors``; ``field`` is the form's field that is wrong."""

    field: ClassVar[str | None] = None

    def __init__(self, *, ratelimit: float | None = None, **values: Any) -> None:
        super().__init__(**values)
        self.ratelimit = ratelimit


class SubredditRequired(FormError):
    """you must specify a subreddit"""

    code, field = "SUBREDDIT_REQUIRED", "sr"


class SubredditNoexist(FormError):
    """that subreddit doesn't exist"""

    code, field = "SUBREDDIT_NOEXIST", "sr"


class SubredditNotallowed(FormError):
    """you aren't allowed to post there."""

    code, field = "SUBREDDIT_NOTALLOWED", "sr"


class InvalidOption(FormError):
    """that option is not valid"""

    code, field = "INVALID_OPTION", "kind"


class NoSelfs(FormError):
    """that subreddit doesn't allow text posts"""

    code, field = "NO_SELFS", "sr"


class NoLinks(FormError):
    """that subreddit only allows text posts"""

    code, field = "NO_LINKS", "sr"


class NoTitle(FormError):
    """we need something here"""

    code, field = "NO_TEXT", "title"


class TitleTooLong(FormError):
    """this is too long (max: {max})"""

    code, field = "TOO_LONG", "title"


class NoText(FormError):
    """we need something here"""

    code, field = "NO_TEXT", "text"


class TextTooLong(FormError):
    """this is too long (max: {max})"""

    code, field = "TOO_LONG", "text"


class NoUrl(FormError):
    """a url is required"""

    code, field = "NO_URL", "url"


class BadUrl(FormError):
    """you should check that url"""

    code, field = "BAD_URL", "url"


class AlreadySub(FormError):
    """that link has already been submitted"""

    code, field = "ALREADY_SUB", "url"


class FlairRequired(FormError):
    """Your post must contain post flair."""

    code, field = "SUBMIT_VALIDATION_FLAIR_REQUIRED", "flair"


class BadFlairTemplateId(FormError):  # (inferred)
    """Invalid flair template id"""

    code, field = "BAD_FLAIR_TEMPLATE_ID", "flair"


class TitleBlacklisted(FormError):
    """You may not have "{words}" in your title."""

    code, field = "SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING", "title"


class BodyBlacklisted(FormError):
    """You may not have "{words}" in your post body."""

    code, field = "SUBMIT_VALIDATION_BODY_BLACKLISTED_STRING", "body"


class Ratelimit(FormError):
    """Looks like you've been doing that a lot. Take a break for {time} before trying again."""

    code, field = "RATELIMIT", "ratelimit"


class ThreadLocked(FormError):
    """Comments are locked."""

    code, field = "THREAD_LOCKED", "parent"


class TooOld(FormError):
    """that's a piece of history now; it's too late to reply to it"""

    code, field = "TOO_OLD", "parent"


class DeletedLink(FormError):
    """the link you are commenting on has been deleted"""

    code, field = "DELETED_LINK", "parent"


class DeletedComment(FormError):
    """that comment has been deleted"""

    code, field = "DELETED_COMMENT", "parent"


class NotAuthor(FormError):
    """you can't do that"""

    code, field = "NOT_AUTHOR", "thing_id"


class HttpError(VendorError):
    """A refusal by status alone; ``reason`` where Reddit names one."""

    def __init__(self, reason: str | None = None) -> None:
        super().__init__()
        self.reason = reason


class Forbidden(HttpError):
    """Forbidden"""

    code = 403


class NotFound(HttpError):
    """Not Found"""

    code = 404


def answer(tool: str, error: VendorError) -> Answer:
    """Return Composio's envelope of a refusal, with what Reddit said as its data."""
    data: dict[str, object]
    if isinstance(error, FormError):
        told = f"{error.code}: {error.message}"
        said: dict[str, object] = {"errors": [[error.code, error.message, error.field]]}
        data = {"json": said if error.ratelimit is None else {"ratelimit": error.ratelimit, **said}}
    else:
        assert isinstance(error, HttpError)
        told = f"{error.code} {error.message}"
        reason = {} if error.reason is None else {"reason": error.reason}
        data = {**reason, "message": error.message, "error": error.code}
    return composio_refusal(told, data)
