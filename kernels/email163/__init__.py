"""163 mail, as TimeCyber's email-mcp shows it: seven tools that send and read over SMTP, POP3 and IMAP."""

from farm.appkit import App, Envelope, Worded
from farm.appkit.dialects import Unchecked, Wording

from .tools import TOOLS

# What each tool takes out of its arguments first; those that are not here do without any.
_TAKEN_FIRST = {
    "send_email": "to",
    "get_email_content": "uid",
    "setup_email_account": "email",
    "configure_email_server": "smtpHost",
}

APP = App(
    name="email163",
    title="163 Mail",
    called=("163 邮箱", "163邮箱"),
    category="communication",
    dialect=Unchecked(
        sdk="typescript 0.6.0",
        unknown=Wording("错误: 未知的工具: {tool}", is_error=None),
        absent={
            tool: Wording(f"错误: Cannot destructure property '{name}' of 'args' as it is undefined.", is_error=None)
            for tool, name in _TAKEN_FIRST.items()
        },
    ),
    tools=TOOLS,
    ids={"message": "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"},
    envelope=Envelope(refusal=Worded(is_error=None)),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "get_recent_emails",
            "get_email_content",
            "send_email",
            "test_email_connection",
            "setup_email_account",
            "list_supported_providers",
            "configure_email_server",
        ),
    },
)
