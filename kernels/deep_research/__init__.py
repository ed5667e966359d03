"""Deep research, as mcp-deep-research shows it: one tool that searches the web and tells the caller how to go on."""

from farm.appkit import App, ProtocolError
from farm.appkit.dialects import Wording, Zod3

from .research import require_key
from .tools import TOOLS

APP = App(
    name="deep_research",
    title="Deep research",
    category="information",
    # The server parses by itself, and the SDK tells what that throws as an internal error.
    dialect=Zod3(sdk="1.32.2", invalid=Wording("{issues}", code=ProtocolError.code)),
    tools=TOOLS,
    any_name="deep-research",
    ready=require_key,
    reference="medicine",
)
