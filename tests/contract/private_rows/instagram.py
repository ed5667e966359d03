"""Instagram: an account's messages and drafts are those people's who connected it."""

from tests.contract.private_rows.rules import Rule

CONNECTED = "SELECT user_id FROM connections n WHERE n.ig_user_id = {account}"
OF_MESSAGE = "(SELECT c.ig_user_id FROM conversations c WHERE c.conversation_id = r.conversation_id)"

RULES = (
    Rule("messages", "text", CONNECTED.format(account=OF_MESSAGE)),
    Rule("containers", "caption", CONNECTED.format(account="r.ig_user_id")),
)
