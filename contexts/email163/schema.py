"""163 Mail's context tree: mailboxes, the mails in them, and what the MCP server was told of an account."""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, hidden, parent, person, table

METADATA = MetaData()

# Whoever has a mailbox at the service behind the server.
accounts = table(
    "accounts",
    METADATA,
    column("address", generation="authentic", primary_key=True),
    person(),
    column("name", role="title", generation="authentic", nullable=False, server_default=""),
    # At 163 an authorization code.
    column("password", role="setting", seen_by="owner", generation="random", nullable=False),
    # How the account's MCP server is started: in which zone (NULL: the world's), for which name (NULL: the address),
    # and as for which provider, by its key (NULL: the one of the name's domain).
    column("server_zone", role="setting", generation="authentic"),
    column("server_user", role="setting", generation="authentic"),
    column("server_type", role="setting", generation="enumerate"),
    few=True,
    view="people",
)

# Other names that open a mailbox, with its password.
aliases = table(
    "aliases",
    METADATA,
    column("login", generation="authentic", primary_key=True),
    column("address", parent("accounts.address"), generation="authentic", nullable=False),
    few=True,
    view="grid",
)

# Append-only: no tool changes or deletes a mail. A mail that came in from elsewhere has its ``source`` as it was
# transferred, and then the columns between ``sender`` and ``zone_minutes`` are empty: all of it is in the source. A
# source whose bytes are no UTF-8 is their data URL, ``data:message/rfc822;base64,…``.
messages = table(
    "messages",
    METADATA,
    column("message_key", generation="random", primary_key=True),
    column("message_id", role="internal", generation="random"),
    column("source", role="body", format="mime"),
    # Names and addresses as a header has them, decoded.
    column("sender", role="author", usual=OPEN, generation="authentic"),
    column("recipients", role="person", generation="authentic"),
    column("cc", role="person", generation="authentic"),
    # Of mails sent here; their receivers do not see it.
    column("bcc", role="person", seen_by="owner", generation="authentic"),
    column("subject", role="title"),
    column("text", role="body", format="plain"),
    column("html", role="body", format="html"),
    column("sent_ms", INTEGER, role="time", usual=OPEN, time="ms", generation="random"),
    # The zone its Date is written in.
    column(
        "zone_minutes", INTEGER, role="time", usual=OPEN, generation="authentic", nullable=False, server_default="0"
    ),
    CheckConstraint("(source IS NULL) <> (sender IS NULL)", name="messages_source"),
    notifies=True,
    view=View("mail", author="sender"),
)

attachments = table(
    "attachments",
    METADATA,
    column("message_key", parent("messages.message_key"), generation="authentic", primary_key=True),
    column("number", INTEGER, generation="random", primary_key=True),
    column("filename", role="file", nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    # What is in it, where that is text in UTF-8.
    column("content", role="body", format="plain"),
    notifies=True,
    view="part",
)

# What lies in the INBOX of a mailbox. A mail's POP3 number is its place among these by uid, from 1: uids have gaps.
deliveries = table(
    "deliveries",
    METADATA,
    column("address", parent("accounts.address"), generation="authentic", primary_key=True),
    column("uid", INTEGER, generation="random", primary_key=True),
    column("message_key", parent("messages.message_key"), generation="authentic", nullable=False),
    # Its POP3 number, stored so that no list counts the mailbox. NULL: one more than the number of the mail before it,
    # for a mail that waits for its time: others may be sent first. A row without a number has a larger uid than all
    # rows of the mailbox that existed before it.
    column("number", INTEGER, role="cosmetic", generation="random", server_managed=True),
    Index("deliveries_message", "message_key"),
    notifies=True,
    view=hidden("which mailbox has a mail; the mail names its recipients"),
)

# What the running MCP server was told since it was started, as environment variables hold it: texts. NULL: not set. An
# account without a row has a server as it was started: with its own address and password, and nothing else. Whoever has
# no mailbox may have a server all the same.
servers = table(
    "servers",
    METADATA,
    column("address", generation="authentic", primary_key=True),
    column("user", role="setting", generation="authentic", nullable=False),
    column("password", role="setting", generation="authentic", nullable=False),
    *(
        column(f"{protocol}_{part}", role="setting", generation="authentic")
        for protocol in ("smtp", "imap", "pop3")
        for part in ("host", "port", "secure")
    ),
    seen_by="owner",
    few=True,
    view=hidden("addresses and passwords of mail servers"),
)
