"""Bots: their buttons below messages."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .messages import find, message_history
from .peers import Peer, me, own_row, require, require_readable
from .sanitize import clean_text

NONE_FOUND = "No message with inline buttons found."
_LOOKED_AT = 20
_BUTTON_MAX, _NAMED_BUTTON_MAX, _ANSWER_MAX = 256, 64, 1024


@addressed("chat_id")
def list_inline_buttons(ep: Episode, *, chat_id: Id, message_id: Id | None = None, limit: int = 20) -> Result:
    """Return the buttons of a message, or of the newest one that has some."""
    own_row(ep)
    number = number_of(message_id)
    row = require_buttons(ep, require(ep, chat_id), number, limit, NONE_FOUND)
    records = [_record(at, button) for at, button in enumerate(buttons_of(row))]
    return results(records, message_id=row["message_id"], date=texts.iso(row["sent_s"]))


def _record(at: int, button: dict[str, Any]) -> dict[str, Any]:
    words = clean_text(button["text"] or "<no text>", _BUTTON_MAX)
    told = {"index": at, "text": words, "has_callback": bool(button.get("data"))}
    return told | ({"url": button["url"]} if button.get("url") else {})


@addressed("chat_id")
def press_inline_button(
    ep: Episode,
    *,
    chat_id: Id,
    message_id: Id | None = None,
    button_text: str | None = None,
    button_index: int | None = None,
) -> Result:
    """Press a button and return what its bot says to it."""
    own_row(ep)
    said = press(ep, chat_id, message_id, button_text, button_index, is_clean=True)
    return results([], response=" ".join(said) or "Button pressed successfully.")


def press(
    ep: Episode, chat_id: Id, message_id: Id | None, text: str | None, index: int | None, *, is_clean: bool
) -> list[str]:
    """Press a button and return what comes of it; ``is_clean``: what bots wrote is shown clean."""
    if text is None and index is None:
        raise ToolMessage("Provide button_text or button_index to choose a button.")
    number, peer = number_of(message_id), require(ep, chat_id)
    row = require_buttons(
        ep, peer, number, _LOOKED_AT, f"{NONE_FOUND} Specify message_id to target a specific message."
    )
    buttons = buttons_of(row)
    wanted = (text or "").strip().lower()
    button = next((each for each in buttons if text and each["text"].strip().lower() == wanted), None)
    if button is None and index is not None:
        if not 0 <= index < len(buttons):
            raise ToolMessage(f"button_index out of range. Valid indices: 0-{len(buttons) - 1}.")
        button = buttons[index]
    if button is None:
        names = [each["text"] or "<no text>" for each in buttons]
        names = [clean_text(name, _NAMED_BUTTON_MAX) for name in names] if is_clean else names
        available = ", ".join(f"[{at}] {name}" for at, name in enumerate(names))
        raise ToolMessage(f"Button not found. Available buttons: {available}")
    if not button.get("data"):
        if button.get("url"):
            raise ToolMessage(f"Selected button opens a URL instead of sending a callback: {button['url']}")
        raise ToolMessage("Selected button does not provide callback data to press.")
    if "answer" not in button:
        raise Refused("BOT_RESPONSE_TIMEOUT")
    key = {"chat_id": row["chat_id"], "message_id": row["message_id"], "user_id": me(ep), "data": button["data"]}
    if not ep.db.update("presses", key, pressed_s=ep.now_ms // 1000):
        own_row(ep)
        ep.db.insert("presses", **key, pressed_s=ep.now_ms // 1000)
    answer = button["answer"] and (clean_text(button["answer"], _ANSWER_MAX) if is_clean else button["answer"])
    return [
        *([answer] if answer else []),
        *(["Telegram displayed an alert to the user."] if button.get("alert") else []),
    ]


def number_of(message_id: Id | None) -> int | None:
    """Return the number of a message, which may come as a text."""
    if not isinstance(message_id, str):
        return message_id
    if not message_id.isdigit():
        raise ToolMessage("message_id must be an integer.")
    if not message_id.isdecimal():
        raise NotFitting
    return int(message_id)


def require_buttons(ep: Episode, peer: Peer, number: int | None, limit: int, none: str) -> Row:
    """Return a message with buttons: the one of a number, or the newest."""
    chat = require_readable(ep, peer)
    if number is not None:
        row = find(ep, chat, number)
    else:
        row = next((each for each in message_history(ep, chat, limit) if each["buttons"]), None)
    if row is None:
        raise ToolMessage(none)
    if not row["buttons"]:
        raise ToolMessage(f"Message {row['message_id']} does not contain inline buttons.")
    return row


def buttons_of(row: Row) -> list[dict[str, Any]]:
    """Return a message's buttons in one list."""
    return [button for line in parse_json(row["buttons"]) for button in line]


@addressed()
def set_bot_commands(ep: Episode, *, bot_username: str, commands: list[Any]) -> Result:
    """Refuse: the account is a person's."""
    own_row(ep)
    raise ToolMessage(
        "Error: This function can only be used by bot accounts. Your current Telegram account is a regular user "
        "account, not a bot."
    )
