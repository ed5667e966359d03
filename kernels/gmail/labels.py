"""Labels: those of the system, and a person's own."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from . import errors, mailboxes

_NAME_MAX = 225
_RESERVED = frozenset(
    (
        *(each.lower() for each in mailboxes.SYSTEM_LABELS),
        *("drafts", "sent mail", "bin", "chats", "all mail", "scheduled", "snoozed", "muted", "migrated"),
    )
)
_OWN = "SELECT * FROM labels WHERE account_id = ? ORDER BY length(label_id), label_id"


def list_email_labels(ep: Episode) -> Result:
    """List every label, those of the system first.

    Raises:
        ServerError: the server was never let in.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.labels/list
    """
    with errors.worded("Failed to list labels"):
        every = system_and_own(ep)
    system, own = ([each for each in every if each["type"] == kind] for kind in ("system", "user"))
    counted = f"Found {len(every)} labels ({len(system)} system, {len(own)} user):"
    return f"{counted}\n\nSystem Labels:\n{_blocks(system)}\nUser Labels:\n{_blocks(own)}"


def _blocks(labels: list[Row]) -> str:
    return "\n".join(f"ID: {each['label_id']}\nName: {each['name']}\n" for each in labels)


def create_label(
    ep: Episode, *, name: str, messageListVisibility: str | None = None, labelListVisibility: str | None = None
) -> Result:
    """Make a label. Gmail's answer to that has no type, so the server says ``undefined`` (inferred).

    Args:
        name: unlike every other whatever its case, up to 225 characters; ``/`` nests.
        messageListVisibility: ``show`` by default.
        labelListVisibility: ``labelShow`` by default.

    Raises:
        ServerError: the name is taken, or none that a label may have.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.labels/create
    """
    with errors.worded("Failed to create label"):
        made = create(ep, name, messageListVisibility or "show", labelListVisibility or "labelShow")
    return f"Label created successfully:\nID: {made['label_id']}\nName: {made['name']}\nType: undefined"


def get_or_create_label(
    ep: Episode, *, name: str, messageListVisibility: str | None = None, labelListVisibility: str | None = None
) -> Result:
    """Find a label by its name, whatever its case, or make it.

    Found is called created where it is the system's or is written in another case.

    Raises:
        ServerError: as ``create_label``.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.labels/create
    """
    with errors.worded("Failed to get or create label: Failed to find label: Failed to list labels"):
        every = system_and_own(ep)
    for each in every:
        if each["name"].lower() == name.lower():
            is_found = each["type"] == "user" and each["name"] == name
            return _render_label("found existing" if is_found else "created new", each, each["type"])
    with errors.worded("Failed to get or create label: Failed to create label"):
        made = create(ep, name, messageListVisibility or "show", labelListVisibility or "labelShow")
    return _render_label("created new", made, "undefined")


def _render_label(done: str, label: Row, kind: str) -> str:
    return f"Successfully {done} label:\nID: {label['label_id']}\nName: {label['name']}\nType: {kind}"


def update_label(
    ep: Episode,
    *,
    id: str,
    name: str | None = None,
    messageListVisibility: str | None = None,
    labelListVisibility: str | None = None,
) -> Result:
    """Rename a label of one's own or show it otherwise.

    Args:
        name: Gmail wants one whatever else changes; an empty one is none.

    Raises:
        ServerError: no such label, one of the system's, or no name, one that is taken or that none may have.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.labels/update
    """
    with errors.worded("Failed to update label", status_404=f'Label with ID "{id}" not found.'):
        made = update(ep, id, name or "", messageListVisibility, labelListVisibility)
    return f"Label updated successfully:\nID: {id}\nName: {made['name']}\nType: user"


def delete_label(ep: Episode, *, id: str) -> Result:
    """Delete a label of one's own. Messages stay, without it.

    Raises:
        ServerError: no such label, or one of the system's.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.labels/delete
    """
    with errors.worded("Failed to delete label", status_404=f'Label with ID "{id}" not found.'):
        label = require_label(ep, id)
    if label["type"] == "system":
        raise errors.ServerError(f'Failed to delete label: Cannot delete system label with ID "{id}".')
    delete(ep, id)
    return f'Label "{label["name"]}" deleted successfully.'


def system_and_own(ep: Episode) -> list[Row]:
    """Return every label with its type, those of the system first.

    Raises:
        NoCredentials: as ``mailboxes.account``.
    """
    mailboxes.account(ep)
    system = [{"label_id": each, "name": each, "type": "system"} for each in mailboxes.SYSTEM_LABELS]
    return [*system, *({**row, "type": "user"} for row in ep.db.all(_OWN, ep.me))]


def require_label(ep: Episode, label_id: str) -> Row:
    """Return a label with its type.

    Raises:
        NotFound: there is none of this id.
        NoCredentials: as ``mailboxes.account``.
    """
    for each in system_and_own(ep):
        if each["label_id"] == label_id:
            return each
    raise errors.NotFound


def create(ep: Episode, name: str, message_list: str, label_list: str) -> Row:
    """Make a label as Gmail does and return it.

    Raises:
        LabelExists, InvalidLabelName: the name is taken, or none that a label may have.
        NoCredentials: as ``mailboxes.account``.
    """
    mailboxes.account(ep)
    stored = _require_name(ep, name)
    row = {
        "label_id": _new_id(ep, stored),
        "account_id": ep.me,
        "name": stored,
        "message_list_visibility": message_list,
        "label_list_visibility": label_list,
    }
    ep.db.insert("labels", **row)
    return row


def update(ep: Episode, label_id: str, name: str, message_list: str | None, label_list: str | None) -> Row:
    """Change a label as Gmail does and return it.

    Raises:
        NotFound, InvalidUpdate: no such label, or one of the system's.
        LabelExists, InvalidLabelName: the name is taken, or none that a label may have.
    """
    label = require_label(ep, label_id)
    if label["type"] == "system":
        raise errors.InvalidUpdate
    changed = {
        "name": _require_name(ep, name, label_id=label_id),
        "message_list_visibility": message_list or label["message_list_visibility"],
        "label_list_visibility": label_list or label["label_list_visibility"],
    }
    ep.db.update("labels", {"label_id": label_id}, **changed)
    return {**label, **changed}


def delete(ep: Episode, label_id: str) -> None:
    """Delete a label as Gmail does.

    Reads all message_labels: every message that bears the label loses it.
    """
    ep.db.delete("message_labels", label_id=label_id)
    ep.db.delete("labels", label_id=label_id)


def _require_name(ep: Episode, name: str, label_id: str | None = None) -> str:
    """Return a name as Gmail stores it.

    Args:
        label_id: the label that may keep it.

    Raises:
        LabelExists, InvalidLabelName: it is taken, or none that a label may have.
    """
    stored = name.strip()
    if not stored or len(stored) > _NAME_MAX or stored.lower() in _RESERVED:
        raise errors.InvalidLabelName
    taken = {row["name"].lower(): row["label_id"] for row in ep.db.all(_OWN, ep.me)}
    if taken.get(stored.lower(), label_id) != label_id:
        raise errors.LabelExists
    return stored


def _new_id(ep: Episode, name: str) -> str:
    attempt = 0
    while True:
        made = f"Label_{10**18 + ep.hash('label', name, ep.writes, attempt) % (9 * 10**18)}"
        if ep.db.scalar("SELECT 1 FROM labels WHERE label_id = ?", made) is None:
            return made
        attempt += 1
