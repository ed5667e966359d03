"""Says how each thing in a text is said: asserted, denied, hedged, asked, one of two, former, conditional, reported.

Three things decide: the words of the segment that a mention stands in, a frame that opened before it in its sentence
("I heard that …", "如果…，"), and a comment behind it ("…, I'm not sure", "以上作废"). Where the words leave open
what they do, the guess is made and a doubt noted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Literal

from farm.claims import lexicon
from farm.claims.prefilter import Words
from farm.claims.reading import Mention, Reading, Segment, Status, blank
from farm.claims.values import Value
from farm.claims.words import content_words, unexplained

MONEY = ("CNY", "MYR", "SGD", "USD", "EUR", "GBP")
CORRECTED = 6  # how many segments back somebody corrects themselves
DISPENSES = "～" * 6  # a neutral phrase as long as "no need"; shorter ones, such as 别人, dispense with nothing
ASKED_WITHIN = 10  # characters between "he asks" and the number that he asks about
FEW = 2  # content words that a comment may have besides its cue and still be no more than a comment
_HIDDEN_SUBJECT = re.compile("～{6}")  # somebody's words in quotation marks are what the clause is about
Places = list[tuple[int, Mention]]  # the mentions of a segment with their places in its text


@dataclass
class Asked:
    """The texts that asked, folded, and their values."""

    text: str = ""
    values: tuple[Value, ...] = ()
    today: str = ""

    @cached_property
    def under_condition(self) -> bool:
        """Whether they ask under a condition."""
        return bool(lexicon.ASKED_IF.search(self.text))

    @cached_property
    def for_target(self) -> bool:
        """Whether they ask for when something should be, so that the answer is a target and no less sure for it."""
        return bool(lexicon.ASKED_TARGET.search(self.text))

    @cached_property
    def what_is_said(self) -> bool:
        """Whether they ask for what somebody says."""
        return bool(lexicon.ASKED_SAYS.search(self.text))


def judge_status(reading: Reading, asked: Asked) -> None:
    """Give every mention its status."""
    carried: Status | None = None
    frame: Status | None = None
    for segment in reading.segments:
        for mention in segment.said:
            waits = lexicon.WAITS_FOR.search(segment.text[: mention.start - segment.start])
            if waits and mention.sort == "choice":
                start, end = waits.span()
                segment.text = segment.text[:start] + "～" * (end - start) + segment.text[end:]
    for index, segment in enumerate(reading.segments):
        last = reading.segments[index - 1] if index else None
        if not last or last.sentence != segment.sentence:
            last = frame = None
        if frame and lexicon.CONTRAST.search(segment.text):
            frame = None
        carried = _segment(reading, index, last, carried, asked)
        if frame:
            for mention in segment.said:
                mention.status = frame if mention.status == "asserted" else mention.status
        if segment is not reading.sentence(segment.sentence)[-1]:
            frame = _frame(reading, index, asked) or frame
    for sentence in range(len(reading.tails)):
        _sentence(reading, sentence, asked)
    _alternatives(reading)
    _labelled(reading)
    _arrows(reading)
    _replaced(reading)
    _open_alternatives(reading)
    _described(reading)
    _lists(reading)
    for struck in lexicon.STRUCK.finditer(reading.text):
        _all([each for each in reading.mentions if struck.start() < each.start < struck.end()], "former")
    denied = {each.key for each in reading.mentions if each.status == "denied" and each.key.startswith("r")}
    for mention in reading.mentions:
        if mention.key in denied and mention.status == "asserted":
            mention.status = "denied"  # "not Willow; Willow seats six"
    _aloof(reading, asked)


def same(a: Mention, b: Mention) -> bool:
    """Whether two mentions say the same thing."""
    if a.value and b.value:
        return a.sort == b.sort and same_value(a.value, b.value)
    return a.key == b.key


def same_value(a: Value, b: Value) -> bool:
    """Whether two values may be the same; a bare number may be an amount of money."""
    if a.options or b.options:
        return bool(set(a.options) & set(b.options))
    return a.number == b.number and (a.unit == b.unit or {"", a.unit, b.unit} <= {"", *MONEY})


def _hedges(text: str, asked: Asked) -> bool:
    """Whether a clause says that its writer is not sure."""
    return lexicon.HEDGE.search(blank(text, lexicon.TARGET) if asked.for_target else text) is not None


def _is_hearsay(text: str, asked: Asked) -> bool:
    """Whether a clause tells what others say, where that was not what was asked for."""
    return bool((lexicon.ALLEGED if asked.what_is_said else lexicon.HEARSAY).search(text))


def _all(mentions: list[Mention], status: Status) -> Status:
    for mention in mentions:
        mention.status = status
    return status


# ------------------------------------------------------------ segments
def _segment(reading: Reading, index: int, last: Segment | None, carried: Status | None, asked: Asked) -> Status | None:
    """Give one segment's mentions their status; return what goes on into bare segments behind it."""
    segment = reading.segments[index]
    said, bare = segment.said, carried is not None and _is_bare(segment)
    opener = reading.text[last.end : segment.start] if last else ""
    if carried:
        answers = bool(last and ":" in opener and {m.sort for m in said} & {m.sort for m in last.mentions})
        if not (last and bare) or "–" in opener or ")" in opener or (answers and carried == "denied"):
            carried = None
    before = [
        mention for other in reading.sentence(segment.sentence) if other.start < segment.start for mention in other.said
    ]
    _correct(reading, index)
    if not said:
        if last and lexicon.OR_OPENS.search(segment.text) and lexicon.ANOTHER_ONE.search(segment.text):
            _where_asserted(last.said, "rival")
        if last and before:
            _comment(reading, index, last, before, asked)
        return carried if bare else None
    status = _within(reading, segment, asked)
    if last and lexicon.WOULD_DO.search(segment.text):  # "问王悦，要不问罗琪也行"
        _all([mention for mention in said if mention.status == "asserted"], "rival")
        _where_asserted([mention for mention in last.said if not _is_put_otherwise(mention, said)], "rival")
    if last and opener.strip() == "(":  # "the old invite (19 March)", "not what the sheet says (A)"
        if lexicon.OLD_THING.search(last.text):
            _where_asserted(said[:1], "former")
        elif last.said:
            pass
        elif lexicon.NOT_THE.match(last.text) or lexicon.NOT_WHAT.match(last.text):
            _where_asserted(said[:1], "denied")
    take_back = lexicon.TAKE_BACK.search(segment.text)
    if before and take_back and _opens(segment.text, take_back):
        _where_asserted([mention for mention in before if mention.segment == before[-1].segment], "denied")
    that_is_off = before and lexicon.THAT_ONE.match(segment.text) and lexicon.REVOKED.search(segment.text)
    if that_is_off and not any(lexicon.THRESHOLD.search(segment.text[: m.start - segment.start]) for m in said):
        _where_asserted(before, "denied")
    has_then = lexicon.IF_THEN.search(segment.text)  # what is said under a condition of its own
    is_own = has_then is not None or _has_consequence(reading, segment)
    if status == "conditional" and before and sets_condition(segment.text, asked) and not is_own:
        _where_asserted(before, "conditional")
    if carried == "denied" and bare and last and _is_put_instead(reading, last, segment, opener):
        carried = None
    if carried:
        turns = lexicon.BUT.search(segment.text) or lexicon.BUT_OPENS.search(segment.text)
        if turns or (last and lexicon.NO_LONGER.search(last.text)):
            carried = None
    has_own = any(m.sort == "subject" for m in segment.mentions) and not (
        last and any(m.sort == "subject" for m in last.mentions)
    )
    if carried == "denied" and has_own:
        carried = None  # "not 400k, the line has 320k"
    if carried and bare and all(m.status == "asserted" for m in said):
        _all(said, carried)
    held = [mention for mention in (*before, *said) if mention.status == "asserted"]
    denied = [mention for mention in said if mention.status == "denied"] or said[:1]
    if status == "denied" and any(m.sort == denied[0].sort and m.start < denied[-1].start for m in held):
        carried = None  # a denied alternative of what has been said: "A rather than B, and C"
    elif status in ("denied", "hedged", "conditional", "reported"):
        carried = status if any(mention.sort != "says" for mention in said) else None
    elif not bare:
        carried = None
    if last and lexicon.OR_OPENS.search(segment.text):
        for mention in last.said:
            if not _is_put_otherwise(mention, said):
                mention.status = "rival" if mention.status == "asserted" else mention.status
    return carried


def _is_put_instead(reading: Reading, last: Segment, segment: Segment, opener: str) -> bool:
    """Whether a bare clause holds what is put for what was denied: "not Tide, Cove", "不是 40 万，现在 32 万"."""
    denied = [mention for mention in last.said if mention.status == "denied"]
    behind = [other for other in reading.sentence(segment.sentence) if other.start > segment.start]
    return (
        opener.strip() in (",", "，")
        and segment.said[0].sort in {mention.sort for mention in denied}
        and not content_words(blank(last.rest, lexicon.NEGATION))
        and not any(same(mention, each) for mention in segment.said for each in denied)
        and not any(mention.sort == segment.said[0].sort for other in behind for mention in other.said)
        and not lexicon.ALSO_NOT.match(segment.text)
    )


def _is_put_otherwise(mention: Mention, said: list[Mention]) -> bool:
    """Whether "or" puts the same in another unit: "38 of 600, or 6.3 %"."""
    values = [each.value for each in said if each.value and each.sort == "number"]
    return bool(mention.value and values and mention.value.unit == "" and values[0].unit == "%")


def _is_bare(segment: Segment) -> bool:
    """Whether a segment is nothing but values, so that it goes on with what the one before says."""
    return bool(segment.mentions) and lexicon.GLUE.match(segment.rest.strip()) is not None


def _within(reading: Reading, segment: Segment, asked: Asked) -> Status | None:
    """Judge the mentions of one segment by its own words."""
    text, said = segment.text, segment.said
    places = [(mention.start - segment.start, mention) for mention in said]
    if lexicon.SARCASM.search(text):
        return _all(said, "denied")
    condition = lexicon.IF.search(blank(text, lexicon.IF_HARMLESS))
    given = asked.under_condition and condition and any(at < condition.start() for at, _ in places)
    if condition and not given and not is_given(segment, asked):
        _all(said, "conditional")
        for at, mention in places:  # "stops if it exceeds 0.3 %" states the threshold
            if mention.sort == "number" and lexicon.THRESHOLD.search(text[:at]):
                mention.status = "asserted"
        return "conditional"
    if cue := lexicon.NOT_BEFORE.search(text):
        _all([mention for at, mention in places if at >= cue.start()], "conditional")
    if _is_hearsay(text, asked):
        return _all(said, "reported")
    if _hedges(text, asked) or lexicon.BA.search(text):
        return _all(said, "hedged")
    _formers(reading, segment, places)
    for at, mention in places:
        before, behind = text[:at], text[at + mention.end - mention.start :]
        if mention.sort in ("date", "clock"):
            if lexicon.ROUGHLY_BEFORE.search(before) or lexicon.ROUGHLY_AFTER.match(behind):
                mention.status = "hedged"
            if mention.status == "asserted" and lexicon.COMPARED_TO.search(before):
                mention.status = "former"
        elif mention.sort == "choice":
            is_place = lexicon.BESIDE_AFTER.match(behind) or lexicon.BESIDE_BEFORE.search(before)
            is_lesser = mention.key[0] == "r" and lexicon.LESSER_BEFORE.search(before)
            if is_place or (
                is_lesser and any(place < at and _is_choice_of_one(other, mention) for place, other in places)
            ):
                mention.status = "beside"
    for cue in lexicon.TAKE_BACK.finditer(text):
        _where_asserted([mention for at, mention in places if at < cue.start()], "denied")
    if either := lexicon.EITHER.search(text):
        _all([mention for at, mention in places if at >= either.start() and mention.sort != "says"], "rival")
    raw = reading.raw(segment)
    for at, mention in places:
        if mention.sort == "says" and lexicon.NEEDLESS.search(raw[:at]):
            mention.status = "denied"  # "no need to unplug it"
    status = _negations(reading, segment, places)
    _revocations(reading, segment, places)
    if inside := lexicon.ASKING_INSIDE.search(raw):
        _all([mention for at, mention in places if at >= inside.start()], "asked")
    return status


def _is_choice_of_one(a: Mention, b: Mention) -> bool:
    """Whether two mentions are choices of one claim."""
    return a.sort == b.sort == "choice" and a.key[1:].partition(":")[0] == b.key[1:].partition(":")[0]


def _formers(reading: Reading, segment: Segment, places: Places) -> None:
    """Find what is told as the value of before."""
    text = segment.text
    for cue in lexicon.FORMER.finditer(text):
        stop = lexicon.BUT.search(text, cue.end()) or lexicon.BECOMES.search(text, cue.end())
        behind = [(at, mention) for at, mention in places if at >= cue.end() and not (stop and at >= stop.start())]
        first = behind[0] if behind else None
        if first and first[1].sort == "choice" and lexicon.NOW_IS.fullmatch(text[cue.start() : first[0]]):
            behind = []  # "原来的舷窗就是小湾" tells what became of it
        elif lexicon.FORMER_OF.fullmatch(cue[0]):
            behind = [(at, mention) for at, mention in behind if mention.value][:1]
        for _, mention in behind:
            mention.status = "former"
    if (cue_was := lexicon.WAS.search(text)) and _tells_of_before(reading, segment, places, cue_was):
        for at, mention in places:
            mention.status = "former" if at >= cue_was.end() else mention.status
    old = lexicon.OUTDATED.search(text)
    was_another = old and old[0].startswith("used to") and any(at >= old.end() for at, _ in places)
    if old and not was_another:
        for at, mention in places:
            is_told = mention.sort != "choice" or not text[at + mention.end - mention.start : old.start()].strip()
            mention.status = "former" if is_told and at < old.start() else mention.status
    if guess := lexicon.HEDGED_AFTER.search(text):
        for at, mention in places:
            is_told = mention.value is not None or mention.key.startswith("r")
            mention.status = "hedged" if at >= guess.end() and is_told else mention.status
    if ask := lexicon.ASKS.search(text):
        for at, mention in places:
            is_about = mention.key.startswith("r") and re.search("about|的是", text[ask.end() : at]) is not None
            is_asked = mention.sort == "number" or is_about
            if ask.end() <= at <= ask.end() + ASKED_WITHIN and is_asked:
                mention.status = "asked"
    for cue in lexicon.MOVED_FROM.finditer(text):
        _all([mention for at, mention in places if at >= cue.end()][:1], "former")
    for (place, mention), (later_place, other) in pairwise(places):
        joint = text[place + mention.end - mention.start : later_place]
        if mention.sort == other.sort and lexicon.UP_FROM.search(joint) and lexicon.UP_TO.search(text[:place]):
            other.status = "former"  # "up to 3,118 likes from this morning's 2,800"
    _inherit_former(reading, segment)
    if not lexicon.MOVING.search(text):
        return
    for index, (at, mention) in enumerate(places):  # "from A to B"
        end = at + mention.end - mention.start
        later = [place for place, other in places[index + 1 :] if other.sort == mention.sort]
        if not later and lexicon.FROM.search(text[:at].rstrip(" 的")) and lexicon.MOVED_TO.match(text[end:]):
            mention.status = "former"  # to where no value tells: "从4月3日改到原日期"
        is_from = later and lexicon.FROM.search(text[:at].rstrip(" 的"))
        if is_from and lexicon.TOWARDS.search(text[end : later[0]]):
            mention.status = "former"
            _with_companions(places, index, later[0])


def _tells_of_before(reading: Reading, segment: Segment, places: Places, was: re.Match[str]) -> bool:
    """Whether "was" sets a value of before against one of now: "16:00, was 15:00", "it was 15:00, it is now 16:00"."""
    mates = reading.sentence(segment.sentence)
    # ", was 16:00" tells of before where something is told that holds; ", yesterday, was 0.11 %" just goes on.
    told = {mention.sort for other in mates if other.start < segment.start for mention in other.said}
    is_told = any(mention.sort in told for _, mention in places)
    if is_told and not segment.text[: was.start()].strip(" ～"):
        return True
    if reading.tails[segment.sentence].strip() == ";":
        mates = mates + reading.sentence(segment.sentence + 1)
    whole = " ".join(other.text for other in mates)
    return lexicon.NOW.search(whole.replace(segment.text, " ", 1)) is not None


def _with_companions(places: Places, index: int, stop: int) -> None:
    """Let what stands with a former value be former, too: the first hour in "from 19/3 10:00 to 26/3 10:00"."""
    later = {mention.sort for at, mention in places if at >= stop}
    for at, mention in places[index + 1 :]:
        if at < stop and mention.sort in later:
            mention.status = "former"


def _labelled(reading: Reading) -> None:
    """Deny the predicate that is a label with "no" behind it: "Arrived: no"."""
    for segment, other in pairwise(reading.segments):
        is_label = segment.sentence == other.sentence and reading.text[segment.end : other.start].strip() == ":"
        if is_label and lexicon.LABELLED_NO.fullmatch(reading.raw(other)):
            _all([mention for mention in segment.said if mention.sort == "says"], "denied")


def _arrows(reading: Reading) -> None:
    """Let what an arrow leaves be former: "16:00 → 15:00"."""
    names = [each for each in reading.mentions if each.sort == "choice"]
    for a, b in pairwise(names):  # of names, a rival that what was asked for replaces
        joint = reading.text[a.end : b.start]
        is_replaced = a.key.startswith("r") and b.key == "c" + a.key[1:].partition(":")[0]
        from_to = lexicon.FROM.search(reading.text[: a.start].rstrip()) and lexicon.TOWARDS.search(joint)
        if is_replaced and a.sentence == b.sentence and (from_to or lexicon.REPLACED.fullmatch(joint)):
            _where_asserted([a], "former")
    for sort in ("date", "clock"):
        mentions = [each for each in reading.mentions if each.sort == sort]
        for a, b in pairwise(mentions):
            if lexicon.ARROW.fullmatch(reading.text[a.end : b.start]) and a.status == b.status == "asserted":
                a.status = "former"


def _replaced(reading: Reading) -> None:
    """Let a value be former where the next one is what it was changed to: "v2 said 40, from v3 on cut to 32"."""
    if not lexicon.CHANGED_TO.search(reading.text):
        return
    values = [each for each in reading.mentions if each.value and each.value.kind != "ordinal"]
    for a, b in pairwise(values):
        if a.sort == b.sort and a.sentence == b.sentence and _is_changed(reading, a, b):
            _where_asserted([a], "former")


def _is_changed(reading: Reading, a: Mention, b: Mention) -> bool:
    """Whether a value is changed to the next, and not something else of its own: "88 degrees, the grind set to 5"."""
    joint, segment = reading.text[a.end : b.start], reading.segments[b.segment]
    cue = lexicon.CHANGED_TO.search(joint)
    grown = cue and lexicon.BY_NOW.search(joint[: cue.start()])
    if not cue or any(
        a.end + (cue.start() if grown else 0) <= each.start < b.start and each.sort == "subject"
        for each in reading.mentions
    ):
        return False
    if grown and a.segment == b.segment:
        return True  # "早上的 2,800 多赞已经涨到 3,118"
    if a.segment == b.segment:  # "above 2 it is first cut to 5" tells of no change of the 2
        before = reading.text[segment.start : a.start].rstrip(" 的")
        return cue[0] == joint.strip() or lexicon.FROM.search(before) is not None
    head = segment.rest[: max(0, a.end + cue.start() - segment.start)]
    return not re.search(r"[a-z\u4e00-\u9fff]", lexicon.SINCE_WHEN.sub("", head))


def _inherit_former(reading: Reading, segment: Segment) -> None:
    """Let what is not replaced go on: in "it was 23 March, 16:00, it is now 15:00" the day holds."""
    before = [mention for mention in segment.said if mention.status == "former" and mention.value]
    if not before:
        return
    mates, behind = reading.sentence(segment.sentence), reading.sentence(segment.sentence + 1)
    if any(lexicon.NOW.search(other.text) for other in behind):
        mates = mates + behind
    later = {mention.sort for other in mates for mention in other.said if mention.start > segment.end and mention.value}
    if any(mention.sort in later for mention in before):
        for mention in before:
            mention.status = "former" if mention.sort in later else "asserted"


def _negations(reading: Reading, segment: Segment, places: Places) -> Status | None:
    """Deny what stands behind a negator; where nothing does, what stands before it: "26 March does not work"."""
    text = segment.text
    goes_on: Status | None = None
    for cue in lexicon.NEGATION.finditer(text):
        if any(at <= cue.start() and cue.end() <= at + mention.end - mention.start for at, mention in places):
            continue  # part of what is looked for: 不含税
        ahead = [(at, mention) for at, mention in places if at >= max(cue.end() - 1, cue.start())]
        # "We never hit the 0.3 % line" leaves the line where it is.
        limits = [
            mention
            for at, mention in ahead
            if mention.sort == "number" and lexicon.NOT_REACHED.search(text[cue.start() : at])
        ]
        ahead = [(at, mention) for at, mention in ahead if mention not in limits]
        stop = lexicon.BUT.search(text, cue.end())
        if stop and stop.start() == cue.end():
            stop = lexicon.BUT.search(text, stop.end())  # "不改到" denies the move
        if ahead and not stop:
            stop = lexicon.HOLDS.search(text, ahead[0][0] + ahead[0][1].end - ahead[0][1].start)
        if ahead and not (stop and stop.start() < ahead[0][0]):
            _deny(ahead, stop.start() if stop else len(text), text)
            goes_on = None if stop else "denied"
        elif not ahead and not limits:
            _deny_before(reading, segment, places, cue)
    for cue in lexicon.NEGATION_AHEAD.finditer(text):
        stop = lexicon.BUT.search(text, cue.end())
        if any(at <= cue.start() and cue.end() < at + mention.end - mention.start for at, mention in places):
            continue  # part of what is looked for: no power
        ahead = [(at, mention) for at, mention in places if at >= cue.end() - 1 or at == cue.start()]
        if ahead and _is_far(text[cue.end() : ahead[0][0]]):
            continue
        if ahead and lexicon.INSTEAD_OF.search(cue[0]) and lexicon.IS.search(text[cue.end() : ahead[0][0]]):
            continue  # "the room that replaces Porthole is Cove"
        if ahead and lexicon.INSTEAD_OF.search(cue[0]) and _is_taken(reading, ahead, text[cue.end() : ahead[0][0]]):
            continue
        ahead = _listed(ahead, text)
        if not ahead and lexicon.DISPENSED.match(text[cue.start() :]):
            _all([mention for at, mention in places if at < cue.start() and mention.sort == "choice"], "denied")
        _deny(ahead, stop.start() if stop else len(text), text)
        if ahead and not stop and all(each.status == "denied" for at, each in places if at >= cue.end() - 1):
            goes_on = "denied"
    return goes_on


def _deny_before(reading: Reading, segment: Segment, places: Places, cue: re.Match[str]) -> None:
    """Deny what stands before a negator with nothing behind it; a number is not denied by what it does not do."""
    holds = lexicon.HOLDING.search(segment.text[cue.end() :])
    for at, mention in places:
        if at > cue.start() or (mention.sort == "says" and at + mention.end - mention.start < cue.start() - 6):
            continue
        if mention.sort == "says" and lexicon.FORBIDS.match(segment.text[cue.start() :]):
            continue  # 拔下来不要再用: what follows is forbidden, and nothing is denied of what was told to do
        is_report = mention.sort == "choice" and any(sign.isdigit() for sign in reading.shown(mention))
        if lexicon.AND_DO_NOT.search(segment.text[: cue.start()]) and lexicon.PROHIBITS.match(
            segment.text, cue.start()
        ):
            continue  # "keep a seat and don't be late"
        names = [reading.shown(each) for _, each in places if each.sort == "choice"]
        is_report |= mention.sort == "choice" and any(sign.isdigit() for name in names for sign in name)
        if is_report and not cue[0].startswith("不") and lexicon.NOT_HERE.match(segment.text[cue.end() :]):
            continue
        if not holds:
            of: Literal["yes", "no"] = "yes" if mention.sort == "number" else "no"
            reading.doubt(segment.sentence, f"what '{cue[0]}' denies", of=of, about=mention)
        if holds or mention.sort != "number":
            mention.status = "denied"


def _is_far(gap: str) -> bool:
    """Whether a clause of its own stands between a preposition and what it would reach: "without a script and …"."""
    told = lexicon.COPULA.search(gap)
    if told and content_words(gap[: told.start()]):
        return True  # "the room that replaces Porthole is Cove"
    return content_words(gap) > FEW or (" and " in gap and content_words(gap) > 1)


def _is_taken(reading: Reading, ahead: Places, gap: str) -> bool:
    """Whether a preposition has its own word already: "Marcus instead of Daniel tomorrow at 15:00" leaves the hour."""
    mention = ahead[0][1]
    if mention.sort == "choice" or not content_words(blank(gap, lexicon.FORMER_OF)):
        return False
    mates = [each for part in reading.sentence(mention.sentence) for each in part.said]
    return not any(each.sort == one.sort and not same(each, one) for _, one in ahead for each in mates)


def _listed(places: Places, text: str) -> Places:
    """Return the first mention and those that follow it in one list: "instead of A and B we take C" denies two."""
    kept = places[:1]
    for (at, mention), (behind, other) in pairwise(places):
        between = text[at + mention.end - mention.start : behind]
        if content_words(between) or lexicon.PRONOUN.search(between) or lexicon.COPULA.search(between):
            break
        kept.append((behind, other))
    return kept


def _deny(places: Places, stop: int, text: str) -> None:
    for at, mention in places:
        behind = text[at + mention.end - mention.start :]
        is_each = lexicon.EACH_BEFORE.search(text[:at]) or lexicon.EACH_AFTER.match(behind)
        if at < stop and mention.sort == "number" and is_each:
            mention.status = "beside"
        elif at < stop:
            mention.status = "denied"


def _revocations(reading: Reading, segment: Segment, places: Places) -> None:
    """Deny what a predicate behind it takes back; where nothing stands before it, what it opens: "cancelled: …"."""
    text = segment.text
    for cue in lexicon.REVOKED.finditer(text):
        start, end = segment.start + cue.start(), segment.start + cue.end()
        if any(each.start < end and start < each.end for each in segment.mentions if each.sort in ("subject", "says")):
            continue  # what is asked for: the rate at which it is called off
        before = [mention for at, mention in places if at <= cue.start()]
        opens = not text[: cue.start()].strip(" ～")
        _all(before or [mention for _, mention in places if opens], "denied")
    for cue in lexicon.MOVED_AWAY.finditer(text):
        before = [mention for at, mention in places if at < cue.start() and mention.sort in ("date", "clock")]
        later = [
            mention
            for other in reading.sentence(segment.sentence)
            for mention in other.said
            if mention.start >= segment.start + cue.end()
        ]
        for mention in before:
            mention.status = "former" if any(each.sort == mention.sort for each in later) else "denied"


# ------------------------------------------------------------ frames and comments
def _frame(reading: Reading, index: int, asked: Asked) -> Status | None:
    """Return what a segment does to the rest of its sentence: "I heard that, as of …", "if she signs, …"."""
    segment = reading.segments[index]
    if sets_condition(segment.text, asked) and not is_given(segment, asked):
        return "conditional"
    if _is_hearsay(segment.text, asked):
        # "Not 4 %, that was Daniel's guess: 38 of 600", "5 % is gossip: 38 of 600": it tells of what stands before.
        is_of_before = index and lexicon.SAID_OF_BEFORE.match(segment.text)
        is_of_one = any(lexicon.IS_SOMETHING.match(reading.text[each.end :]) for each in segment.said)
        return None if is_of_before or is_of_one else "reported"
    mates = reading.sentence(segment.sentence)
    behind = reading.text[segment.end : segment.end + 2]
    is_head = not segment.mentions and (":" in behind or "–" in behind)
    if is_head and lexicon.REVOKED.search(segment.text) and not content_words(blank(segment.text, lexicon.REVOKED)):
        return "denied"
    if not segment.said and behind[:1] in (":", "/") and lexicon.USED_TO.search(segment.text):
        return "former"  # "it used to be final: 26 March"
    opens = not any(other.said for other in mates if other.start < segment.start)
    if opens and not segment.said and _hedges(segment.text, asked) and _is_only(segment, lexicon.HEDGE):
        return "hedged"
    raw = reading.raw(segment)
    if not segment.said and lexicon.ASKING_INSIDE.search(raw):
        return "asked"
    return None


def sets_condition(text: str, asked: Asked) -> bool:
    """Whether a clause makes the rest depend on something, other than out of courtesy."""
    condition = lexicon.IF.search(blank(text, lexicon.IF_HARMLESS))
    return bool(condition) and (not asked.under_condition or bool(lexicon.ONLY_IF.search(text)))


def _has_consequence(reading: Reading, segment: Segment) -> bool:
    """Whether a condition has its own consequence: "…, 要是顺延你们去吧", "…, 不下雨的话六点见"."""
    end = reading.sentence(segment.sentence)[-1].end
    return lexicon.CONSEQUENCE.search(reading.text[segment.start : end]) is not None


def is_given(segment: Segment, asked: Asked) -> bool:
    """Whether a condition is the one under which was asked: "if it slips to Sunday, …"."""
    if lexicon.CONSENT.search(segment.text):
        return False
    values = [mention.value for mention in segment.mentions if mention.value]
    if values:
        return all(any(same_value(value, each) for each in asked.values) for value in values)
    condition = lexicon.IF.search(segment.text)
    if condition and condition[0].isascii():  # "if it goes like S1 we get …", where those who ask said "like S1"
        named = lexicon.THEN_WE.split(segment.text[condition.end() :], 1)[0]
        if content_words(named) and not unexplained(named, asked.text):
            return True
    # Only what the condition itself names: not what is to be done then.
    words = [re.split("[就便则那]", words)[0] for words in lexicon.IF.split(segment.text) if words]
    pieces = [piece for each in words for piece in re.findall("[一-鿿]{2,}", each)]
    return any(piece[at : at + 2] in asked.text for piece in pieces for at in range(len(piece) - 1))


def _is_only(segment: Segment, cue: Words) -> bool:
    """Whether a segment says hardly more than a cue."""
    return content_words(blank(segment.text, cue)) <= FEW


def _comment(reading: Reading, index: int, last: Segment, before: list[Mention], asked: Asked) -> None:
    """Apply a segment that names nothing itself to what came before it: "…, I am not sure", "…，我都不同意"."""
    segment = reading.segments[index]
    text = segment.text
    behind = reading.segments[index + 1 : index + 2]
    if behind and lexicon.CORRECTION.match(text) and lexicon.NOT_THE_OTHER.match(behind[0].text):
        return  # "(no, not 11:30)"
    if any(mention.value for mention in last.mentions):  # "Ann says 849, wrong": the value is, not who says it
        before = [mention for mention in before if mention.value]
    if lexicon.SO_ANOTHER.match(text):
        return  # "the limit is 1.0 %, so the lot is frozen" follows from what was said
    status: Status | None = None
    revokes = lexicon.REVOKED.search(text)
    denials = [cue for cue in lexicon.NEGATION.finditer(text) if lexicon.HOLDING.search(text[cue.end() :])]
    # "…, not the big one, that one has no handle" goes on about the big one.
    is_of_other = not last.said and lexicon.NOT_THE.match(last.text) and lexicon.THAT_ONE.match(text)
    takes_back = bool(lexicon.TAKING_BACK.search(text) and (revokes or denials)) and not is_of_other
    if _hedges(text, asked) and _is_only(segment, lexicon.HEDGE):
        status = "hedged"
    elif (takes := _takes_back(text)) and lexicon.OWN_BEFORE.search(text):
        status = None  # "what I wrote this morning doesn't count"
    elif takes or (revokes and content_words(blank(text, lexicon.REVOKED)) < FEW and not _has_topic(text, revokes)):
        before = [mention for mention in before if mention.segment == before[-1].segment]
        status = "denied"
    elif takes_back:
        if (
            any(mention.value for mention in last.said)
            and content_words(last.rest)
            and not lexicon.ALL_OF_IT.match(text)
        ):
            before = [mention for mention in before if mention in last.said]  # "6,000, the 20,000 is in v3, not here"
        status = "denied"
    elif lexicon.ONE_OF.search(text):
        status = "rival"
    elif lexicon.UNLESS.search(text):
        status = "hedged"
    elif lexicon.OUTDATED.search(text):
        before = [mention for mention in before if mention.value][-1:]
        status = "former"
        reading.doubt(segment.sentence, "what is said to be out of date")
    elif sets_condition(text, asked) and not is_given(segment, asked) and not lexicon.IF_THEN.search(text):
        status = None if _has_consequence(reading, segment) else "conditional"
    elif lexicon.WOULD_DO.search(text):
        before = [mention for mention in before if mention.segment == before[-1].segment]
        status = "rival"
    elif _is_hearsay(text, asked):
        status = "reported"
    elif _hedges(text, asked) or ((guess := lexicon.HEDGED_AFTER.search(text)) and guess[0][:5] not in asked.text):
        status = "hedged"
        reading.doubt(segment.sentence, "a hedge that may be about something else")
    for mention in before:
        if status and mention.status == "asserted":
            mention.status = status


def _correct(reading: Reading, index: int) -> None:
    """Where somebody corrects themselves, what stood before is denied: "A — sorry, B", "A，不对，是 B"."""
    segment = reading.segments[index]
    alone = not segment.said and lexicon.CORRECTION.search(segment.text)
    if not alone and not (segment.said and lexicon.CORRECTION_OPENS.search(segment.text)):
        return
    later = segment.said
    if not later and index + 1 < len(reading.segments):
        later = reading.segments[index + 1].said
    if alone and index + 1 < len(reading.segments) and lexicon.NOT_THE_OTHER.match(reading.segments[index + 1].text):
        return  # "(no, not 11:30)" denies what follows
    for mention in later:
        earlier = [
            each
            for other in reading.segments[max(0, index - CORRECTED) : index]
            for each in other.said
            if each.sort == mention.sort
        ]
        if not earlier or any(same(earlier[-1], each) for each in later):
            earlier = [each for each in earlier[:-1] if each.segment == earlier[-1].segment]
        for each in earlier:
            if each.segment == earlier[-1].segment and not any(same(each, other) for other in later):
                each.status = "denied" if each.status == "asserted" else each.status


# ------------------------------------------------------------ sentences
def _sentence(reading: Reading, sentence: int, asked: Asked) -> None:
    """Apply what a sentence as a whole does: it asks, doubts or takes back the one before, or mocks."""
    segments = reading.sentence(sentence)
    if not segments:
        return
    tail = reading.tails[sentence]
    whole = _raw_sentence(reading, sentence) + tail
    said = [mention for segment in segments for mention in segment.said]
    is_request = lexicon.REQUEST.search(whole) is not None
    if said and not is_request and ("?" in tail or lexicon.ASKING.search(whole)) and not _answered(reading, sentence):
        last = segments[-1]
        raw = reading.raw(last)
        opener = reading.text[segments[-2].end : last.start] if len(segments) > 1 else ""
        is_quoted = (":" in opener or "–" in opener) and not lexicon.ASKING_TAG.search(raw)
        is_else = lexicon.ASKING_ELSE.search(raw) and not lexicon.OR_OPENS.search(raw)
        asks_else = not last.said and opener and (is_quoted or is_else)
        if not (asks_else or last.said or lexicon.OR_OPENS.search(raw)) and opener and _is_own_question(raw):
            reading.doubt(sentence, "what is asked in the end", of="yes")
        elif not asks_else:
            # "She asks: "849?"" asks what is quoted, not who asks.
            line = reading.text.rfind("\n", 0, last.end) + 1
            is_open = reading.text.count('"', line, last.end) % 2 == 1
            opened = reading.text.rfind('"', line, last.end) if is_open else 0
            _all([mention for mention in said if mention.start >= opened], "asked")
    for segment in segments:
        if segment.mentions and not is_request and lexicon.ASKING.search(segment.text):
            _all(segment.mentions, "asked")
    if lexicon.OTHERWISE.match(_raw_sentence(reading, sentence + 1)) and lexicon.IF.search(whole):
        other = {
            mention.sort for segment in reading.sentence(sentence + 1) for mention in segment.said if mention.value
        }
        _where_asserted([mention for mention in said if mention.sort in other], "conditional")
    _told_as_past(reading, segments, said, asked)
    if lexicon.UNRELATED.search(whole):
        _all([mention for mention in said if mention.key.startswith("r")], "beside")
    if lexicon.SARCASM.search(whole):
        _all(said, "denied")
    if sentence:
        _about_the_one_before(reading, sentence, asked)


def _raw_sentence(reading: Reading, sentence: int) -> str:
    segments = reading.sentence(sentence)
    return reading.raw(segments[0], segments[-1]) if segments else ""


def _told_as_past(reading: Reading, segments: list[Segment], said: list[Mention], asked: Asked) -> None:
    """Find days, hours and names of which is told that they were: "it was Cedar before they redrew the plan"."""
    text = " ".join(segment.text for segment in segments)
    if lexicon.NOW.search(text) or lexicon.BECOMES.search(text) or lexicon.CHANGED_TO.search(text):
        return
    is_over = any(
        day < asked.today for each in said if each.value and each.sort == "date" for day in each.value.options
    )
    is_of_then = lexicon.WAS_ONCE.search(text) and lexicon.THEN.search(text)
    for mention in said:
        is_time = mention.sort in ("date", "clock")
        segment = reading.segments[mention.segment]
        was = is_time and not is_over and lexicon.WAS_JUST.search(segment.text[: mention.start - segment.start])
        if mention.status == "asserted" and ((is_of_then and mention.sort != "says") or was):
            mention.status = "former"


def _is_own_question(text: str) -> bool:
    """Whether a question says enough to be one of its own, and does not ask back for what was said."""
    return content_words(text) > FEW and not lexicon.ASKING_TAG.search(text)


def _about_the_one_before(reading: Reading, sentence: int, asked: Asked) -> None:
    """Let a sentence doubt or take back what was said before it."""
    segments = reading.sentence(sentence)
    earlier = [
        mention for mention in reading.mentions if mention.end <= segments[0].start and mention.sort != "subject"
    ]
    if not earlier:
        return
    text = " ".join(segment.text for segment in segments)
    if lexicon.OR_OPENS.search(text) and reading.tails[sentence - 1].strip() in (";", "。", ".", ""):
        _where_asserted([each for each in earlier if each.sentence == sentence - 1 and not each.value], "rival")
    nearest = [mention for mention in earlier if mention.sentence == earlier[-1].sentence]
    revokes = any(
        not segment.mentions
        and _affirms(lexicon.REVOKED, segment.text)
        and content_words(blank(segment.text, lexicon.REVOKED)) < FEW
        and not _HIDDEN_SUBJECT.search(segment.text)
        for segment in segments
    ) and not any(segment.said for segment in segments)
    take_back = lexicon.TAKE_BACK.search(text)
    opening = takewhile(lambda segment: not _names_anything(reading, segment), segments)
    undoing = [segment for segment in opening if _takes_back(segment.text)]
    is_undone = bool(undoing) and not any(
        lexicon.OWN_BEFORE.search(segment.text)
        or (lexicon.OF_BEFORE.search(segment.text) and segment.start < undoing[0].start)
        for segment in segments
        if segment.start <= undoing[0].start
    )
    if is_undone or (take_back and _opens(text, take_back) and "～" not in text[: take_back.start()]):
        _where_asserted(earlier, "denied")
    elif revokes:
        _where_asserted(nearest, "denied")
    elif any(segment.said for segment in segments) or lexicon.IF.search(text):
        return
    elif _is_hearsay(text, asked) and content_words(blank(text, lexicon.HEARSAY)) < FEW:
        _where_asserted(nearest, "reported")  # "26 March. Rumour has it."
    elif _hedges(text, asked) or lexicon.SARCASM.search(text):
        if lexicon.WISH.match(text):
            reading.doubt(nearest[0].sentence, "a wish behind it", of="yes")
            return
        behind = reading.text[segments[0].end : segments[0].end + 2]
        if lexicon.OTHERS.match(text):
            return  # "others tbc with each channel"
        if ":" in behind and not lexicon.HEDGE.search(segments[0].text):
            return  # "others: to be confirmed"
        hedge = lexicon.HEDGE.search(text)
        if hedge and hedge.start() > text.find(" ", 6) > 0 and lexicon.NOT_THE.match(text):
            return  # "Not the Deck, which you suggested."
        if content_words(blank(text, lexicon.HEDGE)) > 2 * FEW:
            reading.doubt(nearest[0].sentence, "a hedge in another sentence", of="yes")
        else:
            _where_asserted(nearest, "hedged")


def _has_topic(text: str, cue: re.Match[str]) -> bool:
    """Whether a clause tells of what it takes back, and so of something else: "EMC 都不用管"."""
    return cue[0].startswith("不") and content_words(blank(text[: cue.start()], lexicon.NOW)) > 0


def _takes_back(text: str) -> bool:
    """Whether a clause that names nothing takes back what was said."""
    return _affirms(lexicon.TAKE_BACK, text) or _affirms(lexicon.UNDOING, text)


def _affirms(pattern: Words, text: str) -> bool:
    """Whether a text says a thing without denying it: "they cancelled it", not "nobody cancelled it"."""
    starts = (text[: cue.start()].rstrip() for cue in pattern.finditer(text))
    return any(not lexicon.NEGATION.search(before) and not before.endswith(DISPENSES) for before in starts)


def _names_anything(reading: Reading, segment: Segment) -> bool:
    """Whether a segment names more than when something was lately done."""
    return any(mention.sort != "date" or not lexicon.LATELY.match(reading.shown(mention)) for mention in segment.said)


def _opens(text: str, cue: re.Match[str]) -> bool:
    """Whether a cue opens a clause, but for a conjunction."""
    return lexicon.CONJUNCTION.fullmatch(text[: cue.start()]) is not None


def _where_asserted(mentions: list[Mention], status: Status) -> None:
    for mention in mentions:
        mention.status = status if mention.status == "asserted" else mention.status


def _open_alternatives(reading: Reading) -> None:
    """Find what is offered beside something that nobody knows: "Cedar or some other room"."""
    for segment in reading.segments:
        for mention in segment.said:
            if mention.status != "asserted" or mention.sort not in ("choice", "date", "clock"):
                continue
            behind = segment.text[mention.end - segment.start :]
            before = segment.text[: mention.start - segment.start]
            if lexicon.OR_ELSE.match(behind) or lexicon.OR_BEFORE.search(before):
                mention.status = "rival"
                reading.doubt(segment.sentence, "an alternative that is not known")


def _lists(reading: Reading) -> None:
    """Let a predicate behind a list take back all of its names: "Cedar and Willow are full", "雪松、柳厅都没了"."""
    names = [each for each in reading.mentions if each.sort == "choice"]
    for mention, behind in reversed(list(pairwise(names))):
        joint = reading.text[mention.end : behind.start]
        if behind.status == "denied" and mention.sentence == behind.sentence and lexicon.NAMES_JOINED.fullmatch(joint):
            opens = reading.segments[mention.segment].mentions[:1] == [mention]
            told = reading.text[behind.end : reading.segments[behind.segment].end]
            if opens and (lexicon.REVOKED.search(told) or lexicon.ASIDE_BEHIND.search(told)):
                _where_asserted([mention], "denied")


def _described(reading: Reading) -> None:
    """Tell a rival that is chosen from one that is only described beside the chosen: "Cedar, Willow was too loud"."""
    chosen = [each for each in reading.mentions if each.key.startswith("c") and each.status == "asserted"]
    # "Bo has it, Ada only from Monday": it is what was asked for that is for another time.
    chosen = [
        each
        for each in chosen
        if not lexicon.ANOTHER_MATTER.search(reading.text[each.end : reading.segments[each.segment].end])
    ]
    for mention in reading.mentions:
        if not mention.key.startswith("r") or mention.status != "asserted":
            continue
        segment = reading.segments[mention.segment]
        apart = any(each.segment != mention.segment for each in chosen)
        alone = not any(each.segment == mention.segment for each in chosen)
        behind = reading.text[mention.end : segment.end]
        is_apart = lexicon.DESCRIBED.match(behind) or lexicon.ANOTHER_MATTER.search(behind)
        if apart and alone and is_apart and not lexicon.HOLDS_TOO.search(behind):
            mention.status = "beside"


def _aloof(reading: Reading, asked: Asked) -> None:
    """Where somebody else's words stand in a text that keeps aloof from them, the writer asserts none of it."""
    if not lexicon.ALOOF.search(reading.text):
        return
    said = [segment for segment in reading.segments if lexicon.SAYS.search(segment.text)]
    for segment in said:
        told = [each for other in reading.sentence(segment.sentence) for each in other.said]
        behind = [each for each in told if each.start >= segment.start]
        _where_asserted(behind or told, "reported")  # "…, so he says": what stands before


def _answered(reading: Reading, sentence: int) -> bool:
    """Whether the writer answers a question in the next breath: "26 March? Yes."."""
    behind = [each for each in reading.sentence(sentence + 1) if each.text.strip(" \"'")]
    if behind and (lexicon.ASKING.search(behind[0].text) or "?" in reading.tails[sentence + 1]):
        return False
    return bool(behind) and lexicon.ANSWERED.search(behind[0].text) is not None


def _alternatives(reading: Reading) -> None:
    """Find what is offered as one of two: "A or B"."""
    last: dict[str, Mention] = {}
    for mention in reading.mentions:
        if mention.sort == "subject":
            continue
        # Of names, only those of one claim can stand for each other.
        kind = mention.sort + mention.key[1:].partition(":")[0] if mention.sort == "choice" else mention.sort
        first = last.get(kind)
        last[kind] = mention
        if not first or first.sentence != mention.sentence or mention.start < first.end:
            continue
        between = blank(reading.text[first.end : mention.start], lexicon.NEUTRAL)
        both = first.status in ("asserted", "rival") and mention.status == "asserted" and not same(first, mention)
        both = both and not _is_put_otherwise(first, [mention])
        if first.value and mention.value and {first.value.unit, mention.value.unit} <= lexicon.APART:
            both = both and first.value.unit == mention.value.unit  # 水降到88度，粉还是15克
        if both and len(between) < 40 and (lexicon.OR.search(between) or lexicon.OR_STILL.match(between)):
            first.status = mention.status = "rival"
