"""The files of a world's WeCom: group chats and their robots, what people and robots said, and people's servers."""

from farm.appkit.world_spec import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, one, own

ACCOUNTS = accounts("handle: text — the person's userid")

_CHAT = one(
    "the group chat",
    """
    name: text — its name
    created: moment — when it was made
    members: people — who is in it; each has an account
    """,
)
_ROBOT = """
name: text — its name
created_by: person — who added it
"""
GROUP = SpecFile(
    "group.toml",
    "the group chat, its robot, and the protagonist's machine; talk calls the group #group",
    {
        "chat": _CHAT,
        "robot": one("the robot that posts in the chat", _ROBOT),
        "server": one(
            "the machine of the protagonist's MCP server, which holds the robot's key and uploads files",
            """
            folder: text — a folder, as an absolute path
            files: table — path below the folder → size in bytes
            """,
        ),
    },
    is_required=True,
)

_POST = many(
    "a message of the robot; it has one of text, markdown, image and title",
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
)
POSTS = SpecFile(
    "posts.toml",
    "what the robot of group.toml said and uploaded, in order of time",
    {
        "posts": _POST,
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

GROUPS = SpecFile(
    "groups/*.toml",
    "a further group chat, its robot, if it has one, and what that said; talk calls the group by the file's name",
    {
        "chat": _CHAT,
        "robot": one("the robot that posts in the chat", _ROBOT, is_required=False),
        "posts": _POST,
    },
)
HOLDERS = SpecFile(
    "holders/*.toml",
    "the MCP server of another person, whose key is the file's name; people without one have no server",
    {
        "": own(
            """
            robot: text e.g. "group" — whose robot's key it holds: "group", or the name of a file in groups/
            folder: text e.g. "/Users/ada" — the folder on their machine that it runs in, as an absolute path
            """
        ),
        "files": mapping("path below the folder → size in bytes", '"week.xlsx" = 18432'),
    },
    is_of_person=True,
)

FILES = (ACCOUNTS, GROUP, GROUPS, POSTS, HOLDERS, TALK, SCHEDULED_TALK)
