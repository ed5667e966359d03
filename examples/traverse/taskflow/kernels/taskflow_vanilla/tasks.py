"""Tasks: adding, completing, counting."""

from datetime import datetime, timedelta

from farm.appkit import Answer, Episode, Result

PENDING = "pending"
COMPLETED = "completed"


def add_task(ep: Episode, *, title: str, priority: str) -> Result:
    """Add a task under the next number; any priority is taken as it is."""
    task_id = ep.next_number("tasks", "task_id")
    ep.db.insert(
        "tasks",
        task_id=task_id,
        title=title,
        priority=priority,
        status=PENDING,
        created_ms=ep.now_ms,
        completed_ms=None,
    )
    return _wrapped(f"✅ Task added: {title} (ID: {task_id}, Priority: {priority})")


def complete_task(ep: Episode, *, task_id: int) -> Result:
    """Mark a task as completed; an unknown number is told in an ordinary answer."""
    # Compared here and not in SQL: a number of more than 64 bits cannot be bound.
    for row in ep.db.all("SELECT task_id, title FROM tasks ORDER BY task_id"):
        if row["task_id"] == task_id:
            ep.db.update("tasks", {"task_id": row["task_id"]}, status=COMPLETED, completed_ms=ep.now_ms)
            return _wrapped(f"✅ Task completed: {row['title']}")
    return _wrapped(f"❌ Task {task_id} not found")


def get_stats(ep: Episode, *, period: str) -> Result:
    """Count the tasks that are open, or were completed within the period."""
    since_ms = _period_start_ms(ep.now, period)
    rows = ep.db.all("SELECT status, completed_ms FROM tasks")
    pending = len([row for row in rows if row["status"] != COMPLETED])
    completed = len(
        [
            row
            for row in rows
            if row["status"] == COMPLETED
            and (since_ms is None or row["completed_ms"] is None or row["completed_ms"] >= since_ms)
        ]
    )
    total = pending + completed
    rate = completed / total * 100 if total else 0.0
    return _wrapped(
        f"📊 Productivity stats for {period}:\n"
        f"Total tasks: {total}\n"
        f"Completed: {completed}\n"
        f"Pending: {pending}\n"
        f"Completion rate: {rate:.1f}%"
    )


def _period_start_ms(now: datetime, period: str) -> int | None:
    """Return where a period begins, or None for one that is not known: all time."""
    name = period.strip().lower()
    if name == "today":
        start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    elif name == "week":
        start = now - timedelta(days=7)
    elif name == "month":
        start = now - timedelta(days=30)
    else:
        return None
    return int(start.timestamp() * 1000)


def _wrapped(text: str) -> Answer:
    """Return a text with the structured content that the output schema asks for."""
    return Answer(text, structured={"result": text})
