"""Who may do what with a file: its owner, collaborators, link, folders above it, and the wiki it hangs in."""

from __future__ import annotations

import json
from collections.abc import Iterable

from farm.appkit import Episode, Row

NOBODY, VIEW, EDIT, FULL = 0, 1, 2, 3
LEVELS = {"view": VIEW, "edit": EDIT, "full_access": FULL}

# A chain runs from a file up through its folders and its wiki page's parents; what is granted up there counts below,
# except what is meant for a single page. To be used after a table ``asked`` of tokens, in one WITH RECURSIVE.
GRANTS = """
chain(start, token, depth) AS (
    SELECT token, token, 0 FROM asked
    UNION
    SELECT c.start, f.folder_token, c.depth + 1 FROM chain c JOIN files f ON f.token = c.token
    WHERE f.folder_token IS NOT NULL AND c.depth < 30
    UNION
    SELECT c.start, above.obj_token, c.depth + 1 FROM chain c
    JOIN wiki_nodes n ON n.obj_token = c.token AND n.node_type = 'origin'
    JOIN wiki_nodes above ON above.node_token = n.parent_node_token
    WHERE c.depth < 30
),
units(department_id) AS (
    SELECT listed.value FROM users own, json_each(own.department_ids) listed WHERE own.open_id = :me
    UNION
    SELECT d.parent_department_id FROM units u JOIN departments d ON d.department_id = u.department_id
    WHERE d.parent_department_id IS NOT NULL
),
grants(start, level) AS (
    SELECT c.start, CASE WHEN f.owner_id = :me THEN 3
                         WHEN owner.tenant_key IS NOT mine.tenant_key THEN 0
                         WHEN f.link_share = 'tenant_editable' THEN 2
                         WHEN f.link_share = 'tenant_readable' THEN 1 ELSE 0 END
    FROM chain c JOIN files f ON f.token = c.token JOIN users owner ON owner.open_id = f.owner_id
    JOIN users mine ON mine.open_id = :me
    UNION ALL
    SELECT c.start, CASE g.perm WHEN 'full_access' THEN 3 WHEN 'edit' THEN 2 ELSE 1 END
    FROM chain c JOIN collaborators g ON g.token = c.token
    WHERE (c.depth = 0 OR g.perm_type = 'container') AND (
        (g.member_type = 'openid' AND g.member_id = :me)
        OR (g.member_type = 'openchat'
            AND EXISTS (SELECT 1 FROM chat_members m WHERE m.chat_id = g.member_id AND m.open_id = :me))
        OR (g.member_type = 'opendepartmentid' AND g.member_id IN (SELECT department_id FROM units))
        OR (g.member_type = 'wikispaceid'
            AND EXISTS (SELECT 1 FROM wiki_members m WHERE m.space_id = g.member_id AND m.member_id = :me)))
    UNION ALL
    SELECT c.start, CASE WHEN s.owner_id = :me OR m.role = 'admin' THEN 3
                         WHEN m.role IS NOT NULL THEN 2
                         WHEN s.visibility = 'public' THEN 1 ELSE 0 END
    FROM chain c JOIN wiki_nodes n ON n.obj_token = c.token AND n.node_type = 'origin'
    JOIN wiki_spaces s ON s.space_id = n.space_id
    LEFT JOIN wiki_members m ON m.space_id = s.space_id AND m.member_id = :me
    WHERE c.depth = 0
)
"""
_LEVELS = f"""
WITH RECURSIVE asked(token) AS (SELECT value FROM json_each(:tokens)), {GRANTS}
SELECT start, max(level) AS level FROM grants GROUP BY start ORDER BY start
"""


def levels(ep: Episode, tokens: Iterable[str]) -> dict[str, int]:
    """Return what the person may do with each of these files: nothing, view, edit or everything."""
    rows = ep.db.all(_LEVELS, me=ep.me, tokens=json.dumps(list(tokens)))
    return {row["start"]: row["level"] for row in rows}


def level(ep: Episode, token: str) -> int:
    """Return what the person may do with one file."""
    if ep.db.scalar("SELECT owner_id FROM files WHERE token = ?", token) == ep.me:
        return FULL
    return levels(ep, (token,)).get(token, NOBODY)


def find_file(ep: Episode, token: str, *types: str) -> Row | None:
    """Return a file of one of these types, deleted or not, or None."""
    row = ep.db.one("SELECT * FROM files WHERE token = ?", token)
    return row if row is not None and row["type"] in types else None


def url(ep: Episode, place: str, token: str) -> str:
    """Return the address of a file or page: ``place`` is docx, base, wiki …"""
    domain = ep.db.scalar(
        "SELECT t.domain FROM users u JOIN tenants t ON t.tenant_key = u.tenant_key WHERE u.open_id = ?", ep.me
    )
    return f"https://{domain}/{place}/{token}"


def touch(ep: Episode, token: str) -> None:
    """Mark a file as edited now."""
    ep.db.update("files", {"token": token}, edited_at=ep.now_ms)


def add_file(ep: Episode, token: str, *, kind: str, title: str, folder_token: str | None) -> None:
    """Put a new file of the person's into a folder, or at the root."""
    ep.db.insert(
        "files",
        token=token,
        type=kind,
        title=title,
        owner_id=ep.me,
        folder_token=folder_token,
        created_at=ep.now_ms,
        edited_at=ep.now_ms,
    )
