"""What an answer of a real server is: a success, a refusal, or a failure of something that is not the call's doing."""

from farm.traverse.discriminate.discriminator import Discriminator, Opinion, judge_recording
from farm.traverse.discriminate.verdict import Cause, Kind, Verdict, settle

__all__ = ["Cause", "Discriminator", "Kind", "Opinion", "Verdict", "judge_recording", "settle"]
