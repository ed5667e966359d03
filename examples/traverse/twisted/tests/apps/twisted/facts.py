"""What the real Twisted does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("garden 1.0.0", "It answers as in the recorded calls."),
}
