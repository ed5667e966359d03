"""Tasks: adding, completing, counting."""

from datetime import UTC, datetime, timedelta

from farm.appkit import Answer, Episode, Result

PRIORITIES = ("low", "medium", "high")
PERIODS = ("today", "week", "month")


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Store a task and tell its number."""
    if priority.lower() not in PRIORITIES:
        return _told("Error: Priority must be low, medium, or high")
    task_id = ep.next_number("tasks", "task_id")
    ep.db.insert(
        "tasks",
        task_id=task_id,
        title=title,
        priority=priority.lower(),
        status="pending",
        created_ms=ep.now_ms,
        completed_ms=None,
    )
    return _told(f"Task added: {title} (ID: {task_id}, Priority: {priority.lower()})")


def complete_task(ep: Episode, *, task_id: int) -> Result:
    """Mark a task as completed."""
    row = ep.db.one("SELECT * FROM tasks WHERE task_id = ?", task_id)
    if row is None:
        return _told(f"Task {task_id} not found")
    if row["status"] == "completed":
        return _told(f"Task {task_id} is already completed")
    ep.db.update("tasks", {"task_id": task_id}, status="completed", completed_ms=ep.now_ms)
    return _told(f"Task completed: {row['title']}")


def get_stats(ep: Episode, *, period: str) -> Result:
    """Count the tasks of a period."""
    wanted = period.lower()
    if wanted not in PERIODS:
        return _told("Error: Period must be today, week, or month")
    since = _start_ms(ep, wanted)
    rows = ep.db.all("SELECT * FROM tasks WHERE created_ms >= ? ORDER BY task_id", since)
    total = len(rows)
    done = len([row for row in rows if row["status"] == "completed"])
    rate = done / total * 100 if total else 0.0
    lines = [
        f"Productivity Stats ({wanted}):",
        f"Total tasks: {total}",
        f"Completed: {done}",
        f"Pending: {total - done}",
        f"Completion rate: {rate:.1f}%",
    ]
    return _told("\n".join(lines))


def _start_ms(ep: Episode, period: str) -> int:
    if period == "week":
        start = ep.now - timedelta(days=7)
    elif period == "month":
        start = ep.now - timedelta(days=30)
    else:
        start = ep.now.replace(hour=0, minute=0, second=0, microsecond=0)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return (start - epoch) // timedelta(milliseconds=1)


def _told(text: str) -> Result:
    return Answer(text, structured={"result": text})
