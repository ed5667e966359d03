"""Gmail's context tree: mailboxes with messages, labels and filters, and the machine that its server runs on."""

from sqlalchemy import CheckConstraint, Index

from farm.context.schema import INTEGER, MetaData, column, parent, person, table

METADATA = MetaData()

accounts = table(
    "accounts",
    METADATA,
    column("account_id", made="random", primary_key=True),
    person(),
    column("address", made="authentic", nullable=False),
    column("name", made="authentic", nullable=False),
    # Where the account's server was started: relative paths begin there.
    column("folder", made="authentic", nullable=False, server_default="/"),
    # Addresses that have agreed to get forwarded mail; no tool can ask another one.
    column("forwards_to", json=True, made="authentic", nullable=False, server_default="[]"),
)

# What a mailbox holds of one mail. A thread is all that share its id, which is that of its first message.
messages = table(
    "messages",
    METADATA,
    column("message_id", made="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), made="authentic", nullable=False),
    column("thread_id", made="authentic", nullable=False),
    # Labels SENT and DRAFT, which nobody can set or take away.
    column("kind", made="enumerate", defining=True, nullable=False, server_default="sent"),
    # Of a draft only.
    column("draft_id", made="random"),
    column("sender", made="authentic", nullable=False),
    column("recipients", made="authentic", nullable=False, server_default=""),
    column("cc", made="authentic", nullable=False, server_default=""),
    column("bcc", made="authentic", nullable=False, server_default=""),
    column("subject", nullable=False, server_default=""),
    column("body_text"),
    column("body_html"),
    column("internal_ms", INTEGER, made="random", time="ms", nullable=False),
    # Of the header Date: where the sender's clock stood.
    column("utc_offset_minutes", INTEGER, made="authentic", nullable=False, server_default="0"),
    column("header_message_id", made="random", nullable=False, server_default=""),
    column("in_reply_to", made="authentic", nullable=False, server_default=""),
    column("list_id", made="authentic", nullable=False, server_default=""),
    column("size_bytes", INTEGER, made="random", nullable=False, server_default="0"),
    CheckConstraint("kind IN ('received', 'sent', 'draft')", name="messages_kind"),
    CheckConstraint("(kind = 'draft') = (draft_id IS NOT NULL)", name="messages_draft"),
    Index("messages_mailbox", "account_id", "internal_ms"),
    Index("messages_thread", "account_id", "thread_id"),
    look="thread",
    noticed=True,
)

attachments = table(
    "attachments",
    METADATA,
    column("attachment_id", made="random", primary_key=True),
    column("message_id", parent("messages.message_id"), made="authentic", nullable=False),
    column("position", INTEGER, made="random", nullable=False, server_default="0"),
    column("filename", made="authentic", nullable=False),
    column("mime_type", made="authentic", nullable=False),
    column("size_bytes", INTEGER, made="random", nullable=False),
    Index("attachments_message", "message_id", "position"),
)

# A person's own labels; those of the system are every mailbox's.
labels = table(
    "labels",
    METADATA,
    column("label_id", made="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), made="authentic", nullable=False),
    column("name", nullable=False),
    column("message_list_visibility", made="enumerate", nullable=False, server_default="show"),
    column("label_list_visibility", made="enumerate", nullable=False, server_default="labelShow"),
    Index("labels_account", "account_id"),
)

# Which labels a message bears, but for SENT and DRAFT: unread mail has UNREAD, archived mail has no INBOX.
message_labels = table(
    "message_labels",
    METADATA,
    column("message_id", parent("messages.message_id"), made="authentic", primary_key=True),
    column("label_id", made="authentic", primary_key=True),
    Index("message_labels_label", "label_id"),
    sqlite_with_rowid=False,
)

filters = table(
    "filters",
    METADATA,
    column("filter_id", made="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), made="authentic", nullable=False),
    column("criteria", json=True, nullable=False),
    column("action", json=True, nullable=False),
    column("created_ms", INTEGER, made="random", time="ms", nullable=False),
    Index("filters_account", "account_id"),
)

# What lies on the server's machine: what can be attached, and what was downloaded. No tool shows what is in it.
files = table(
    "files",
    METADATA,
    column("account_id", parent("accounts.account_id"), made="authentic", primary_key=True),
    column("path", made="authentic", primary_key=True),
    column("size_bytes", INTEGER, made="random", nullable=False),
)
