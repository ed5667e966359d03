"""Turns of a trial: when an agent has ended its turn, the clock moves to the next notice, with which the agent goes on.

So are assistants woken that cannot wait by themselves. The agent is told its instruction, its last answer and the
notices; it needs no memory of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.benchmark.agents.base import Agent, Assignment, InfrastructureError, Result, Session
from farm.errors import FarmError

TURNS_MAX = 10
_STEPS_MAX = 1000  # arrivals without a notice, one after the other


def wake(session: Session) -> list[Mapping[str, Any]]:
    """Move an episode's clock to the next thing that the person is notified of, and return it; empty if all is quiet.

    Raises:
        InfrastructureError: the farm does not answer.
    """
    for _ in range(_STEPS_MAX):
        try:
            came = session.move_clock(next=True)
        except InfrastructureError:
            raise
        except FarmError:
            return []  # nothing waits any more
        notices: list[Mapping[str, Any]] = [each for each in came if "notice" in each]
        if notices:
            return notices
    return []


def play_turns(agent: Agent, job: Assignment) -> Result:
    """Let an agent play, and wake it until all is quiet if the task says so."""
    result = agent.play(job)
    if job.task.turns == "once" or getattr(agent, "plays_script", False):
        return result
    for _ in range(TURNS_MAX - 1):
        if result.ended != "answered" or job.cancelled.is_set() or not (notices := wake(job.session)):
            break
        result = _joined(result, agent.play(replace(job, instruction=_instruction(job, result.answer, notices))))
    return result


def _instruction(job: Assignment, answer: str, notices: Sequence[Mapping[str, Any]]) -> str:
    told = "\n".join(f"- {each['at']}, {each['app']}: {each['notice']}" for each in notices)
    return (
        f"{job.instruction}\n\nYou have worked on this before and said:\n{answer or '(nothing)'}\n\n"
        f"It is {notices[-1]['at']} now. The user's phone shows:\n{told}\n\n"
        "Go on if this concerns what you were asked to do, and answer anew. Otherwise give your answer again."
    )


def _joined(first: Result, then: Result) -> Result:
    """Return what came of two turns; the answer is the last one that was given."""
    has_turns = first.turns is not None and then.turns is not None
    return replace(
        then,
        answer=then.answer or first.answer,
        turns=(*first.turns, *then.turns) if has_turns else None,  # type: ignore[misc] # both are there
        usage=first.usage + then.usage if first.usage and then.usage else first.usage or then.usage,
        transcript=[*first.transcript, *then.transcript],
        models=tuple(dict.fromkeys((*first.models, *then.models))),
        finish_reasons=(*first.finish_reasons, *then.finish_reasons),
        is_told=first.is_told or then.is_told,
    )
