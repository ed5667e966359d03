"""The files of a world's Notion: a workspace with pages, databases and comments, and further workspaces."""

from dataclasses import replace

from farm.appkit.world_spec import SpecFile, accounts, many, own

ACCOUNTS = accounts(
    "workspace?: text — their workspace: the name of a folder in workspaces/; default: the one of workspace.toml",
    "who is a member of a workspace; each sees what is shared with its integration",
)

WORKSPACE = SpecFile(
    "workspace.toml",
    "the workspace",
    {
        "": own(
            """
            name: text — its name
            integration: text — the integration whose token the MCP server has: what tools write, it writes
            bots?: texts — names of further integrations
            """
        )
    },
    is_required=True,
)
PAGES = SpecFile(
    "pages/*.md",
    "pages, each named by its key: front matter between +++ lines, and below it the blocks in Markdown",
    {
        "": own(
            """
            title: markup — the title
            by: person — who made it
            created: moment — when
            edited: moment — when it was last edited
            icon?: text — an emoji
            under?: text — the key of the page above
            shared?: boolean = false — whether it is shared with the integration
            trash?: boolean = false — whether it is in the trash
            """
        )
    },
)

_PROPERTY = many(
    "a property of a database",
    """
    name: text — its name
    type: text — title, rich_text, number, select, status, date, people, relation, formula …
    options?: texts — of select, multi_select and status
    groups?: list — of status: the options to do, in progress and complete
    format?: text — of number: yuan, percent …
    expression?: text — of formula
    relation?: text — of relation: the data source of the related rows
    back?: text — of relation: the property there that leads back
    over?: text — of rollup: the relation
    of?: text — of rollup: the property there
    function?: text — of rollup: sum, count …
    prefix?: text — of unique_id
    """,
)
_ROW = many(
    "a row",
    """
    cells: list — the values of the written properties, in their order; an empty text is an empty cell
    by: person — who made it
    created: moment — when
    edited: moment — when it was last edited
    icon?: text — an emoji
    trash?: boolean = false — whether it is in the trash
    """,
)
DATABASES = SpecFile(
    "databases.toml",
    "databases and their rows",
    {
        "databases": many(
            "a database",
            """
            key: key — a name by which others refer to it
            title: markup — its title
            by: person — who made it
            at: moment — when
            under: text — the key of the page that it stands on
            icon?: text — an emoji
            description?: markup — what it says about itself
            inline?: boolean = false — whether it is shown on its page
            sources: tables — its data sources, most often one
            """,
            sources=many(
                "a data source",
                """
                title?: text — its title; default: the database's
                properties: tables — its properties
                rows?: tables — its rows
                notes?: table — title of a row → the blocks of its page, in Markdown
                """,
                properties=_PROPERTY,
                rows=_ROW,
            ),
        )
    },
)
_COMMENTS = many(
    "a comment",
    """
    page: text — the key of a page, or `database: title of a row`
    by: person — who wrote it
    at: moment — when
    text: markup — the comment
    on?: text — words of the one block that it is on; default: the page
    resolved?: boolean = false — whether its discussion is closed
    """,
)
COMMENTS = SpecFile("comments.toml", "comments", {"comments": _COMMENTS})
SCHEDULED = SpecFile(
    "scheduled/comments.toml", "comments of the week after the start, if the clock is live", {"comments": _COMMENTS}
)

# The files of somebody else's workspace, in a folder that accounts.toml names.
FURTHER = tuple(
    replace(file, path=f"workspaces/*/{file.path}", meaning=f"{file.meaning} of a further workspace", is_required=False)
    for file in (WORKSPACE, PAGES, DATABASES, COMMENTS)
)

FILES = (ACCOUNTS, WORKSPACE, PAGES, DATABASES, COMMENTS, SCHEDULED, *FURTHER)


def of_workspace(file: SpecFile, key: str) -> SpecFile:
    """Return the declaration of a file of the workspace that a folder holds; empty: of the first."""
    if not key:
        return file
    return replace(file, path=f"workspaces/{key}/{file.path}", is_required=file is WORKSPACE)
