"""The files of a world's Instagram: professional accounts with what they published, and who comments and writes."""

from farm.appkit.world_spec import SpecFile, accounts, many

ACCOUNTS = accounts(
    """
    handle: text — the username
    biography?: text — a professional account's biography
    website?: text — a professional account's website
    followers?: integer = 0 — how many follow it
    follows?: integer = 0 — how many it follows
    connected_by?: people — who has connected a professional account, which an organisation has
    """,
    "who has an account; those of organisations are professional accounts, which the tools manage",
)

_COMMENTS = many(
    "a comment below a post",
    """
    key: key — a name by which replies refer to it
    post: text — the key of the post
    author: text — the key of an account or user
    at: moment — when it was written
    text: markup — the comment; {{user:KEY}} mentions somebody
    likes?: integer = 0 — how many like it
    reply_to?: text — the key of the comment it answers, which answers none itself
    """,
)
_CONVERSATIONS = many(
    "direct messages between a professional account and somebody",
    """
    account: text — the key of the professional account
    with: text — the key of the other
    seen?: moment — up to when the other has read
    messages: texts — `-1 09:47 < text` came, `>` was sent; a picture's name in [brackets] is a picture
    """,
)
_FIGURES = many(
    "a professional account's figures of one kind",
    """
    account: text — its key
    metric: text — reach, follower_count …, as Instagram's API names it
    period: text — day, week or days_28
    last: day — the day of the last value
    values: integers — one value a day
    """,
)

ANY = SpecFile(
    "*.toml",
    "users, posts, comments, messages, files and figures, in files of any name",
    {
        "users": many(
            "somebody who is nobody of the world",
            """
            key: key — a name by which comments and messages refer to them
            username: text — the username
            name?: text — the name
            """,
        ),
        "posts": many(
            "a post of a professional account",
            """
            key: key — a name by which comments refer to it
            account: text — the key of the account
            at: moment — when it was published
            kind: text — image, album, reel or story
            caption?: markup — its caption
            pictures: texts — names of its pictures
            likes?: integer = 0 — how many like it
            figures?: table — figure, such as reach or saved → value
            """,
        ),
        "comments": _COMMENTS,
        "conversations": _CONVERSATIONS,
        "files": many(
            "a picture or video that the web serves, for publishing",
            """
            url: text — its address
            format: text — jpeg, png or mp4
            width: integer — in pixels
            height: integer — in pixels
            size_bytes: integer — its size
            duration_ms?: integer — how long a video is
            """,
        ),
        "figures": _FIGURES,
    },
)
SCHEDULED = SpecFile(
    "scheduled/*.toml",
    "comments, messages and figures of the week after the start, if the clock is live",
    {"comments": _COMMENTS, "conversations": _CONVERSATIONS, "figures": _FIGURES},
)

FILES = (ACCOUNTS, SCHEDULED, ANY)
