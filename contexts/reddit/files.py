"""The files of a world's Reddit: communities, what people post and answer there, and who is what where."""

from farm.appkit.world_spec import SpecFile, accounts, many

ACCOUNTS = accounts("handle: text — the username", "who has an account")

_MARKS = """
ups?: integer = 1 — upvotes, with those of [[votes]]
downs?: integer = 0 — downvotes
edited?: moment — when it was last edited
sticky?: integer = 0 — its place among the sticky ones
distinguished?: text — moderator or admin
is_deleted?: boolean = false — whether its author has deleted it
"""
_COMMENTS = many(
    "a comment",
    """
    key: key — a name by which others refer to it
    post: text — the key of the post
    author: text — the key of an account or user
    at: moment — when it was written
    text: markup — its Markdown
    reply_to?: text — the key of the comment it answers
    """
    + _MARKS,
)

SCHEDULED = SpecFile(
    "scheduled/*.toml",
    "comments of the week after the start, if the clock is live; posts cannot come later, as they are searched",
    {"comments": _COMMENTS},
)
ANY = SpecFile(
    "**/*.toml",
    "users, communities, posts, comments and votes, in files of any name",
    {
        "users": many(
            "somebody who is nobody of the world",
            """
            key: key — a name by which others refer to them
            name: text — the username
            is_premium?: boolean = false — whether they pay for Reddit
            is_deleted?: boolean = false — whether the account was deleted
            """,
        ),
        "subreddits": many(
            "a community",
            """
            key: key — a name by which others refer to it
            name: text — its name, without r/
            subscribers: integer — how many have joined
            type?: text = "public" — public, restricted or private
            submission_type?: text = "any" — any, link or self
            flair_required?: boolean = false — whether posts need a flair
            title_blacklist?: texts — words that titles must not have
            body_blacklist?: texts — words that texts must not have
            flair_self_assign?: boolean = true — whether people choose their own flair
            suggested_sort?: text — how comments are sorted at first
            score_hide_minutes?: integer = 0 — how long scores are hidden
            archives_posts?: boolean = false — whether old posts are closed
            over_18?: boolean = false — whether it is for adults
            is_banned?: boolean = false — whether Reddit has closed it
            """,
        ),
        "flairs": many(
            "a flair for posts",
            """
            key: key — a name by which posts refer to it
            subreddit: text — the key of the community
            text: text — what it says
            text_color?: text = "dark" — dark or light
            background_color?: text — #rrggbb
            css_class?: text — the class of its style
            text_editable?: boolean = false — whether people may change its text
            mod_only?: boolean = false — whether only moderators may use it
            """,
        ),
        "standings": many(
            "who somebody is in a community",
            """
            subreddit: text — the key of the community
            user: text — the key of an account or user
            link_karma?: integer = 0 — karma of posts
            comment_karma?: integer = 0 — karma of comments
            is_moderator?: boolean = false — whether they moderate it
            is_contributor?: boolean = false — whether they are approved
            is_banned?: boolean = false — whether they are banned
            flair_text?: text — their own flair
            """,
        ),
        "posts": many(
            "a post",
            """
            key: key — a name by which others refer to it
            subreddit: text — the key of the community
            author: text — the key of an account or user
            at: moment — when it was posted
            title: markup — its title
            text?: markup — its Markdown; or url
            url?: markup — the address of a link post
            flair?: text — the key of its flair
            is_locked?: boolean = false — whether it takes no comments
            over_18?: boolean = false — whether it is for adults
            spoiler?: boolean = false — whether it is hidden as a spoiler
            """
            + _MARKS,
        ),
        "comments": _COMMENTS,
        "votes": many(
            "a vote known by name",
            """
            who: text — the key of an account or user
            on: text — the key of a post or comment
            direction: text — up or down
            """,
        ),
    },
)

FILES = (ACCOUNTS, SCHEDULED, ANY)
