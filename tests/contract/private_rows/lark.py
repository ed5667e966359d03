"""Lark: chats are their members', events their guests', tasks and documents those people's who are named in them."""

from tests.contract.private_rows.rules import Rule

MEMBERS = "SELECT open_id FROM chat_members WHERE chat_id = r.chat_id"
CALENDAR = "(SELECT {column} FROM calendars c WHERE c.calendar_id = r.organizer_calendar_id)"
GUESTS = f"""
SELECT r.organizer_id UNION SELECT {CALENDAR.format(column="owner_id")}
UNION SELECT open_id FROM attendees a WHERE a.event_id = r.event_id AND open_id IS NOT NULL
UNION SELECT open_id FROM attendee_members a WHERE a.event_id = r.event_id
UNION SELECT open_id FROM calendar_acls a WHERE a.calendar_id = r.organizer_calendar_id AND role IN ({{roles}})
"""
# An event shows on the primary calendar of everyone invited, too: to whomever may read that.
READERS_OF_GUESTS = f"""
{GUESTS.format(roles="'reader', 'writer', 'owner'")}
UNION SELECT g.open_id FROM calendar_acls g JOIN calendars c USING (calendar_id) WHERE c.type = 'primary'
AND c.owner_id IN (SELECT open_id FROM attendees a WHERE a.event_id = r.event_id)
"""
# Who is named for a file that hangs in no wiki or folder and is not shared by its link; {token} is its key.
NAMED = """
SELECT owner_id FROM files WHERE token = {token}
UNION SELECT member_id FROM collaborators WHERE token = {token} AND member_type = 'openid'
UNION SELECT m.open_id FROM collaborators g JOIN chat_members m ON m.chat_id = g.member_id
      WHERE g.token = {token} AND g.member_type = 'openchat'
"""
CLOSED = """
EXISTS (SELECT 1 FROM files f WHERE f.token = {token} AND f.link_share = 'closed' AND f.folder_token IS NULL)
AND NOT EXISTS (SELECT 1 FROM wiki_nodes w WHERE w.obj_token = {token})
AND NOT EXISTS (SELECT 1 FROM collaborators g WHERE g.token = {token} AND g.member_type NOT IN ('openid', 'openchat'))
"""
BASE = "(SELECT t.app_token FROM base_tables t WHERE t.table_id = r.table_id)"
TASK = """
SELECT r.creator_id UNION SELECT member_id FROM task_members m WHERE m.task_guid = r.guid
UNION SELECT l.owner_id FROM tasklist_tasks i JOIN tasklists l ON l.guid = i.tasklist_guid WHERE i.task_guid = r.guid
UNION SELECT m.member_id FROM tasklist_tasks i JOIN tasklist_members m USING (tasklist_guid) WHERE i.task_guid = r.guid
"""
# A section also shows to whom a task of the list is for.
LIST = """
SELECT owner_id FROM tasklists l WHERE l.guid = {guid}
UNION SELECT member_id FROM tasklist_members m WHERE m.tasklist_guid = {guid}
"""
ACL = "SELECT r.owner_id UNION SELECT open_id FROM calendar_acls a WHERE a.calendar_id = r.calendar_id"
SPACE = "SELECT r.owner_id UNION SELECT member_id FROM wiki_members m WHERE m.space_id = r.space_id"
IS_HIDDEN = f"{CALENDAR.format(column='permissions')} IN ('private', 'show_only_free_busy')"

RULES = (
    Rule("messages", "content", MEMBERS),
    Rule("chats", "name", MEMBERS, "r.chat_type = 'private'"),
    Rule("chats", "description", MEMBERS, "r.chat_type = 'private'"),
    Rule("events", "summary", GUESTS.format(roles="'writer', 'owner'"), "r.visibility = 'private'"),
    Rule("events", "description", GUESTS.format(roles="'writer', 'owner'"), "r.visibility = 'private'"),
    Rule(
        "events",
        "summary",
        READERS_OF_GUESTS,
        f"r.visibility = 'default' AND {IS_HIDDEN}",
    ),
    Rule("calendars", "description", ACL, "r.permissions = 'private' AND r.type = 'shared'"),
    Rule("calendars", "summary", ACL, "r.permissions = 'private' AND r.type = 'shared'"),
    Rule("calendar_subscriptions", "summary_alias", "SELECT r.open_id"),
    Rule("tasks", "summary", TASK, "r.parent_guid IS NULL"),
    Rule("tasks", "description", TASK, "r.parent_guid IS NULL"),
    Rule("tasklists", "name", LIST.format(guid="r.guid")),
    Rule("tasklist_sections", "name", LIST.format(guid="r.tasklist_guid"), "NOT r.is_default"),
    Rule("users", "mobile", "SELECT r.open_id", "NOT r.mobile_visible"),
    Rule("files", "title", NAMED.format(token="r.token"), CLOSED.format(token="r.token")),
    Rule("documents", "markdown", NAMED.format(token="r.document_id"), CLOSED.format(token="r.document_id")),
    Rule("base_records", "fields", NAMED.format(token=BASE), CLOSED.format(token=BASE)),
    Rule("wiki_spaces", "name", SPACE, "r.visibility = 'private'"),
)
