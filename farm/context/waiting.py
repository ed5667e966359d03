"""A call that waits: before it runs, the episode's clock moves in all apps, to a limit or to the first notice.

The call is a companion's, whose store is where the clocks are moved. Its handler finds the notices in the episode.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import tzinfo
from typing import Any

from farm.appkit.dialects import InvalidArgumentsError
from farm.appkit.handler_api import VendorError
from farm.context.clock import Standing, list_arrivals, wall_ms
from farm.context.context import Context
from farm.context.store import Store

Notices = list[dict[str, Any]]
# Is called with the simulated time that a wait has come to, in milliseconds.
OnStep = Callable[[int], Awaitable[None]]


def wait_limit_ms(context: Context, tool: str, arguments: Any, menu: frozenset[str] | None) -> int | None:
    """Return the simulated time until which a call is to wait; None for a call that does not wait or is refused."""
    bound = context.loaded.bound.get(tool)
    if bound is None or bound.tool.waits_until is None or _is_refused(context, tool, menu):
        return None
    try:
        cleaned = bound.check(arguments)
        context.episode.start_call(context.now_ms(False), context.writes)
        return bound.tool.waits_until(context.episode, **cleaned)
    except (InvalidArgumentsError, VendorError):
        return None  # the call itself words the refusal


def find_question(context: Context, tool: str, arguments: Any, menu: frozenset[str] | None) -> str | None:
    """Return what a call asks the person at the client; None for a call that asks nothing or is refused."""
    bound = context.loaded.bound.get(tool)
    if bound is None or bound.tool.asks is None or _is_refused(context, tool, menu):
        return None
    try:
        return bound.tool.asks(context.episode, **bound.check(arguments))
    except (InvalidArgumentsError, VendorError):
        return None  # the call itself words the refusal


def _is_refused(context: Context, tool: str, menu: frozenset[str] | None) -> bool:
    """Return whether a call is refused before its tool is reached: it is not in the menu, or a limit is reached."""
    is_hidden = menu is not None and tool not in menu
    return is_hidden or (context.limits is not None and context.limits.is_reached)


@contextmanager
def notified(
    context: Context, notices: Sequence[Mapping[str, Any]] | None, answer: str | None = None
) -> Iterator[None]:
    """Let the call inside find what the person was notified of while it waited, and what they answered to it.

    Args:
        context: the companion's context.
        notices: what they were notified of; None for a call that does not wait.
        answer: what the person at the client answered; None if they were not asked.
    """
    context.episode.notices, context.episode.answer = notices, answer
    try:
        yield
    finally:
        context.episode.notices = context.episode.answer = None


def notices_of(arrivals: Sequence[Mapping[str, Any]]) -> Notices:
    """Return what a person was notified of, of all that arrived: ``at``, ``app`` and ``text``."""
    return [{"at": each["at"], "app": each["app"], "text": each["notice"]} for each in arrivals if "notice" in each]


def carry(stores: Mapping[str, Store], episode_id: str) -> None:
    """Bring what people are going to do in other apps than that of its cause to those apps."""
    for store in stores.values():
        outgoing = store.take_outgoing(episode_id)
        for each in outgoing:
            stores[each["act"]["app"]].bring_acts(episode_id, [each])
        if outgoing:
            store.drop_outgoing(episode_id, [each["id"] for each in outgoing])


def settle(stores: Mapping[str, Store], episode_id: str) -> Standing:
    """Carry what people are going to do to its apps, and return the standing of the episode's clock."""
    carry(stores, episode_id)
    found = []
    for store in stores.values():
        next_ms, last_ms = store.due_ms(episode_id)
        act_ms = store.next_act_ms(episode_id)
        now_ms = store.clock_ms(episode_id)
        found.append({"clock_ms": now_ms, "next_ms": next_ms, "last_ms": last_ms, "act_ms": act_ms})
    return Standing.of(found)


def wait_in(
    stores: Mapping[str, Store], episode_id: str, zone: tzinfo, until_ms: int, person: str | None = None
) -> Notices:
    """Move an episode's clock in all stores to a limit, or to the first notice; return what arrived then.

    Args:
        stores: app → store, of all the episode's apps.
        episode_id: the episode.
        zone: the zone of the times that are returned.
        until_ms: the limit.
        person: who is notified; None for the person whom the agent works for.
    """
    while True:
        to_ms, at_ms = settle(stores, episode_id).step_ms(until_ms), wall_ms()
        came = {app: store.set_clock(episode_id, to_ms, None, at_ms, person) for app, store in stores.items()}
        notices = notices_of(list_arrivals(came, zone))
        if notices or to_ms >= until_ms:
            return notices
