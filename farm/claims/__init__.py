"""Judges what a text asserts: typed values that belong to their subject, an answer of yes or no, and kept text.

English, Chinese and both mixed; by code alone, the same every time. Knows no app, no task and no world. ``judge`` reads
a text once and says what is wrong with it, and where it may have misread.
"""

from farm.claims.model import Claim, Code, Judgement, Kind, Reason, Situation, Stance, Wanted
from farm.claims.verdict import judge

__all__ = ["Claim", "Code", "Judgement", "Kind", "Reason", "Situation", "Stance", "Wanted", "judge"]
