"""Every tool of the server, in its order, with the tables a call may change."""

from farm.app import Tool

from . import calendars, users

TOOLS = (
    Tool("calendar_v4_calendar_primary", calendars.primary),
    Tool("calendar_v4_calendar_list", calendars.list_calendars),
    Tool("calendar_v4_calendar_get", calendars.get_calendar),
    Tool("calendar_v4_calendar_create", calendars.create_calendar, writes=("calendars", "calendar_subscriptions")),
    Tool("calendar_v4_calendar_search", calendars.search_calendars),
    Tool("contact_v3_user_batchGetId", users.batch_get_id),
    Tool("contact_v3_user_get", users.get_user),
)
