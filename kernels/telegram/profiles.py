"""Profiles: the account itself, its photo and its privacy, and what others show of theirs."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, parse_json

from . import media, texts, tl_objects
from .errors import Failed, NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .peers import USERS, find_by_username, me, own_row, require, require_user, summary
from .roots import require_file
from .sanitize import Clean, clean_name
from .tl_builders import entity, peer_object, photo_id, status_object, user_object
from .tl_objects import LATEST, Layer, Made, make

_NAME_MAX, _ABOUT_MAX = 64, 70
_Rule = dict[str, list[int] | None]
_KEYS = ("status", "phone", "profile_photo")


@addressed()
def get_me(ep: Episode, *, clean: Clean = clean_name) -> Result:
    """Return the account as JSON."""
    return json.dumps(summary(own_row(ep), clean), indent=2)


@addressed()
def update_profile(
    ep: Episode, *, first_name: str | None = None, last_name: str | None = None, about: str | None = None
) -> Result:
    """Change name and bio; what is not given stays."""
    texts.require_printable(first_name, last_name, about)
    own_row(ep)
    changed: dict[str, str | None] = {}
    if first_name is not None:
        if not first_name.strip():
            raise Refused("FIRSTNAME_INVALID")
        changed["first_name"] = first_name.strip()[:_NAME_MAX]
    if last_name is not None:
        changed["last_name"] = last_name.strip()[:_NAME_MAX] or None
    if about is not None:
        if len(about) > _ABOUT_MAX:
            raise Refused("ABOUT_TOO_LONG")
        changed["about"] = about
    ep.db.update("users", {"user_id": me(ep)}, **changed)
    return "Profile updated."


@addressed()
def set_profile_photo(ep: Episode, *, file_path: str) -> Result:
    """Give the account a photo of a file."""
    own_row(ep)
    file = require_file(ep, file_path, "set_profile_photo")
    media.require_picture(file)
    media.add_photo(ep, me(ep))
    return f"Profile photo updated from {file['path']}."


@addressed()
def delete_profile_photo(ep: Episode) -> Result:
    """Fail where there is a photo: the server names it by a number, and Telethon wants more."""
    if photo_id(ep, own_row(ep)["user_id"]) is None:
        raise ToolMessage("No profile photo to delete.")
    raise NotFitting


@addressed("user_id")
def get_user_photos(ep: Episode, *, user_id: Id, limit: int = 10) -> Result:
    """Return the ids of somebody's photos, the newest first, as JSON."""
    user = require_user(ep, user_id)
    if not -(2**31) <= limit < 2**31:
        raise NotFitting
    found = ep.db.all(
        "SELECT photo_id FROM photos WHERE peer_id = ? AND is_deleted = 0 ORDER BY made_s DESC, photo_id DESC LIMIT ?",
        user.id,
        max(limit, 0),
    )
    return json.dumps([row["photo_id"] for row in found], indent=2)


@addressed("user_id")
def get_user_status(ep: Episode, *, user_id: Id, layer: Layer = LATEST) -> Result:
    """Return what Telethon prints of when somebody was here."""
    peer = require(ep, user_id)
    if not peer.is_user:
        raise Failed
    return tl_objects.to_str(status_object(ep, peer.row), layer)


@addressed()
def resolve_username(ep: Episode, *, username: str, layer: Layer = LATEST) -> Result:
    """Return what Telethon prints of who has a username, with its ``@`` or without."""
    texts.require_printable(username)
    own_row(ep)
    peer = find_by_username(ep, username.removeprefix("@"))
    if peer is None:
        raise Refused("USERNAME_NOT_OCCUPIED")
    listed = {"users" if peer.is_user else "chats": [entity(ep, peer)]}
    return tl_objects.to_str(make("ResolvedPeer", peer=peer_object(peer.marked), **listed), layer)


@addressed()
def get_privacy_settings(ep: Episode, *, layer: Layer = LATEST) -> Result:
    """Return what Telethon prints of who may see when the account was last here."""
    own_row(ep)
    stored = ep.db.scalar("SELECT rules FROM privacy WHERE owner_id = ? AND key = 'status'", me(ep))
    rules: list[_Rule] = parse_json(stored) if stored else [{"allow": None}]
    named = sorted({user for rule in rules for users in rule.values() for user in users or ()})
    users = [ep.db.one(f"{USERS} WHERE u.user_id = :id", me=me(ep), id=each) for each in named]
    told = [user_object(ep, row) for row in users if row]
    return tl_objects.to_str(make("PrivacyRules", rules=[_rule(rule) for rule in rules], users=told), layer)


def _rule(rule: _Rule) -> Made:
    ((kind, users),) = rule.items()
    name = f"PrivacyValue{'Allow' if kind == 'allow' else 'Disallow'}"
    return make(f"{name}All") if users is None else make(f"{name}Users", users=users)


@addressed("allow_users", "disallow_users")
def set_privacy_settings(
    ep: Episode, *, key: str, allow_users: list[Id] | None = None, disallow_users: list[Id] | None = None
) -> Result:
    """Say that everybody may see something, or nobody.

    Users that are unknown are left out. One that is known makes it fail: the server puts users where Telegram wants
    their names.
    """
    if key not in _KEYS:
        raise ToolMessage(f"Error: Unsupported privacy key '{key}'. Supported keys: {', '.join(_KEYS)}")
    own_row(ep)
    if any(_is_known(ep, each) for each in (*(allow_users or ()), *(disallow_users or ()))):
        raise Refused("INPUT_FETCH_ERROR")
    rules: list[_Rule] = [] if allow_users else [{"allow": None}]
    row = {"rules": json.dumps(rules)}
    if not ep.db.update("privacy", {"owner_id": me(ep), "key": key}, **row):
        ep.db.insert("privacy", owner_id=me(ep), key=key, **row)
    return f"Privacy settings for {key} updated successfully."


def _is_known(ep: Episode, given: Id) -> bool:
    try:
        require(ep, given)
    except Failed:
        return False
    return True
