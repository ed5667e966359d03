"""Gmail's search: its operators, read into a tree that says of a message whether it is meant.

Nothing is refused: what cannot be read is words to look for, as at Gmail. Source: support.google.com/mail/answer/7190
(operators), developers.google.com/gmail/api/guides/filtering (days begin at midnight in California).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from farm.appkit.formats.times import local

Words = tuple[str, ...]
CALIFORNIA = ZoneInfo("America/Los_Angeles")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
# Chinese, Japanese and Korean are written without spaces: each of their letters is a word.
_WIDE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
# A bracket or bar, a minus or plus before a term, an operator with its colon, a phrase (closed or not), a word.
_TOKEN = re.compile(r'\s*(?:([(){}|])|(-(?=[^\s-]))|(\+(?=\S))|([a-zA-Z_]\w*):(?=\S)|"([^"]*)"?|([^\s(){}"|]+))')
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([kmg]?)b?", re.IGNORECASE)
_AGE = re.compile(r"(\d+)([hdwmy])", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})|(\d{1,2})[/-](\d{1,2})[/-](\d{4})")
_AROUND = re.compile(r"AROUND|AROUND:?(\d{1,20})", re.ASCII)
# Longer numbers are nobody's, and words like any other.
_COUNT, _SECONDS = re.compile(r"\d{1,20}", re.ASCII), re.compile(r"\d{5,20}", re.ASCII)
_SIGNS_MAX = 200
_DEPTH_MAX = 40  # of brackets; each takes several frames of the interpreter's stack to read, and to test a mail
_UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
_STATES = {
    "unread": "UNREAD", "starred": "STARRED", "important": "IMPORTANT", "inbox": "INBOX", "spam": "SPAM",
    "sent": "SENT", "draft": "DRAFT", "drafts": "DRAFT", "chat": "CHAT", "chats": "CHAT",
    "trash": "TRASH", "bin": "TRASH",
}  # fmt: skip
_CATEGORIES = {
    "primary": "CATEGORY_PERSONAL", "personal": "CATEGORY_PERSONAL", "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS", "updates": "CATEGORY_UPDATES", "forums": "CATEGORY_FORUMS",
}  # fmt: skip
_DRIVE = {
    "drive": ("drive.google.com", "docs.google.com"),
    "document": ("docs.google.com/document",),
    "spreadsheet": ("docs.google.com/spreadsheets",),
    "presentation": ("docs.google.com/presentation",),
    "youtube": ("youtube.com", "youtu.be"),
}


@dataclass(frozen=True)
class Mail:
    """What a search reads of a message.

    Attributes:
        people: the texts of its headers From, To, Cc and Bcc, by ``from``, ``to``, ``cc``, ``bcc``.
        labels: the ids of its labels, those of the system included.
        names: the names of those that are a person's own, as ``label:`` writes them.
    """

    internal_ms: int
    size_bytes: int
    subject: str
    body: str
    people: Mapping[str, str]
    labels: frozenset[str]
    names: frozenset[str]
    filenames: Sequence[str]
    message_id: str
    list_id: str


@dataclass(frozen=True)
class Asker:
    """Whose search it is, and when."""

    address: str
    now_ms: int


Test = Callable[[Mail], bool]


@dataclass
class _Query:
    """A query on its way into a test.

    Attributes:
        looks_in: places that the query names, each of which brings spam or trash along.
    """

    tokens: list[tuple[str, str]]
    asker: Asker
    at: int = 0
    looks_in: set[str] = field(default_factory=set)


def compile_query(query: str, asker: Asker) -> Test:
    """Return what says of a message whether a search finds it; spam and trash are only found where they are named."""
    tokens = _tokens(query)
    if sum(kind == "sign" for kind, _ in tokens) > _SIGNS_MAX or _depth(tokens) > _DEPTH_MAX:
        # Nobody's search: its words alone are looked for, without what binds them.
        tokens = [each for each in tokens if each[0] != "sign"]
    read = _Query(tokens, asker)
    tests = []
    while read.at < len(read.tokens):
        tests.append(_either(read))
        read.at += 1  # a bracket that nothing opened
    hidden = set[str]() if "ANYWHERE" in read.looks_in else {"SPAM", "TRASH"} - read.looks_in

    def test(mail: Mail) -> bool:
        return not (mail.labels & hidden) and all(each(mail) for each in tests)

    return test


def hyphened(name: str) -> str:
    """Return a label's name as ``label:`` writes it."""
    return re.sub(r"[\s/()&|\"]+", "-", name.lower()).strip("-")


def words_of(text: str) -> Words:
    """Return a text's words as they are compared."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        found += _WIDE.findall(word)
    return tuple(found)


def _tokens(query: str) -> list[tuple[str, str]]:
    """Split a query into brackets, signs, operators, phrases and bare words."""
    tokens = []
    for bracket, minus, plus, operator, phrase, word in _TOKEN.findall(query):
        if bracket or minus or plus:
            tokens.append(("sign", bracket or minus or plus))
        elif operator:
            tokens.append(("operator", operator.lower()))
        elif word:
            tokens.append(("word", word))
        else:
            tokens.append(("phrase", phrase))
    return tokens


def _depth(tokens: list[tuple[str, str]]) -> int:
    """Return how deep brackets stand in each other; any closing one closes the last, as ``_either`` reads them."""
    depth = deepest = 0
    for token in tokens:
        if token in (("sign", "("), ("sign", "{")):
            depth += 1
            deepest = max(deepest, depth)
        elif token in (("sign", ")"), ("sign", "}")):
            depth = max(0, depth - 1)
    return deepest


def _peek(read: _Query) -> tuple[str, str]:
    return read.tokens[read.at] if read.at < len(read.tokens) else ("end", "")


def _either(read: _Query, inside: str | None = None) -> Test:
    """Read terms up to a closing bracket: OR binds its neighbours, all others must hold together."""
    groups: list[list[Test]] = []
    is_joined = False
    while True:
        kind, said = _peek(read)
        if kind == "end" or (kind, said) in (("sign", ")"), ("sign", "}")):
            break
        if (kind, said) in (("word", "OR"), ("sign", "|")):
            read.at, is_joined = read.at + 1, bool(groups)
            continue
        if (kind, said) == ("word", "AND"):
            read.at += 1
            continue
        term = _term(read, inside)
        if is_joined:
            groups[-1].append(term)
        else:
            groups.append([term])
        is_joined = False
    return lambda mail: all(any(term(mail) for term in group) for group in groups)


def _any_of(read: _Query, inside: str | None) -> Test:
    """Read what stands in braces: one of it must hold."""
    terms: list[Test] = []
    while _peek(read) not in (("sign", "}"), ("sign", ")"), ("end", "")):
        if _peek(read) in (("word", "OR"), ("word", "AND"), ("sign", "|")):
            read.at += 1
        else:
            terms.append(_term(read, inside))
    return lambda mail: any(term(mail) for term in terms)


def _term(read: _Query, inside: str | None) -> Test:
    """Read one term.

    Args:
        inside: the operator whose brackets it stands in: every word there is one of that operator's.
    """
    kind, said = _peek(read)
    read.at += 1
    if kind == "sign" and said in "({":
        test = _either(read, inside) if said == "(" else _any_of(read, inside)
        read.at += 1  # the closing bracket, where there is one
        return test
    if (kind, said) == ("sign", "-"):
        if _peek(read) in (("sign", ")"), ("sign", "}")):
            return lambda _: True
        looked_in = set(read.looks_in)
        negated = _term(read, inside)
        read.looks_in = looked_in  # not to be in the trash does not look there
        return lambda mail: not negated(mail)
    if (kind, said) == ("sign", "+"):
        return _term(read, inside)
    if kind == "operator":
        return _operator(read, said)
    if kind == "sign":
        return lambda _: True
    if inside is not None:
        return _meaning(read, inside, said)
    return _around(read, said) or _holds(said)


def _operator(read: _Query, name: str) -> Test:
    kind, said = _peek(read)
    if kind == "sign" and said in "({":
        return _term(read, name)
    if kind in ("word", "phrase"):
        read.at += 1
        return _meaning(read, name, said)
    # Of two in a row the first is a word.
    return _holds(name)


def _around(read: _Query, first: str) -> Test | None:
    """Read ``first AROUND 5 second``: both words, no further apart."""
    kind, said = _peek(read)
    found = _AROUND.fullmatch(said) if kind == "word" else None
    if found is None:
        return None
    rest = read.tokens[read.at + 1 : read.at + 3]
    if found[1] is None and len(rest) == 2 and _COUNT.fullmatch(rest[0][1]):
        apart, second, taken = int(rest[0][1]), rest[1][1], 3
    elif found[1] is not None and rest:
        apart, second, taken = int(found[1]), rest[0][1], 2
    else:
        return None
    read.at += taken
    left, right = words_of(first), words_of(second)

    def near(mail: Mail) -> bool:
        texts = (words_of(mail.subject), words_of(mail.body))
        return any(abs(a - b) <= apart for text in texts for a in _places(left, text) for b in _places(right, text))

    return near


def _meaning(read: _Query, name: str, said: str) -> Test:
    """Return the test of an operator with one value."""
    value = said.lower()
    if name in ("from", "cc", "bcc", "to", "deliveredto"):
        fields = ("to", "cc", "bcc") if name in ("to", "deliveredto") else (name,)
        wanted = words_of(read.asker.address if value == "me" else said)
        return lambda mail: any(_has(wanted, mail.people[each]) for each in fields)
    if name == "subject":
        return lambda mail: _has(words_of(said), mail.subject)
    if name == "label":
        return _labelled(read, said)
    if name == "in":
        return _place(read, value)
    if name == "is":
        return _state(value)
    if name == "category":
        return lambda mail: _CATEGORIES.get(value, "") in mail.labels
    if name == "has":
        return _having(value)
    if name == "filename":
        return lambda mail: any(_has(words_of(said), each) for each in mail.filenames)
    if name == "list":
        return lambda mail: bool(mail.list_id) and _has(words_of(said), mail.list_id)
    if name == "rfc822msgid":
        return lambda mail: mail.message_id.strip("<>").lower() == value.strip("<>")
    if name in ("after", "newer", "before", "older"):
        return _dated(name in ("after", "newer"), said) or _holds(said)
    if name in ("newer_than", "older_than"):
        return _aged(name == "newer_than", said, read.asker.now_ms) or _holds(said)
    if name in ("size", "larger", "larger_than", "smaller", "smaller_than"):
        return _sized(name.startswith("smaller"), said) or _holds(said)
    # An operator that there is not: the words on both sides of the colon, one behind the other.
    return _holds(f"{name} {said}")


def _holds(said: str) -> Test:
    """Return the test of words anywhere in a mail, one behind the other."""
    wanted = words_of(said)
    if not wanted:
        return lambda _: True
    return lambda mail: any(
        _has(wanted, text) for text in (mail.subject, mail.body, *mail.people.values(), *mail.filenames)
    )


def _has(wanted: Words, text: str) -> bool:
    if not wanted:
        return True
    lowered = text.lower()  # most texts have not even the letters
    return all(word in lowered for word in wanted) and bool(_places(wanted, words_of(lowered)))


def _places(wanted: Words, words: Words) -> list[int]:
    """Return where some words stand in a row."""
    if not wanted:
        return []
    size = len(wanted)
    return [at for at in range(len(words) - size + 1) if words[at : at + size] == wanted]


def _labelled(read: _Query, said: str) -> Test:
    value = said.lower()
    system = "CHAT" if value == "chats" else _STATES.get(value, said.upper())
    read.looks_in.add(system)
    written = hyphened(said)
    return lambda mail: system in mail.labels or written in mail.names


def _place(read: _Query, value: str) -> Test:
    if value in ("anywhere", "all"):
        read.looks_in.add("ANYWHERE")
        return lambda _: True
    if value == "archive":
        return lambda mail: not mail.labels & {"INBOX", "SENT", "DRAFT", "CHAT"}
    if value in ("read", "snoozed", "muted", "scheduled"):
        return _state(value)
    return _labelled(read, value)


def _state(value: str) -> Test:
    if value == "read":
        return lambda mail: "UNREAD" not in mail.labels
    label = _STATES.get(value, "")
    return lambda mail: label in mail.labels


def _having(value: str) -> Test:
    if value == "attachment":
        return lambda mail: bool(mail.filenames)
    if value == "userlabels":
        return lambda mail: bool(mail.names)
    if value == "nouserlabels":
        return lambda mail: not mail.names
    if value in ("star", "yellow-star"):
        return _state("starred")
    links = _DRIVE.get(value, ())
    return lambda mail: any(link in mail.body for link in links)


def _dated(is_after: bool, said: str) -> Test | None:
    """Return the test of a day, or of a second since 1970."""
    if _SECONDS.fullmatch(said):
        edge_ms = int(said) * 1000
    else:
        found = _DATE.fullmatch(said)
        if found is None:
            return None
        numbers = (found[1], found[2], found[3]) if found[1] else (found[6], found[4], found[5])
        day = _day(*map(int, numbers))
        if day is None:
            return None
        midnight = datetime(day.year, day.month, day.day, tzinfo=CALIFORNIA)
        edge_ms = int(midnight.timestamp()) * 1000
    return (lambda mail: mail.internal_ms >= edge_ms) if is_after else (lambda mail: mail.internal_ms < edge_ms)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _aged(is_newer: bool, said: str, now_ms: int) -> Test | None:
    found = _AGE.fullmatch(said)
    if found is None or len(found[1]) > 4:
        return None
    count, unit = int(found[1]), found[2].lower()
    now = local(now_ms)
    if unit in "my":
        months = count * (12 if unit == "y" else 1)
        edge = _months_before(now, months)
    else:
        edge = now - timedelta(hours=count * {"h": 1, "d": 24, "w": 168}[unit])
    edge_ms = int(edge.timestamp() * 1000)
    return (lambda mail: mail.internal_ms >= edge_ms) if is_newer else (lambda mail: mail.internal_ms < edge_ms)


def _months_before(now: datetime, months: int) -> datetime:
    year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
    if year < 1:
        return local(0)
    return now.replace(year=year, month=month + 1, day=min(now.day, 28))


def _sized(is_smaller: bool, said: str) -> Test | None:
    found = _SIZE.fullmatch(said)
    if found is None:
        return None
    edge = float(found[1]) * _UNITS[found[2].lower()]
    return (lambda mail: mail.size_bytes < edge) if is_smaller else (lambda mail: mail.size_bytes > edge)
