"""The files of a world's 163 mail: mailboxes, and what came into that of the protagonist."""

from farm.appkit.world_spec import SpecFile, accounts, many

ACCOUNTS = accounts(
    """
    address: text — the mailbox
    alias?: text — another name to log in with
    """,
    "who has a mailbox",
)

_MAIL = """
at: moment — when it was sent
from: text — the key of a person, or `Name <address>`
subject: markup — its subject
text?: markup — its plain text
html?: markup — its HTML
to?: texts — people or addresses; default: the protagonist
cc?: texts — people or addresses
bcc?: texts — people or addresses; nobody sees them
files?: tables — attachments: { name, size } with a size in bytes, or { name, text }
skipped?: integer = 0 — how many mails before it were deleted
"""

MAILS = SpecFile(
    "mails.toml", "the mails; each is in the mailbox of everybody it is to", {"mails": many("a mail", _MAIL)},
    is_required=True,
)  # fmt: skip
SCHEDULED = SpecFile(
    "scheduled/week.toml",
    "mails of the week after the start, if the clock is live",
    {"mails": many("a mail", _MAIL)},
)

FILES = (ACCOUNTS, MAILS, SCHEDULED)
