"""Judge what a text asserts: typed values that belong to their subject, an answer of yes or no, and kept text.

The text may be in English, Chinese or both. The rules are deterministic code and independent of apps, tasks and worlds.
``judge`` reads a text once and returns its faults and the places that it may have misread.
"""

from farm.benchmark.claim_kinds import ClaimKind
from farm.benchmark.scoring.claims.model import Change, Claim, Code, Judgement, Reason, Requirement, Situation, Stance
from farm.benchmark.scoring.claims.verdict import asserts, doubts_beside, judge

__all__ = [
    "Change",
    "Claim",
    "ClaimKind",
    "Code",
    "Judgement",
    "Reason",
    "Requirement",
    "Situation",
    "Stance",
    "asserts",
    "doubts_beside",
    "judge",
]
