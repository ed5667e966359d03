"""Who may open a note, and what a page refuses before it looks at anything else."""

from __future__ import annotations

from farm.appkit import Episode

from . import cards, errors, tokens

NOT_NOW = "当前笔记暂时无法浏览"
_ACCESS = f"""
SELECT n.note_id, n.user_id, n.status, n.time, n.visibility, {cards.VISIBLE} AS is_visible
FROM notes n WHERE n.note_id = :note
"""


def find_refusal(ep: Episode, viewer: str, note_id: str, token: str) -> str | None:
    """Return why the page of a note does not open for a viewer, in the page's words; None when it does."""
    row = ep.db.one(_ACCESS, me=viewer, now=ep.now_ms, note=note_id)
    if row is None or token != tokens.note_token(ep.seed, viewer, note_id) or row["time"] > ep.now_ms:
        return NOT_NOW
    if row["status"] == "deleted":
        return "该笔记已被删除"
    if row["status"] == "illegal":
        return "该内容因违规已被删除"
    if row["is_visible"]:
        return None
    return "仅作者可见" if row["visibility"] == "仅自己可见" else "因用户设置，你无法查看"


def require_open(ep: Episode, verb: str, viewer: str, note_id: str, token: str) -> None:
    """Open the page of a note.

    Raises:
        MissingArgument: the id or the token is empty.
        NoteInaccessible: no such note, another viewer's or another note's token, deleted, or not for this viewer.
    """
    require_given(verb, feed_id=note_id, xsec_token=token)
    reason = find_refusal(ep, viewer, note_id, token)
    if reason is not None:
        raise errors.NoteInaccessible(verb, reason=reason)


def require_given(verb: str, **arguments: str) -> None:
    """Refuse the first argument that is empty."""
    for name, value in arguments.items():
        if not value:
            raise errors.MissingArgument(verb, name=name)
