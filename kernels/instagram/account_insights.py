"""Insights of the account: values of each day, week or 28 days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from farm.appkit import Episode, Result, Row

from . import errors
from .accounts import require_own, time_text
from .insights import insight, require_known

# Metric → its title, its description and the periods that it comes in.
_OF_ACCOUNT = {
    "reach": ("Reach", "Total number of unique accounts that have seen this profile", ("day", "week", "days_28")),
    "follower_count": ("Follower Count", "Total number of unique accounts following this profile", ("day",)),
    "online_followers": (
        "Online Followers",
        "Total number of this profile's followers that were online",
        ("lifetime",),
    ),
}
# Every metric that the API knows of, in the order in which it names them.
_KNOWN = (
    *("reach", "follower_count", "website_clicks", "profile_views", "online_followers", "accounts_engaged"),
    *("total_interactions", "likes", "comments", "shares", "saves", "replies", "engaged_audience_demographics"),
    *("reached_audience_demographics", "follower_demographics", "follows_and_unfollows", "profile_links_taps", "views"),
    *("threads_likes", "threads_replies", "reposts", "quotes", "threads_followers", "threads_follower_demographics"),
    *("content_views", "threads_views", "threads_clicks", "threads_reposts"),
)
_DEFAULT = ("reach", "follower_count")  # (inferred)
_PERIODS = ("day", "week", "days_28", "month", "lifetime", "total_over_range")
_DAYS_MAX, _DAYS = 30, 2
_YEARS = range(1971, 2500)
# A day of insights ends at midnight in California, told in UTC.
_ENDS = timedelta(hours=7)


def get_account_insights(
    ep: Episode,
    *,
    ig_user_id: str | None = None,
    metric: Sequence[str] | None = None,
    period: str = "day",
    since: str | None = None,
    until: str | None = None,
    graph_api_version: str = "v21.0",
) -> Result:
    """Return the account's figures of each day of a span, at most thirty, or of the last two days.

    Args:
        since, until: seconds since 1970 or a date.

    Raises:
        NoToken, UnsupportedGet: as ``require_own``.
        InvalidParameter: a metric or period that there is not, both that do not go together, a metric that only comes
            as a total, which this toolkit cannot ask for, or a span that is too long or none.
        ImpressionsNoLonger: the metric that the API has given up.

    Source: https://developers.facebook.com/docs/instagram-platform/api-reference/instagram-user/insights
    """
    account = require_own(ep, ig_user_id)
    names = list(dict.fromkeys(metric or _DEFAULT))
    if "impressions" in names:
        raise errors.ImpressionsNoLonger(ep)
    require_known(ep, names, _KNOWN)
    if period not in _PERIODS:
        raise errors.InvalidParameter(ep, problem=f"period must be one of the following values: {', '.join(_PERIODS)}")
    totals = [name for name in names if name not in _OF_ACCOUNT]
    if totals:
        problem = (
            f"The following metrics ({','.join(totals)}) should be specified with parameter metric_type=total_value"
        )
        raise errors.InvalidParameter(ep, problem=problem)
    others = [name for name in names if period not in _OF_ACCOUNT[name][2]]
    if others:
        raise errors.InvalidParameter(
            ep, problem=f"Incompatible metrics ({', '.join(others)}) with period of ({period})"
        )
    begins, ends = _span(ep, since, until)
    oldest = ep.now - timedelta(days=_DAYS_MAX + 1)
    if "follower_count" in names and begins < oldest:
        problem = "(follower_count) metric only supports querying data for the last 30 days excluding the current day"
        raise errors.InvalidParameter(ep, problem=problem)
    days = _days(begins, min(ends, ep.now))
    told = [
        insight(account["ig_user_id"], name, period, _series(ep, account, name, period, days), *_OF_ACCOUNT[name][:2])
        for name in names
    ]
    path = f"https://graph.instagram.com/{graph_api_version}/{account['ig_user_id']}/insights"
    length = ends - begins
    beside = {
        name: f"{path}?{urlencode({'metric': ','.join(names), 'period': period, 'since': first, 'until': last})}"
        for name, first, last in (
            ("previous", int((begins - length).timestamp()), int(begins.timestamp())),
            ("next", int(ends.timestamp()), int((ends + length).timestamp())),
        )
    }
    return {"data": told, "paging": beside}


def _span(ep: Episode, since: str | None, until: str | None) -> tuple[datetime, datetime]:
    """Return the first and the last moment that is asked for."""
    ends = _moment(ep, "until", until) if until else ep.now
    begins = _moment(ep, "since", since) if since else ends - timedelta(days=_DAYS)
    if begins > ends:
        raise errors.InvalidParameter(ep, problem="since param should be earlier than until param")  # (inferred)
    if ends - begins > timedelta(days=_DAYS_MAX):
        problem = "There cannot be more than 30 days (2592000 s) between since and until"
        raise errors.InvalidParameter(ep, problem=problem)
    return begins, ends


def _moment(ep: Episode, name: str, text: str) -> datetime:
    """Return a moment that is told in seconds or as a date."""
    told: datetime | None
    try:
        if text.strip().isdecimal():
            told = datetime.fromtimestamp(int(text), UTC)
        else:
            told = datetime.fromisoformat(text.strip())
            told = told.astimezone(UTC) if told.tzinfo else told.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        told = None
    if told is None or told.year not in _YEARS:
        raise errors.InvalidParameter(ep, problem=f"param {name} is not a valid timestamp")  # (inferred)
    return told


def _days(begins: datetime, ends: datetime) -> list[date]:
    """Return the days that have ended within a span."""
    day, found = (begins - _ENDS).date(), []
    while _end_of(day) <= ends:
        if _end_of(day) > begins:
            found.append(day)
        day += timedelta(days=1)
    return found


def _end_of(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1) + _ENDS


def _series(ep: Episode, account: Row, name: str, period: str, days: Sequence[date]) -> list[dict[str, Any]]:
    kept = ep.db.all(
        "SELECT date, value FROM account_insights WHERE ig_user_id = ? AND metric = ? AND period = ?",
        *(account["ig_user_id"], name, period),
    )
    values = {row["date"]: row["value"] for row in kept}
    return [
        {"value": values.get(day.isoformat(), 0), "end_time": time_text(int(_end_of(day).timestamp()) * 1000)}
        for day in days
        # A day without a figure had none to count; a longer span that nobody reckoned is not nothing.
        if period == "day" or day.isoformat() in values
    ]
