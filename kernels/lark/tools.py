"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import (
    attendees,
    bases,
    calendars,
    chat_members,
    chats,
    documents,
    events,
    fields,
    freebusy,
    messages,
    permissions,
    records,
    tasks,
    users,
    wiki,
)

# Changing one instance of a series gives it rows of its own.
INVITATIONS = ("events", "attendees", "attendee_members", "event_settings")
# A record brings new options of select fields, the table's revision and the file's last edit along.
RECORDS = ("base_records", "base_tables", "base_fields", "files")

TOOLS = (
    Tool("calendar_v4_calendar_primary", calendars.primary),
    Tool("calendar_v4_calendar_list", calendars.list_calendars),
    Tool("calendar_v4_calendar_get", calendars.get_calendar),
    Tool("calendar_v4_calendar_create", calendars.create_calendar, writes=("calendars", "calendar_subscriptions")),
    Tool("calendar_v4_calendar_search", calendars.search_calendars),
    Tool("calendar_v4_calendarEvent_create", events.create_event, writes=("events",)),
    Tool("calendar_v4_calendarEvent_get", events.get_event),
    Tool("calendar_v4_calendarEvent_list", events.list_events),
    Tool("calendar_v4_calendarEvent_patch", events.patch_event, writes=INVITATIONS),
    Tool("calendar_v4_calendarEvent_delete", events.delete_event, writes=INVITATIONS),
    Tool("calendar_v4_calendarEvent_search", events.search_events),
    Tool(
        "calendar_v4_calendarEventAttendee_create",
        attendees.create_attendees,
        writes=INVITATIONS,
    ),
    Tool("calendar_v4_calendarEventAttendee_list", attendees.list_attendees),
    Tool(
        "calendar_v4_calendarEventAttendee_batchDelete",
        attendees.delete_attendees,
        writes=INVITATIONS,
    ),
    Tool("calendar_v4_freebusy_list", freebusy.list_freebusy),
    Tool("contact_v3_user_batchGetId", users.batch_get_id),
    Tool("contact_v3_user_get", users.get_user),
    Tool("im_v1_chat_create", chats.create_chat, writes=("chats", "chat_members", "chat_bots")),
    Tool("im_v1_chat_list", chats.list_chats),
    Tool("im_v1_chat_get", chats.get_chat),
    Tool("im_v1_chat_search", chats.search_chats),
    Tool("im_v1_chatMembers_get", chat_members.list_members),
    Tool(
        "im_v1_chatMembers_create",
        chat_members.add_members,
        writes=("chat_members", "chat_bots", "chat_invitations"),
    ),
    Tool("im_v1_chatMembers_delete", chat_members.remove_members, writes=("chats", "chat_members", "chat_bots")),
    Tool("im_v1_message_create", messages.send_message, writes=("messages", "chats", "chat_members")),
    Tool("im_v1_message_list", messages.list_messages),
    Tool("im_v1_message_get", messages.get_message),
    Tool("im_v1_message_reply", messages.reply_message, writes=("messages",)),
    Tool("im_v1_message_delete", messages.delete_message, writes=("messages",)),
    Tool("docx_v1_document_create", documents.create_document, writes=("files", "documents")),
    Tool("docx_v1_document_rawContent", documents.read_document),
    Tool("docx_builtin_search", documents.search_files),
    Tool("docx_builtin_import", documents.import_document, writes=("files", "documents")),
    Tool("drive_v1_permissionMember_create", permissions.add_member, writes=("collaborators",)),
    Tool(
        "bitable_v1_app_create",
        bases.create_base,
        writes=("files", "bases", "base_tables", "base_views", "base_fields", "base_records"),
    ),
    Tool(
        "bitable_v1_appTable_create",
        bases.create_table,
        writes=("base_tables", "base_views", "base_fields", "files"),
    ),
    Tool("bitable_v1_appTable_list", bases.list_tables),
    Tool("bitable_v1_appTableField_list", fields.list_fields),
    Tool("bitable_v1_appTableRecord_create", records.create_record, writes=RECORDS),
    Tool("bitable_v1_appTableRecord_search", records.search_records),
    Tool("bitable_v1_appTableRecord_update", records.update_record, writes=RECORDS),
    Tool("bitable_v1_appTableRecord_batchCreate", records.create_records, writes=RECORDS),
    Tool("bitable_v1_appTableRecord_batchUpdate", records.update_records, writes=RECORDS),
    Tool(
        "task_v2_task_create",
        tasks.create_task,
        writes=("tasks", "task_members", "task_reminders", "tasklist_tasks"),
    ),
    Tool("task_v2_task_get", tasks.get_task),
    Tool("task_v2_task_list", tasks.list_tasks),
    Tool(
        "task_v2_task_patch",
        tasks.patch_task,
        writes=("tasks", "task_members", "task_reminders", "tasklist_tasks"),
    ),
    Tool("task_v2_task_addMembers", tasks.add_members, writes=("tasks", "task_members")),
    Tool("task_v2_task_addReminders", tasks.add_reminders, writes=("tasks", "task_reminders")),
    Tool("wiki_v2_space_getNode", wiki.get_node),
    Tool("wiki_v1_node_search", wiki.search_nodes),
)
