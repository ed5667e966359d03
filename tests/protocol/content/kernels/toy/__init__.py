"""A notebook for tests of the server: quick tools, slow tools, tools that break, and every way to answer and refuse."""

from farm.app import App
from farm.dialects import Plain
from farm.envelope import Envelope, by_output_schema

from . import tools

APP = App(
    name="toy",
    title="Toy",
    category="test",
    dialect=Plain(),
    tools=tools.TOOLS,
    ids={"note": "n_{hex:8}"},
    envelope=Envelope(structured=by_output_schema, refusal=tools.answer),
)
