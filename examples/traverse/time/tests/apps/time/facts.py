"""What the real Time does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("mcp-time 2026.10.19", "It answers as in the recorded calls."),
}
