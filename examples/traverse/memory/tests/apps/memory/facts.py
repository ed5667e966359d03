"""What the real Memory does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("memory-server 0.6.3", "It answers as in the recorded calls."),
}
