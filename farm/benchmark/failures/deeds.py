"""Whether a final answer says that a missed change was made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from farm import content
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.tasks import Operate

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
        r"|let \w+ know|notified|confirmed|asked|written|wrote|thanked|passed)\b|发|回|告诉|通知|说|转|评论|邀请|答"
    ),
}
_NOT_DONE = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable|not able|not|never|didn't|haven't|wasn't|weren't|failed|fails"
    r"|will|would|should|going to|to be|want me|shall|no such|without)\b"
    r"|没|无法|不能|未|还要|需要|要不要|准备|打算|稍后|将",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?<=[.!?。！？；;\n])\s*|\s+[-–—]\s+|[，,]\s*(?=but|however|但|不过)")
# An answer that says that something was not found.
_GIVES_UP = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable to|not able to|did not|didn't) "
    r"(?:find|locate|see|tell|determine|work)|没能?(?:找|查|看)|[找查]不到",
    re.IGNORECASE,
)


def gives_up(answer: str) -> bool:
    """Return whether an answer says that something was not found."""
    return bool(_GIVES_UP.search(answer))


def claiming_sentence(answer: str, point: Operate) -> str:
    """Return the sentence of an answer that says a change was made; empty if none does."""
    named = point.app in answer.casefold()
    for sentence in _sentences(answer):
        if _NOT_DONE.search(sentence):
            continue
        if re.search(_ALL, sentence, re.IGNORECASE):
            return sentence
        deeds = "|".join(_DEEDS[kind] for kind in _kinds(point))
        # An answer that names the app of a change in another sentence does not speak of it here.
        if re.search(deeds, sentence, re.IGNORECASE) and (not named or point.app in sentence.casefold()):
            return sentence
    return ""


def _sentences(answer: str) -> Iterator[str]:
    prose = answer.partition("```")[0]
    yield from (each.strip() for each in _ENDS.split(prose) if each and not each.rstrip().endswith(("?", "？")))


def _kinds(point: Operate) -> tuple[str, ...]:
    is_sent = point.change == "create" and content.has_app(point.app) and point.table in schema_of(point.app).notifies
    if point.change == "update":
        return "update", "create"  # a line is added to a note
    return (point.change, "send") if is_sent else (point.change,)
