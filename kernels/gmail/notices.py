"""What Gmail notifies a person of by default: mails in the inbox that it sorts into no category."""

from __future__ import annotations

from farm.appkit import Episode, Row
from farm.appkit.notices import Notices, lock_screen

_LABELLED = "SELECT 1 FROM message_labels WHERE message_id = ? AND label_id {}"


def notice_of_message(ep: Episode, row: Row) -> str | None:
    """Return the notice of a mail that was received, or None."""
    if row["account_id"] != ep.me or row["kind"] != "received":
        return None
    is_sorted = ep.db.scalar(
        _LABELLED.format("LIKE 'CATEGORY%' AND label_id <> 'CATEGORY_PERSONAL'"), row["message_id"]
    )
    if is_sorted or not ep.db.scalar(_LABELLED.format("= 'INBOX'"), row["message_id"]):
        return None
    return lock_screen(row["sender"].partition(" <")[0], f"{row['subject']} · {row.get('body_text') or ''}")


NOTICES: Notices = {"messages": notice_of_message}
