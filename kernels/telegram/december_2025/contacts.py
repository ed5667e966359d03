"""Contacts, as the server of December 2025 answered."""

from __future__ import annotations

import json
import re

from farm.appkit import Episode, Result, Row

from .. import texts, tl_objects
from ..errors import ToolMessage
from ..peers import contact_rows, me, named, own_row, summary
from ..people import SEARCHED_MAX, search_users

_PUBLIC_MAX = 20


def list_contacts(ep: Episode) -> Result:
    """Return every contact."""
    return _listed(contact_rows(ep), "No contacts found.")


def search_contacts(ep: Episode, *, query: str) -> Result:
    """Return who is found among contacts and in public."""
    return _listed(search_users(ep, query, SEARCHED_MAX), f"No contacts found matching '{query}'.")


def search_public_chats(ep: Episode, *, query: str) -> Result:
    """Return who is found, as JSON: users only, whatever the tool is called."""
    return json.dumps([summary(row) for row in search_users(ep, query, _PUBLIC_MAX)], indent=2)


def _listed(users: list[Row], none: str) -> str:
    if not users:
        raise ToolMessage(none)
    return "\n".join(_line(row) for row in users)


def _line(row: Row) -> str:
    line = f"ID: {row['user_id']}, Name: {named(row)}"
    line += f", Username: @{row['username']}" if row["username"] else ""
    return line + (f", Phone: {row['phone']}" if row["phone"] else "")


def add_contact(ep: Episode, *, phone: str, first_name: str, last_name: str = "") -> Result:
    """Make a contact of whoever has a phone number, under the name given; nobody has it: an empty answer is shown."""
    texts.require_printable(phone, first_name, last_name)
    own_row(ep)
    digits = re.sub(r"\D", "", phone)
    user_id = ep.db.scalar("SELECT user_id FROM users WHERE phone = ? AND user_id != ?", digits, me(ep))
    if user_id is None or not (first_name.strip() or last_name.strip()):
        raise ToolMessage(f"Contact not added. Response: {tl_objects.to_str(tl_objects.make('ImportedContacts'))}")
    key = {"owner_id": me(ep), "user_id": user_id}
    names = {"first_name": first_name.strip(), "last_name": last_name.strip() or None, "is_phone_known": 1}
    if not ep.db.update("contacts", key, **names):
        ep.db.insert("contacts", **key, **names)
    return f"Contact {first_name} {last_name} added successfully."
