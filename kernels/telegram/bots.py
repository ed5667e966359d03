"""Bots: their buttons below messages, and what is known of them."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import texts, tl_objects
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, checked
from .messages import find, message_history
from .peers import Peer, me, own_row, require, require_readable
from .tl_builders import user_object
from .tl_objects import make

_LOOKED_AT = 20
_NONE = "No message with inline buttons found."


@checked("chat_id")
def list_inline_buttons(ep: Episode, *, chat_id: Id, message_id: Id | None = None, limit: int = 20) -> Result:
    """Return the buttons of a message, or of the newest one that has some."""
    number = _number(message_id)
    row = _with_buttons(ep, require(ep, chat_id), number, limit, _NONE)
    told = [f"Buttons for message {row['message_id']} (date {texts.printed(row['sent_s'])}):"]
    for at, button in enumerate(_buttons(row)):
        line = f"[{at}] text='{button['text'] or '<no text>'}', callback={'yes' if button.get('data') else 'no'}"
        told.append(line + (f", url={button['url']}" if button.get("url") else ""))
    return "\n".join(told)


@checked("chat_id")
def press_inline_button(
    ep: Episode,
    *,
    chat_id: Id,
    message_id: Id | None = None,
    button_text: str | None = None,
    button_index: int | None = None,
) -> Result:
    """Press a button and return what its bot says to it."""
    if button_text is None and button_index is None:
        raise ToolMessage("Provide button_text or button_index to choose a button.")
    number, peer = _number(message_id), require(ep, chat_id)
    row = _with_buttons(ep, peer, number, _LOOKED_AT, f"{_NONE} Specify message_id to target a specific message.")
    buttons = _buttons(row)
    wanted = (button_text or "").strip().lower()
    button = next((each for each in buttons if button_text and each["text"].strip().lower() == wanted), None)
    if button is None and button_index is not None:
        if not 0 <= button_index < len(buttons):
            raise ToolMessage(f"button_index out of range. Valid indices: 0-{len(buttons) - 1}.")
        button = buttons[button_index]
    if button is None:
        available = ", ".join(f"[{at}] {each['text'] or '<no text>'}" for at, each in enumerate(buttons))
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
    said = [button["answer"]] if button["answer"] else []
    said += ["Telegram displayed an alert to the user."] if button.get("alert") else []
    return " ".join(said) or "Button pressed successfully."


def _number(message_id: Id | None) -> int | None:
    if not isinstance(message_id, str):
        return message_id
    if not message_id.isdigit():
        raise ToolMessage("message_id must be an integer.")
    if not message_id.isdecimal():
        raise NotFitting
    return int(message_id)


def _with_buttons(ep: Episode, peer: Peer, number: int | None, limit: int, none: str) -> Row:
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


def _buttons(row: Row) -> list[dict[str, Any]]:
    return [button for line in parse_json(row["buttons"]) for button in line]


def get_bot_info(ep: Episode, *, bot_username: str) -> Result:
    """Return all that Telegram tells of a user, bot or not, as JSON."""
    texts.require_printable(bot_username)
    peer = require(ep, bot_username)
    if not peer.is_user:
        raise NotFitting
    row = peer.row
    commands = [make("BotCommand", **each) for each in parse_json(row["commands"] or "[]")]
    info = make(
        "BotInfo",
        user_id=peer.id,
        description=row["about"],
        commands=commands,
        menu_button=make("BotMenuButtonDefault"),
    )
    full = make(
        "UserFull",
        id=peer.id,
        settings=make("PeerSettings"),
        notify_settings=make("PeerNotifySettings"),
        common_chats_count=_common(ep, peer.id),
        blocked=ep.db.scalar("SELECT 1 FROM blocks WHERE owner_id = ? AND peer_id = ?", me(ep), peer.id) is not None,
        can_pin_message=True,
        about=row["about"] or None,
        bot_info=info if row["is_bot"] else None,
    )
    return json.dumps(
        tl_objects.to_json_value(make("UsersUserFull", full_user=full, users=[user_object(ep, row)])), indent=2
    )


def _common(ep: Episode, user_id: int) -> int:
    """Reads all members: the account's chats, of which those with the user are counted."""
    sql = (
        "SELECT count(*) FROM members a JOIN members b USING (chat_id) JOIN chats USING (chat_id) "
        "WHERE a.user_id = ? AND b.user_id = ? AND kind IN ('group', 'supergroup') "
        "AND a.role IN ('creator', 'admin', 'member') AND b.role IN ('creator', 'admin', 'member')"
    )
    return 0 if user_id == me(ep) else int(ep.db.scalar(sql, me(ep), user_id))


def set_bot_commands(ep: Episode, *, bot_username: str, commands: list[Any]) -> Result:
    """Refuse: the account is a person's."""
    own_row(ep)
    raise ToolMessage(
        "Error: This function can only be used by bot accounts. Your current Telegram account is a regular user "
        "account, not a bot."
    )
