"""The files of a world's WeCom: one group chat, its robot, and what the robot said."""

from farm.appkit.world_spec import SpecFile, accounts, many, one

ACCOUNTS = accounts("handle: text — the person's userid")

GROUP = SpecFile(
    "group.toml",
    "the group chat, its robot, and the machine that the robot's server runs on",
    {
        "chat": one(
            "the group chat",
            """
            name: text — its name
            created: moment — when it was made
            members: people — who is in it; each has an account
            """,
        ),
        "robot": one(
            "the robot that posts in the chat",
            """
            name: text — its name
            created_by: person — who added it
            """,
        ),
        "server": one(
            "the machine of the robot's MCP server, which uploads files from it",
            """
            folder: text — a folder, as an absolute path
            files: table — path below the folder → size in bytes
            """,
        ),
    },
    is_required=True,
)

POSTS = SpecFile(
    "posts.toml",
    "what the robot said and uploaded, in order of time",
    {
        "posts": many(
            "a message; it has one of text, markdown, image and title",
            """
            at: moment — when it was sent
            text?: markup — a plain text
            markdown?: markup — a text in WeCom's Markdown
            image?: text — what a picture shows; it has size_bytes, too
            title?: markup — the title of a card; it has description and url, too
            description?: markup — the card's second line
            url?: markup — where the card leads to
            size_bytes?: integer — the picture's size
            mention?: people — whom a plain text mentions
            """,
        ),
        "uploads": many(
            "a file that the robot uploaded; WeCom keeps it for three days",
            """
            at: moment — when
            file: text — its path below the server's folder
            """,
        ),
    },
    is_required=True,
)

FILES = (ACCOUNTS, GROUP, POSTS)
