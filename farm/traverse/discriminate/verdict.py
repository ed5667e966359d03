"""The verdict on one answer, and how a repeated call changes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictKind = Literal["success", "refused", "infrastructure"]

# The part that failed although the call was right. silence: no answer, or the server ended; server: it reports an
# internal failure; network: something behind it was unreachable; time: something timed out; rate: too many calls;
# login: not logged in, or no longer.
Cause = Literal["silence", "server", "network", "time", "rate", "login"]

# These last until a person acts, so an equal answer to a repeated call proves nothing.
_LASTING: tuple[Cause, ...] = ("silence", "rate", "login")


@dataclass(frozen=True)
class Verdict:
    """The class of an answer.

    Attributes:
        why: the rule that decided, in fixed words: never a piece of the answer, which may be private.
        is_sure: whether the rule is certain; uncertain verdicts are for a model or a person to decide.
        cause: the part that failed, in an infrastructure failure.
    """

    kind: VerdictKind
    why: str
    is_sure: bool = True
    cause: Cause | None = None

    @property
    def is_worth_repeating(self) -> bool:
        """Return whether repeating the call may help: a failure may pass, and an uncertain refusal may be confirmed."""
        return self.kind == "infrastructure" or not self.is_sure


def settle(first: Verdict, again: Verdict, *, is_same_answer: bool) -> Verdict:
    """Return the final verdict after the call was repeated; repetition is the strongest rule.

    Args:
        first: the verdict on the original answer.
        again: the verdict on the later answer to the same call.
        is_same_answer: whether both answers are equal except for values that change from call to call.
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
