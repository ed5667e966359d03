"""Refusals: what Reddit lists in ``json.errors`` of a form, its plain HTTP errors, and how Composio wraps both.

Each has Reddit's code and message, and a form's refusal the field, too. (inferred) marks words that nobody recorded.
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


SubredditRequired = FormError.define("SUBREDDIT_REQUIRED", "you must specify a subreddit", field="sr")
SubredditNoexist = FormError.define("SUBREDDIT_NOEXIST", "that subreddit doesn't exist", field="sr")
SubredditNotallowed = FormError.define("SUBREDDIT_NOTALLOWED", "you aren't allowed to post there.", field="sr")
InvalidOption = FormError.define("INVALID_OPTION", "that option is not valid", field="kind")
NoSelfs = FormError.define("NO_SELFS", "that subreddit doesn't allow text posts", field="sr")
NoLinks = FormError.define("NO_LINKS", "that subreddit only allows text posts", field="sr")
NoTitle = FormError.define("NO_TEXT", "we need something here", field="title")
TitleTooLong = FormError.define("TOO_LONG", "this is too long (max: {max})", field="title")
NoText = FormError.define("NO_TEXT", "we need something here", field="text")
TextTooLong = FormError.define("TOO_LONG", "this is too long (max: {max})", field="text")
NoUrl = FormError.define("NO_URL", "a url is required", field="url")
BadUrl = FormError.define("BAD_URL", "you should check that url", field="url")
AlreadySub = FormError.define("ALREADY_SUB", "that link has already been submitted", field="url")
FlairRequired = FormError.define(
    "SUBMIT_VALIDATION_FLAIR_REQUIRED", "Your post must contain post flair.", field="flair"
)
BadFlairTemplateId = FormError.define("BAD_FLAIR_TEMPLATE_ID", "Invalid flair template id", field="flair")  # (inferred)
TitleBlacklisted = FormError.define(
    "SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING", 'You may not have "{words}" in your title.', field="title"
)
BodyBlacklisted = FormError.define(
    "SUBMIT_VALIDATION_BODY_BLACKLISTED_STRING", 'You may not have "{words}" in your post body.', field="body"
)
Ratelimit = FormError.define(
    "RATELIMIT",
    "Looks like you've been doing that a lot. Take a break for {time} before trying again.",
    field="ratelimit",
)
ThreadLocked = FormError.define("THREAD_LOCKED", "Comments are locked.", field="parent")
TooOld = FormError.define("TOO_OLD", "that's a piece of history now; it's too late to reply to it", field="parent")
DeletedLink = FormError.define("DELETED_LINK", "the link you are commenting on has been deleted", field="parent")
DeletedComment = FormError.define("DELETED_COMMENT", "that comment has been deleted", field="parent")
NotAuthor = FormError.define("NOT_AUTHOR", "you can't do that", field="thing_id")


class HttpError(VendorError):
    """A refusal by status alone; ``reason`` where Reddit names one."""

    def __init__(self, reason: str | None = None) -> None:
        super().__init__()
        self.reason = reason


Forbidden = HttpError.define(403, "Forbidden")
NotFound = HttpError.define(404, "Not Found")


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
