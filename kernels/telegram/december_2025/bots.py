"""Bots and their buttons, as the server of December 2025 answered."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, parse_json

from .. import texts, tl_objects
from ..bots import NONE_FOUND, buttons_of, number_of, press, require_buttons
from ..errors import NotFitting
from ..ids import Id, checked
from ..peers import me, require
from ..people import count_common
from ..tl_builders import user_object
from ..tl_objects import make


@checked("chat_id")
def list_inline_buttons(ep: Episode, *, chat_id: Id, message_id: Id | None = None, limit: int = 20) -> Result:
    """Return the buttons of a message, or of the newest one that has some."""
    number = number_of(message_id)
    row = require_buttons(ep, require(ep, chat_id), number, limit, NONE_FOUND)
    told = [f"Buttons for message {row['message_id']} (date {texts.printed(row['sent_s'])}):"]
    for at, button in enumerate(buttons_of(row)):
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
    said = press(ep, chat_id, message_id, button_text, button_index, is_clean=False)
    return " ".join(said) or "Button pressed successfully."


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
        common_chats_count=count_common(ep, peer.id),
        blocked=ep.db.scalar("SELECT 1 FROM blocks WHERE owner_id = ? AND peer_id = ?", me(ep), peer.id) is not None,
        can_pin_message=True,
        about=row["about"] or None,
        bot_info=info if row["is_bot"] else None,
    )
    return json.dumps(
        tl_objects.to_json_value(make("UsersUserFull", full_user=full, users=[user_object(ep, row)])), indent=2
    )
