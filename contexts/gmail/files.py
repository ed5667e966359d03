"""The files of a world's Gmail: mailboxes with labels and filters, and the mails in them."""

from farm.appkit.world_spec import SpecFile, accounts, many

ACCOUNTS = accounts(
    """
    folder?: text = "/" — the folder of the MCP server's machine, from which it attaches files
    files?: table — path below that folder → size in bytes
    forwards_to?: texts — addresses that the person has confirmed for forwarding
    """,
    "who has a mailbox",
)

LABELS = SpecFile(
    "labels.toml",
    "labels and filters that people made",
    {
        "labels": many(
            "a label; those of one mailbox are numbered in this order",
            """
            key: text — its name in mails
            mailbox: person — whose label
            name: text — its name in Gmail
            """,
        ),
        "filters": many(
            "a filter",
            """
            mailbox: person — whose filter
            criteria: table — what it matches, as Gmail's API has it
            action: table — what it does, as Gmail's API has it, with keys of labels
            created: moment — when it was made
            """,
        ),
    },
    is_required=True,
)

_MAIL = """
mailbox?: person — the only mailbox it is in; if absent, it is in those of its sender and of all in `to`, `cc` and `bcc`
from: text — the key of a person, or `Name <address>`
at: moment — when it was sent
subject: markup — its subject
key?: text — a name by which `reply_to` refers to it
to?: texts — people or addresses; default: the mailbox
cc?: texts — people or addresses
bcc?: texts — people or addresses; the sender sees all of them, each of them only himself
text?: markup — its plain text
html?: markup — its HTML
reply_to?: text — the key of the mail it answers; with `mailbox`, in the same mailbox
labels?: keys — keys of labels, or important, starred, updates, promotions, forums, social; without `mailbox`: received
files?: table — name of an attachment → size in bytes
box?: text = "inbox" — inbox, archive, spam, trash, draft, or with `mailbox` sent; a draft is the sender's only
read?: boolean — whether it was read; default: no; without `mailbox`: if answered, or two days old at the start
copies?: table — person → { box, read, labels } of his copy, where it differs; also who is in a list or group it is to
list_id?: text — the mailing list it came over
zone?: number — hours of the sender's clock from UTC; default: of the person, else of the world
"""

MAIL = SpecFile("mail/*.toml", "mails", {"mails": many("a mail", _MAIL)})
SCHEDULED = SpecFile(
    "scheduled/*.toml", "mails of the week after the start, if the clock is live", {"mails": many("a mail", _MAIL)}
)

FILES = (ACCOUNTS, LABELS, MAIL, SCHEDULED)
