"""WeCom (企业微信), as mcp-wecombot-server shows it: six tools that post as one robot into one group chat."""

from farm.appkit import App, Envelope, StartFiles, Worded
from farm.appkit.dialects import McpGo

from . import media
from .tools import TOOLS

APP = App(
    name="wecom",
    title="WeCom",
    called=("企业微信",),
    category="communication",
    dialect=McpGo(
        sdk="0.8.2",
        # What the server's code asserts without looking, in its order; three of them the schema calls optional.
        # No JSON number is a Go int, so a template card gets no further.
        asserts={
            "send_template_card": {
                "card_type": "string",
                "main_title": "string",
                "main_desc": "string",
                "card_action_type": "int",
            },
            "upload_file": {"file_path": "string"},
            "send_text": {"content": "string", ("mentioned_list", "mentioned_mobile_list"): "string"},
            "send_markdown": {"content": "string"},
            "send_image": {"base64_data": "string", "md5": "string"},
            "send_news": {"title": "string", "description": "string", "url": "string", "picurl": "string"},
        },
    ),
    tools=TOOLS,
    files=StartFiles(media.rows_of_file, is_of_machine=True),
    ids={"media": "{base64url:44}", "hint": "{digit:15}"},
    envelope=Envelope(
        refusal=Worded(
            "Failed to {tool}: {message}",
            names={
                "send_text": "send text message",
                "send_markdown": "send markdown message",
                "send_image": "send image message",
                "send_news": "send news message",
                "upload_file": "upload file",
            },
        )
    ),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "send_text",
            "send_markdown",
            "send_template_card",
            "send_news",
            "send_image",
            "upload_file",
        ),
    },
)
