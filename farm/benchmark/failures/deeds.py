"""Whether a final answer says that a missed change was made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from farm import content
from farm.benchmark.failures.case import Case
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.tasks import Operate
from farm.context.trace import Call

# A sentence that says so without naming what was done.
_ALL = (
    r"^\W*(?:done|finished|completed|sorted)\b|\ball (?:set|done|of (?:it|them|that))\b|\b(?:everything|both)\b"
    r"|taken care of|\b(?:it|that)(?:'s| is| has been) (?:done|handled|sorted)"
    r"|完成|搞定|办好|办妥|都.{0,8}[好完]了|^\W*好了"
)
# What a sentence says was done to a row, and to one that notifies somebody.
_DEEDS = {
    "create": r"\b(?:created|added|booked|scheduled|saved|set|put|made|wrote|noted|kept)\b|建|加|记|写|订|存|放",
    "update": (
        r"\b(?:updated|changed|moved|marked|set|put|ticked|edited|fixed|mended|corrected|replaced|closed|renamed|liked"
        r"|filed|labell?ed|pinned|reacted|accepted|declined|booked)\b|改|移|勾|标|换|挪|更新|修|点赞|归"
    ),
    "delete": (r"\b(?:deleted|removed|cancelled|canceled|cleared|binned|trashed|taken (?:out|off))\b|删|取消|去掉|清"),
    "send": (
        r"\b(?:sent|posted|told|replied|messaged|answered|emailed|mailed|shared|published|commented|invited|informed"
        r"|let .+ know|notified|confirmed|asked|written|wrote|thanked|passed)\b|发|回|告诉|通知|说|转|评论|邀请|答"
    ),
}
_NOT_DONE = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable|not able|not|never|didn't|haven't|wasn't|weren't|failed|fails"
    r"|will|would|should|going to|to be|want me|shall|no such|without)\b"
    r"|没|无法|不能|未|还要|需要|要不要|准备|打算|稍后|将",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?<=[.!?。！？；;\n])\s*|\s+[-–—]\s+|[，,]\s*(?=but|however|但|不过)")
_CLAUSES = re.compile(r"[,，、:：\n]\s*|\s+and\s+")
# What a clause has that tells a deed as done: in Chinese a particle, in English the verb itself.
_AS_DONE = re.compile(r"[了已好过完]|^[^\u4e00-\u9fff]*$")
_NEGATIVE = re.compile(r"\b(?:no|not|nothing|none|never|cannot|unable)\b|n't\b|没|未|无|不到", re.IGNORECASE)


def gives_up(answer: str) -> bool:
    """Return whether an answer begins by saying that something was not found."""
    return bool(_NEGATIVE.search(_ENDS.split(answer.strip())[0]))


def claim_of(case: Case, point: Operate) -> str:
    """Return what an answer says that claims a missed change; empty if it says nothing of it.

    A clause about a deed of the same kind claims it only if the agent did fewer such deeds than it tells.
    """
    said = [each for each in _sentences(case.trial["answer"]) if not _NOT_DONE.search(each)]
    general = [each for each in said if re.search(_ALL, each, re.IGNORECASE)]
    if general:
        return general[0]
    deeds = "|".join(_DEEDS[kind] for kind in _kinds(point))
    clauses = [clause for each in said for clause in _CLAUSES.split(each)]
    told = [clause for clause in clauses if re.search(deeds, clause, re.IGNORECASE) and _AS_DONE.search(clause)]
    here = [clause for clause in told if point.app in clause.casefold()]
    anywhere = [clause for clause in told if not any(app in clause.casefold() for app in case.task.apps)]
    done = [call["app"] for call in case.calls if _is_deed(case, call, point.change)]
    if len(here) > done.count(point.app):
        return here[-1]
    return anywhere[-1] if anywhere and len(told) > len(done) else ""


def _is_deed(case: Case, call: Call, change: str) -> bool:
    """Return whether a call made a change of a kind; to create and to update are told in the same words."""
    ops = {"delete"} if change == "delete" else {"insert", "update"}
    changes = (each for rows in case.diff.get(call["app"], {}).values() for each in rows)
    return any(each.get("call") == call["call"] and each["op"] in ops for each in changes)


def _sentences(answer: str) -> Iterator[str]:
    prose = answer.partition("```")[0]
    yield from (each.strip() for each in _ENDS.split(prose) if each and not each.rstrip().endswith(("?", "？")))


def _kinds(point: Operate) -> tuple[str, ...]:
    if point.change == "delete":
        return ("delete",)
    is_sent = point.change == "create" and content.has_app(point.app) and point.table in schema_of(point.app).notifies
    return ("create", "update", "send") if is_sent else ("create", "update")
