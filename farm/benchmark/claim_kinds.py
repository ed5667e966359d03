"""The kinds of value that a claim may assert: keys of task files, and input of the claims' grammar."""

from __future__ import annotations

from typing import Literal

# date: a day; clock: a time of day; span: from one clock to another; number, amount: a number with its unit or
# currency; choice: one of several things by its names; id: one of a numbered kind, such as EMB-424; says: a predicate.
ClaimKind = Literal["date", "clock", "span", "number", "amount", "choice", "id", "says"]
KINDS: tuple[ClaimKind, ...] = ("date", "clock", "span", "number", "amount", "choice", "id", "says")
