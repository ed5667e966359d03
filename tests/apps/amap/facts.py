"""What the real Amap does."""

from farm.testing import Fact

FACTS = {
    "refuses": Fact("nobody yet", "Every tool refuses.", differs="The real tools do something."),
}
