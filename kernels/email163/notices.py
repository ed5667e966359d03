"""What 163 Mail notifies a person of: mails in their inbox."""

from __future__ import annotations

from farm.appkit import Episode, Row
from farm.appkit.notices import Notices, lock_screen


def notice_of_delivery(ep: Episode, row: Row) -> str | None:
    """Return the notice of a mail that lies in the person's mailbox, or None."""
    if row["address"] != ep.me:
        return None
    mail = ep.db.one("SELECT sender, subject, text FROM messages WHERE message_key = ?", row["message_key"])
    if mail is None or mail["sender"] is None:
        return None
    return lock_screen(mail["sender"].partition(" <")[0], f"{mail['subject'] or ''} · {mail['text'] or ''}")


NOTICES: Notices = {"deliveries": notice_of_delivery}
