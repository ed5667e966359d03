"""Find what the words of an answer blame: the call, or a failure that the call did not cause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm._util.json_strings import strings_in
from farm.traverse.discriminate.context import Context
from farm.traverse.discriminate.echoes import HIDDEN
from farm.traverse.discriminate.failures import FAILURES, PAGE_QUOTED, RULE, UNREADABLE
from farm.traverse.discriminate.phrases import CHECKER, GENERIC, NO_INSIDE, NOT_THERE
from farm.traverse.discriminate.verdict import Cause, Verdict

# A failure's words count at the beginning, and in the last line of a traceback.
HEAD, _TAIL = 600, 300
# Refusals begin early; this bound limits the time of the patterns, whatever length a value has.
READ_LETTERS_MAX = 8_000
_VAGUE_WORDS_MAX = 3
SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
# A single quoted word after another word is a name: near "timeout".
_NAMED = re.compile(r"(?<=[a-z] )(['\"`])[\w-]{1,40}\1")
_WORD = re.compile(r"\w+")
_AGAIN = re.compile(r"(?:please )?(?:try|retry)\b|稍后|稍候", re.IGNORECASE)
# Texts that a client sends to be parsed, and names of texts to be read.
_PARSED = re.compile(r"[\[{<]|\"|.*\n", re.DOTALL)
_NAMES_TEXT = re.compile(r"parse|validate|format_?json|json_?(?:format|query)", re.IGNORECASE)
_PLACE = re.compile(r"https?://|file:|ftp:|[./~]|[A-Za-z]:\\|[\w.-]+\.(?:json|ya?ml|xml|txt|csv|html?)$", re.IGNORECASE)
# More words with which a refusal gives the request's error.
_REASON = re.compile(
    r"\b4(?:0[02-79]|1[0-79]|2[2-8])\b|\bENOENT\b|\bE(?:EXIST|ISDIR|NOTDIR|ACCES|PERM|ROFS|INVAL|NOTEMPTY|"
    r"NAMETOOLONG)\b|\b(?:invalid|illegal|"
    r"malformed|unknown|unsupported|missing|required|denied|forbidden|not found|exists?|conflict|constraint|"
    r"syntax|duplicate|unrecogni[sz]ed|"
    r"ambiguous|nothing|no|not|only|expected|already|must|mismatch|undefined variable|fatal|disabled|blocked|"
    r"outside|empty|refusing|INVALID_\w+)\b|_(?:NOT_FOUND|INVALID|RANGE|EXISTS)\b|"
    r"不|无效|非法|缺少|未|没有|已存在|必须|错误的",
    re.IGNORECASE,
)


def find_failure(text: str) -> Cause | None:
    """Return the failure that a text names and the call did not cause; a tool's rule in such words does not count."""
    looked_at = text if len(text) <= HEAD + _TAIL else f"{text[:HEAD]}\n{text[-_TAIL:]}"
    looked_at = _NAMED.sub(lambda found: HIDDEN * len(found[0]), looked_at)
    for cause, words in FAILURES:
        found = words.search(looked_at)
        if found and (cause == "login" or not RULE.search(_around(looked_at, found))):
            return cause
    return None


def _around(text: str, found: re.Match[str]) -> str:
    """Return the sentence of a failure's words, or the whole text if the words only ask to try again."""
    if _AGAIN.match(found[0]):
        return text
    start = max((end.end() for end in SENTENCE.finditer(text, 0, found.start())), default=0)
    end = SENTENCE.search(text, found.end())
    return text[start : end.start() if end else len(text)]


def gives_reason(text: str) -> bool:
    """Return whether a text says what is wrong with the request."""
    rest = GENERIC.sub(" ", text)
    return any(words.search(rest) for words in (CHECKER, NO_INSIDE, NOT_THERE, RULE, _REASON))


def judge_unreadable(record: Mapping[str, Any], text: str, context: Context, sign: str) -> Verdict:
    """Judge a parser's complaint: about the client's text, about a text it named, or about an unexpected answer."""
    arguments = record.get("arguments")
    given = [each.strip() for each in strings_in(arguments)]
    if any(_PARSED.match(each) for each in given) or _NAMES_TEXT.search(record["tool"]):
        return Verdict("refused", f"{sign}, a parser of what the client gave", False)
    if context.is_seed or (PAGE_QUOTED.search(text) and not any(_PLACE.match(each) for each in given)):
        return Verdict("infrastructure", f"{sign}, an answer that could not be read", False, "server")
    return Verdict("refused", f"{sign}, a parser of what the client named", False)


def place_of_failure(text: str, cause: Cause) -> int:
    """Return the position of a failure's words; the text's end if it has none."""
    found = dict(FAILURES)[cause].search(text)
    return found.start() if found else len(text)


def judge_refusal(record: Mapping[str, Any], text: str, why: str, *, is_sure: bool, context: Context) -> Verdict:
    """Judge a text that reads like a refusal: it is a failure if it has a failure's words, or a seed gets no reason."""
    text = text[:READ_LETTERS_MAX]
    checked, cause = CHECKER.search(text), find_failure(text)
    if cause is not None and not (checked and checked.start() <= place_of_failure(text, cause)):
        return Verdict("infrastructure", f"{why}, in words of {NAMES[cause]}", False, cause)
    if not checked and UNREADABLE.search(text):
        return judge_unreadable(record, text, context, why)
    if context.is_seed and not gives_reason(text) and len(_WORD.findall(GENERIC.sub(" ", text))) <= _VAGUE_WORDS_MAX:
        return Verdict("infrastructure", f"{why}, without a reason to a call meant to succeed", False, "server")
    return Verdict("refused", why, is_sure)


NAMES: Mapping[Cause, str] = {
    "silence": "a server that ended",
    "server": "a server that broke",
    "network": "a network",
    "time": "a time-out",
    "rate": "a rate limit",
    "login": "a login",
}
