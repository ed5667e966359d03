"""163: a mail is for those into whose mailbox it was delivered."""

from tests.contract.private_rows.rules import Rule

DELIVERED = "SELECT address FROM deliveries d WHERE d.message_key = r.message_key"

RULES = (
    Rule("messages", "subject", DELIVERED),
    Rule("messages", "text", DELIVERED),
    Rule("messages", "html", DELIVERED),
    Rule("attachments", "filename", DELIVERED),
)
