"""Matrices: how far it is from each of some points to each of others."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.geography.coordinates import distance_m

from . import errors
from .directions import MODES, find_route, length
from .points import read_points
from .services import read_kind

_ROUTES_MAX = 100
_WALK_M_MAX = 200_000


def measure(ep: Episode, *, origins: str, destinations: str, model: str = "driving") -> Result:
    """Return length and time of the way from each origin to each destination, row by row.

    Raises:
        InvalidAddress: a kind that no address can hold.
        NoService: there is no such kind of route; public transport has no matrix.
        WrongParameter: no points, more than a hundred ways, or one too far to walk.
        NoRoute: no road leads there.

    Source: https://lbsyun.baidu.com/faq/api?title=webapi/routchtout-base
    """
    model = read_kind("/routematrix/v2/", model)
    if model not in MODES:
        raise errors.NoService
    starts, ends = read_points(origins, "|"), read_points(destinations, "|")
    if not starts or not ends or len(starts) * len(ends) > _ROUTES_MAX:
        raise errors.WrongParameter
    pairs = [(start, end) for start in starts for end in ends]
    if model == "walking" and any(distance_m(*pair) > _WALK_M_MAX for pair in pairs):
        raise errors.WrongParameter
    ways = [find_route(ep, model, *pair) for pair in pairs]
    return {"status": 0, "result": [_cell(way.distance_m, way.duration_s) for way in ways], "message": "成功"}


def _cell(metres: int, seconds: int) -> Row:
    return {
        "distance": {"text": length(metres), "value": metres},
        "duration": {"text": _time(seconds), "value": seconds},
    }


def _time(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return f"{minutes}分钟" if minutes < 60 else f"{minutes / 60:.1f}小时"
