"""A notebook for tests of the server: quick tools, slow tools, tools that break, and every way to answer and refuse."""

from farm.appkit.app import App, Profile
from farm.appkit.dialects import GenericJsonSchema, Zod3
from farm.appkit.envelope import Envelope, GoJson, Worded, by_output_schema

from . import tools

APP = App(
    name="toy",
    title="Toy",
    category="test",
    dialect=GenericJsonSchema(),
    tools=tools.TOOLS,
    ids={"note": "n_{hex:8}"},
    envelope=Envelope(structured=by_output_schema, refusal=tools.answer),
    menus={"writing": ("note_add", "note_show"), "trouble": ("note_fail", "note_spin")},
    profiles={
        # Differs in all that a profile can differ in: contract, tools, dialect and envelope.
        "old": Profile(
            tools_json="tools.old.json",
            tools=tools.OLD_TOOLS,
            dialect=Zod3(),
            envelope=Envelope(json=GoJson(), refusal=Worded("refused: {message}", is_error=None)),
            recorded=("0.9.0",),
            note="The notebook as it was.",
        ),
        "small": Profile(names=("note_show", "note_add")),
    },
)
