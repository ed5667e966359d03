"""Context7: finds libraries by name and shows pieces of their documentation."""

from farm.appkit import App, Envelope, Profile, Tool, Worded
from farm.appkit.dialects import Zod3, Zod4

from . import documents, libraries
from .tools import TOOLS

_QUERY = {"query": ("userQuery", "question")}

APP = App(
    name="context7",
    title="Context7",
    category="documentation",
    dialect=Zod4(
        sdk="2.0.0",
        zod="4.6.7",
        # What the schema does not show: models call these arguments by the names of other versions and tools.
        aliases={
            "resolve-library-id": _QUERY,
            "query-docs": {**_QUERY, "libraryId": ("context7CompatibleLibraryID", "libraryID", "libraryName")},
        },
    ),
    tools=TOOLS,
    # What the API refuses is a text like any other.
    envelope=Envelope(refusal=Worded(is_error=None)),
    reference="libraries",
    profiles={
        "paper-2025": Profile(
            note="Version 1.0.33 of autumn 2025, before query-docs took the place of get-library-docs. That the "
            "MCP-Persona paper ran a version of that time is inferred from its number of tools.",
            tools_json="paper-2025.json",
            tools=(
                Tool("resolve-library-id", libraries.resolve_library_name),
                Tool("get-library-docs", documents.get_library_docs),
            ),
            dialect=Zod3(sdk="1.32.2"),
            recorded=("1.0.33",),
        ),
    },
)
