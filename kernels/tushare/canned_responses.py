"""What Tushare answers by the episode's own rows: they come before what the reference knows.

A quota that is used up, points that do not suffice, or what a recording's stand-in said.
"""

from __future__ import annotations

from farm.appkit import Episode, Row, best_match

from . import errors


def find_answer(
    ep: Episode, api: str, params: dict[str, str], failed: type[errors.QueryFailed] = errors.QueryFailed
) -> list[Row] | None:
    """Return the rows that Tushare answers to a request, or None where the reference is to say them.

    Args:
        api: its name: stock_basic.
        params: what is asked for.

    Raises:
        QueryFailed: as ``failed``: Tushare refuses.
    """
    told = ep.db.all("SELECT params AS asked, body FROM answers WHERE api = ? ORDER BY params", api)
    answer = best_match(told, params)
    if answer is None:
        return None
    if answer["code"] != 0:
        raise failed(problem=str(answer["msg"]))
    data = answer["data"]
    return [dict(zip(data["fields"], item, strict=True)) for item in data["items"]]
