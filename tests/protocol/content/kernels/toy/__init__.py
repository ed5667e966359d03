"""A notebook for tests of the server: quick tools, slow tools, tools that refuse and tools that break."""

from farm.app import App
from farm.dialects import Plain

from .tools import TOOLS

APP = App(name="toy", title="Toy", category="test", dialect=Plain(), tools=TOOLS, ids={"note": "n_{hex:8}"})
