"""Lark's context tree: people, calendars and events, chats and messages, files, bases, tasks and wikis of one company.

Every id has the vendor's form (see ``ids`` of the app). Rows that a person wrote hang under that person; ``parent``
says who owns a row, ``reference`` only who is meant. Times are stored as the tools show them: seconds for calendars,
milliseconds for chats. A recurrence rule in a world must not say UNTIL, whose date would not move with the world;
COUNT does. ``made`` and ``time`` tell the world generator how to fill a column and what to move.
"""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, text

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, hidden, parent, person, reference, table

METADATA = MetaData()

# People

TENANTS = table(
    "tenants",
    METADATA,
    column("tenant_key", primary_key=True, generation="random"),  # 16 hex
    column("name", role="title", generation="authentic", nullable=False),
    # Where its documents live, as in https://harborlight.feishu.cn/docx/...
    column("domain", role="link", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

DEPARTMENTS = table(
    "departments",
    METADATA,
    column("department_id", primary_key=True, generation="random"),  # od- and 32 hex
    column("tenant_key", parent("tenants.tenant_key"), generation="random", nullable=False),
    column("parent_department_id", reference("departments.department_id"), generation="random"),  # null: under the root
    column("name", role="title", generation="authentic", nullable=False),
    column("en_name", role="title", generation="authentic", nullable=False, server_default=""),
    Index("departments_tenant", "tenant_key"),
    Index("departments_parent", "parent_department_id"),
    few=True,
    view="grid",
)

USERS = table(
    "users",
    METADATA,
    column("open_id", primary_key=True, generation="random"),  # ou_ and 32 hex
    column("union_id", role="key", generation="random", nullable=False, unique=True),  # on_ and 32 hex
    column("user_id", role="key", generation="random", nullable=False, unique=True),  # 8 lower-case letters and digits
    column("tenant_key", parent("tenants.tenant_key"), generation="random", nullable=False),
    person(),
    column("name", role="title", generation="authentic", nullable=False, searched=True),
    column("en_name", role="title", generation="authentic", nullable=False, server_default="", searched=True),
    column("nickname", role="title", nullable=False, server_default=""),
    column("email", role="person", generation="authentic", nullable=False, server_default=""),  # lower case
    column(
        "mobile", role="person", generation="authentic", nullable=False, server_default=""
    ),  # +8613812345678, no spaces
    column("mobile_visible", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    column(
        "gender", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"
    ),  # 0 unsaid, 1 male, 2 female
    column(
        "avatar", role="cosmetic", generation="random", nullable=False, server_default=""
    ),  # file key inside the picture's address
    column("department_ids", role="reference", generation="authentic", json=True, nullable=False, server_default="[]"),
    # No foreign key, so that people may come in any order.
    column("leader_user_id", role="person", generation="authentic"),  # open_id
    column("city", role="place", generation="authentic", nullable=False, server_default=""),
    column("country", role="place", generation="enumerate", nullable=False, server_default=""),  # CN, SG, DE
    column("work_station", role="place", nullable=False, server_default=""),
    column("join_time", INTEGER, generation="random", time="s"),
    column("is_tenant_manager", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("employee_no", role="key", generation="random", nullable=False, server_default=""),
    column(
        "employee_type", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="1"
    ),  # 1 regular, 2 intern …
    column("job_title", role="title", generation="authentic", nullable=False, server_default=""),
    column("is_frozen", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_resigned", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_activated", INTEGER, role="status", generation="enumerate", nullable=False, server_default="1"),
    column("is_exited", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_unjoin", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    Index("users_tenant", "tenant_key"),
    Index("users_email", "email"),
    Index("users_mobile", "mobile"),
    view=View("people", title="name"),
)

BOTS = table(
    "bots",
    METADATA,
    column("app_id", primary_key=True, generation="random"),  # cli_ and 16 hex
    column("tenant_key", parent("tenants.tenant_key"), generation="random", nullable=False),
    column("open_id", role="key", generation="random", nullable=False, unique=True),
    column("name", role="title", nullable=False),
    column("is_active", INTEGER, role="status", generation="enumerate", nullable=False, server_default="1"),
    Index("bots_tenant", "tenant_key"),
    few=True,
    view="grid",
)

# Calendars

CALENDARS = table(
    "calendars",
    METADATA,
    column("calendar_id", primary_key=True, generation="random"),  # feishu.cn_<16>@group.calendar.feishu.cn
    column(
        "owner_id", parent("users.open_id"), role="author", usual=OPEN, generation="authentic"
    ),  # null: nobody's, such as public holidays
    column("type", role="kind", generation="enumerate", nullable=False),  # primary shared google resource exchange
    # A primary calendar's title is its owner's name.
    column("summary", role="title", nullable=False, server_default="", searched=True),
    column("description", role="body", format="plain", nullable=False, server_default="", searched=True),
    column(
        "permissions", role="setting", generation="enumerate", nullable=False, server_default="show_only_free_busy"
    ),  # private … public
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    column("is_third_party", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    column("updated_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("calendars_owner", "owner_id", "type"),
    view="container",
)

# Roles beyond what the calendar's permissions give everybody; the owner needs no row.
CALENDAR_ACLS = table(
    "calendar_acls",
    METADATA,
    column("calendar_id", parent("calendars.calendar_id"), primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, generation="authentic"),
    column("role", role="setting", generation="enumerate", nullable=False),  # free_busy_reader reader writer owner
    column("acl_id", role="key", generation="random", nullable=False, unique=True),  # user_ and 19 digits
    Index("calendar_acls_user", "open_id"),
    notifies=True,
    view="part",
)

# A person's list of calendars: the own primary, those created, those followed.
CALENDAR_SUBSCRIPTIONS = table(
    "calendar_subscriptions",
    METADATA,
    column("calendar_id", parent("calendars.calendar_id"), primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, many=True, generation="authentic"),
    column(
        "position", INTEGER, role="cosmetic", generation="random", nullable=False
    ),  # order in the list, the primary first
    column("summary_alias", role="title", nullable=False, server_default=""),
    column(
        "color", INTEGER, role="cosmetic", generation="enumerate", nullable=False, server_default="-1"
    ),  # int32 of an RGB value
    column("updated_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("calendar_subscriptions_user", "open_id", "position"),
    seen_by="owner",
    view="part",
)

ROOMS = table(
    "rooms",
    METADATA,
    column("room_id", primary_key=True, generation="random"),  # omm_ and 32 hex
    column("tenant_key", parent("tenants.tenant_key"), generation="random", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("location", role="place", generation="authentic", nullable=False, server_default=""),  # building and floor
    column("capacity", INTEGER, role="amount", generation="enumerate", nullable=False, server_default="0"),
    column("is_disabled", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    Index("rooms_tenant", "tenant_key"),
    few=True,
    view="grid",
)

# An event lives on its organizer's calendar and shows on the primary calendar of everyone invited.
EVENTS = table(
    "events",
    METADATA,
    # <uuid>_0; a changed or cancelled instance of a series ends in the second it was to start (a placeholder in worlds)
    column("event_id", primary_key=True, generation="random"),
    column("organizer_calendar_id", parent("calendars.calendar_id"), many=True, generation="random", nullable=False),
    column(
        "organizer_id", reference("users.open_id"), role="author", usual=OPEN, generation="authentic"
    ),  # who made it
    column("summary", role="title", nullable=False, server_default="", searched=True),
    column("description", role="body", format="html", nullable=False, server_default=""),
    # Always set; an all-day event starts at 00:00 UTC of start_date and ends at 00:00 UTC after end_date.
    column("start_at", INTEGER, generation="random", time="s", due=True, nullable=False),
    column("end_at", INTEGER, generation="random", time="s", nullable=False),
    column("start_date", generation="random", time="date"),  # all-day events only; end_date is the last day
    column("end_date", generation="random", time="date"),
    column(
        "start_timezone",
        role="time",
        usual=OPEN,
        generation="enumerate",
        nullable=False,
        server_default="Asia/Shanghai",
    ),  # UTC when all-day
    column(
        "end_timezone", role="time", usual=OPEN, generation="enumerate", nullable=False, server_default="Asia/Shanghai"
    ),
    # {"vc_type":"vc","meeting_url":"https://vc.feishu.cn/j/123456789"}; icon_type and description with third_party only
    # The tools make a meeting of their own unless told not to.
    column(
        "vchat",
        role="link",
        open_keys=("vc_type", "meeting_url"),
        json=True,
        nullable=False,
        server_default='{"vc_type":"no_meeting"}',
    ),
    column(
        "visibility", role="setting", generation="enumerate", nullable=False, server_default="default"
    ),  # default public private
    column("attendee_ability", role="setting", generation="enumerate", nullable=False, server_default="none"),
    column(
        "free_busy_status", role="setting", generation="enumerate", nullable=False, server_default="busy"
    ),  # busy free
    column("location", role="place", json=True),  # {"name","address","latitude","longitude"}
    column("color", INTEGER, role="cosmetic", generation="enumerate", nullable=False, server_default="-1"),
    column("reminders", role="cosmetic", json=True, nullable=False, server_default="[]"),  # [{"minutes":5}]
    column(
        "recurrence", role="time", generation="enumerate", nullable=False, server_default=""
    ),  # FREQ=WEEKLY;BYDAY=MO
    # tentative confirmed cancelled
    column("status", generation="enumerate", deleted_value="cancelled", nullable=False, server_default="confirmed"),
    column("recurring_event_id", reference("events.event_id"), generation="random"),  # the series of a changed instance
    column("original_at", INTEGER, generation="random", time="s"),  # when that instance was to start
    column("schemas", role="setting", json=True),
    column(
        "attachments", role="file", json=True, nullable=False, server_default="[]"
    ),  # [{"file_token","file_size","name"}]
    column("event_check_in", role="setting", json=True),
    column("idempotency_key", role="internal", generation="random"),
    column("created_at", INTEGER, generation="random", time="s", nullable=False),
    column("updated_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("events_calendar", "organizer_calendar_id", "start_at"),
    Index("events_organizer", "organizer_id"),
    Index("events_series", "recurring_event_id"),
    Index("events_idempotency", "organizer_calendar_id", "idempotency_key"),
    notifies=True,
    view=View("calendar", when="start_at", until="end_at"),
)

ATTENDEES = table(
    "attendees",
    METADATA,
    column("event_id", parent("events.event_id"), primary_key=True, generation="random"),
    column(
        "attendee_id", primary_key=True, generation="random"
    ),  # user_, chat_, resource_ or third_party_ and 19 digits
    column(
        "position", INTEGER, role="cosmetic", generation="random", nullable=False
    ),  # order in the list, the organizer first
    column("type", role="kind", generation="enumerate", nullable=False),  # user chat resource third_party
    column("open_id", reference("users.open_id"), role="person", many=True, generation="authentic"),  # type user
    column("chat_id", reference("chats.chat_id"), many=True, generation="random"),  # type chat
    column("room_id", reference("rooms.room_id"), many=True, generation="random"),  # type resource
    column("third_party_email", role="person", generation="authentic"),  # type third_party
    column(
        "operate_id", reference("users.open_id"), role="author", usual=OPEN, generation="authentic"
    ),  # type resource: who booked it
    # needs_action accept tentative decline removed
    column(
        "rsvp_status", generation="enumerate", deleted_value="removed", nullable=False, server_default="needs_action"
    ),
    column("is_optional", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_organizer", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    Index("attendees_user", "open_id", "event_id"),
    Index("attendees_chat", "chat_id"),
    Index("attendees_room", "room_id"),
    Index("attendees_operator", "operate_id"),
    notifies=True,
    view="part",
)

# The people invited through a group: one row for each member of a chat attendee, each with an answer of their own.
ATTENDEE_MEMBERS = table(
    "attendee_members",
    METADATA,
    column("event_id", primary_key=True, generation="random"),
    column("attendee_id", primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, many=True, generation="authentic"),
    column(
        "rsvp_status", generation="enumerate", deleted_value="removed", nullable=False, server_default="needs_action"
    ),
    ForeignKeyConstraint(
        ["event_id", "attendee_id"], ["attendees.event_id", "attendees.attendee_id"], ondelete="CASCADE"
    ),
    Index("attendee_members_user", "open_id", "event_id"),
    notifies=True,
    view="part",
)

# What one invited person changed for themselves; null means as the event says.
EVENT_SETTINGS = table(
    "event_settings",
    METADATA,
    column("event_id", parent("events.event_id"), primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, generation="authentic"),
    column("visibility", role="setting", generation="enumerate"),
    column("free_busy_status", role="setting", generation="enumerate"),
    column("color", INTEGER, role="cosmetic", generation="enumerate"),
    column("reminders", role="cosmetic", json=True),
    Index("event_settings_user", "open_id"),
    seen_by="owner",
    view="part",
)

# Chats

CHATS = table(
    "chats",
    METADATA,
    column("chat_id", primary_key=True, generation="random"),  # oc_ and 32 hex
    column("tenant_key", parent("tenants.tenant_key"), generation="random", nullable=False),
    column("name", role="title", nullable=False, server_default="", searched=True),
    column("description", role="body", format="plain", nullable=False, server_default=""),
    column(
        "i18n_names", role="title", json=True, nullable=False, server_default="{}", searched=True
    ),  # {"zh_cn","en_us","ja_jp"}
    column("avatar", role="cosmetic", generation="random", nullable=False, server_default=""),
    column(
        "owner_id", reference("users.open_id"), role="author", usual=OPEN, generation="authentic"
    ),  # null in a chat of two and when a bot owns it
    column(
        "chat_mode", role="kind", usual=OPEN, generation="enumerate", nullable=False, server_default="group"
    ),  # group topic p2p
    column(
        "chat_type", role="setting", generation="enumerate", nullable=False, server_default="private"
    ),  # private public
    column(
        "chat_tag", role="kind", generation="enumerate", nullable=False, server_default="inner"
    ),  # inner department meeting …
    column(
        "group_message_type", role="setting", generation="enumerate", nullable=False, server_default="chat"
    ),  # chat thread
    column("is_external", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    # normal dissolved dissolved_save
    column("chat_status", generation="enumerate", deleted_value="dissolved", nullable=False, server_default="normal"),
    column(
        "add_member_permission", role="setting", generation="enumerate", nullable=False, server_default="all_members"
    ),
    column("share_card_permission", role="setting", generation="enumerate", nullable=False, server_default="allowed"),
    column("at_all_permission", role="setting", generation="enumerate", nullable=False, server_default="all_members"),
    column("edit_permission", role="setting", generation="enumerate", nullable=False, server_default="all_members"),
    column(
        "join_message_visibility", role="setting", generation="enumerate", nullable=False, server_default="all_members"
    ),
    column(
        "leave_message_visibility", role="setting", generation="enumerate", nullable=False, server_default="all_members"
    ),
    column(
        "membership_approval",
        role="setting",
        generation="enumerate",
        nullable=False,
        server_default="no_approval_required",
    ),
    # Who may post: all_members, only_owner (owner and managers), moderator_list
    column(
        "moderation_permission", role="setting", generation="enumerate", nullable=False, server_default="all_members"
    ),
    column("urgent_setting", role="setting", generation="enumerate", nullable=False, server_default="all_members"),
    column(
        "video_conference_setting", role="setting", generation="enumerate", nullable=False, server_default="all_members"
    ),
    column(
        "hide_member_count_setting",
        role="setting",
        generation="enumerate",
        nullable=False,
        server_default="all_members",
    ),
    column("restricted_mode_setting", role="setting", json=True),
    column("uuid", role="internal", generation="random"),
    column("created_at", INTEGER, generation="random", time="ms", nullable=False),
    Index("chats_tenant", "tenant_key"),
    Index("chats_owner", "owner_id"),
    Index("chats_uuid", "uuid"),
    notifies=True,
    view="container",
)

CHAT_MEMBERS = table(
    "chat_members",
    METADATA,
    column("chat_id", parent("chats.chat_id"), primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, many=True, generation="authentic"),
    column(
        "role", role="setting", generation="enumerate", nullable=False, server_default="member"
    ),  # owner manager member
    column("joined_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("chat_members_user", "open_id"),
    Index("chat_members_order", "chat_id", "joined_at"),
    notifies=True,
    view="part",
)

CHAT_BOTS = table(
    "chat_bots",
    METADATA,
    column("chat_id", parent("chats.chat_id"), primary_key=True, generation="random"),
    column("app_id", reference("bots.app_id"), primary_key=True, generation="random"),
    column("role", role="setting", generation="enumerate", nullable=False, server_default="member"),
    column("joined_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("chat_bots_app", "app_id"),
    notifies=True,
    view="part",
)

# People asked into a chat that wants its managers' approval first.
CHAT_INVITATIONS = table(
    "chat_invitations",
    METADATA,
    column("chat_id", parent("chats.chat_id"), primary_key=True, generation="random"),
    column("open_id", reference("users.open_id"), primary_key=True, generation="authentic"),
    column("inviter_id", reference("users.open_id"), role="author", generation="authentic", nullable=False),
    column("created_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("chat_invitations_user", "open_id"),
    Index("chat_invitations_inviter", "inviter_id"),
    notifies=True,
    view="part",
)

# Of a card people see its title and its elements, not its settings, links or what a button sends.
_VISIBLE_KEYS = (
    *("text", "title", "subtitle", "content", "user_name", "file_name", "template"),
    *("header", "body", "elements", "columns", "fields", "actions"),
)

MESSAGES = table(
    "messages",
    METADATA,
    column("message_id", primary_key=True, generation="random"),  # om_x100b and 27 hex
    column("chat_id", parent("chats.chat_id"), many=True, generation="random", nullable=False),
    # The first message of the replies' tree, which follows from the one that is answered.
    column("root_id", reference("messages.message_id"), usual=OPEN, generation="random"),
    column("parent_id", reference("messages.message_id"), generation="random"),  # the message answered
    # omt_ and 16 hex. The root of a thread gets it with the first reply, which is a row of its own.
    column("thread_id", role="reference", many=True, generation="random", server_managed=True),
    column("upper_message_id", reference("messages.message_id"), generation="random"),  # the merge_forward it is inside
    column(
        "msg_type", role="kind", generation="enumerate", nullable=False
    ),  # text post image file interactive share_chat system …
    column(
        "sender_id", role="author", many=True, generation="authentic", nullable=False
    ),  # open_id, app_id of a bot, or empty
    column(
        "sender_type", role="author", generation="enumerate", nullable=False, server_default="user"
    ),  # user app; empty as the id: the service
    # Body as shown: {"text":"@_user_1 hi"}; a post is {"title","content":[[{"tag":"text","text"}]]} without locale.
    # A card is kept as it was sent, or as it is read: {"title","elements":[[{"tag":"text","text"}]]}.
    column("content", role="body", format="lark_message", json=True, visible_keys=_VISIBLE_KEYS, nullable=False),
    # [{"key":"@_user_1","id":"ou_","id_type":"open_id","name","tenant_key"}]
    column("mentions", role="person", usual=OPEN, json=True, nullable=False, server_default="[]"),
    column("created_at", INTEGER, generation="random", time="ms", nullable=False),
    column("updated_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    column(
        "is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"
    ),  # recalled
    column(
        "is_updated",
        INTEGER,
        role="status",
        generation="enumerate",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),  # edited
    column("uuid", role="internal", generation="random"),
    Index("messages_chat", "chat_id", "created_at", "message_id"),
    # What an ordinary group shows, which leaves out replies in threads.
    Index(
        "messages_shown",
        "chat_id",
        "created_at",
        "message_id",
        sqlite_where=text("upper_message_id IS NULL AND (thread_id IS NULL OR root_id IS NULL)"),
    ),
    Index(
        "messages_resource",
        "msg_type",
        sqlite_where=text("msg_type IN ('image', 'file', 'audio', 'media', 'sticker')"),
    ),
    Index("messages_thread", "thread_id", "created_at"),
    Index("messages_root", "root_id"),
    Index("messages_parent", "parent_id"),
    Index("messages_upper", "upper_message_id"),
    Index("messages_uuid", "sender_id", "uuid"),
    notifies=True,
    view=View("chat", thread="root_id"),
)

# Files and documents

FILES = table(
    "files",
    METADATA,
    column("token", primary_key=True, generation="random"),  # 27 alnum
    column(
        "type", role="kind", generation="enumerate", nullable=False
    ),  # docx doc sheet bitable slides mindnote file folder
    column("title", role="title", searched=True, nullable=False),
    column("owner_id", parent("users.open_id"), role="author", generation="authentic", nullable=False),
    column(
        "folder_token", reference("files.token"), many=True, generation="random"
    ),  # null: the root of the owner's space
    # closed tenant_readable tenant_editable
    column("link_share", role="setting", generation="enumerate", nullable=False, server_default="closed"),
    column(
        "chat_id", reference("chats.chat_id"), generation="random"
    ),  # group it was shared in (search filter chat_ids)
    column("created_at", INTEGER, generation="random", time="ms", nullable=False),
    column("edited_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    Index("files_owner", "owner_id"),
    Index("files_folder", "folder_token"),
    Index("files_chat", "chat_id"),
    view=View("tree", parent="folder_token"),
)
# One for each file of type docx (and the old doc): its text as Markdown, from which plain text is derived.
DOCUMENTS = table(
    "documents",
    METADATA,
    column("document_id", parent("files.token"), primary_key=True, generation="random"),
    column(
        "revision_id",
        INTEGER,
        role="internal",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="1",
    ),
    # The body without the title; a mention is <at id="ou_...">name</at>.
    column("markdown", role="body", format="lark_markdown", searched=True, nullable=False, server_default=""),
    view="text",
)

# The owner is files.owner_id and has no row here.
COLLABORATORS = table(
    "collaborators",
    METADATA,
    column("token", parent("files.token"), primary_key=True, generation="random"),
    # openid openchat opendepartmentid groupid wikispaceid
    column("member_type", primary_key=True, generation="enumerate"),
    column("member_id", primary_key=True, generation="random"),  # users always as open_id
    column("perm", role="setting", generation="enumerate", nullable=False),  # view edit full_access
    column(
        "perm_type", role="setting", generation="enumerate", nullable=False, server_default="container"
    ),  # container single_page
    column("type", role="kind", usual=OPEN, generation="enumerate"),  # user chat department group wiki_space_member ...
    column("created_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("collaborators_member", "member_id"),
    notifies=True,
    view="part",
)

# Bases

BASES = table(
    "bases",
    METADATA,
    column("app_token", parent("files.token"), primary_key=True, generation="random"),
    column("time_zone", role="time", generation="enumerate", nullable=False, server_default="Asia/Shanghai"),
    view=hidden("a base is a file; its tables and records are shown"),
)

BASE_TABLES = table(
    "base_tables",
    METADATA,
    column("table_id", primary_key=True, generation="random"),  # tbl + 13 alnum
    column("app_token", parent("bases.app_token"), generation="random", nullable=False),
    column("name", role="title", nullable=False, searched=True),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False),
    column(
        "revision",
        INTEGER,
        role="internal",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="1",
    ),
    # The last automatic number given.
    column(
        "last_number",
        INTEGER,
        role="internal",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    UniqueConstraint("app_token", "name"),
    view="container",
)

BASE_VIEWS = table(
    "base_views",
    METADATA,
    column("view_id", primary_key=True, generation="random"),  # vew + 7 alnum
    column("table_id", parent("base_tables.table_id"), generation="random", nullable=False),
    column("view_name", role="title", nullable=False),
    column(
        "view_type", role="kind", generation="enumerate", nullable=False, server_default="grid"
    ),  # grid kanban gallery gantt form
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False),
    # {"filter":{conjunction,conditions:[{field_id,operator,value}]},
    #  "sort":[{field_id,desc}],"hidden_fields":[field_id]}
    column("property", role="setting", json=True),
    Index("base_views_table", "table_id"),
    view="part",
)

BASE_FIELDS = table(
    "base_fields",
    METADATA,
    column("field_id", primary_key=True, generation="random"),  # fld + 7 alnum
    column("table_id", parent("base_tables.table_id"), generation="random", nullable=False),
    column("field_name", role="title", nullable=False, searched=True),
    column("type", INTEGER, role="kind", generation="enumerate", nullable=False),  # vendor's numbers
    column("ui_type", role="kind", generation="enumerate", nullable=False),
    column("is_primary", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False),
    column("property", role="setting", json=True),  # vendor's property object; options: [{id,name,color}]
    column("description", role="body", format="plain"),
    UniqueConstraint("table_id", "field_name"),
    view="part",
)

BASE_RECORDS = table(
    "base_records",
    METADATA,
    column("record_id", primary_key=True, generation="random"),  # rec + 10 alnum
    column("table_id", parent("base_tables.table_id"), many=True, generation="random", nullable=False),
    # {field_id: value}: text str (or [segments]); number; select option's name; multi [names]; date ms as an integer
    # ({{ms:+3 14:00}}); checkbox bool; person and group [{"id":"ou_"}]; phone str; url {"text","link"}; attachment
    # [{"file_token"}]; links ["rec.."]; location {"location":"lon,lat",name,address,full_address,pname,cityname,
    # adname}; formula: its shown value (never computed). Automatic fields are not stored.
    column("fields", role="body", format="lark_fields", usual="{}", json=True, nullable=False, searched=True),
    column(
        "number", INTEGER, role="key", generation="random", nullable=False
    ),  # creation order in the table = automatic number
    column("created_by", reference("users.open_id"), role="author", generation="authentic", nullable=False),
    column(
        "modified_by",
        reference("users.open_id"),
        role="author",
        generation="authentic",
        server_managed=True,
        nullable=False,
    ),
    column("created_at", INTEGER, generation="random", time="ms", nullable=False),
    column("modified_at", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    column("client_token", role="internal", generation="random"),
    UniqueConstraint("table_id", "number"),
    Index("base_records_client", "table_id", "client_token"),
    Index("base_records_created_by", "created_by"),
    Index("base_records_modified_by", "modified_by"),
    view=View("grid", columns_of="base_fields", one="record", within="table_id"),
)

BASE_ATTACHMENTS = table(
    "base_attachments",
    METADATA,
    column("file_token", primary_key=True, generation="random"),
    column("app_token", parent("bases.app_token"), generation="random", nullable=False),
    column("name", role="file", nullable=False),
    column("size", INTEGER, role="file", generation="random", nullable=False),
    column("mime_type", role="file", generation="enumerate", nullable=False),
    Index("base_attachments_app", "app_token"),
    view="grid",
)

# Tasks

TASKS = table(
    "tasks",
    METADATA,
    column("guid", primary_key=True, generation="random"),  # uuid
    column(
        "number", INTEGER, role="key", generation="random", nullable=False, unique=True
    ),  # task_id is "t" || number, from 100001
    column("creator_id", parent("users.open_id"), role="author", many=True, generation="authentic", nullable=False),
    column("parent_guid", reference("tasks.guid"), generation="random"),
    column("summary", role="title", nullable=False),
    column("description", role="body", format="plain", nullable=False, server_default=""),
    column("due_at", generation="random", time="ms_text", due=True),
    column("due_is_all_day", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("start_at", generation="random", time="ms_text"),
    column("start_is_all_day", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("completed_at", generation="random", time="ms_text"),  # null: open (shown as "0")
    column("created_at", generation="random", time="ms_text", nullable=False),
    column("updated_at", generation="random", time="ms_text", server_managed=True, nullable=False),
    column("repeat_rule", role="time"),
    column("extra", role="internal"),
    column(
        "mode", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="2"
    ),  # 1 all must complete, 2 any one
    column(
        "source", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="1"
    ),  # 1 task centre, 6 open platform
    column("is_milestone", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("origin", role="link", json=True),
    column("custom_complete", role="setting", json=True),
    column("docx_source", role="link", json=True),
    column("custom_fields", role="body", json=True),
    column("client_token", role="internal", generation="random"),
    Index("tasks_creator", "creator_id", "client_token"),
    Index("tasks_parent", "parent_guid"),
    notifies=True,
    view=View("list", when="due_at", parent="parent_guid"),
)

TASK_MEMBERS = table(
    "task_members",
    METADATA,
    column("task_guid", parent("tasks.guid"), primary_key=True, generation="random"),
    column("member_id", primary_key=True, many=True, generation="authentic"),  # open_id, or cli_ of an app
    column("role", primary_key=True, generation="enumerate"),  # assignee follower
    column("member_type", role="kind", generation="enumerate", nullable=False, server_default="user"),  # user app
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False),
    column("completed_at", generation="random", time="ms_text"),  # when this assignee did his part
    Index("task_members_member", "member_id", "role"),
    notifies=True,
    view="part",
)

TASK_REMINDERS = table(
    "task_reminders",
    METADATA,
    column("reminder_id", primary_key=True, generation="random"),  # digits
    column("task_guid", parent("tasks.guid"), generation="random", nullable=False),
    column("relative_fire_minute", INTEGER, role="cosmetic", generation="enumerate", nullable=False),
    column("kind", role="cosmetic", generation="enumerate", nullable=False, server_default="due"),  # due, positive
    Index("task_reminders_task", "task_guid"),
    view="part",
)

TASKLISTS = table(
    "tasklists",
    METADATA,
    column("guid", primary_key=True, generation="random"),
    column("name", role="title", nullable=False),
    column("owner_id", parent("users.open_id"), role="author", generation="authentic", nullable=False),
    Index("tasklists_owner", "owner_id"),
    view="grid",
)

TASKLIST_SECTIONS = table(
    "tasklist_sections",
    METADATA,
    column("guid", primary_key=True, generation="random"),
    column("tasklist_guid", parent("tasklists.guid"), generation="random", nullable=False),
    column("name", role="title", nullable=False),
    column("is_default", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    Index("tasklist_sections_list", "tasklist_guid"),
    view="grid",
)

TASKLIST_MEMBERS = table(
    "tasklist_members",
    METADATA,
    column("tasklist_guid", parent("tasklists.guid"), primary_key=True, generation="random"),
    column("member_id", reference("users.open_id"), primary_key=True, generation="authentic"),
    column("role", role="setting", generation="enumerate", nullable=False),  # editor viewer
    Index("tasklist_members_member", "member_id"),
    notifies=True,
    view="part",
)

TASKLIST_TASKS = table(
    "tasklist_tasks",
    METADATA,
    column("tasklist_guid", parent("tasklists.guid"), primary_key=True, many=True, generation="random"),
    column("task_guid", parent("tasks.guid"), primary_key=True, generation="random"),
    column("section_guid", reference("tasklist_sections.guid"), generation="random", nullable=False),
    Index("tasklist_tasks_task", "task_guid"),
    Index("tasklist_tasks_section", "section_guid"),
    view="part",
)

# Wiki

WIKI_SPACES = table(
    "wiki_spaces",
    METADATA,
    column("space_id", primary_key=True, generation="random"),  # 19 digits
    column("name", role="title", nullable=False),
    column("description", role="body", format="plain", nullable=False, server_default=""),
    column(
        "visibility", role="setting", generation="enumerate", nullable=False, server_default="private"
    ),  # public: whole company reads; private: members
    column("owner_id", parent("users.open_id"), role="author", generation="authentic", nullable=False),
    Index("wiki_spaces_owner", "owner_id"),
    few=True,
    view="container",
)

WIKI_MEMBERS = table(
    "wiki_members",
    METADATA,
    column("space_id", parent("wiki_spaces.space_id"), primary_key=True, generation="random"),
    column("member_id", reference("users.open_id"), primary_key=True, generation="authentic"),
    column("role", role="setting", generation="enumerate", nullable=False),  # admin member
    Index("wiki_members_member", "member_id"),
    notifies=True,
    view="part",
)

WIKI_NODES = table(
    "wiki_nodes",
    METADATA,
    column("node_token", primary_key=True, generation="random"),  # 27 alnum
    column("space_id", parent("wiki_spaces.space_id"), many=True, generation="random", nullable=False),
    column("parent_node_token", reference("wiki_nodes.node_token"), many=True, generation="random"),  # null at the top
    column(
        "obj_token", reference("files.token"), generation="random", nullable=False
    ),  # title, owner, type and times come from the file
    column(
        "node_type", role="kind", generation="enumerate", nullable=False, server_default="origin"
    ),  # origin shortcut
    column("origin_node_token", reference("wiki_nodes.node_token"), generation="random"),
    column("creator_id", reference("users.open_id"), role="author", generation="authentic", nullable=False),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False),
    column("created_at", generation="random", time="s_text", nullable=False),
    Index("wiki_nodes_space", "space_id"),
    Index("wiki_nodes_parent", "parent_node_token"),
    Index("wiki_nodes_object", "obj_token"),
    Index("wiki_nodes_origin", "origin_node_token"),
    Index("wiki_nodes_creator", "creator_id"),
    view=View("tree", parent="parent_node_token", title="obj_token"),
)
