"""What the real Taskflow does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("MCP Task Flow Pro 4.2.3", "It answers as in the recorded calls."),
}
