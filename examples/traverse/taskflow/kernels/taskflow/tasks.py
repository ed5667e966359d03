"""Tasks, of which nothing is kept: every call is answered from its arguments."""

from farm.appkit import Episode, Result

PRAISE = ("Great job!", "Well done!", "Task completed!", "Keep it up!")


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Confirm a task; its id is the second of the call."""
    return f"Task added: {title} (Priority: {priority or 'medium'}, ID: {ep.now_ms // 1000})"


def complete_task(ep: Episode, *, task_id: int) -> Result:
    """Praise for any number."""
    praise = PRAISE[ep.hash("praise", task_id, ep.now_ms) % len(PRAISE)]
    return f"{praise} Task #{task_id} has been completed."


def get_stats(ep: Episode, *, period: str) -> Result:
    """Tell figures that are drawn."""
    period = period or "today"
    completed = 1 + ep.hash("completed", period, ep.now_ms) % 10
    focused = 1 + ep.hash("focused", period, ep.now_ms) % 8
    return (
        f"Stats for {period}:\n"
        f"Tasks completed: {completed}\n"
        f"Hours focused: {focused}\n"
        "Keep up the great work!"
    )
