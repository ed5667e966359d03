"""Forms of facts in texts that a gold script writes, and their names in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from farm import content
from farm.appkit.world_spec.facts import Fact, Ledger
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.truth.fact_trace import letters_of
from farm.benchmark.scoring.claims.values import fold
from farm.context.template import World

_LATIN = re.compile(r"[A-Za-z0-9]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
# Kind → the forms to try, in English and in Chinese, the first that the fact has.
_FORMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "moment": (("en_short",), ("zh_week",)),
    "day": (("en_short",), ("zh_week",)),
    "clock": (("clock",), ("clock",)),
    "span": (("hours_en", "days_en", "minutes_en"), ("hours_zh", "days_zh", "minutes_zh")),
    "amount": (("code", "money", ""), ("code", "money", "")),
    "percent": (("percent", ""), ("percent", "")),
}

# Forms of facts to look for in a text that somebody wrote.
_WRITTEN = (
    *("", "en_short", "en", "en_md", "zh", "zh_week", "iso", "weekday_en", "weekday_zh", "clock", "clock_zh"),
    *("clock_en", "digits", "plain", "money", "code", "code_after", "yuan", "percent", "percent_tight"),
    *("hours_en", "hours_zh", "minutes_en", "minutes_zh", "days_en", "days_zh"),
)
_LETTERS_MIN = 2
_WORD = re.compile(r"[a-z0-9][a-z0-9.'&-]*")
_STEM, _WORD_MIN = 5, 3
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")
# Words that any sentence has.
_COMMON = frozenset(
    {
        "the",
        "and",
        "for",
        "are",
        "was",
        "not",
        "has",
        "how",
        "who",
        "what",
        "when",
        "which",
        "this",
        "that",
        "with",
        "from",
    }
)


def is_chinese(text: str) -> bool:
    """Return whether a text has Chinese in it."""
    return bool(_HAN.search(text))


def apps_named(text: str, apps: Iterable[str]) -> list[str]:
    """Return the apps that a text names: by their names, their titles or what people call them besides."""
    found = []
    for app in apps:
        known = content.load_app(app).app
        if any(has_words(text.lower(), word.lower()) for word in (app, known.title, *known.called)):
            found.append(app)
    return found


def has_words(text: str, words: str) -> bool:
    """Return whether a text has some words, which do not begin or end inside of a Latin word."""
    at = text.find(words)
    while at >= 0:
        ends = ((text[at - 1 : at], words[0]), (text[at + len(words) : at + len(words) + 1], words[-1]))
        if not any(_LATIN.fullmatch(outside) and _LATIN.fullmatch(inside) for outside, inside in ends):
            return True
        at = text.find(words, at + 1)
    return False


def name_of(fact: Fact, *, chinese: bool) -> str:
    """Return the name of a fact in a language; another if it has none in it."""
    return next((name for name in fact.names if is_chinese(name) == chinese), fact.names[0] if fact.names else fact.key)


def reference_to(ledger: Ledger, key: str, version: str = "", *, chinese: bool = False) -> str:
    """Return the reference to a fact, ``{{fact:KEY FORM}}``, in a form that people write."""
    fact = ledger.require(key)
    form = next((each for each in _forms(fact, chinese) if _has(ledger, key, version, each)), "")
    name = f"{key}#{version}" if version else key
    written = f"{{{{fact:{name} {form}}}}}" if form else f"{{{{fact:{name}}}}}"
    return f"{written} {{{{fact:{name} clock}}}}" if fact.kind == "moment" else written


def _forms(fact: Fact, chinese: bool) -> Iterable[str]:
    return _FORMS.get(fact.kind, (("",), ("",)))[chinese]


def _has(ledger: Ledger, key: str, version: str, form: str) -> bool:
    try:
        ledger.write(key, version, form)
    except ValueError:
        return False
    return True


def forms_in(text: str, fact: Fact, ledger: Ledger, world: World) -> list[str]:
    """Return the forms of a fact's value that a text has, the longest first; of a moment, a day must be among them."""
    found = _written_in(text, fact, ledger, world)
    if fact.kind == "moment" and all("clock" in each for each in found.values()):
        return []
    return [*found.values()]


def values_in(text: str, fact: Fact, ledger: Ledger, world: World) -> list[str]:
    """Return a fact's value as a text writes it, in each form that it has there, the longest first."""
    return [*_written_in(text, fact, ledger, world)]


def _written_in(text: str, fact: Fact, ledger: Ledger, world: World) -> dict[str, str]:
    """Return value → form, of the forms of a fact's value that a text has, the longest first."""
    letters = letters_of(fold(text))
    found: dict[str, str] = {}
    for form in _WRITTEN:
        try:
            value = rendered(str(ledger.write(fact.key, "", form)), world.name)
        except ValueError:
            continue
        if len(value) >= _LETTERS_MIN and value in text and letters_of(fold(value)) in letters:
            found.setdefault(value, form)
    longest = sorted(found, key=len, reverse=True)
    kept = [each for each in longest if not any(each in other for other in longest if other != each)]
    return {each: found[each] for each in kept}


def shares_words(one: str, other: str) -> bool:
    """Return whether two texts share a word: in English its first letters, in Chinese two signs that stand together."""
    return bool(_pieces(one) & _pieces(other))


def _pieces(text: str) -> set[str]:
    folded = fold(text)
    words = {each.strip(".'-") for each in _WORD.findall(folded)}
    latin = {each[:_STEM] for each in words if len(each) >= _WORD_MIN and each not in _COMMON}
    runs = _HAN_RUN.findall(folded)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return latin | pairs | {run for run in runs if len(run) == 1}
