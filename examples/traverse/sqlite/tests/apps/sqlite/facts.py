"""What the real Sqlite does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("sqlite 0.1.0", "It answers as in the recorded calls."),
}
