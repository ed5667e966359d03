"""The files of a world's Obsidian: a vault for each account."""

from farm.appkit.world_spec import SpecFile, accounts, many, own

ACCOUNTS = accounts(meaning="who has a vault; `name` is the vault's")

_NOTE = """
path: markup — the note's path in its vault
made: moment — when it was made
changed?: moment — when it was last saved; default: when it was made
text: markup — its Markdown
"""

VAULT = SpecFile(
    "*.toml",
    "a person's vault; the file has the person's key as its name",
    {
        "": own("periods?: table — daily, weekly … → { folder, format } of periodic notes"),
        "files": many("a note or another file", _NOTE, is_required=True),
    },
)

SCHEDULED = SpecFile(
    "scheduled/week.toml",
    "notes of the week after the start, if the clock is live",
    {
        "files": many(
            "a note",
            """
            vault: person — whose vault
            path: markup — its path in the vault
            at: moment — when it is made
            text: markup — its Markdown
            """,
        )
    },
)

FILES = (ACCOUNTS, VAULT, SCHEDULED)
