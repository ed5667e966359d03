"""What the real Filesystem does."""

from farm.testing import Fact

FACTS = {
    "recorded": Fact("secure-filesystem-server 0.2.0", "It answers as in the recorded calls."),
}
