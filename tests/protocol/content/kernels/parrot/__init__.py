"""A parrot for tests of the server: whatever name it is called by, it answers, as some real servers do."""

from farm.appkit.app import App
from farm.appkit.dialects import GenericJsonSchema
from farm.appkit.envelope import Envelope, PythonJson, Worded

from .tools import TOOLS

APP = App(
    name="parrot",
    title="Parrot",
    category="test",
    dialect=GenericJsonSchema(),
    tools=TOOLS,
    ids={"word": "w_{hex:8}"},
    envelope=Envelope(
        json=PythonJson(indent=2), is_error=False, refusal=Worded("Error executing tool {tool}: {message}")
    ),
    any_name="say",
)
