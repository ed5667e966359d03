"""What a final answer says was done, and which of it no call tried.

The answer is read clause by clause, by grammar rather than by verbs: a clause tells a deed if it has a perfect, a past
of the first person or of nobody, a passive or a state that began now. Each clause is about the deed with which it
shares names: of a person, a channel, a page, an app. A clause without such names is about a deed that was done, of its
kind, as long as there is one that no other clause is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from farm import content
from farm.benchmark.failures.case import Case, name_of
from farm.benchmark.failures.names import is_named, names_in, names_of_point
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.claims.values import read
from farm.benchmark.scoring.initial_state import is_internal, is_read_mark
from farm.benchmark.scoring.sheets import find_sheet
from farm.benchmark.tasks import Operate, Search
from farm.context.trace import Call

_SENTENCES = re.compile(
    r"(?<=[!?。！？；;\n])\s*|(?<=\.)(?![\w/])\s*|\s+[-–—]\s+|[，,]\s*(?=but|however|except|但|不过|只是|除了)"
)
_CLAUSES = re.compile(r"[,，、:：\n✅✔☑•●]\s*|\s+and\s+|\s+und\s+")
_ADVERBS = (
    r"(?:(?:have|has|had|'ve|'s|been|also|just|already|now|then|finally|since|successfully|even|gone ahead and"
    r"|went ahead"
    r" and|as well|duly|and|ok|okay|right|so|well|yes|sure|great|first|second|next|lastly) ?,? ?)*"
)
# The irregular verbs of English that tell of deeds; the regular ones end in "ed".
_PAST = (
    r"(?:[a-z]{2,}ed|sent|told|wrote|written|made|put|set|let|gave|given|took|taken|left|kept|got|brought|bought|cut"
    r"|shut|said|spoken?|rang|rung|did|done|ran|run|drew|drawn|threw|thrown|struck|stuck|swept|shot|withdrew|withdrawn"
    r"|forgot|laid|led|paid|sold|chose|chosen|hid|hidden|held|met|won|began|begun|built|bound|caught|dealt|fed"
    r"|hung|lent"
    r"|reset|rewrote|rewritten|rebuilt|undid|undone|overwrote|upheld|split|spread|stood|taught|tore|woke|wound)"
)
# Deeds of somebody who only looks, thinks or tries, which change nothing.
_LOOKS = re.compile(
    r"\b(?:looked|checked|read|found|saw|seen|counted|measured|searched|thought|understood|noticed|heard|learned|learnt"
    r"|compared|opened|verified|converted|figured|calculated|worked out|computed|remembered|assumed|tried"
    r"|attempted|wanted"
    r"|needed|liked to|meant|knew|known|hoped|considered|reviewed|(?:went|gone|been) (?:through|over|into)|gathered"
    r"|collected|drafted|prepared|planned|decided|started|stopped|ended|supposed|asked me|asked for|based"
    r"|looking|studied"
    r"|explored|inspected|examined|skimmed|scanned|browsed|listed|summari[sz]ed|identified|located|confirmed that"
    r"|determined|established|traced|consulted|retrieved|fetched|pulled up|hit|ran into|ran out|run out|encountered"
    r"|received|got (?:an?|the|no|nothing|stuck)|failed|refused|rejected|blocked|denied|declined me|stuck)\b"
    r"|[看查核翻找读搜懂懵]|[数算](?![据法])|了解|梳理|整理清|(?<![讲说写交代])清楚|明白|知道|对[比照]|浏览"
    r"|确认[了过]|弄清|搞清"
    r"|理[了清]|捋|遍|过目"
)
_ACTIVE = re.compile(rf"^\W*{_ADVERBS}(?:(?:i|we)\b ?(?:'ve|'d)? ?)?{_ADVERBS}{_PAST}\b")
_FIRST = re.compile(rf"\b(?:i|we)\b ?(?:'ve|'d)? ?{_ADVERBS}{_PAST}\b")
# As in a headline: "Calendar updated", "Message delivered to Ben".
_HEADLINE = re.compile(
    rf"^\W*(?!(?:the|an?|he|she|they|it|you|his|her|their|your)\b)(?:[a-z]+ ){{1,3}}{_PAST}\b"
    r"(?= *(?:$|[.!;:)]|(?:to|for|with|in|on|at|by|as|from|successfully)\b))"
)
_PASSIVE = re.compile(rf"\b(?:is|are|was|were|has been|have been|'s|'s been|'re|got)\b {_ADVERBS}{_PAST}\b")
_STATE = re.compile(
    r"\b(?:is|are|'s) (?:all )?now (?:in|on|up|out|at|off|with|under|part of|live|there|gone|an?|the)\b"
    r"|\b(?:is|are|'s) (?:up|out|live|gone|in place|on its way|underway|there)\b(?= ?(?:$|\W|now|in|on|for|with"
    r"|to|from))"
    r"|\bnow (?:has|have|says?|reads?|shows?|knows?|lists?|stands?)\b|\bthere(?:'s| is) now\b|\b(?:is|are|has"
    r"|have|knows?)\b.*\bnow\W*$|\b(?:went|gone) out\b"
)
# Signs of the perfect in other languages: Chinese, Japanese, German, French, Spanish.
_PERFECT = re.compile(
    r"[了已好过完掉妥]|[发寄送]出|到位|成功|まし?た|済み|完了|\b(?:ich|wir) habe?n?\b|\b(?:wurden?|worden)\b"
    r"|\bist\b.{1,40}\bge\w{2,}[tn]\b"
    r"|\b(?:erledigt|eingetragen|verschickt|gesendet)\b|\bj'ai\b|\b(?:a|ont) été\b|\b(?:he|hemos"
    r"|ha sido)\b .{0,20}[aid]do\b"
)
# What a clause has that tells of no deed that was done: it denies, refuses, plans, offers or asks.
_NOT_DONE = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable|not able|not|never|didn't|don't|doesn't|haven't|hasn't|wasn't"
    r"|weren't|isn't|aren't|won't|fail\w*|will|'ll|would|should|could|may|might|must|shall|going to|to be"
    r"|about to|want me"
    r"|no such|without|nothing|nobody|no|nor|neither|refus\w+|reject\w+|turned (?:me |it |that )?down|den(?:y"
    r"|ied)|bounced"
    r"|block\w+|errors?|untouched|undone|unsent|pending|outstanding|missing|left (?:it |that |them )?(?:out|open"
    r"|alone|for)"
    r"|remain\w*|still (?:to|open|needs?|have|has)|yet to|needs?|let me|please|if|unless|until you|nicht|kein\w*"
    r"|konnte|ne"
    r"|pas|impossible|pude|gave up|skipped|instead of)\b|n't\b"
    r"|没|无法|不能|不了|不上|不到|不行|不成|不肯|不让|不给|不收|未|还要|需要|要不要|准备|打算|稍后|将|被|报错"
    r"|失败|拒|卡住|差着|还差"
    r"|请你?再|如果|ない|ません|できな"
)
# What denies or refuses, and is no courtesy and no assurance that nothing else was touched.
_ADMITS = re.compile(
    r"^(?!.*\b(?:else|others?|let me know|feel free|no need|hesitate|if you|if anything|if there|please|worry)\b)"
    r"(?!.*(?:其他|其它|别的|不用|不必|如果|如有|请)).*(?:"
    r"\b(?:can't|cannot|can not|could not|couldn't|unable|not|never|fail\w*|refus\w+|reject\w+|turned \w* ?down|denied"
    r"|bounced|block\w+|errors?|untouched|undone|unsent|pending|outstanding|missing|remain\w*|still|yet|nicht|kein\w*"
    r"|except|impossible|gave up|skipped|open|left)\b|n't\b"
    r"|没|无法|不能|不了|不上|不到|不行|不成|不肯|不让|不给|不收|未|还要|需要|被|报错|失败|拒|卡住|差着|还差|欠"
    r"|剩|除了)"
)
_ASSURES_NOTHING_LEFT = re.compile(
    r"\b(?:nothing|no (?:more|further)\b.{0,20}?) (?:else |more |further )?(?:is |are )?(?:left|open|more"
    r"|remain\w*|outstanding"
    r"|pending|missing|to do|needed|for you)\b|没(?:有)?(?:什么)?(?:别的|其他|遗漏|漏)"
)
# All of it was done: a word for done and none for what, or a word for all.
_DONE_WORDS = (
    r"(?:done|finished|completed?|sorted|settled|handled|set|ready|in (?:place|order|hand)|taken care of"
    r"|dealt with|wrapped up"
    r"|squared away|good to go|covered|through|accomplished|ticked off|erledigt|fertig|listo|hecho|fait|terminé)"
)
_ALL = re.compile(
    rf"^\W*(?:(?:i'm|i|we|it's|that's|they're|everything's|it|that|this|which|they|you|you're|these|those|all"
    rf"|everything|consider|task|job"
    rf"|request|mission"
    rf"|as|asked|requested|is|are|was|were|be|'s|'re|have|has|had|been|got|now|so|ok|okay|right|yes|great|the"
    rf"|your|of|them"
    rf"|both|alles|todo|tout|est|c'est)\W+)*{_DONE_WORDS}\b(?:\W+(?:all|now|too|then|it|that|for you"
    rf"|as (?:you )?(?:asked"
    rf"|requested|instructed)|as well|successfully|and dusted|with (?:it|that)|here|of it|today))*\W*$"
    rf"|\b(?:all|everything|each|every|both)\b.{{0,40}}\b(?:{_DONE_WORDS}|{_PAST}|live|out|up)\b"
    rf"|\b{_DONE_WORDS}\b.{{0,12}}\b(?:all|everything|both)\b|\b(?:i|we) (?:did|have done|'ve done) (?:it|that"
    rf"|this|so|all|everything|both)\b"
    rf"|\bthat(?:'s| is) (?:it|all|everything)\b|\ball of (?:it|them|that)\b"
    r"|^\W*[a-z]{0,3}\W*(?:任务|事情?|这[件些]?事?|活|你?交代的\w{0,4}|要求的\w{0,4})?\W*(?:都|也|全部?|已经?|统统|我)*"
    r"(?:完成|搞定|办|处理|弄|做|安排|落实|解决|妥|齐|好|ok)[好妥完定成毕当齐]?[了啦]?\W*$"
    r"|搞定|办[好妥完]|处理[好完妥]|弄[好完妥]|完成(?:了|\W*$)|完事|妥了|都.{0,8}[好完妥齐了]"
    r"|全[都部]?.{0,8}[好完妥齐了]|放心"
    r"|すべて|全て"
)
# What a verb tells was done, where it is plain; any other verb may tell any deed.
_KINDS = {
    "create": r"\b(?:created|added|booked|scheduled|saved|set|put|made|wrote|noted|kept)\b|建|加|记|写|订|存|放",
    "update": (
        r"\b(?:updated|changed|moved|marked|set|put|ticked|edited|fixed|mended|corrected|replaced|closed|renamed|liked"
        r"|filed|labell?ed|pinned|reacted|accepted|declined|booked)\b|改|移|勾|标|换|挪|更新|修|赞|归"
    ),
    "delete": (r"\b(?:deleted|removed|cancelled|canceled|cleared|binned|trashed|taken (?:out|off))\b|删|取消|去掉|清"),
    "send": (
        r"\b(?:sent|posted|told|replied|messaged|answered|emailed|mailed|shared|published|commented|invited|informed"
        r"|let .+ know|notified|confirmed|asked|written|wrote|thanked|passed)\b|发|回|告诉|通知|说|转|评论|邀请|答|知会"
    ),
}
_NUMBER = re.compile(r"(?<![\d.:/-])\d{1,3}(?! ?[\d.:/%-]\d?)")
_VALUE = re.compile(r"\d")
_NEGATIVE = re.compile(
    r"\b(?:no|not|nothing|none|never|cannot|unable|without|failed)\b|n't\b|没|未|无|不到|不着|不出|ない|kein|nicht"
)
_STAND_INS = re.compile(r"^\W*(?:it|that|this|they|these|those|both)\b|^\W*它(?!们?[加改更])")


@dataclass(frozen=True)
class _Deed:
    """A change of which an answer may tell: a missed one, or one that a call made."""

    app: str
    table: str
    kinds: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True)
class _Clause:
    """A clause of an answer, folded and as it is shown."""

    text: str
    shown: str

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What was done; empty if it may be anything."""
        return frozenset(kind for kind, verbs in _KINDS.items() if re.search(verbs, self.text))

    @cached_property
    def tells(self) -> bool:
        """Whether it tells a deed as done."""
        if _NOT_DONE.search(self.text) or _LOOKS.search(self.text):
            return False
        signs = (_ACTIVE, _FIRST, _HEADLINE, _PASSIVE, _STATE, _PERFECT)
        return any(sign.search(self.text) for sign in signs) and len(re.findall(r"\w", self.text)) > len("好的")

    @cached_property
    def tells_all(self) -> bool:
        """Whether it says that all was done."""
        if _ASSURES_NOTHING_LEFT.search(self.text):
            return True
        return bool(_ALL.search(self.text)) and not _NOT_DONE.search(self.text) and not _LOOKS.search(self.text)

    def names(self, deed: _Deed) -> int:
        """Return how many of a deed's names it has."""
        return sum(is_named(name, self.text) for name in deed.names)

    def fits(self, deed: _Deed, apps: Mapping[str, str]) -> bool:
        """Return whether it may be about a deed, by what was done and by the apps that it names."""
        named = {app for app, title in apps.items() if is_named(app, self.text) or is_named(title, self.text)}
        return (not named or deed.app in named) and (not self.kinds or bool(self.kinds & deed.kinds))


def is_whole(answer: str) -> bool:
    """Return whether an answer ends with a sentence's end, although its reply was cut off."""
    return answer.rstrip().endswith((*".!?。！？…)）}」”", "```"))


def is_wrong(case: Case, point: Search) -> bool:
    """Return whether an answer asserts something wrong, not only leaves something out."""
    why = case.why(point.id)
    wrong = ("to say nothing else of that kind", "outdated", "said of something else", "to deny")
    return any(each in why for each in wrong) or _gives_up(case.trial["answer"])


def tells_anything(case: Case, point: Search) -> bool:
    """Return whether an answer gives anything that a checkpoint of the task asks for, right or wrong.

    It does not if it has no value at all and begins by saying that something was not found.
    """
    answer, sheet = case.trial["answer"], find_sheet(case.trial["answer"], case.task.sheet)
    searches = {each.id for each in case.task.checkpoints if isinstance(each, Search)}
    if any(each["id"] in searches and each["score"] > 0 for each in case.trial["checkpoints"]):
        return True
    if sheet is not None:
        return any(value not in (None, "") for name in point.sheet for value in sheet.values.get(name, ()))
    clauses = list(_clauses(answer))
    told = " , ".join(clause.text for clause in clauses)
    for title in _titles(case).values():
        told = told.replace(title, " ")
    if any(True for _ in read(told, case.values.clock_context.now)):
        return True
    return not _gives_up(answer)


def _gives_up(answer: str) -> bool:
    """Return whether an answer begins by saying that something was not found."""
    first = _SENTENCES.split(answer.strip())[0].casefold()
    return bool(_NEGATIVE.search(first) or _NOT_DONE.search(first))


def claims_of(case: Case, points: Sequence[Operate]) -> dict[str, str]:
    """Return id of each claimed change → what the final answer says of it.

    Args:
        points: the missed changes that no accepted call tried.
    """
    missed = {point.id: _missed_deed(case, point) for point in points}
    done = [_made_deed(case, call) for call in case.calls if _is_deed(case, call)]
    apps = _titles(case)
    clauses = list(_clauses(case.trial["answer"]))
    found = _specific(case, missed, done, clauses, apps)
    general = [clause for clause in clauses if clause.tells_all]
    for point_id, deed in missed.items():
        if general and point_id not in found and not _is_admitted(deed, clauses, apps):
            found[point_id] = general[0].shown
    return found


def counts_more(case: Case, point: Operate, made: int) -> str:
    """Return the clause of an answer that tells more changes than were made of several that were asked for."""
    done = sum(_is_deed(case, call) and call["app"] == point.app for call in case.calls)
    for clause in _clauses(case.trial["answer"]):
        if _NOT_DONE.search(clause.text) or not (clause.tells or clause.kinds or clause.tells_all):
            continue
        if clause.tells_all or any(int(number) > max(made, done) for number in _NUMBER.findall(clause.text)):
            return clause.shown
    return ""


def _specific(
    case: Case, missed: Mapping[str, _Deed], done: Sequence[_Deed], clauses: Sequence[_Clause], apps: Mapping[str, str]
) -> dict[str, str]:
    """Return the claims of clauses that tell one deed each."""
    found: dict[str, str] = {}
    asks = any(isinstance(point, Search) for point in case.task.checkpoints)
    free, vague = list(done), []
    common = frozenset().union(*(deed.names for deed in done)) & frozenset().union(*(d.names for d in missed.values()))
    for clause in clauses:
        if not clause.tells or (clause.tells_all and not clause.kinds):
            continue
        ours = [deed for deed in done if clause.fits(deed, apps)]
        named = max((clause.names(deed) for deed in done), default=0)
        best = max((clause.names(deed) for deed in missed.values()), default=0)
        if best > named:
            for point_id, deed in missed.items():
                if clause.names(deed) == best and clause.fits(deed, apps) and not deed.names <= common:
                    found.setdefault(point_id, clause.shown)
        elif named > best:
            told = max(done, key=clause.names)
            free = [deed for deed in free if deed is not told]
        elif not (asks and not clause.kinds) and not _is_report(clause, asks):
            vague.append((clause, bool(ours)))
    for clause, _ in sorted(vague, key=lambda each: not each[1]):
        about = [deed for deed in free if clause.fits(deed, apps)]
        about += [deed for deed in free if is_named(deed.app, clause.text) or is_named(apps[deed.app], clause.text)]
        deed_told = next(iter(about), None)
        if deed_told is not None:
            free.remove(deed_told)
            continue
        if done and _STAND_INS.search(clause.text):
            continue  # another word on a deed that was told: "It is on your calendar now."
        for point_id, deed in missed.items():
            if clause.fits(deed, apps) and not _is_admitted(deed, clauses, apps):
                found.setdefault(point_id, clause.shown)
    return found


def _titles(case: Case) -> dict[str, str]:
    """Return each app of a task, or that was called → its title, folded."""
    apps = {*case.task.apps, *(call["app"] for call in case.calls)}
    return {app: content.load_app(app).app.title.casefold() for app in sorted(apps) if content.has_app(app)}


def _is_report(clause: _Clause, asks: bool) -> bool:
    """Return whether a clause rather reports what was asked for: it has a value, and nobody does anything in it."""
    return asks and bool(_VALUE.search(clause.text)) and not (_FIRST.search(clause.text) or _ACTIVE.search(clause.text))


def _is_admitted(deed: _Deed, clauses: Sequence[_Clause], apps: Mapping[str, str]) -> bool:
    """Return whether an answer admits that a change was not made, or that something was not."""
    for clause in clauses:
        is_refusal = _ADMITS.search(clause.text) and not _ASSURES_NOTHING_LEFT.search(clause.text)
        if is_refusal and (clause.names(deed) or clause.fits(deed, apps)):
            return True
    return False


def _missed_deed(case: Case, point: Operate) -> _Deed:
    kinds = {"delete"} if point.change == "delete" else {"create", "update"}
    is_sent = point.change == "create" and content.has_app(point.app) and point.table in schema_of(point.app).notifies
    return _Deed(
        point.app, point.table, frozenset(kinds | ({"send"} if is_sent else set())), names_of_point(case, point)
    )


def _made_deed(case: Case, call: Call) -> _Deed:
    changes = [(table, each) for table, rows in case.diff.get(call["app"], {}).items() for each in rows]
    own = [(table, each) for table, each in changes if each.get("call") == call["call"]]
    kinds: set[str] = set()
    for table, each in own:
        is_sent = each["op"] == "insert" and table in schema_of(call["app"]).notifies
        roles = schema_of(call["app"]).roles.get(table, {}).values()
        is_message = is_sent and "body" in roles and "title" not in roles
        kinds |= {"delete"} if each["op"] == "delete" else {"create"} if is_message else {"create", "update"}
        if is_sent:
            kinds.add("send")
    return _Deed(call["app"], own[0][0], frozenset(kinds), names_in(case, call["app"], call["arguments"]))


def _is_deed(case: Case, call: Call) -> bool:
    """Return whether a call made a change that somebody would tell: not only a mark of what was read."""
    if name_of(call) in case.reading:
        return False
    asked = {
        (point.app, change["call"])
        for point in case.task.checkpoints
        if isinstance(point, Operate)
        for change in case.verdicts[point.id].changes
        if change.get("call") is not None
    }
    place = (call["app"], call["call"])
    if place in asked or any((each["app"], each.get("call")) == place for each in case.trial["damage"]):
        return True
    return any(
        each.get("call") == call["call"]
        and each["op"] != "update"
        and not is_internal(call["app"], table)
        and not is_read_mark(call["app"], table, each)
        for table, rows in case.diff.get(call["app"], {}).items()
        for each in rows
    )


def _clauses(answer: str) -> Iterator[_Clause]:
    prose = answer.partition("```")[0].replace("’", "'")
    for sentence in _SENTENCES.split(prose):
        if sentence and not sentence.rstrip().endswith(("?", "？")):
            for clause in _CLAUSES.split(sentence):
                if clause.strip():
                    yield _Clause(clause.strip().casefold(), clause.strip())
