"""Adding tasks."""

from farm.appkit import Episode, Result

from . import context


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Confirm a task; without a priority it is medium."""
    return f"Task added: {title} (Priority: {priority or 'medium'}, ID: {context.new_task_id(ep)})"
