"""The memo of insights."""

from farm.appkit import Episode, Result

from . import context


def append_insight(ep: Episode, *, insight: str) -> Result:
    """Add an insight to the memo."""
    context.add_insight(ep, insight)
    return "Insight added to memo"
