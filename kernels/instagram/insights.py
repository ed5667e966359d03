"""Insights: what figures of posts and figures of the account have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode

from . import errors


def require_known(ep: Episode, names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse a metric that there is not, with all that there are.

    Raises:
        InvalidParameter: the first such metric.
    """
    for place, name in enumerate(names):
        if name not in known:
            problem = f"metric[{place}] must be one of the following values: {', '.join(known)}"
            raise errors.InvalidParameter(ep, problem=problem)


def insight(
    owner: str, name: str, period: str, values: list[dict[str, Any]], title: str, description: str
) -> dict[str, Any]:
    """Return one metric of a post or an account, with its words."""
    told = {"name": name, "period": period, "values": values, "title": title, "description": description}
    return told | {"id": f"{owner}/insights/{name}/{period}"}
