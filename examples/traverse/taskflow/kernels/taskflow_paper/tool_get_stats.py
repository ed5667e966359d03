"""Figures of productivity."""

from farm.appkit import Episode, Result

from . import context


def get_stats(ep: Episode, *, period: str) -> Result:
    """Tell figures that are drawn, whatever the period is."""
    period = period or "today"
    completed = context.drawn_figure(ep, "completed", period, 10)
    focused = context.drawn_figure(ep, "focused", period, 8)
    return (
        f"Stats for {period}:\n"
        f"Tasks completed: {completed}\n"
        f"Hours focused: {focused}\n"
        "Keep up the great work!"
    )
