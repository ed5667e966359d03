"""Gmail: a mailbox is one person's."""

from tests.contract.private_rows.rules import Rule

OF_MESSAGE = "SELECT account_id FROM messages m WHERE m.message_id = r.message_id"

RULES = (
    Rule("attachments", "filename", OF_MESSAGE),
    Rule("filters", "criteria", "SELECT r.account_id"),
    Rule("messages", "subject", "SELECT r.account_id"),
    Rule("messages", "body_text", "SELECT r.account_id"),
    Rule("labels", "name", "SELECT r.account_id", "r.label_id NOT IN (SELECT upper(name) FROM labels)"),
)
