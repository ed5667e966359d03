"""Tasks: adding, completing, counting."""

from farm.appkit import Answer, Episode, Result


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Store a task."""
    task_id = ep.next_number("tasks", "task_id")
    ep.db.insert("tasks", task_id=task_id, title=title, priority=priority, completed=0, created_ms=ep.now_ms)
    return _answered(f"Added task #{task_id}: {title} (priority: {priority})")


def complete_task(ep: Episode, *, task_id: int) -> Result:
    """Mark a task as completed."""
    row = ep.db.one("SELECT * FROM tasks WHERE task_id = ?", task_id)
    if row is None:
        return _answered(f"Task {task_id} not found")
    ep.db.update("tasks", {"task_id": task_id}, completed=1, completed_ms=ep.now_ms)
    return _answered(f"Completed task #{task_id}: {row['title']}")


def get_stats(ep: Episode, *, period: str) -> Result:
    """Tell how many tasks are completed."""
    total = ep.db.scalar("SELECT COUNT(*) FROM tasks")
    completed = ep.db.scalar("SELECT COUNT(*) FROM tasks WHERE completed = 1")
    return _answered(f"Stats for {period}: {completed} of {total} tasks completed")


def _answered(text: str) -> Answer:
    return Answer(text, structured={"result": text})
