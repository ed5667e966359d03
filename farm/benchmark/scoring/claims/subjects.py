"""Pair each value with its subjects: a clock with its city, a number with the thing that it counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import MONEY, gap
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment

LARGE = 1000  # a number of this size is an amount if one of another size counts things
ITEMS = tuple("项笔点条款")  # after an ordinal that only numbers the items of a list
NOBODY: frozenset[str] = frozenset()


def pair(reading: Reading) -> None:
    """Give each value the subjects of its segment, or else of its neighbours, or else of the line above."""
    if not _subjects([reading.mentions]):
        for mention in reading.mentions:
            mention.is_inherited = mention.sort != "subject"
        return
    for index, segment in enumerate(reading.segments):
        subjects = [each for each in segment.mentions if each.sort == "subject" and not each.key.startswith("n")]
        subjects = [each for each in subjects if not _is_counted(each, segment)] or subjects
        for sort in {mention.sort for mention in segment.mentions} - {"subject"}:
            values = [mention for mention in segment.mentions if mention.sort == sort]
            values = [mention for mention in values if not mention.is_known] or values
            nearest = _nearest(reading, values, subjects) if _are_one(subjects) else frozenset[int]()
            for mention in values:
                if subjects:
                    mention.subjects = _beside(mention, values, subjects, nearest)
                else:
                    mention.subjects = _inherited(reading, index, segment, mention)
                    mention.is_inherited = True
    for sentence in range(len(reading.tails)):
        _respectively(reading, sentence)
    if "|" in reading.text:
        _tables(reading)


def _is_counted(subject: Mention, segment: Segment) -> bool:
    """Whether a known number counts the subject, as in "all four authors"; then it is not a value's subject."""
    known = (each for each in segment.said if each.is_known and each.status == "asserted")
    return any(0 <= subject.start - each.end <= 1 for each in known)


def _are_one(subjects: list[Mention]) -> bool:
    """Whether the subjects of a segment share one place, or are the same subject."""
    return len({(each.start, each.end) for each in subjects}) == 1 or len({each.key for each in subjects}) == 1


def _beside(
    mention: Mention, values: list[Mention], subjects: list[Mention], nearest: frozenset[int]
) -> frozenset[str]:
    """Return the subject before or after a value, depending on their order in the segment.

    Args:
        nearest: the values that belong to the segment's subject, if there is only one.
    """
    if _are_one(subjects):
        # One place may have several keys, because a word may name the subjects of several claims.
        is_name = mention.sort == "choice" and len({(each.start, each.end) for each in subjects}) > 1
        is_its = len(values) == 1 or is_name or id(mention) in nearest
        return frozenset(each.key for each in subjects) if is_its else NOBODY
    behind = [subject for subject in subjects if subject.start >= mention.start]
    before = [subject for subject in subjects if subject.end <= mention.start + 1]
    values_first = values[0].start < subjects[0].start
    chosen = (behind[:1] or before[-1:]) if values_first else (before[-1:] or behind[:1])
    return frozenset(
        each.key for each in subjects if any(each.start < one.end and one.start < each.end for one in chosen)
    )


def _nearest(reading: Reading, values: list[Mention], subjects: list[Mention]) -> frozenset[int]:
    """Return the values that belong to a segment's only subject: the nearest one and those in its list."""
    if len(values) == 1:
        return frozenset({id(values[0])})
    taken: set[int] = set()
    for subject in subjects:
        taken.add(id(min(values, key=lambda value: gap(value, subject))))
    for order in (values, values[::-1]):
        for value, other in pairwise(order):
            if id(value) in taken and _is_listed(reading, value, other):
                taken.add(id(other))
    return frozenset(taken)


def _is_listed(reading: Reading, a: Mention, b: Mention) -> bool:
    between = reading.text[min(a.end, b.end) : max(a.start, b.start)]
    return bool(lexicon.LISTED.fullmatch(between) or lexicon.SPAN.fullmatch(between))


def _inherited(reading: Reading, index: int, segment: Segment, mention: Mention) -> frozenset[str]:
    """Return the subjects of a value whose segment names none."""
    label = reading.segments[index - 1] if index else segment
    is_labelled = (
        reading.text[label.end : segment.start].strip() in (":", "=", "→") and label.sentence == segment.sentence
    )
    if is_labelled and (
        keys := frozenset(each.key for each in label.mentions if each.sort == "subject" and each.key[0] != "n")
    ):
        return keys
    behind = reading.text[mention.end : mention.end + 8]
    if mention.sort == "number" and lexicon.OWN_NOUN.match(behind):
        return NOBODY
    mates = [each for part in reading.sentence(segment.sentence) for each in part.mentions]
    first = next((each for each in mates if each.sort == "subject" or _are_of_a_kind(mention, each, reading)), mention)
    neighbours = reading.segments[max(0, index - 1) : index]
    neighbours += [each for each in reading.segments[index + 1 : index + 3] if each.mentions][:1]
    # Where the sentence opens with a subject, values follow theirs; where it opens with a value, they precede them.
    for other in neighbours if first.sort == "subject" else reversed(neighbours):
        if other.sentence != segment.sentence or any(_are_of_a_kind(mention, each, reading) for each in other.mentions):
            continue
        if keys := frozenset(each.key for each in other.mentions if each.sort == "subject" and each.key[0] != "n"):
            return keys
    for other in reversed(reading.segments[:index]):
        if other.sentence < segment.sentence - 1:
            break
        is_earlier = other.sentence < segment.sentence
        if is_earlier and _has(reading, other.sentence, mention.sort):
            break
        subjects = [each for each in other.mentions if each.sort == "subject" and each.key[0] != "n"]
        names = frozenset(each.key for each in subjects)
        values = [
            each for each in other.mentions if _are_of_a_kind(mention, each, reading) and each.status == "asserted"
        ]
        used = {key for each in values for key in each.subjects}
        if names and names <= used and not _is_listed(reading, values[-1], mention):
            break
        if names:
            last = max((each.start, each.end) for each in subjects)
            return _keys_at(subjects, last) if other.sentence == segment.sentence else names
    return NOBODY


def _keys_at(subjects: Sequence[Mention], place: tuple[int, int]) -> frozenset[str]:
    """Return the keys of all subjects that the word at a place names."""
    return frozenset(each.key for each in subjects if each.start < place[1] and place[0] < each.end)


def _are_of_a_kind(value: Mention, other: Mention, reading: Reading) -> bool:
    """Whether another value may stand for the subject that a value seeks; 400 lamps do not stand for a price."""
    if other.sort != value.sort or not value.value or not other.value:
        return other.sort == value.sort
    if other.value.kind == "ordinal" and reading.text[other.end : other.end + 1] in ITEMS:
        return False  # "第一项是空运费, 58,000 元"
    unit, its = value.value.unit, other.value.unit
    if unit in ("%", *MONEY) and its == "":
        counts = lexicon.OWN_NOUN.match(reading.text[other.end : other.end + 8])
        return not (counts or unit == "%")
    if unit == "" and its == "" and value.value.number >= LARGE > other.value.number:
        return not lexicon.OWN_NOUN.match(reading.text[other.end : other.end + 8])
    return True


def _has(reading: Reading, sentence: int, sort: str) -> bool:
    return any(each.sort == sort for part in reading.sentence(sentence) for each in part.mentions)


def _tables(reading: Reading) -> None:
    """Give a value in a table the subjects of its cell, or else those of its row's first cell and its column's head."""
    head: list[list[Mention]] | None = None
    at = 0
    for line in reading.text.split("\n"):
        end = at + len(line)
        if line.count("|") < 2:
            head, at = None, end + 1
            continue
        cells = _cells(reading, at, line)
        for column, cell in enumerate(cells):
            if not any(each.sort == "subject" for each in cell):
                keys = [each.key for each in _subjects(cells[:1] + cells[1:2]) or _subjects(cells)]
                keys += [each.key for each in _subjects(head[column : column + 1] if head else [])]
                for each in cell:
                    each.subjects = frozenset(keys) or each.subjects
        head, at = head or cells, end + 1


def _subjects(cells: list[list[Mention]]) -> list[Mention]:
    """Return the subjects of some cells."""
    return [each for cell in cells for each in cell if each.sort == "subject" and each.key[0] != "n"]


def _cells(reading: Reading, at: int, line: str) -> list[list[Mention]]:
    """Return the mentions of a table's line, cell by cell."""
    cells: list[list[Mention]] = [[] for _ in range(line.count("|") + 1)]
    for each in reading.mentions:
        if at <= each.start < at + len(line):
            cells[line.count("|", 0, each.start - at)].append(each)
    return cells


def _respectively(reading: Reading, sentence: int) -> None:
    """Pair a list of subjects with a list of values, in order: "A and B: 1 and 2", "A、B 分别是 1、2"."""
    segments = reading.sentence(sentence)
    mentions = [each for part in segments for each in part.mentions]
    subjects = [each for each in mentions if each.sort == "subject" and each.key[0] != "n"]
    # One word may be the subject of several claims: a day and an hour of one meeting are not two lists.
    places = sorted({(each.start, each.end) for each in subjects})
    names = list(dict.fromkeys(_keys_at(subjects, place) for place in places))
    if len(names) < 2 or len(names) != len(places) or any(a & b for a, b in combinations(names, 2)):
        return
    for sort in ("clock", "number", "date"):
        values = [each for each in mentions if each.sort == sort]
        if len(values) < len(names):
            continue
        if max(each.end for each in subjects) <= values[0].start:
            for keys, value in zip(names, values, strict=False):
                value.subjects = keys
