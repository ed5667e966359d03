"""Tasks and statistics: every answer is made from the call's own arguments.

The praise and both numbers are drawn anew by the server at every call: the recorded ones follow neither the id, the step, nor the time, so there is no rule to imitate.
"""

from farm.appkit import Episode, Result

PRAISES = ("Great job", "Well done", "Task completed", "Keep it up")


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Confirm a new task, whose id is the second of its making."""
    return f"Task added: {title} (Priority: {priority or 'medium'}, ID: {ep.now_ms // 1000})"


def complete_task(ep: Episode, *, task_id: int) -> Result:
    """Praise the completion of a task, whether or not it exists."""
    number = int(task_id)
    praise = PRAISES[ep.hash("praise", number, ep.now_ms) % len(PRAISES)]
    return f"{praise}! Task #{number} has been completed."


def get_stats(ep: Episode, *, period: str) -> Result:
    """Show drawn statistics for a period."""
    shown = period or "today"
    completed = 1 + ep.hash("completed", shown, ep.now_ms) % 10
    focused = 1 + ep.hash("focused", shown, ep.now_ms) % 8
    return f"Stats for {shown}:\nTasks completed: {completed}\nHours focused: {focused}\nKeep up the great work!"
