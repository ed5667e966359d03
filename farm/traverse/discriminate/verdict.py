"""The verdict on one answer, and what a repetition of the call makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["success", "refused", "infrastructure"]

# What failed where the call did not. silence: no answer, or the server ended; server: it says that it broke; network:
# something behind it could not be reached; time: something took too long; rate: too many calls; login: nobody is logged
# in, or no longer.
Cause = Literal["silence", "server", "network", "time", "rate", "login"]

# These stand as they are while nobody does anything about them, so the same answer again says nothing.
_LASTING: tuple[Cause, ...] = ("silence", "rate", "login")


@dataclass(frozen=True)
class Verdict:
    """What an answer is.

    Attributes:
        why: which rule said so, in fixed words: no piece of the answer, which may be private.
        is_sure: whether the rule leaves no doubt; what is not sure is a model's question, or a person's.
        cause: what failed, of an infrastructure failure.
    """

    kind: Kind
    why: str
    is_sure: bool = True
    cause: Cause | None = None

    @property
    def is_worth_repeating(self) -> bool:
        """Whether the same call later may tell more: a failure may pass, a refusal that only looks like one stays."""
        return self.kind == "infrastructure" or not self.is_sure


def settle(first: Verdict, again: Verdict, *, is_same_answer: bool) -> Verdict:
    """Return what an answer is once the call was repeated later; repeating is the strongest rule there is.

    Args:
        first: the verdict on the answer in question.
        again: the verdict on the later answer to the same call.
        is_same_answer: whether both answers say the same, but for values that change from call to call.
    """
    if first.kind == "refused" and again.kind == "refused" and is_same_answer and not first.is_sure:
        return Verdict("refused", f"{first.why}; the same when asked again")
    if first.kind != "infrastructure":
        return first
    if again.kind != "infrastructure":
        return Verdict("infrastructure", f"{first.why}; gone when asked again", cause=first.cause)
    if is_same_answer and not first.is_sure and first.cause not in _LASTING:
        return Verdict("refused", f"{first.why}; the same when asked again", is_sure=False)
    return first
