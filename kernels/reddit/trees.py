"""The comments under a post as a tree: which are shown, in which order, and what stands for the rest."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Any

from farm.appkit import Episode, Row

from . import comment_views

_VISIBLE_MAX = 200
_DEPTH_MAX = 10
_Z = 1.281551565545  # 80 % confidence

Key = Callable[[Row], float]


def confidence(row: Row) -> float:
    """Return the lower bound of the share of votes that are up, by which Reddit's best comments come first."""
    count = row["ups"] + row["downs"]
    if not count:
        return 0.0
    share = float(row["ups"] / count)
    left = share + _Z * _Z / (2 * count)
    right = _Z * math.sqrt(share * (1 - share) / count + _Z * _Z / (4 * count * count))
    return float((left - right) / (1 + _Z * _Z / count))


def _controversy(row: Row) -> float:
    """Return by how many votes a comment is judged, raised to how even they are; nothing where all agree."""
    fewer, more = sorted((row["ups"], row["downs"]))
    return float((fewer + more) ** (fewer / more)) if fewer > 0 else 0.0


_ORDERS: dict[str, Key] = {
    "confidence": confidence,
    "top": lambda row: float(row["ups"] - row["downs"]),
    "new": lambda row: float(row["created_s"]),
    "old": lambda row: -float(row["created_s"]),
    "controversial": _controversy,
}


def listing(children: list[Any]) -> dict[str, Any]:
    """Return a listing of comments, which has no pages."""
    data = {"after": None, "dist": None, "modhash": None, "geo_filter": "", "children": children, "before": None}
    return {"kind": "Listing", "data": data}


class Tree:
    """The comments of one post.

    Args:
        rows: all of them, as ``comment_views.COMMENTS`` reads them.
        order: the sort that the post's community suggests; any but those known is ``confidence``.
    """

    def __init__(self, ep: Episode, rows: list[Row], order: str | None) -> None:
        self._ep = ep
        value = _ORDERS.get(order or "", confidence)
        self._below: dict[str | None, list[Row]] = {}
        for row in rows:
            self._below.setdefault(row["parent_id"], []).append(row)
        # A deleted comment goes when nothing stands below it any more.
        self._prune()
        for answers in self._below.values():
            answers.sort(key=lambda row: (-row["sticky"], -value(row), row["created_s"], row["comment_id"]))
        self._value = value
        self._visible = self._choose()

    def _prune(self) -> None:
        emptied = True
        while emptied:
            emptied = False
            for parent, answers in list(self._below.items()):
                kept = [row for row in answers if not row["is_deleted"] or self._below.get(row["comment_id"])]
                if len(kept) < len(answers):
                    self._below[parent], emptied = kept, True

    def _choose(self) -> set[str]:
        """Return the comments that are shown: the best first, and below a shown one its answers compete, too."""
        waiting: list[tuple[int, float, str, int]] = []

        def offer(parent: str | None, depth: int) -> None:
            for row in self._below.get(parent, ()):
                heapq.heappush(waiting, (-row["sticky"], -self._value(row), row["comment_id"], depth))

        offer(None, 0)
        shown: set[str] = set()
        while waiting and len(shown) < _VISIBLE_MAX:
            _, _, comment_id, depth = heapq.heappop(waiting)
            shown.add(comment_id)
            if depth + 1 < _DEPTH_MAX:
                offer(comment_id, depth + 1)
        return shown

    def things(self, parent: str | None, fullname: str, depth: int = 0) -> list[Any]:
        """Return what stands below a comment, or below the post.

        Args:
            parent: the comment's id; None: the post.
            fullname: the same as a fullname.
            depth: how deep the answers stand.
        """
        answers = self._below.get(parent, [])
        if answers and depth >= _DEPTH_MAX:
            return [_more([], 0, fullname, depth, "_")]
        made: list[Any] = []
        for row in answers:
            if row["comment_id"] in self._visible:
                own = self.things(row["comment_id"], f"t1_{row['comment_id']}", depth + 1)
                replies = listing(own) if own else ""
                made.append(comment_views.thing(self._ep, row, depth=depth, replies=replies))
        left = [row["comment_id"] for row in answers if row["comment_id"] not in self._visible]
        if left:
            made.append(_more(left, sum(map(self._size, left)), fullname, depth, left[0]))
        return made

    def _size(self, comment_id: str) -> int:
        """Return how many comments a branch has, the first included."""
        waiting, count = [comment_id], 0
        while waiting:
            count += 1
            waiting += [row["comment_id"] for row in self._below.get(waiting.pop(), ())]
        return count


def _more(children: list[str], count: int, parent: str, depth: int, name: str) -> dict[str, Any]:
    data = {"count": count, "name": f"t1_{name}", "id": name, "parent_id": parent, "depth": depth, "children": children}
    return {"kind": "more", "data": data}
