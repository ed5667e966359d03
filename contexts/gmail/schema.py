"""Gmail's context tree: mailboxes with messages, labels and filters, and the machine that its server runs on."""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, parent, person, table

METADATA = MetaData()

accounts = table(
    "accounts",
    METADATA,
    column("account_id", generation="random", primary_key=True),
    person(),
    column("address", role="title", generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    # Where the account's server was started: relative paths begin there.
    column("folder", role="setting", generation="authentic", nullable=False, server_default="/"),
    # Addresses that have agreed to get forwarded mail; no tool can ask another one.
    column("forwards_to", role="person", json=True, generation="authentic", nullable=False, server_default="[]"),
    few=True,
    view="people",
)

# What a mailbox holds of one mail. A thread is all that share its id, which is that of its first message.
messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), generation="authentic", nullable=False),
    column("thread_id", role="reference", generation="authentic", nullable=False),
    # Labels SENT and DRAFT, which nobody can set or take away.
    column("kind", role="kind", generation="enumerate", nullable=False, server_default="sent"),
    # Of a draft only.
    column("draft_id", role="internal", generation="random"),
    column("sender", role="author", generation="authentic", nullable=False),
    column("recipients", role="person", generation="authentic", nullable=False, server_default=""),
    column("cc", role="person", generation="authentic", nullable=False, server_default=""),
    column("bcc", role="person", seen_by="owner", generation="authentic", nullable=False, server_default=""),
    column("subject", role="title", nullable=False, server_default=""),
    column("body_text", role="body", format="plain"),
    column("body_html", role="body", format="html"),
    column("internal_ms", INTEGER, generation="random", time="ms", nullable=False),
    # Of the header Date: where the sender's clock stood.
    column(
        "utc_offset_minutes",
        INTEGER,
        role="time",
        usual=OPEN,
        generation="authentic",
        nullable=False,
        server_default="0",
    ),
    column("header_message_id", role="internal", copies=True, generation="random", nullable=False, server_default=""),
    column("in_reply_to", role="internal", generation="authentic", nullable=False, server_default=""),
    column("list_id", role="internal", generation="authentic", nullable=False, server_default=""),
    column("size_bytes", INTEGER, role="internal", generation="random", nullable=False, server_default="0"),
    CheckConstraint("kind IN ('received', 'sent', 'draft')", name="messages_kind"),
    CheckConstraint("(kind = 'draft') = (draft_id IS NOT NULL)", name="messages_draft"),
    Index("messages_mailbox", "account_id", "internal_ms"),
    Index("messages_thread", "account_id", "thread_id"),
    # An answer that comes in finds what it answers.
    Index("messages_header", "account_id", "header_message_id"),
    notifies=True,
    view=View("mail", thread="thread_id"),
)

attachments = table(
    "attachments",
    METADATA,
    column("attachment_id", generation="random", primary_key=True),
    column("message_id", parent("messages.message_id"), generation="authentic", nullable=False),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False, server_default="0"),
    column("filename", role="file", generation="authentic", nullable=False),
    column("mime_type", role="file", generation="authentic", nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    Index("attachments_message", "message_id", "position"),
    view="part",
)

# A person's own labels; those of the system are every mailbox's.
labels = table(
    "labels",
    METADATA,
    column("label_id", generation="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), generation="authentic", nullable=False),
    column("name", role="title", nullable=False),
    column("message_list_visibility", role="setting", generation="enumerate", nullable=False, server_default="show"),
    column("label_list_visibility", role="setting", generation="enumerate", nullable=False, server_default="labelShow"),
    Index("labels_account", "account_id"),
    seen_by="owner",
    few=True,
    view="container",
)

# Which labels a message bears, but for SENT and DRAFT: unread mail has UNREAD, archived mail has no INBOX.
message_labels = table(
    "message_labels",
    METADATA,
    column("message_id", parent("messages.message_id"), generation="authentic", primary_key=True),
    column("label_id", read_mark="UNREAD", many=True, generation="authentic", primary_key=True),
    Index("message_labels_label", "label_id"),
    seen_by="owner",
    sqlite_with_rowid=False,
    view=View("part", one="label"),
)

filters = table(
    "filters",
    METADATA,
    column("filter_id", generation="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), generation="authentic", nullable=False),
    column("criteria", role="setting", json=True, nullable=False),
    column("action", role="setting", json=True, nullable=False),
    column("created_ms", INTEGER, generation="random", time="ms", nullable=False),
    Index("filters_account", "account_id"),
    seen_by="owner",
    few=True,
    view="list",
)

# What lies on the server's machine: what can be attached, and what was downloaded. No tool shows what is in it.
files = table(
    "files",
    METADATA,
    column("account_id", parent("accounts.account_id"), generation="authentic", primary_key=True),
    column("path", generation="authentic", primary_key=True),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    seen_by="owner",
    view="grid",
)
