"""The files of a world's Discord: servers with roles and channels, who is in them, and what was said there."""

from farm.appkit.world_spec import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, one

ACCOUNTS = accounts(
    """
    handle: text — the username
    made: moment — when the account was made, which its id tells
    """
)

SERVERS = SpecFile(
    "servers.toml",
    "servers, their roles and channels, and the program whose token the MCP server has",
    {
        "bot": one(
            "the program",
            """
            key: key — a name by which talk refers to it
            name: text — its name
            discriminator: text — four digits
            made: moment — when it was made
            holders: people — who has its token
            """,
        ),
        "emoji": mapping("name of an emoji in talk → the emoji", 'heart = "❤️"', is_required=True),
        "servers": many(
            "a server",
            """
            key: key — a name by which others refer to it
            name: text — its name
            owner: text — whose it is: a person, or a user of users.toml
            made: moment — when it was made
            members: keys — people, users and the program
            description?: text — what it says about itself
            tier?: integer = 0 — its boosts
            filter?: text = "disabled" — whose pictures are checked: disabled, members_without_roles or all_members
            rules?: text — the key of the channel with the rules
            updates?: text — the key of the channel for Discord's notices
            """,
        ),
        "roles": many(
            "a role of a server; one named @everyone is everybody's",
            """
            server: text — the key of its server
            key: key — a name by which others refer to it
            name: text — its name
            position: integer — its rank, from 0
            permissions?: texts — view, send, history, add reactions, manage channels, administrator …
            members?: keys — who has it
            managed?: boolean = false — whether it belongs to a program
            """,
        ),
        "channels": many(
            "a channel or thread",
            """
            server: text — the key of its server
            key: key — its name in talk
            made: moment — when it was made
            kind?: text = "text" — text, announcement, forum, thread, category …
            name?: text — its name; default: its key
            topic?: markup — its topic
            parent?: text — the key of the category, or of a thread's channel
            only?: keys — roles that alone see it
            read_only?: boolean = false — whether people cannot write
            writers?: keys — roles that may write in spite of that
            archived?: boolean = false — whether a thread is archived
            locked?: boolean = false — whether a thread is locked
            """,
        ),
        "webhooks": many(
            "a webhook, which posts under its own name",
            """
            channel: text — the key of its channel
            key: key — a name by which talk refers to it
            name: text — its name
            made: moment — when it was made
            """,
        ),
        "emojis": many(
            "an emoji of a server's own",
            """
            server: text — the key of its server
            name: text — its name
            made: moment — when it was made
            """,
        ),
    },
    is_required=True,
)
USERS = SpecFile(
    "users.toml",
    "members of whom the world knows no more than their names",
    {
        "users": many(
            "a user",
            """
            key: key — a name by which others refer to them
            name: text — the username
            made: moment — when the account was made
            """,
        )
    },
)

FILES = (ACCOUNTS, SERVERS, USERS, TALK, SCHEDULED_TALK)
