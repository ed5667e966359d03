"""Medical, as medical-mcp shows it: drugs, articles, guidelines and statistics of health, from public databases."""

from farm.appkit import App, Envelope, Profile, Worded
from farm.appkit.dialects import Zod3

from .tools import AUTUMN_2025, TOOLS

APP = App(
    name="medical",
    title="Medical",
    category="information",
    dialect=Zod3(sdk="1.15.1"),
    tools=TOOLS,
    reference="medicine",
    profiles={
        "paper-2025": Profile(
            tools_json="tools.cbc0530.json",
            tools=AUTUMN_2025,
            # What a handler throws is told as if it were an answer.
            envelope=Envelope(
                refusal=Worded("Error {tool}: {message}", is_error=None, names={"search-drugs": "searching drugs"})
            ),
            note="The server as of 28 October 2025 (commit cbc0530), eleven tools and no cache. That the paper on "
            "MCP-Persona used it is inferred from its count of tools; how its answers are worded is from its source.",
        ),
    },
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "search-drugs",
            "search-medical-literature",
            "get-drug-details",
            "get-article-details",
            "search-clinical-guidelines",
            "get-health-statistics",
            "search-drug-nomenclature",
            "search-medical-databases",
            "search-pediatric-guidelines",
            "search-pediatric-literature",
        ),
    },
)
