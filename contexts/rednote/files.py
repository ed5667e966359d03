"""The files of a world's Rednote: people with their notes, comments, follows and notifications."""

from farm.appkit.world_spec import SpecFile, accounts, many

_PROFILE = """
city: text — the city, in Chinese
bio?: markup — what they say about themselves
district?: text — the district
gender?: text = "" — female, male or nothing
followers_extra?: integer = 0 — followers beyond [[follows]]
following_extra?: integer = 0 — people they follow beyond [[follows]]
likes_extra?: integer = 0 — likes and collections of notes that are not stored
favorites_public?: boolean — whether others see what they have collected
likes_public?: boolean — whether others see what they have liked
has_shop?: boolean = false — whether they sell things
"""

ACCOUNTS = accounts(f"name: text — the nickname\nhandle: text — the Rednote id\n{_PROFILE}")

_COMMENTS = many(
    "a comment below a note",
    """
    key: key — a name by which others refer to it
    post: text — the key of the note
    author: text — the key of an account or user
    at: moment — when it was written
    text: markup — the comment; {{user:KEY}} mentions somebody
    likes?: integer = 0 — how many like it
    liked_by?: keys — those of them that are known
    reply_to?: text — the key of the comment it answers
    from_author?: boolean — whether the note's author wrote it; if absent, it is seen from the author
    status?: text — deleted, if it was deleted
    """,
)
_FOLLOWS = many(
    "somebody follows somebody",
    """
    who: text — the key of an account or user
    whom: text — the key of another
    at: moment — since when
    """,
)

SCHEDULED = SpecFile(
    "scheduled/*.toml",
    "comments, follows and marks of the week after the start, if the clock is live",
    {
        "comments": _COMMENTS,
        "follows": _FOLLOWS,
        "marks": many(
            "somebody likes or collects something",
            """
            kind: text — like, collect or like comment
            by: text — the key of an account or user
            post?: text — the key of the note
            comment?: text — the key of the comment
            at: moment — when
            """,
        ),
    },
)
ANY = SpecFile(
    "**/*.toml",
    "users, notes, comments and what happened to them, in files of any name",
    {
        "users": many(
            "somebody who is nobody of the world",
            f"""
            key: key — a name by which others refer to them
            nickname: text — the nickname
            red_id: text — the Rednote id
            {_PROFILE}
            """,
        ),
        "posts": many(
            "a note",
            """
            key: key — a name by which others refer to it
            author: text — the key of an account or user
            kind: text — image or video
            at: moment — when it was published
            title: markup — its title, at most 20 characters; two Latin letters count as one
            text: markup — its text
            tags?: texts — its tags
            images: texts e.g. ["gulls 1080x1440"] — its pictures, name and size; of a video, its cover
            video?: text e.g. "harbour 720x1280" — the video, name and size
            duration?: integer — how many seconds the video takes
            city?: text — where it was published
            is_original?: boolean = false — whether it is declared original
            visibility?: text = "公开可见" — 公开可见, 仅自己可见 or 仅互关好友可见
            status?: text — deleted or illegal, if it is
            likes?: integer = 0 — how many like it
            collects?: integer = 0 — how many have collected it
            shares?: integer = 0 — how many have shared it
            liked_by?: keys — those who like it and are known
            collected_by?: keys — those who have collected it and are known
            """,
        ),
        "comments": _COMMENTS,
        "follows": _FOLLOWS,
        "notifications": many(
            "when an account was told of something, and whether it is unread",
            """
            to?: text — an account; default: whose note or comment it is; of mentions and follows, the protagonist
            kind: text — comment, answer, mention, mention post, like, collect, like comment or follow
            by: text — the key of an account or user
            post?: text — the key of the note
            comment?: text — the key of the comment
            at: moment — when
            unread?: boolean — whether it is unread; default: if it is of the last day
            """,
        ),
        "views": many(
            "somebody has looked at a note",
            """
            who: text — the key of an account or user
            post: text — the key of the note
            at: moment — when
            """,
        ),
        "media": many(
            "a file on the machine of the MCP server, for publishing",
            """
            user: text — the key of the account
            path: text — its absolute path
            kind: text — image or video
            width: integer — in pixels
            height: integer — in pixels
            duration?: integer — how many seconds a video takes
            caption: text — what it shows
            """,
        ),
        "products": many(
            "a product that somebody can attach to notes",
            """
            key: key — a name for it
            user: text — the key of the account
            name: text — its name
            """,
        ),
    },
)

FILES = (ACCOUNTS, SCHEDULED, ANY)
