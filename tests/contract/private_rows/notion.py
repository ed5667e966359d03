"""Notion: a workspace is its members', and what is not shared with the integration nobody's."""

from tests.contract.private_rows.rules import Rule

MEMBERS = "SELECT u.id FROM users u WHERE u.type = 'person' AND u.workspace_id = {workspace}"
OF_PAGE = "(SELECT p.workspace_id FROM pages p WHERE p.id = r.page_id)"
NOBODY = "SELECT '' WHERE 0"
ON_UNSHARED = """
EXISTS (SELECT 1 FROM pages p WHERE p.id = r.page_id AND p.parent_type = 'workspace' AND NOT p.is_shared)
"""

RULES = (
    Rule("pages", "title", NOBODY, "r.parent_type = 'workspace' AND NOT r.is_shared"),
    Rule("pages", "title", MEMBERS.format(workspace="r.workspace_id"), "r.parent_type != 'workspace' OR r.is_shared"),
    Rule("databases", "title", MEMBERS.format(workspace="r.workspace_id")),
    Rule("blocks", "content", NOBODY, ON_UNSHARED),
    Rule("blocks", "content", MEMBERS.format(workspace=OF_PAGE), f"NOT {ON_UNSHARED}"),
    Rule("comments", "rich_text", MEMBERS.format(workspace=OF_PAGE)),
    Rule("workspaces", "name", MEMBERS.format(workspace="r.id")),
)
