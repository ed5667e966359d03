"""Details of a file or directory."""

from datetime import datetime, timedelta, timezone

from farm.appkit import Episode, Result, VendorError

from . import context


class GetFileInfoRefused(VendorError):
    """{message}"""

    code = "get_file_info_refused"


def get_file_info(ep: Episode, *, path: str) -> Result:
    """Tell size, times, kind and permissions.

    Raises:
        GetFileInfoRefused: the path is refused, or nothing stands there.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise GetFileInfoRefused(message=refusal)
    node = context.node_at(ep, valid)
    if node is None:
        raise GetFileInfoRefused(message=context.failure("ENOENT", "stat", valid))
    directory = context.is_directory(node)
    created = _date(ep, node["created_ms"])
    lines = [
        f"size: {context.size_of(node)}",
        f"created: {created}",
        f"modified: {_date(ep, node['modified_ms'])}",
        f"accessed: {created}",
        f"isDirectory: {'true' if directory else 'false'}",
        f"isFile: {'false' if directory else 'true'}",
        f"permissions: {'755' if directory else '644'}",
    ]
    return "\n".join(lines)


def _date(ep: Episode, moment_ms: int) -> str:
    """Return String(date); the directory that was there at the start has the time of the call."""
    start = datetime(1970, 1, 1, tzinfo=timezone.utc)
    moment = start + timedelta(milliseconds=moment_ms) if moment_ms else ep.now
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    day = f"{days[moment.weekday()]} {months[moment.month - 1]} {moment.day:02d} {moment.year:04d}"
    return f"{day} {moment.hour:02d}:{moment.minute:02d}:{moment.second:02d} GMT+0000 (Coordinated Universal Time)"
