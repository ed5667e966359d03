"""Classify an answer of a real server: a success, a refusal, or a failure that the call did not cause."""

from farm.traverse.discriminate.discriminator import Discriminator, Opinion, judge_recording
from farm.traverse.discriminate.verdict import Cause, Verdict, VerdictKind, settle

__all__ = ["Cause", "Discriminator", "Opinion", "Verdict", "VerdictKind", "judge_recording", "settle"]
