"""The files of a world's Lark: chats, calendars, documents, bases, tasks and wikis, and what was said."""

from farm.appkit.world_spec import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, own

ACCOUNTS = accounts(
    """
    is_tenant_manager?: boolean = false — whether they administer the company's Lark
    joined?: moment — when they joined the company; default: drawn, first who has no manager
    """
)

TENANT = SpecFile(
    "tenant.toml",
    "the company's Lark",
    {"countries": mapping("city of somebody with Lark → its country", 'London = "GB"', is_required=True)},
    is_required=True,
)
CHATS = SpecFile(
    "chats.toml",
    "group chats",
    {
        "chats": many(
            "a group chat",
            """
            key: key — its name in talk
            name: text — its name
            description: text — what it is for
            owner: person — whose it is
            created: moment — when it was made
            members: people — who is in it
            external?: boolean = false — whether people of other companies may be in it
            former?: people — who has left it, and is in its talk
            managers?: people — who manages it beside its owner
            moderation?: text = "all_members" — who may write
            add_member?: text = "all_members" — who may add others
            edit?: text = "all_members" — who may change name and description
            status?: text = "normal" — normal or dissolved
            """,
        )
    },
    is_required=True,
)
APPS = SpecFile(
    "apps.toml",
    "programs that post in chats as bots",
    {
        "apps": many(
            "a program",
            """
            key: key — a name by which talk refers to it
            name: text — its name
            chats: keys — the chats that it is in
            """,
        )
    },
    is_required=True,
)
CALENDARS = SpecFile(
    "calendars.toml",
    "rooms and calendars; everybody with Lark has a primary calendar anyway",
    {
        "rooms": many(
            "a meeting room",
            """
            key: key — a name by which events refer to it
            name: text — its name
            capacity: integer — how many it seats
            location: text — where it is
            disabled?: boolean = false — whether it can no longer be booked
            """,
        ),
        "calendars": many(
            "a shared calendar",
            """
            key: key — a name by which events refer to it
            owner: person — whose it is
            summary: text — its name
            description: text — what it is for
            permissions: text — private, show_only_free_busy or public
            writers?: people — who may change it
            readers?: people — who may see it
            """,
        ),
        "primaries": many(
            "what is unusual about somebody's primary calendar",
            """
            person: person — whose it is
            permissions?: text = "show_only_free_busy" — private, show_only_free_busy or public
            writers?: people — who may change it
            readers?: people — who may see it
            """,
        ),
    },
    is_required=True,
)
EVENTS = SpecFile(
    "events.toml",
    "events",
    {
        "events": many(
            "an event",
            """
            cal: text — the key of a calendar, or of a person for their primary one
            at: time — when it begins: a day and a time, or a day if it has `days`
            title: markup — its title
            min?: integer — how many minutes it takes
            days?: integer — how many whole days it takes
            text?: markup — its description
            place?: text — where it is
            room?: text — the key of a room
            with?: text — who is invited, as keys with spaces; `?` tentative, `!` declined, `*` no answer, `~` optional
            guests?: texts — mail addresses outside of Lark that are invited, too
            repeat?: text — a recurrence rule of RFC 5545, without UNTIL
            status?: text = "confirmed" — confirmed, tentative or cancelled
            free?: boolean = false — whether it leaves its time free
            private?: boolean = false — whether others see only that there is something
            zone?: text — its time zone; default: the world's
            remind?: integer = 5 — how many minutes before it reminds; of whole days 480
            vc?: boolean = true — whether it has a video meeting, if somebody is invited
            made?: moment — when it was made
            by?: person — who made it; default: the calendar's owner
            ability?: text = "can_see_others" — what invited people may do
            """,
        )
    },
)

_SHARED = """
title: text — its title
owner: person — whose it is
created: moment — when it was made
edited: moment — when it was last edited
share?: text = "closed" — who may open it by its link: closed, tenant_readable, tenant_editable …
edit?: people — who may edit it
view?: people — who may read it
chat?: text — the key of a chat whose members may read it
"""
DOCUMENTS = SpecFile(
    "docs/*.md",
    "documents, each named by its key: front matter between +++ lines, and below it the Markdown",
    {"": own(_SHARED)},
)
BASES = SpecFile(
    "bases.toml",
    "bases",
    {
        "bases": many(
            "a base",
            f"key: key — a name by which texts refer to it\n{_SHARED}\ntables: tables — its tables",
            tables=many(
                "a table",
                """
                name: text — its name
                by: person — who made its records
                at: moment — when the first record was made; those without a past day follow it, others their day
                made?: table — a cell that only one record has → when that was made, if at another time
                edited?: table — such a cell → when the record was last edited; default: after what it tells
                fields: tables — its fields
                records: list — its records: lists of values in the order of the fields
                views: tables — its views
                """,
                fields=many(
                    "a field",
                    """
                    name: text — its name
                    type: text — text, number, select, multi, date, checkbox, person, phone, url, currency, progress
                    options?: texts — of select and multi
                    """,
                ),
                views=many(
                    "a view",
                    """
                    name: text — its name
                    type?: text = "grid" — grid, kanban …
                    where?: list — a field, an operator and a value
                    sort?: text — the field that it is sorted by
                    """,
                ),
            ),
        )
    },
    is_required=True,
)
TASKS = SpecFile(
    "tasks.toml",
    "tasks and their lists",
    {
        "lists": many(
            "a list of tasks",
            """
            key: key — a name by which tasks refer to it
            name: text — its name
            owner: person — whose it is
            sections: texts — its sections
            editors: people — who may change it
            viewers: people — who may see it
            """,
        ),
        "tasks": many(
            "a task",
            """
            by: person — who made it
            at: moment — when
            title: markup — its title
            for: text — who is to do it, as keys with spaces
            due: time — until when: a day and a time, or a whole day
            text?: markup — its description
            follow?: text — who follows it, as keys with spaces
            done?: moment — when it was done
            remind?: integer — how many minutes before it reminds
            list?: text — a list and a section: launch/本周
            """,
        ),
    },
    is_required=True,
)
WIKI = SpecFile(
    "wiki.toml",
    "wikis",
    {
        "spaces": many(
            "a wiki",
            """
            key: key — a name by which texts refer to it
            name: text — its name
            description: text — what it is for
            owner: person — whose it is
            admins: people — who administers it
            visibility: text — public or private
            nodes: tables — its nodes
            """,
            nodes=many(
                "a node, which shows a document",
                """
                doc: text — the key of the document
                by: person — who made it
                at: moment — when
                under?: text — the document of the node above; without it the node stands at the top
                """,
            ),
        )
    },
)

FILES = (ACCOUNTS, TENANT, CHATS, APPS, CALENDARS, EVENTS, DOCUMENTS, BASES, TASKS, WIKI, TALK, SCHEDULED_TALK)
