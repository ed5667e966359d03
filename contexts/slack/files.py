"""The files of a world's Slack: a workspace with its channels, programs that post, and what was said."""

from farm.appkit.world_spec import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, one, own

ACCOUNTS = accounts(
    """
    role?: text = "member" — member, admin, owner or primary owner
    joined?: moment — when they got their account; their profile changed later
    """
)

WORKSPACE = SpecFile(
    "workspace.toml",
    "the workspace",
    {
        "": own("emoji?: texts — emoji of the workspace's own"),
        "bot": one(
            "the app of the MCP server, as which the tools post",
            """
            name: text — its username
            real_name: text — its name
            """,
        ),
        "time_zones": mapping(
            "time zone of a member → what Slack calls it",
            '"UTC" = "Coordinated Universal Time"',
            is_required=True,
        ),
    },
    is_required=True,
)
CHANNELS = SpecFile(
    "channels.toml",
    "channels and direct messages",
    {
        "channels": many(
            "a channel, a direct message or a group of direct messages",
            """
            key: key — its name, also in talk
            creator: person — who made it
            created: moment — when
            members: people — who is in it
            kind?: text = "channel" — channel, im (two people) or mpim (more)
            purpose?: markup — what it is for
            topic?: markup — its topic
            topic_set?: moment — when the topic was set; default: within two working days before day 0
            private?: boolean = false — whether only members see it
            archived?: boolean = false — whether it is archived
            """,
        )
    },
    is_required=True,
)
APPS = SpecFile(
    "apps.toml",
    "programs that post",
    {
        "apps": many(
            "a program; with a handle it is a user, without one an incoming webhook",
            """
            key: key — a name by which talk refers to it
            name: text — its name
            handle?: text — its username
            emoji?: text — the emoji that is the picture of a webhook
            channels?: keys — the channels that a user is in
            """,
        )
    },
)

FILES = (ACCOUNTS, WORKSPACE, CHANNELS, APPS, TALK, SCHEDULED_TALK)
