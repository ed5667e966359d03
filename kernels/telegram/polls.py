"""Polls in groups and channels."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from farm.appkit import Episode, Result

from . import texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import addressed
from .messages import post_message
from .peers import me, require, require_may_send

_QUESTION_MAX, _ANSWER_MAX = 255, 100
_CLOSES_MIN_S, _CLOSES_MAX_S = 5, 600


@addressed()
def create_poll(
    ep: Episode,
    *,
    chat_id: int,
    question: str,
    options: list[Any],
    multiple_choice: bool = False,
    quiz_mode: bool = False,
    public_votes: bool = True,
    close_date: str | None = None,
) -> Result:
    """Send a poll. A quiz never gets out, for the server does not say which answer is right.

    Source: https://core.telegram.org/method/messages.sendMedia
    """
    peer = require(ep, chat_id)
    if len(options) < 2:
        raise ToolMessage("Error: Poll must have at least 2 options.")
    if len(options) > 10:
        raise ToolMessage("Error: Poll can have at most 10 options.")
    close_s = _close_s(close_date)
    if not all(isinstance(each, str) for each in options):
        raise NotFitting
    texts.require_printable(question, *options)
    require_may_send(ep, peer, "send_polls")
    if quiz_mode:
        raise Refused("QUIZ_CORRECT_ANSWERS_EMPTY")
    if peer.is_user and not peer.row["is_bot"] and peer.id != me(ep):
        raise Refused("MEDIA_INVALID")
    if peer.kind == "channel" and public_votes:
        raise Refused("POLL_PUBLIC_VOTERS_FORBIDDEN")
    if not 0 < len(question.strip()) <= _QUESTION_MAX:
        raise Refused("POLL_QUESTION_INVALID")
    if not all(0 < len(each.strip()) <= _ANSWER_MAX for each in options):
        raise Refused("POLL_ANSWER_INVALID")
    if close_s is not None and not _CLOSES_MIN_S <= close_s - ep.now_ms // 1000 <= _CLOSES_MAX_S:
        raise Refused("POLL_CLOSE_DATE_INVALID")
    poll = {"question": question, "answers": options, "multiple": multiple_choice, "public": public_votes}
    media_id = int(ep.new_id("media"))
    stored = json.dumps({**poll, "close_s": close_s}, ensure_ascii=False)
    ep.db.insert("media", media_id=media_id, kind="poll", poll=stored, made_s=ep.now_ms // 1000)
    post_message(ep, peer, "", media_id=media_id)
    return f"Poll created successfully in chat {chat_id}."


def _close_s(text: str | None) -> int | None:
    if not text:
        return None
    try:
        closes = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise ToolMessage("Invalid close_date format. Use YYYY-MM-DD HH:MM:SS format.") from None
    return int((closes if closes.tzinfo else closes.replace(tzinfo=UTC)).timestamp())
