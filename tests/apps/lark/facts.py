"""What the real Lark, behind its own MCP server, does. Behaviour nobody documents says so in ``differs``."""

from farm.testing import Fact

_API = "https://open.feishu.cn/document/server-docs/"
_CALENDAR, _EVENT = _API + "calendar-v4/calendar/", _API + "calendar-v4/calendar-event/"
_ATTENDEE = _API + "calendar-v4/calendar-event-attendee/"
_CONTACT, _CHAT, _MEMBER, _MESSAGE = (
    _API + part for part in ("contact-v3/user/", "group/chat/", "group/chat-member/", "im-v1/message/")
)
# Clients that say what the live service does; the second notes what it tried out itself.
_VENDOR_CLI = "github.com/larksuite/cli "
_FEISHU_CLI = "github.com/riba2534/feishu-cli at 21fb56a, "
_RECORDED = "recorded calls of lark-openapi-mcp 0.5.1"
_DOCX, _DRIVE, _BASE, _WIKI = (_API + f"docs/{part}/" for part in ("docs/docx-v1", "drive-v1", "bitable-v1", "wiki-v2"))
_SEARCH = "https://open.feishu.cn/document/docs/bitable-v1/app-table-record/search"
_FILTER = "https://open.feishu.cn/document/docs/bitable-v1/app-table-record/record-filter-guide"
_CELLS = "https://open.feishu.cn/document/docs/bitable-v1/app-table-record/bitable-record-data-structure-overview"
_TASK, _TASKS = "https://open.feishu.cn/document/task-v2/task/", "https://open.feishu.cn/document/task-v2/overview"
_SHARE = _API + "docs/permission/permission-member/create"

FACTS = {
    # Envelope
    "error-status": Fact(_RECORDED, "HTTP 400 and above: isError, and the whole body with code, msg and error.log_id."),
    "success-text": Fact(_RECORDED, "A success is one compact JSON text of the body's data member, without isError."),
    "key-order": Fact(
        "live answers kept in public code and notes: a file sent, the fields of a base, a wiki node, a task",
        "The members of data come in the order of their keys at every level; a refusal is code, msg, error.",
        differs="seen for messages, wiki nodes, tasks, bases and fields, and taken to hold for every endpoint",
    ),
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
    "token": Fact(
        _API + "authentication-management/access-token/access-token-guide",
        "A token that is no user's is refused as 99991668, with HTTP 400.",
        differs="so is every call of an episode without a world, in which nobody is signed in",
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
        "Public calendars and users' primaries by title and description; up to 50 a page, and no least size.",
        differs="a primary is found by its owner's other name too; that a size below 1 counts as 1 is inferred",
    ),
    "calendar-bodies": Fact(
        "bodies/*.json beside this file, each with its source",
        "The calendar and task tools answer with the members, types, nesting and forms of real bodies.",
    ),
    "open-fields": Fact(
        "the tool list of lark-mcp 0.5.1",
        "The cells of a record may be anything; every other part of a schema says a type.",
    ),
    # Events
    "event-create": Fact(
        _EVENT + "create; the vendor's plugin larksuite/openclaw-lark at a2f0273, skills/feishu-calendar/SKILL.md",
        "The event comes back whole; nobody is invited, not even the caller; defaults as documented.",
    ),
    "event-times": Fact(
        _EVENT + "create",
        "Each time is a date or a timestamp from 1 to 16725225600, both of one kind, the start not after the end; else 190002.",
    ),
    "event-all-day": Fact(
        _VENDOR_CLI
        + "shortcuts/calendar/calendar_get.go, skills/…/lark-calendar-create.md; "
        + _FEISHU_CLI
        + "internal/client/calendar.go",
        "The end date of an all-day event is its last day in requests and the day after it in answers.",
    ),
    "event-limits": Fact(
        _EVENT + "introduction and create (the rules below each parameter)",
        "Titles hold 1000 characters, descriptions 40960, rules and addresses 2000; 10 hosts, reminders of 20160 minutes; "
        "else 99992402.",
        differs="how a violation names a parameter inside another is inferred",
    ),
    "event-place": Fact(
        _EVENT + "create and introduction (their examples)",
        "Coordinates come back in single precision.",
        differs="that those no place has are refused with 190002 is inferred",
    ),
    "event-attachments": Fact(_EVENT + "create", "A file token that is none is 193105."),
    "event-hosts": Fact(_EVENT + "patch", "Only the organizer names a meeting's hosts, else 193102."),
    "event-answer": Fact(
        _EVENT + "introduction; self_rsvp_status in the API description that ships with " + _VENDOR_CLI,
        "An event shows what its calendar's person answered; what is not answered yet is tentative.",
        differs="that the organizer's own calendar says accept, and that a shared one says nothing, is inferred",
    ),
    "event-link": Fact(
        _FEISHU_CLI + "internal/client/calendar.go (CalendarEvent.AppLink)",
        "app_link carries the reader's own calendar and is of no use to others.",
        differs="on a colleague's calendar, which nobody recorded, it is that calendar",
    ),
    "event-rule": Fact(
        _EVENT + "create",
        "Recurrence is RFC 5545; COUNT and UNTIL exclude each other.",
        differs="BYSETPOS, BYWEEKNO, BYYEARDAY and smaller frequencies are refused",
    ),
    "event-idempotency": Fact(
        _EVENT + "create", "The same idempotency_key, 32 to 128 characters, gives the same event."
    ),
    "event-writers": Fact(
        _EVENT + "create, patch, delete and " + _ATTENDEE + "create, batch_delete",
        "Writing needs writer or owner on a primary or shared calendar, else 191002 or 191004.",
    ),
    "event-meeting": Fact(
        _EVENT + "create and a live event in github.com/damee-j/mcp-lark DATA_STRUCTURE.md",
        "Without vchat a meeting's address comes with the first attendee; only third parties' have icon and words.",
    ),
    "event-ids": Fact(_EVENT + "get", "A malformed event id is 193000, one not on the calendar 193001."),
    "event-attendees": Fact(_EVENT + "get", "need_attendee adds attendees, 10 by default, and has_more_attendee."),
    "event-instance": Fact(
        _EVENT
        + "get; "
        + _VENDOR_CLI
        + "skills/lark-calendar/SKILL.md; "
        + _FEISHU_CLI
        + "internal/client/calendar_recurring.go",
        "An instance, named by its start behind the series' id, is read, changed and deleted alone.",
    ),
    "event-list": Fact(_EVENT + "list", "Series come once, unexpanded; invitations show on the guest's primary."),
    "event-types": Fact(
        _EVENT + "list and search",
        "Primary, shared and room calendars are listed, primary and shared ones searched; others are 191004.",
    ),
    "event-pages": Fact(
        _EVENT + "list (the page's tip)",
        "A page_token comes only where anchor_time was given.",
        differs="what a longer list says without one is inferred: has_more, and no token; pages of changes go on",
    ),
    "event-deleted": Fact(
        _FEISHU_CLI
        + "skills/…/calendar/references/basic-commands.md; "
        + _VENDOR_CLI
        + "shortcuts/calendar/calendar_get.go",
        "A deleted event is still read and listed, with status cancelled; changing or deleting it is 193003.",
    ),
    "event-delete-series": Fact(
        _VENDOR_CLI
        + "pull 1723 (lark-calendar-recurring.md); "
        + _FEISHU_CLI
        + "internal/client/calendar.go (DeleteEvent)",
        "Deleting a series leaves the instances that were changed before.",
    ),
    "event-window": Fact(_EVENT + "list", "start_time and end_time come together and exclude tokens and anchor."),
    "event-sync": Fact(
        _EVENT + "list", "A sync_token brings changes, cancelled events too, and excludes times (190009)."
    ),
    "event-anchor": Fact(_EVENT + "list", "anchor_time leaves out events that ended before, but no series."),
    "event-times-only": Fact(
        _API + "calendar-v4/calendar-faq",
        "A free_busy_reader sees the titles of public events, a reader also those by default, a writer private ones.",
        differs="the list's page asks for a reader; the questions and answers and we let a free_busy_reader in",
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
    "event-search-underscore": Fact(
        _EVENT + "search",
        "A title with an underscore must be searched for exactly.",
        differs="what exactly means is inferred: a word with an underscore counts as a whole, the title's others as always",
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
    "attendee-group": Fact(
        _ATTENDEE + "create; " + _VENDOR_CLI + "shortcuts/calendar/calendar_list_attendees.go",
        "A group brings its members, each with an answer of their own; it has none itself (needs_action).",
    ),
    "attendee-optional": Fact(
        _ATTENDEE + "introduction", "Whether a group is optional does not count for its members."
    ),
    "attendee-outside": Fact(
        _ATTENDEE + "introduction", "Somebody of another company is told by open_id or union_id, never by user_id."
    ),
    "attendee-contact": Fact(
        _ATTENDEE + "create", "A room's operate_id is invited, too, unless add_operator_to_attendee is false."
    ),
    "attendee-unknown": Fact(
        _ATTENDEE + "create",
        "Somebody who left, never was or is of another company than the organizer is 195100; no type is 194004.",
        differs="that the code for another company is this one is read from its words, not in the tenant",
    ),
    "attendee-ability": Fact(_ATTENDEE + "create", "What guests may do follows from attendee_ability."),
    "attendee-list": Fact(_ATTENDEE + "list", "Pages of 10 to 100; without permission 194001."),
    "attendee-delete": Fact(
        _ATTENDEE + "batch_delete", "By attendee id or by who it is; a stranger is 194000; organizers only (194003)."
    ),
    "attendee-removed": Fact(
        _FEISHU_CLI + "skills/…/calendar/references/basic-commands.md; " + _ATTENDEE + "introduction",
        "Who was taken off stays in the list, with rsvp_status removed.",
        differs="that an invitation after that takes the old place is inferred",
    ),
    "freebusy": Fact(
        _CALENDAR + "list-3",
        "Busy times of a person or room, series expanded, 90 days at most.",
        differs="that declined events are left out and times come by start is inferred",
    ),
    "freebusy-answers": Fact(
        _CALENDAR + "list-3", "rsvp_status comes where need_rsvp_status asks for it; the tool has no such argument."
    ),
    "other-bodies": Fact(
        "bodies/*.json beside this file, each with its source",
        "The tools of contacts, groups, messages, documents, bases and wikis answer with the members, types, nesting and "
        "forms of real bodies, and in their order.",
    ),
    # Contact
    "batch-ids": Fact(
        _CONTACT + "batch_get_id", "One entry an address, then one a number; unknown ones have no user_id."
    ),
    "batch-most": Fact(_RECORDED, "More than 50 addresses: 99992402, the max len is 50."),
    "user-get": Fact(_CONTACT + "get", "Names, ids, status, departments, leader and job of one colleague."),
    "user-unknown": Fact(
        _CONTACT + "get",
        "An open id nobody has, of whatever form, is 99992351, another 41012, an outsider 41050 (live text).",
    ),
    # Groups
    "chat-create": Fact(
        _CHAT + "create",
        "The flat group comes back, with the documented defaults; the creator is a member.",
        differs="the creator is the person, not a bot",
    ),
    "chat-create-refused": Fact(
        _CHAT + "create",
        "50 people and 5 bots at most; public groups need a name; ids in the lists that are of no use are 232043, "
        "whose ext names them, people who resigned 232022, an owner of another company 232032.",
        differs="of the words after ext, those for bots are inferred",
    ),
    "chat-uuid": Fact(_CHAT + "create", "The same uuid and owner give the same group for ten hours."),
    "chat-list": Fact(_CHAT + "list", "Groups the caller is in, without chats of two, 1 to 100 a page."),
    "chat-get": Fact(
        _CHAT + "get-2",
        "Settings without the id, numbers of users and bots as texts; a chat of two without owner and rules; from outside "
        "name, picture, status and number of people.",
        differs="from outside a private group is 232011, which the documentation lists as well",
    ),
    "chat-unknown": Fact(_CHAT + "get-2", "An unknown chat is 232006, one the caller is not in 232011."),
    "chat-search": Fact(_CHAT + "search", "Own and public groups by name or member; no words find nothing."),
    "members-get": Fact(
        _MEMBER + "get",
        "People with names and their total; who joined at one time comes together, however long the page.",
    ),
    "members-add": Fact(
        _MEMBER + "create",
        "succeed_type 0 fails for ids that don't exist (99992351, 99992360 or 99992364 by their type) or that cannot "
        "be seen, and passes over people who resigned; 1 adds whom it can; 2 fails for any of them with 232043, which "
        "names them. Nobody at all is 232027, another company's people 232028.",
        differs="how 232043 names several ids, that it stands for unknown bots too, and that over 50 people or 5 bots are "
        "99992402, is inferred",
    ),
    "members-approval": Fact(_MEMBER + "create", "Where approval is required, people wait for a manager."),
    "members-remove": Fact(
        _MEMBER + "delete",
        "Owner and managers remove others, but not the owner (232076); anybody leaves, an owner only when another is "
        "left (232029); nobody who exists is 232027.",
        differs="that others get 232017 is inferred",
    ),
    # Messages
    "message-send": Fact(
        _MESSAGE + "create",
        "The message comes back as stored; mentions become marks.",
        differs="the sender is the person, not the app's bot",
    ),
    "message-id": Fact(
        "live answers and events since 2025 kept in public code and notes, among them m1heng/clawdbot-feishu pull 60",
        "A message's id is om_x100b and 27 hexadecimal digits; before 2025 it was om_ and 32.",
    ),
    "message-person": Fact(_MESSAGE + "create", "A message to a person goes to the chat of two, made when needed."),
    "message-content": Fact(
        "https://open.feishu.cn/document/faq/trouble-shooting/how-to-resolve-error-230001",
        "Content must be JSON that fits the type, else 230001 whose ext says what is wrong: the type, the format, a "
        "post's wrong tag or the field a tag lacks, a key or an id that does not exist.",
        differs="an ext of two parts is put together as live answers to wrong tags and missing texts are; a key nobody "
        "here ever sent does not exist",
    ),
    "message-card": Fact(
        _API + "im-v1/message-content-description/message_content",
        "A card is read as a title and paragraphs of tags; of one of version 2.0 a sentence stands for all. What is wrong "
        "with one sent is 230099 with a code of its own.",
        differs="which components give which tags is read from the one example; others give none",
    ),
    "message-markdown": Fact(
        _API + "im-v1/message-content-description/create_json",
        "The md tag of a post has paragraphs to itself and is read as the tags it stands for; of quotes and lists the text.",
        differs="that their signs stay, and how a line is cut into tags, is inferred",
    ),
    "message-styles": Fact(
        _API + "im-v1/message-content-description/message_content",
        "Bold, italic, underline and strike-through of a text are left out when it is read; unpaired signs stay.",
    ),
    "message-refused": Fact(
        _MESSAGE + "create", "Outside the chat 230002, dissolved 232009, moderated 230018, left the company 230029."
    ),
    "id-not-exist": Fact(
        "https://github.com/larksuite/openclaw-lark/issues/149 and openclaw/openclaw pull 135404",
        "An open id nobody has, of whatever form, is 99992351, a message's id 99992354, and the sentence names it.",
        differs="the live answers have field_violations besides; the example of a message's id is inferred",
    ),
    "message-uuid": Fact(_MESSAGE + "create", "The same uuid sends once an hour."),
    "message-list": Fact(
        _MESSAGE + "list",
        "By time either way, 1 to 50 a page; times in seconds, for chats only; a page_token goes with what was asked.",
    ),
    "message-recalled": Fact(
        _MESSAGE + "list",
        "A recalled message stays; in a list This message was recalled stands for what it said, alone it has no content.",
    ),
    "message-threads": Fact(_MESSAGE + "list", "In an ordinary group a thread shows as its first message only."),
    "message-get": Fact(_MESSAGE + "get", "A list of one; a merged forward brings what is inside."),
    "message-bodies": Fact(
        _API + "im-v1/message-content-description/message_content",
        "Each type has members of its own; a card shows its title and its lines of parts, without colours and layout.",
    ),
    "message-system": Fact(
        "two public notes on recorded histories of groups, 2026",
        "The sender of a system message is empty, and its content has the four members template, from_user, to_chatters "
        "and divider_text, whatever the template asks for.",
        differs="that tenant_key is empty, too, is inferred",
    ),
    "message-reply": Fact(
        _MESSAGE + "reply",
        "Replies carry root and parent, and the thread when in one, where the parent is always the first message; to a "
        "recalled message 230011, in the live service's words (zarazhangrui/lark-coding-agent-bridge issue 260).",
    ),
    "message-recall": Fact(
        _MESSAGE + "delete",
        "Own messages within the time the company sets; owners and managers anybody's within a year; then 230009.",
        differs="the time is a day; that owners and managers have the year for their own, too, and that recalling again "
        "is 230110, is inferred",
    ),
    # Documents
    "doc-create": Fact(_DOCX + "document/create", "A new document is empty, revision 1, with a title or none."),
    "doc-create-refusals": Fact(
        _DOCX + "document/create", "Folder missing 1770039, not mine 1770040; titles hold 800."
    ),
    "doc-raw": Fact(_DOCX + "document/raw_content", "The plain text is the title and one line for each block."),
    "doc-raw-language": Fact(
        _DOCX + "document/raw_content", "lang 1 shows mentioned people under their English names."
    ),
    "doc-raw-refusals": Fact(
        _DOCX + "document/raw_content and https://github.com/Wsine/feishu2md/issues/179",
        "Ids have 27 characters; 1770002, 1770003, 1770032 (403, forBidden in that writing).",
    ),
    "doc-visible": Fact(
        _API + "docs/permission/permission-overview",
        "Owner, collaborators (people, chats, departments), links inside the company, folders and wikis let one read.",
        differs="who may what in a wiki is simplified: admins everything, members edit, everybody reads a public one",
    ),
    "doc-import": Fact(
        _DRIVE + "import_task/get",
        "A Markdown text becomes a document; the answer is the finished task, named by file_name.",
        differs="without file_name we take the stem of docx.md, the name the server uploads under",
    ),
    "doc-import-refusals": Fact(_RECORDED, "A refused upload is isError with the server's own sentence as msg."),
    "doc-import-cut": Fact(
        _DRIVE + "import_task/get", "What is too large is cut; extra holds 1000, 1001, 1002 or 1003."
    ),
    "doc-search": Fact(
        _DRIVE + "search/document-search",
        "Files the person may see, by words of title and text.",
        differs="ranking is ours: titles first, then the newest",
    ),
    "doc-search-content": Fact(
        _DRIVE + "search/document-search",
        "Files of every type are found by what they hold as well: the answer shown has sheets without the word in the title.",
        differs="what of a base counts is inferred: names of tables and fields, and what records say; the sheets, slides "
        "and mind maps of a world have titles only",
    ),
    "doc-search-narrow": Fact(
        _DRIVE + "search/document-search", "doc means old and new documents; owners and chats narrow."
    ),
    "doc-search-window": Fact(
        _DRIVE + "search/document-search",
        "count is 0 to 50, offset plus count below 200.",
        differs="the refusal's code and the default count, 10, are inferred",
    ),
    # Permissions
    "share": Fact(_SHARE, "A collaborator is named by id or mail; the answer repeats the request with its type."),
    "share-again": Fact(_SHARE, "A role already larger than the one asked for is 1063003."),
    "share-refusals": Fact(
        _SHARE,
        "1063001 for what does not exist or fit, 1063002 and 1063004 for too few rights, 1063003, 1063005.",
        differs="who may share is fixed: those who may edit, up to what they may themselves",
    ),
    "share-wiki": Fact(_SHARE, "Pages are shared alone or with those below; a space's members need type."),
    # Bases
    "base-envelope": Fact(
        "https://github.com/larksuite/lark-openapi-mcp/issues/51",
        "A base's refusal with status 200 reaches the agent whole, without data, and is no error; 403 is one.",
        differs="the recorded scripted backend sent data {}, which the server shows as {}",
    ),
    "base-create": Fact(
        _BASE
        + "app/create, and larksuite/openclaw-lark skills/feishu-bitable, openclaw/openclaw pulls 17963 and 40602",
        "A new base has one table, whose ten rows are empty; a table made later has none.",
        differs="the table's four fields are those of a Chinese tenant, from experience",
    ),
    "base-create-refusals": Fact(_BASE + "app/create", "1254031 name, 1254701 and 1254702 folder, 1254800 time zone."),
    "base-access": Fact(
        _BASE + "app-table-field/list",
        "1254003/1254040 base, 91403 no access, 1254302 read only, 1254004/1254041 table.",
        differs="which of 91403 and 1254302 comes when is inferred",
    ),
    "base-pages": Fact(_BASE + "app-table/list", "0 is 1254011, above 100 99992402, a strange page_token 1254002."),
    "table-list": Fact(_BASE + "app-table/list", "The page token is the id of the page's last table, always there."),
    "field-list": Fact(
        _BASE + "app-table-field/list", "Keys in order, property null when empty, description by request."
    ),
    "view-refusals": Fact(_SEARCH, "A malformed view is 1254005, an unknown one 1254042."),
    "table-create": Fact(_BASE + "app-table/create", "View and field ids come back when the request named fields."),
    "table-create-links": Fact(_BASE + "app-table-field/guide", "A two-way link makes a field table-field over there."),
    "table-create-refusals": Fact(
        _BASE + "app-table/create",
        "Names, primary types, guises, duplicates and numbers have codes of their own.",
        differs="signs a table's name may not have, and none given, have no documented code; they are 1254001 here",
    ),
    "platform-lengths": Fact(
        "the rules of validation on each endpoint's page, also kept in vicenteyu/FeishuNetSdk",
        "What is too long or too short by a parameter's rule is 99992402, whatever else is wrong.",
        differs="value is left out for lists, of which none is on record",
    ),
    # Records
    "record-shape": Fact(
        _CELLS, "Text is segments, people and files are objects, links link_record_ids; empty is left out."
    ),
    "record-links-in-text": Fact(
        "a public note on keeping a list of servers in a base, June 2025",
        "An address in a text is a segment of its own, with its link; a bare name gets http://.",
        differs="which names count is inferred: those in com, cn, net, org and io",
    ),
    "record-automatic": Fact(_SEARCH, "automatic_fields adds maker, changer and both times."),
    "record-pages": Fact(_SEARCH, "1 to 500 a page; page_token only when there is more."),
    "record-filter": Fact(
        _FILTER,
        "What an operator means depends on the field's type.",
        differs="contains ignores case; a condition with [] where a value belongs is passed over",
    ),
    "record-filter-dates": Fact(
        _FILTER,
        "Dates compare by days of the base's zone, with words for days, weeks and months.",
        differs="whether the last and next seven or thirty days count today is inferred: they do",
    ),
    "record-filter-refusals": Fact(_FILTER, "Formulas, like, in and what does not fit are InvalidFilter 1254018."),
    "record-sort": Fact(
        _SEARCH, "By any field, several keys.", differs="empty cells come last, options in their order; undocumented"
    ),
    "record-search-refusals": Fact(_SEARCH, "Unknown fields are 1254016 in sort and 1254024 in field_names."),
    "record-view": Fact(_SEARCH, "A view filters a search that has neither filter nor sort of its own."),
    "record-create": Fact(
        _BASE + "app-table-record/create", "The answer echoes the cells as written, id equals record_id."
    ),
    "record-person-ids": Fact(_BASE + "app-table-record/create", "People's ids must be of user_id_type, else 1254066."),
    "record-options": Fact(_BASE + "app-table-record/create", "A value that is no option yet becomes one."),
    "record-conversion": Fact(
        _BASE + "app-table-record/create",
        "Each kind of field has its code for a value of another kind.",
        differs="fields that fill themselves, places and groups are 1254015; undocumented",
    ),
    "record-conversion-text": Fact(
        "live bodies quoted in public issues and notes", "error.message quotes the value as Go prints it."
    ),
    "record-update": Fact(_BASE + "app-table-record/update", "Only the cells named change; null empties one."),
    "record-update-refusals": Fact(_BASE + "app-table-record/update", "A malformed id is 1254006, an unknown 1254043."),
    "record-batch": Fact(_BASE + "app-table-record/batch_create", "Up to 1000, all or none."),
    "record-limit": Fact(_BASE + "app-table-record/create", "A table holds 20 000 records, then 1254103."),
    "record-idempotent": Fact(_BASE + "app-table-record/create", "A client_token, a UUID of version 4, writes once."),
    "record-links": Fact(_CELLS, "Both ends of a two-way link show it."),
    # Tasks
    "task-shape": Fact(
        _TASK + "create; bodies/task_v2_task_get.json",
        "A task as shown: 0 means open; source 7 is a user's token; people without names, the creator without a role; "
        "reminders, assignees' completion, attachments and custom fields are left out when there are none.",
        differs="the documentation gives members a name, which no recording of 2024 to 2026 shows",
    ),
    "task-create": Fact(_TASK + "create", "Members, reminder, lists, origin and the rest come back."),
    "task-days": Fact(_TASK + "overview", "Moments are cut to seconds, dates to days in UTC; 0 means none."),
    "task-create-refusals": Fact(
        _TASKS,
        "1470400 says in the message which parameter is wrong and why.",
        differs="the words after the parameter are documented for four cases only",
    ),
    "task-lengths": Fact(
        _TASK + "create, patch, add_members (the rules below each parameter)",
        "Texts other than title and description that are too long, and ids of a document that are not of 27 characters, "
        "are 99992402.",
        differs="how a violation names a parameter inside another is inferred",
    ),
    "task-idempotent": Fact(_TASKS, "A client_token makes one task within five minutes."),
    "task-ids": Fact(_TASKS, "user_id_type changes people's ids in request and answer."),
    "task-rights": Fact(_TASK + "overview", "Creator, assignees and list editors edit; followers and viewers read."),
    "task-missing": Fact("the vendor's command line tool's tests", "1470404: The task with guid '…' cannot be found …"),
    "task-list": Fact(
        _TASK + "list",
        "Tasks one is an assignee of, 1 to 100 a page.",
        differs="oldest first; the order people drag them into is not kept",
    ),
    "task-list-refusals": Fact(_TASK + "list", "Only my_tasks; sizes out of range are refused."),
    "task-patch": Fact(_TASKS, "update_fields says what changes; named but not given means emptied."),
    "task-patch-refusals": Fact(_TASKS, "summary cannot be emptied; rule and completion do not change together."),
    "task-done": Fact(
        "an open-source client's tests (SummitWorkbench, September 2026), which hold the live service's refusal",
        "completed_at completes once; 0 reopens; the refusal names task.completed_at and the way out.",
    ),
    "task-countersign": Fact(
        _TASK + "patch (1470500 among its errors)",
        "A task that every assignee must complete is completed and reopened by its creator only, else 1470500.",
    ),
    "task-repeat": Fact(_TASK + "overview", "Completing a repeating task makes the next and takes the rule away."),
    "task-members": Fact(_TASK + "add_members", "Members who are there already are passed over."),
    "task-members-refusals": Fact(
        _TASK + "add_members",
        "1470610 and 1470611 for too many, 1470500 for ids nobody has.",
        differs="the limits, 50 assignees and 200 followers, are inferred",
    ),
    "task-reminders": Fact(
        _TASK + "add_reminders", "One reminder, before the due time, which must be set; else 1470613."
    ),
    # Wikis
    "wiki-node": Fact(_WIKI + "space-node/get_node", "A page by its token or its file's token and type."),
    "wiki-node-refusals": Fact(
        _WIKI + "space-node/get_node", "131005 says what is not found, 131006 what is not allowed."
    ),
    "wiki-search": Fact(_WIKI + "search_wiki", "Readable pages, types as numbers, parent_id empty, 1 to 50 a page."),
    "wiki-search-refusals": Fact(
        _WIKI + "search_wiki", "10001 with status 200: long queries, a node without its space."
    ),
    "wiki-members": Fact(_WIKI + "wiki-overview", "Members of a private space read its pages."),
}
