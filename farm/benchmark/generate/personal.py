"""Whether a tool is personalized: two people who make the same call get different answers, or leave different rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from farm._util.json_io import loads
from farm.benchmark.generate.player import Player

_OTHERS_MAX = 3
_CALLS_MAX = 12


def is_personal(player: Player, tool: str, calls: Sequence[Mapping[str, Any]]) -> bool | None:
    """Return whether another person gets something else from one of some calls; None if nobody else could play it."""
    others = other_people(player)[:_OTHERS_MAX]
    if not others:
        return None
    spread = calls[:: max(1, len(calls) // _CALLS_MAX)][:_CALLS_MAX]
    for arguments in spread:
        mine = _outcome(player, tool, arguments, player.person)
        if mine is not None and any(_outcome(player, tool, arguments, other) != mine for other in others):
            return True
    return False


def other_people(player: Player) -> list[str]:
    """Return the other people with an account in the app, in the order of the accounts."""
    account = player.schema.account
    if account is None:
        return []
    me = player.person or player.session.settings.me
    rows = player.session.rows(player.app, account[0])
    return [str(row["person"]) for row in rows if row["person"] and row["person"] != me]


def _outcome(player: Player, tool: str, arguments: Mapping[str, Any], person: str | None) -> str | None:
    """Return what a call comes to as one person: the answer, or who stands in the rows; None if it was refused."""
    outcome = player.session.outcome(player.app, tool, arguments, person)
    is_refused = outcome.refused or outcome.is_protocol_error
    if not outcome.wrote:
        return None if is_refused else json.dumps(loads(outcome.result), sort_keys=True)
    diff = player.session.diff("clean").get(player.app, {})
    player.clean()
    holders = {str(row[player.schema.account[1]]) for row in _holders(player)} if player.schema.account else set()
    people = sorted(
        f"{table}.{name}={value}"
        for table, rows in diff.items()
        for row in rows
        for name, value in (row["new"] or row["old"]).items()
        if str(value) in holders
    )
    return None if is_refused else json.dumps(people)


def _holders(player: Player) -> list[dict[str, Any]]:
    assert player.schema.account is not None
    return player.session.rows(player.app, player.schema.account[0])
