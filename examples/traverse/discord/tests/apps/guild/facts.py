"""What the real Discord does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("discord-server 1.30.0", "It answers as in the recorded calls."),
}
