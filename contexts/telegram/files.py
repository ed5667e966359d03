"""The files of a world's Telegram: chats and bots, what accounts keep to themselves, and what was said."""

from farm.appkit.world_spec import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, own

ACCOUNTS = accounts(
    """
    about?: text — what they say about themselves
    status?: text = "recently" — when they were last seen: online, offline, recently, last_week, last_month
    first?: text — the first name; default: from the name
    last?: text — the last name
    """
)

CHATS = SpecFile(
    "chats.toml",
    "chats of every kind",
    {
        "chats": many(
            "a chat",
            """
            key: key — its name in talk
            kind: text — private, group, supergroup or channel
            title?: text — its title; a private chat has none
            with?: person — the other person of the protagonist's private chat
            between?: people — the two people of anybody's private chat; one name twice: what they save for themselves
            creator?: person — who made it
            created?: moment — when
            members?: keys — people and bots, beside creator and admins
            more_members?: integer = 0 — how many are only counted beside those: subscribers of a public channel
            admins?: people — who administers it
            username?: text — the name by which it is public
            about?: text — what it says about itself
            banned?: texts — what members may not do: send_messages, send_media …, as Telegram's API has it
            reactions?: texts — the reactions that are allowed
            slow_mode_s?: integer = 0 — how many seconds members wait between messages
            unread?: integer = 0 — how many messages the protagonist has not read
            pin?: integer — its place among the chats that the protagonist has pinned, from 1
            muted?: boolean = false — whether the protagonist has muted it
            verified?: boolean = false — whether Telegram has verified it
            guarded?: boolean = false — whether its messages cannot be forwarded
            """,
        )
    },
    is_required=True,
)
BOTS = SpecFile(
    "bots.toml",
    "bots",
    {
        "bots": many(
            "a bot",
            """
            key: key — a name by which talk refers to it
            name: text — its name
            username: text — its username
            about?: text — what it says about itself
            commands?: table — command → what it does
            chats?: keys — the chats that it is in
            posts?: tables — { begins, buttons }: the rows of buttons below its messages that begin so
            """,
        )
    },
)
USERS = SpecFile(
    "users.toml",
    "users of whom the world knows no more than the name",
    {
        "users": many(
            "a user",
            """
            key: key — a name by which talk refers to them
            name: text — the name they gave Telegram
            chats: keys — the groups, supergroups and channels that they are in
            username?: text — their username
            status?: text = "recently" — when they were last seen: recently, last_week, last_month
            """,
        )
    },
)
_KEPT = {
    "": own(
        """
        sticker_sets?: texts — titles of sticker sets
        folders?: texts — folders on the machine of the MCP server
        """
    ),
    "contacts": many(
        "a contact",
        """
        person: person — who it is
        first?: text — the first name that the account's owner gave
        last?: text — the last name
        mutual?: boolean = true — whether the owner is in their contacts, too
        """,
    ),
    "blocked": many(
        "somebody who is blocked",
        """
        person: person — who it is
        at: moment — since when
        """,
    ),
    "drafts": many(
        "a text that waits in a chat",
        """
        chat: text — the key of the chat
        text: markup — the text
        at: moment — when it was typed
        """,
    ),
    "lists": many(
        "a folder of the list of chats",
        """
        title: text — its title
        emoticon?: text — its emoji
        chats?: keys — chats that are in it
        filters?: texts — contacts, non_contacts, groups, broadcasts, bots, exclude_muted, exclude_read …
        """,
    ),
    "later": many(
        "a message that is to be sent later",
        """
        chat: text — the key of the chat
        text: markup — the text
        at: moment — when it is sent
        """,
    ),
    "files": mapping("path on the machine of the MCP server → size in bytes", '"/home/ada/desk.jpg" = 482133'),
    "privacy": mapping("setting → its rules, as Telegram's API has them", "status_timestamp = []"),
}
ACCOUNT = SpecFile(
    "account.toml",
    "what the protagonist's account keeps, and the world's invitations and photos",
    {
        **_KEPT,
        "invites": mapping("code of an invitation → the key of its chat", '"Kq7RmB2xT0ePzW9a" = "example"'),
        "photos": mapping("person, bot or chat → since when it has its photo", '"ada" = "-210 20:00"'),
    },
    is_required=True,
)
HOLDERS = SpecFile(
    "holders/*.toml",
    "what the account of another person keeps; the file's name is the person's key, and every chat of theirs is listed",
    {
        **_KEPT,
        "dialogs": many(
            "how a chat stands in the owner's list; chats without an entry are read, not pinned and not muted",
            """
            chat: text — the key of the chat
            unread?: integer = 0 — how many messages the owner has not read
            pin?: integer — its place among the chats that the owner has pinned, from 1
            muted?: boolean = false — whether the owner has muted it
            archived?: boolean = false — whether it is in the owner's archive
            """,
        ),
    },
    is_of_person=True,
)

FILES = (ACCOUNTS, CHATS, BOTS, USERS, ACCOUNT, HOLDERS, TALK, SCHEDULED_TALK)
