"""Waiting: simulated time passes until something arrives or the limit is reached."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from farm.appkit import Episode, Result

from . import errors

_MINUTE_MS = 60_000
_LONGEST_MS = 7 * 24 * 60 * _MINUTE_MS


def require_until_ms(ep: Episode, *, minutes: float | None = None, until: str | None = None) -> int:
    """Return the simulated time until which a call waits at most, in milliseconds.

    Raises:
        NoLimit: neither or both are given.
        NotATime: ``until`` is no RFC 3339 time.
        IsPast: the time is before now.
        TooLong: it is more than a week from now.
    """
    if (minutes is None) == (until is None):
        raise errors.NoLimit
    until_ms = ep.now_ms + round(minutes * _MINUTE_MS) if minutes is not None else _parse_ms(str(until))
    if until_ms < ep.now_ms:
        raise errors.IsPast(now=_local(ep, ep.now_ms))
    if until_ms - ep.now_ms > _LONGEST_MS:
        raise errors.TooLong
    return until_ms


def _parse_ms(given: str) -> int:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        raise errors.NotATime(given=repr(given)) from None
    if moment.tzinfo is None:
        raise errors.NotATime(given=repr(given))
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _local(ep: Episode, at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // 1000, ep.zone).isoformat()


def wait(ep: Episode, *, minutes: float | None = None, until: str | None = None) -> Result:
    """Return the time, and what the person was notified of meanwhile.

    The clock has been moved when this runs: ``Tool.waits_until`` said how far.
    """
    if ep.notices is None:
        require_until_ms(ep, minutes=minutes, until=until)
        raise errors.CannotWait
    return _lock_screen(ep, ep.notices)


def read_notices(ep: Episode) -> str:
    """Return the time, and what the person was notified of since the episode began, as text for ``resources/read``.

    Raises:
        CannotWait: nobody has gathered the notices of the other apps.
    """
    if ep.notices is None:
        raise errors.CannotWait
    return json.dumps(_lock_screen(ep, ep.notices), ensure_ascii=False)


def _lock_screen(ep: Episode, notices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "now": _local(ep, ep.now_ms),
        "notices": [{name: each[name] for name in ("at", "app", "text")} for each in notices],
    }
