"""Settings of groups and channels: description, what members may do, slow mode, and the rights of one admin."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, parse_json

from . import admin_log, texts
from .errors import NotFitting, Refused, ToolMessage, only_admins, reworded
from .ids import Id, addressed
from .members import set_admin
from .peers import require, require_right

_ABOUT_MAX, _RANK_MAX = 255, 16
_SLOW_MODES_S = (0, 10, 30, 60, 300, 900, 3600)


@addressed("chat_id")
def edit_chat_about(ep: Episode, *, chat_id: Id, about: str) -> Result:
    """Give a group, supergroup or channel another description."""
    peer = require(ep, chat_id)
    texts.require_printable(about)
    if peer.is_user:
        raise Refused("PEER_ID_INVALID")
    if len(about) > _ABOUT_MAX:
        raise ToolMessage("Error: description exceeds Telegram's 255 character limit.")
    with only_admins("Error: admin rights required to edit the chat description."):
        require_right(ep, peer, "change_info")
    if about == peer.row["about"]:
        raise ToolMessage(f"Chat {chat_id} description is already set to the requested value.")
    ep.db.update("chats", {"chat_id": peer.id}, about=about)
    if peer.is_channel:
        admin_log.record(ep, peer, "about", was=peer.row["about"], now=about)
    return f"Chat {chat_id} description updated."


@addressed("chat_id")
def set_default_chat_permissions(
    ep: Episode,
    *,
    chat_id: Id,
    send_messages: bool = True,
    send_media: bool = True,
    send_stickers: bool = True,
    send_gifs: bool = True,
    send_games: bool = True,
    send_inline: bool = True,
    embed_links: bool = True,
    send_polls: bool = True,
    change_info: bool = False,
    invite_users: bool = True,
    pin_messages: bool = False,
    until_date: int = 0,
) -> Result:
    """Say what plain members of a group may do; what is not named is taken from them or given as the server has it.

    Not simulated: an end of it.
    """
    allowed = {
        "send_messages": send_messages, "send_media": send_media, "send_stickers": send_stickers,
        "send_gifs": send_gifs, "send_games": send_games, "send_inline": send_inline, "embed_links": embed_links,
        "send_polls": send_polls, "change_info": change_info, "invite_users": invite_users,
        "pin_messages": pin_messages,
    }  # fmt: skip
    peer = require(ep, chat_id)
    if not -(2**31) <= until_date < 2**31:
        raise NotFitting
    if peer.is_user or peer.kind == "channel":
        raise Refused("PEER_ID_INVALID")
    with only_admins("Error: admin rights required to change default permissions."):
        require_right(ep, peer, "ban_users")
    was, now = parse_json(peer.row["banned_rights"]), [name for name, value in allowed.items() if not value]
    if set(was) == set(now):
        raise ToolMessage(f"Chat {chat_id} default permissions unchanged (already matched).")
    ep.db.update("chats", {"chat_id": peer.id}, banned_rights=json.dumps(now))
    if peer.is_channel:
        admin_log.record(ep, peer, "permissions", was=was, now=now)
    return f"Default permissions for chat {chat_id} updated."


@addressed("chat_id")
def toggle_slow_mode(ep: Episode, *, chat_id: Id, seconds: int = 0) -> Result:
    """Say how long plain members of a supergroup wait between messages.

    Source: https://core.telegram.org/method/channels.toggleSlowMode
    """
    peer = require(ep, chat_id)
    if peer.kind != "supergroup":
        raise ToolMessage("Error: slow mode is only supported for supergroups.")
    if not -(2**31) <= seconds < 2**31:
        raise NotFitting
    with only_admins("Error: admin rights required to toggle slow mode."):
        require_right(ep, peer, "ban_users")
    if seconds not in _SLOW_MODES_S:
        raise Refused("SECONDS_INVALID")
    if seconds == peer.row["slow_mode_s"]:
        raise Refused("CHAT_NOT_MODIFIED")
    ep.db.update("chats", {"chat_id": peer.id}, slow_mode_s=seconds)
    admin_log.record(ep, peer, "slow mode", was=peer.row["slow_mode_s"], now=seconds)
    if not seconds:
        return f"Slow mode disabled for chat {chat_id}."
    return f"Slow mode enabled for chat {chat_id} (interval: {seconds}s)."


@addressed("chat_id", "user_id")
def edit_admin_rights(
    ep: Episode,
    *,
    chat_id: Id,
    user_id: Id,
    rank: str = "",
    change_info: bool = False,
    post_messages: bool = False,
    edit_messages: bool = False,
    delete_messages: bool = False,
    ban_users: bool = False,
    invite_users: bool = False,
    pin_messages: bool = False,
    add_admins: bool = False,
    anonymous: bool = False,
    manage_call: bool = False,
    manage_topics: bool = False,
    other: bool = False,
) -> Result:
    """Give somebody in a supergroup or channel the rights that are named and no others; without any they are none."""
    wanted = {
        "change_info": change_info, "post_messages": post_messages, "edit_messages": edit_messages,
        "delete_messages": delete_messages, "ban_users": ban_users, "invite_users": invite_users,
        "pin_messages": pin_messages, "add_admins": add_admins, "anonymous": anonymous, "manage_call": manage_call,
        "manage_topics": manage_topics, "other": other,
    }  # fmt: skip
    peer, user = require(ep, chat_id), require(ep, user_id)
    texts.require_printable(rank)
    if len(rank) > _RANK_MAX:
        raise Refused("ADMIN_RANK_INVALID")
    with reworded(
        CHAT_ADMIN_REQUIRED="Error: you need admin rights (with 'add_admins') to modify admin rights.",
        USER_ADMIN_INVALID="Error: cannot modify admin rights for this user (you may need to have promoted them "
        "originally).",
        RIGHT_FORBIDDEN="Error: some of the requested rights are not allowed for your account or for this chat.",
    ):
        try:
            set_admin(ep, peer, user, [name for name, value in wanted.items() if value], rank)
        except ToolMessage:
            # The other tools have a sentence for people who left and know the account no more; this one has none.
            raise Refused("USER_NOT_MUTUAL_CONTACT") from None
    return f"Admin rights updated for user {user_id} in chat {chat_id}."
