"""Recent actions: the admin log of a supergroup or channel."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import tl_builders, tl_objects
from .errors import Refused, ToolMessage
from .ids import Id, addressed
from .peers import Peer, me, require_channel, role
from .sanitize import clean_values
from .tl_objects import Made, make

_MOST = 20


def record(ep: Episode, peer: Peer, action: str, **details: Any) -> None:
    """Write down what the account did in a supergroup or channel."""
    ep.db.insert(
        "events",
        event_id=ep.next_number("events", "event_id"),
        chat_id=peer.id,
        user_id=me(ep),
        happened_s=ep.now_ms // 1000,
        action=action,
        details=json.dumps(details, ensure_ascii=False),
    )


@addressed("chat_id")
def get_recent_actions(ep: Episode, *, chat_id: Id) -> Result:
    """Return the last twenty actions of a supergroup's or channel's admins, who alone may see them, as JSON."""
    return json.dumps(clean_values(tl_objects.to_json_value(recent(ep, chat_id), tl_objects.LATEST)), indent=2)


def recent(ep: Episode, chat_id: Id) -> list[Made]:
    """Return the last twenty actions as Telegram's objects, the newest first."""
    peer = require_channel(ep, chat_id)
    if role(ep, peer.id) not in ("creator", "admin"):
        raise Refused("CHAT_ADMIN_REQUIRED")
    found = ep.db.all("SELECT * FROM events WHERE chat_id = ? ORDER BY event_id DESC LIMIT ?", peer.id, _MOST)
    if not found:
        raise ToolMessage("No recent admin actions found.")
    return [
        make(
            "ChannelAdminLogEvent",
            id=row["event_id"],
            date=tl_objects.time(row["happened_s"]),
            user_id=row["user_id"],
            action=_action(ep, peer, row),
        )
        for row in found
    ]


def _action(ep: Episode, peer: Peer, row: Row) -> Made:
    name, details = row["action"], parse_json(row["details"])
    of = "ChannelAdminLogEventAction"
    if name in ("title", "about"):
        kind = name.capitalize()
        return make(f"{of}Change{kind}", prev_value=details["was"], new_value=details["now"])
    if name in ("slow mode", "forum"):
        return _switched(of, name, details)
    if name == "permissions":
        was, now = (_permissions(details[each]) for each in ("was", "now"))
        return make(f"{of}DefaultBannedRights", prev_banned_rights=was, new_banned_rights=now)
    if name == "topic":
        return make(f"{of}CreateTopic", topic=tl_builders.topic_object(ep, peer, details["topic_id"]))
    if name == "photo":
        return make(f"{of}ChangePhoto", prev_photo=_photo(ep, details["was"]), new_photo=_photo(ep, details["now"]))
    if name in ("join", "leave"):
        return make(f"{of}Participant{name.capitalize()}")
    if name == "invite":
        return make(f"{of}ParticipantInvite", participant=tl_builders.participant_object(ep, details["now"]))
    if name in ("admin", "ban"):
        was, now = (tl_builders.participant_object(ep, details[each]) for each in ("was", "now"))
        kind = "Admin" if name == "admin" else "Ban"
        return make(f"{of}ParticipantToggle{kind}", prev_participant=was, new_participant=now)
    if name in ("pin", "unpin"):
        message = tl_builders.message_object(ep, peer, details["message_id"], pinned=name == "pin")
        return make(f"{of}UpdatePinned", message=message)
    if name == "delete":
        return make(f"{of}DeleteMessage", message=tl_builders.message_object(ep, peer, details["message_id"]))
    was, now = (
        tl_builders.message_object(ep, peer, details["message_id"], message=details[each]) for each in ("was", "now")
    )
    return make(f"{of}EditMessage", prev_message=was, new_message=now)


def _switched(of: str, name: str, details: dict[str, Any]) -> Made:
    if name == "forum":
        return make(f"{of}ToggleForum", new_value=details["now"])
    return make(f"{of}ToggleSlowMode", prev_value=details["was"], new_value=details["now"])


def _permissions(rights: list[str]) -> Made:
    forever = tl_objects.time(tl_builders.FOREVER_S)
    return tl_builders.rights_object("ChatBannedRights", rights, until_date=forever)


def _photo(ep: Episode, photo_id: int | None) -> Made:
    if not photo_id:
        return make("PhotoEmpty", id=0)
    stored = ep.db.scalar("SELECT made_s FROM photos WHERE photo_id = ?", photo_id)
    return make(
        "Photo",
        id=photo_id,
        access_hash=tl_builders.access_hash(ep, "photo", photo_id),
        file_reference=ep.hash("reference", photo_id).to_bytes(8, "big"),
        date=tl_objects.time(stored or 0),
        sizes=[make("PhotoSize", type="c", w=640, h=640, size=51_200)],
        dc_id=5,
    )
