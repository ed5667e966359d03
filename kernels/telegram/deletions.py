"""Deleting many messages: some by their numbers, or a whole history."""

from __future__ import annotations

from farm.appkit import Episode, Result

from .errors import Refused, only_admins
from .ids import Id, addressed
from .messages import delete_number, require_number
from .peers import INSIDE, find_chat_id, require, role


@addressed("chat_id")
def delete_messages_bulk(ep: Episode, *, chat_id: Id, message_ids: list[int], revoke: bool = True) -> Result:
    """Delete messages by their numbers and return how many there were.

    Not simulated: messages that are gone for the account alone; without ``revoke`` they are gone all the same.
    """
    peer = require(ep, chat_id)
    with only_admins("Cannot delete messages: admin privileges are required."):
        deleted = sum(delete_number(ep, peer, each) for each in dict.fromkeys(message_ids))
    return f"Deleted {deleted} of {len(message_ids)} messages from chat {chat_id}."


@addressed("chat_id")
def delete_chat_history(ep: Episode, *, chat_id: Id, max_id: int = 0, revoke: bool = False) -> Result:
    """Delete everything in a private chat or a plain group, or what is no newer than a number.

    Reads all messages: those of one chat, which all go.

    Supergroups and channels have a request of their own, which the server does not make.

    Not simulated: a history that is gone for the account alone; without ``revoke`` it is gone all the same.
    """
    peer = require(ep, chat_id)
    require_number(max_id)
    if peer.is_channel or (not peer.is_user and role(ep, peer.id) not in (*INSIDE, "left")):
        raise Refused("PEER_ID_INVALID")
    chat = find_chat_id(ep, peer)
    deleted = ep.db.execute(
        "UPDATE messages SET is_deleted = 1 WHERE chat_id = ? AND is_deleted = 0 AND message_id <= ?",
        chat,
        max_id or 2**31,
    )
    scope = "for both parties" if revoke else "for you"
    return f"Chat {chat_id} history cleared {scope}: {deleted} messages deleted (offset=0)."
