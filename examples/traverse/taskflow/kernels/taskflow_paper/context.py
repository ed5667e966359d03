"""What the tools share. The service stores nothing: any number can be completed, and the figures are drawn."""

from farm.appkit import Episode

PRAISE = ("Great job!", "Well done!", "Task completed!", "Keep it up!")


def new_task_id(ep: Episode) -> int:
    """Return the id of a new task: the second of the call."""
    return ep.now_ms // 1000


def drawn_praise(ep: Episode, task_id: int) -> str:
    """Return one of the openings of the praise."""
    return PRAISE[ep.hash("praise", task_id, ep.now_ms) % len(PRAISE)]


def drawn_figure(ep: Episode, name: str, period: str, largest: int) -> int:
    """Return a drawn number from 1 to the largest."""
    return 1 + ep.hash(name, period, ep.now_ms) % largest
