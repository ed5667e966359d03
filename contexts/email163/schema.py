"""163 Mail's context tree: mailboxes, the mails in them, and what the MCP server was told of an account."""

from sqlalchemy import CheckConstraint, Index

from farm.context.schema import INTEGER, MetaData, column, parent, person, table

METADATA = MetaData()

# Whoever has a mailbox at the service behind the server.
accounts = table(
    "accounts",
    METADATA,
    column("address", made="authentic", primary_key=True),
    person(),
    column("name", made="authentic", nullable=False, server_default=""),
    # At 163 an authorization code.
    column("password", made="random", nullable=False),
    # How the account's MCP server is started: in which zone (NULL: the world's), for which name (NULL: the address),
    # and as for which provider, by its key (NULL: the one of the name's domain).
    column("server_zone", made="authentic"),
    column("server_user", made="authentic"),
    column("server_type", made="enumerate"),
)

# Other names that open a mailbox, with its password.
aliases = table(
    "aliases",
    METADATA,
    column("login", made="authentic", primary_key=True),
    column("address", parent("accounts.address"), made="authentic", nullable=False),
)

# Append-only: no tool changes or deletes a mail. A mail that came in from elsewhere has its ``source`` as it was
# transferred, and then the columns between ``sender`` and ``zone_minutes`` are empty: all of it is in the source.
messages = table(
    "messages",
    METADATA,
    column("message_key", made="random", primary_key=True),
    column("message_id", made="random"),
    column("source"),
    # Names and addresses as a header has them, decoded.
    column("sender", made="authentic"),
    column("recipients", made="authentic"),
    column("cc", made="authentic"),
    # Of mails sent here; their receivers do not see it.
    column("bcc", made="authentic"),
    column("subject"),
    column("text"),
    column("html"),
    column("sent_ms", INTEGER, time="ms", made="random"),
    # The zone its Date is written in.
    column("zone_minutes", INTEGER, made="authentic", nullable=False, server_default="0"),
    CheckConstraint("(source IS NULL) <> (sender IS NULL)", name="messages_source"),
    look="thread",
    noticed=True,
)

attachments = table(
    "attachments",
    METADATA,
    column("message_key", parent("messages.message_key"), made="authentic", primary_key=True),
    column("number", INTEGER, made="random", primary_key=True),
    column("filename", nullable=False),
    column("size_bytes", INTEGER, made="random", nullable=False),
    # What is in it, where that is text in UTF-8.
    column("content"),
    noticed=True,
)

# What lies in the INBOX of a mailbox. A mail's POP3 number is its place among these by uid.
deliveries = table(
    "deliveries",
    METADATA,
    column("address", parent("accounts.address"), made="authentic", primary_key=True),
    column("uid", INTEGER, made="random", primary_key=True),
    column("message_key", parent("messages.message_key"), made="authentic", nullable=False),
    Index("deliveries_message", "message_key"),
    noticed=True,
)

# What the running MCP server was told since it was started, as environment variables hold it: texts. NULL: not set. An
# account without a row has a server as it was started: with its own address and password, and nothing else. Whoever has
# no mailbox may have a server all the same.
servers = table(
    "servers",
    METADATA,
    column("address", made="authentic", primary_key=True),
    column("user", made="authentic", nullable=False),
    column("password", made="authentic", nullable=False),
    *(
        column(f"{protocol}_{part}", made="authentic")
        for protocol in ("smtp", "imap", "pop3")
        for part in ("host", "port", "secure")
    ),
)
