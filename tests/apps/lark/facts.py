"""What the real Lark, behind its own MCP server, does. Behaviour nobody documents says so in ``differs``."""

from farm.testing import Fact

_API = "https://open.feishu.cn/document/server-docs/"
_CALENDAR, _EVENT = _API + "calendar-v4/calendar/", _API + "calendar-v4/calendar-event/"
_ATTENDEE = _API + "calendar-v4/calendar-event-attendee/"
_CONTACT, _CHAT, _MEMBER, _MESSAGE = (
    _API + part for part in ("contact-v3/user/", "group/chat/", "group/chat-member/", "im-v1/message/")
)
_RECORDED = "recorded calls of lark-openapi-mcp 0.5.1"

FACTS = {
    # Envelope
    "error-status": Fact(_RECORDED, "HTTP 400 and above: isError, and the whole body with code, msg and error.log_id."),
    "success-text": Fact(_RECORDED, "A success is one compact JSON text of the body's data member, without isError."),
    "field-violation": Fact(_RECORDED, "Out of range is 99992402 with field_violations of field, value, description."),
    "empty-path": Fact(
        _API + "api-call-guide",
        "An empty path parameter matches no route: 404 page not found.",
        differs="inferred from how the server fills its paths",
    ),
    "person": Fact(
        _RECORDED,
        "Without useUAT the caller is the app's bot.",
        differs="every call acts as the episode's person, with or without useUAT",
    ),
    # Calendars
    "calendar-primary": Fact(_CALENDAR + "primary", "The caller's primary calendar comes in a list with the user id."),
    "calendar-access": Fact(
        _CALENDAR + "get",
        "An id of the wrong form is 191001, an unknown one 191000, a deleted one 191003, too low a role 191002.",
    ),
    "calendar-alias": Fact(
        _CALENDAR + "get",
        "The word primary stands for the caller's primary calendar.",
        differs="inferred from the vendor's command line tool",
    ),
    "calendar-list": Fact(
        _CALENDAR + "list", "Own and followed calendars, 50 to 1000 a page, a sync_token at the end."
    ),
    "calendar-sync": Fact(_CALENDAR + "list", "A sync_token brings what changed since; an unknown one is 190008."),
    "calendar-create": Fact(_CALENDAR + "create", "A shared calendar of the caller, color -14513409 by default."),
    "calendar-search": Fact(
        _CALENDAR + "search",
        "Public calendars and users' primaries by title and description; sizes under 10 count as 10.",
        differs="a primary is found by its owner's other name too",
    ),
    # Events
    "event-create": Fact(_EVENT + "create", "The event comes back whole; nobody is invited; defaults as documented."),
    "event-times": Fact(
        _EVENT + "create",
        "Each time is a date or a timestamp, both of one kind, the start not after the end; else 190002.",
        differs="that an all-day event's end date is its last day is read from the vendor's example",
    ),
    "event-limits": Fact(_EVENT + "create", "Titles hold 1000 characters, descriptions 40960."),
    "event-rule": Fact(
        _EVENT + "create",
        "Recurrence is RFC 5545; COUNT and UNTIL exclude each other.",
        differs="BYSETPOS, BYWEEKNO, BYYEARDAY and smaller frequencies are refused",
    ),
    "event-idempotency": Fact(
        _EVENT + "create", "The same idempotency_key, 32 to 128 characters, gives the same event."
    ),
    "event-writers": Fact(_EVENT + "create", "Writing needs writer or owner on a primary or shared calendar."),
    "event-meeting": Fact(
        _EVENT + "create", "Without vchat a video meeting's address is made when the first attendee comes."
    ),
    "event-ids": Fact(_EVENT + "get", "A malformed event id is 193000, one not on the calendar 193001."),
    "event-attendees": Fact(_EVENT + "get", "need_attendee adds attendees, 10 by default, and has_more_attendee."),
    "event-instance": Fact(
        _EVENT + "get",
        "An instance of a series is named by its start behind the series' id.",
        differs="reading and changing an instance that has no row of its own is inferred",
    ),
    "event-list": Fact(_EVENT + "list", "Series come once, unexpanded; invitations show on the guest's primary."),
    "event-window": Fact(_EVENT + "list", "start_time and end_time come together and exclude tokens and anchor."),
    "event-sync": Fact(
        _EVENT + "list", "A sync_token brings changes, cancelled events too, and excludes times (190009)."
    ),
    "event-anchor": Fact(_EVENT + "list", "anchor_time leaves out events that ended before, but no series."),
    "event-times-only": Fact(
        _CALENDAR + "introduction", "A free_busy_reader sees when events are, not what; private ones stay so."
    ),
    "event-patch": Fact(_EVENT + "patch", "What is absent stays; a new time needs both start and end."),
    "event-patch-guest": Fact(
        _EVENT + "patch",
        "Guests change their own visibility, availability, color and reminders; the rest with can_modify_event.",
    ),
    "event-delete": Fact(_EVENT + "delete", "Deleting gives {}; deleting again is 193003; guests may not (193002)."),
    "event-search": Fact(
        _EVENT + "search", "By words of the title; without times the past month; at least ten a page."
    ),
    # Attendees and free times
    "attendee-add": Fact(
        _ATTENDEE + "create", "The whole list comes back; new people have not answered (needs_action)."
    ),
    "attendee-again": Fact(
        _ATTENDEE + "create", "Inviting somebody again changes nothing.", differs="not documented, inferred"
    ),
    "attendee-room": Fact(
        _ATTENDEE + "create",
        "A room answers by itself after the call: accept, or decline when it is taken.",
        differs="the outcome is there with the next call instead of seconds later",
    ),
    "attendee-group": Fact(_ATTENDEE + "create", "A group brings its members, each with an answer of their own."),
    "attendee-unknown": Fact(_ATTENDEE + "create", "Somebody who left or never was is 195100; no type is 194004."),
    "attendee-ability": Fact(_ATTENDEE + "create", "What guests may do follows from attendee_ability."),
    "attendee-list": Fact(_ATTENDEE + "list", "Pages of 10 to 100; without permission 194001."),
    "attendee-delete": Fact(_ATTENDEE + "batch_delete", "By attendee id or by who it is; a stranger is 194000."),
    "freebusy": Fact(
        _CALENDAR + "list-3", "Busy times of a person or room, series expanded, declined left out, 90 days at most."
    ),
    # Contact
    "batch-ids": Fact(
        _CONTACT + "batch_get_id", "One entry an address, then one a number; unknown ones have no user_id."
    ),
    "batch-most": Fact(_RECORDED, "More than 50 addresses: 99992402, the max len is 50."),
    "user-get": Fact(_CONTACT + "get", "Names, ids, status, departments, leader and job of one colleague."),
    "user-unknown": Fact(_CONTACT + "get", "An unknown open id is 99992351, another bad id 41012, an outsider 41050."),
    # Groups
    "chat-create": Fact(
        _CHAT + "create",
        "The flat group comes back, with the documented defaults; the creator is a member.",
        differs="the creator is the person, not a bot",
    ),
    "chat-create-refused": Fact(_CHAT + "create", "50 people and 5 bots at most; public groups need a name."),
    "chat-uuid": Fact(_CHAT + "create", "The same uuid and owner give the same group for ten hours."),
    "chat-list": Fact(_CHAT + "list", "Groups the caller is in, without chats of two, 1 to 100 a page."),
    "chat-get": Fact(_CHAT + "get-2", "Settings without the id; numbers of users and bots are texts."),
    "chat-unknown": Fact(_CHAT + "get-2", "An unknown chat is 232006, one the caller is not in 232011."),
    "chat-search": Fact(_CHAT + "search", "Own and public groups by name or member; no words find nothing."),
    "members-get": Fact(_MEMBER + "get", "People with names and their total."),
    "members-add": Fact(_MEMBER + "create", "succeed_type says whether those who cannot be added fail the call."),
    "members-approval": Fact(_MEMBER + "create", "Where approval is required, people wait for a manager."),
    "members-remove": Fact(_MEMBER + "delete", "Owner and managers remove others; anybody leaves."),
    # Messages
    "message-send": Fact(
        _MESSAGE + "create",
        "The message comes back as stored; mentions become marks.",
        differs="the sender is the person, not the app's bot",
    ),
    "message-person": Fact(_MESSAGE + "create", "A message to a person goes to the chat of two, made when needed."),
    "message-content": Fact(_MESSAGE + "create", "Content must be JSON that fits the type, else 230001 with an ext."),
    "message-refused": Fact(_MESSAGE + "create", "Outside the chat 230002, moderated 230018, left 230029."),
    "message-uuid": Fact(_MESSAGE + "create", "The same uuid sends once an hour."),
    "message-list": Fact(_MESSAGE + "list", "By time either way, 1 to 50 a page; times in seconds, for chats only."),
    "message-recalled": Fact(
        _MESSAGE + "list", "Recalled messages stay without content.", differs="the text that stands for it is inferred"
    ),
    "message-threads": Fact(_MESSAGE + "list", "In an ordinary group a thread shows as its first message only."),
    "message-get": Fact(_MESSAGE + "get", "A list of one; a merged forward brings what is inside."),
    "message-reply": Fact(_MESSAGE + "reply", "Replies carry root and parent, and the thread when in one."),
    "message-recall": Fact(_MESSAGE + "delete", "Own messages within a day; owners and managers anybody's."),
}
