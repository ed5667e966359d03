"""Gmail, as the Gmail AutoAuth MCP server shows it: nineteen tools over one mailbox."""

from farm.appkit import App, Envelope, StartFiles
from farm.appkit.dialects import Wording, Zod3

from . import errors, files
from .tools import TOOLS

APP = App(
    name="gmail",
    title="Gmail",
    category="communication",
    dialect=Zod3(
        sdk="0.4.0",
        invalid=Wording("Error: {issues}", is_error=None),
        unknown=Wording("Error: Unknown tool: {tool}", is_error=None),
        unread=("list_email_labels", "list_filters"),
    ),
    tools=TOOLS,
    files=StartFiles(files.rows_of_file, is_of_machine=True),
    envelope=Envelope(refusal=errors.answer),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "search_emails",
            "read_email",
            "send_email",
            "modify_email",
            "draft_email",
            "list_email_labels",
            "get_or_create_label",
            "batch_modify_emails",
            "download_attachment",
        ),
    },
)
