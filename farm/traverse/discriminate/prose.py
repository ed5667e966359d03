"""The rules for texts: their beginning, short sentences, and web pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm._util.json_strings import strings_in
from farm.traverse.discriminate.context import Context, asks_a_page
from farm.traverse.discriminate.echoes import HIDDEN
from farm.traverse.discriminate.failures import FAILURES, NARRATIVE
from farm.traverse.discriminate.phrases import (
    BEGINS_WITH_YES,
    CHECKER,
    FIELD,
    HEADING,
    NO_AT_START,
    NO_INSIDE,
    NO_SIGNS,
    NOT_DONE,
    NOT_THERE,
    NOTHING,
    READS,
    SEEKS,
    YES_INSIDE,
    YES_SIGNS,
)
from farm.traverse.discriminate.reasons import HEAD, NAMES, READ_LETTERS_MAX, SENTENCE, find_failure, judge_refusal
from farm.traverse.discriminate.verdict import Cause, Verdict

_SHORT_LETTERS, _SHORT_LINES = 400, 4
_FIRST_LETTERS, _ORNAMENTS = 60, 2
_LIST_LETTERS = 1_500
_TITLES_LETTERS = 80
# Symbols, headings and emphasis before the first word; brackets and quotes are part of data.
_ORNAMENT = re.compile(r"^[^\w(\[{\"'<\x00]+")
# A log line begins with a time or in brackets: it reports another failure.
_NEWS = re.compile(r"\d{1,4}[-/:.]\d|[\[{<\"']")
_REFUSES_WITH_LIST = re.compile(
    r"[^\n:]{1,150}(?:\bnot found|\bdoes not exist|\bis required|\bmust be [^\n.]{1,60}|\bis not valid|"
    r"\bnot supported|\bnot allowed|不存在|不支持|未找到)[^\n]{0,60}[.:。：]",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"(?:[^\n:]{1,120}\.(?:md|txt|log|json|jsonl|csv|ya?ml|toml|xml|html?|py|js|ts|go|rs|java|pdf|png|jpe?g|gif|"
    r"zip|gz|db|sql|sh|docx?|xlsx?)(?:\n|$))+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\W{0,2}\d[\d.,:\s]*\W?")
# The separator in a report file by file or page by page.
_PART = re.compile(r"\n-{3,}\n")
_PART_FAILED = re.compile(r"^[^\n]{0,300}?(?:: |^)(?:error|failed)\b", re.IGNORECASE)
_MARKED_NO = re.compile(r"[\[(]\s*(?:error|failed|failure|错误|失败)\s*[\])](?!\s*[\[(]?\d{2,4}[-/:])", re.IGNORECASE)
_MARKUP_NO = re.compile(
    r"(?:<\?xml[^>]*>\s*)?<(?:\w+:)?(?:error|errors|errorresponse|failure|fault|exception|tool_use_error)\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_PAGE_IN_PLACE = re.compile(
    r"\b(?:log ?in|sign ?in|maintenance|unavailable|access denied|forbidden|error|blocked)\b|登[录陆]|维护",
    re.IGNORECASE,
)
_PAGE_TITLE = re.compile(r"<(?:title|h1)[^>]*>\s*([^<]{0,200})", re.IGNORECASE)


def _values(arguments: Any) -> list[Any]:
    return list(arguments.values()) if isinstance(arguments, dict) else []


def judge_texts(record: Mapping[str, Any], text: str, content: list[Any], context: Context) -> Verdict:
    """Judge an answer's texts one by one if there are several; if one succeeds, the answer is a partial success."""
    texts = [each["text"] for each in content if isinstance(each, dict) and isinstance(each.get("text"), str)]
    if not text.strip() and len(texts) < len(content):
        return Verdict("success", "contents other than text")
    if len(texts) < 2 or text.lstrip().startswith("{"):
        return judge_text(record, text, context)
    found = [judge_text(record, each, context) for each in texts]
    several = any(isinstance(each, list) and len(each) > 1 for each in _values(record.get("arguments")))
    if not several and found[0].kind != "success" and found[0].is_sure:
        return found[0]
    if any(each.kind == "success" for each in found) and any(each.kind != "success" for each in found):
        return Verdict("success", "in part: some of its texts say no", False)
    return found[0]


def judge_text(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    """Judge one text: a web page, or a tool's own words."""
    stripped = text.strip()
    if not stripped:
        return Verdict("success", "an empty answer", context.is_seed)
    if _PAGE.match(stripped):
        title = " ".join(_PAGE_TITLE.findall(stripped))
        cause = find_failure(f"status {title}") if title else None
        is_told = asks_a_page(record) and (len(title) > _TITLES_LETTERS or NARRATIVE.search(title) is not None)
        if cause is not None and not is_told:
            return Verdict("infrastructure", f"a web page with words of {NAMES[cause]}", False, cause)
        if not asks_a_page(record) and _PAGE_IN_PLACE.search(title):
            return Verdict("infrastructure", "a web page in the place of an answer", False, "login")
    said = _said(record, stripped, context)
    if said.kind == "success":
        return said
    # A refusal's words may come from the client's own text; without that text, the answer may not refuse.
    hidden = context.sent.mask(stripped)
    if hidden == stripped:
        return said
    unsaid = _said(record, hidden, context)
    return (
        Verdict("success", "only what the client itself had sent says no", False)
        if unsaid.kind == "success"
        else unsaid
    )


def _said(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if _NUMBER.fullmatch(text) or _FILES.fullmatch(text):
        return Verdict("success", "a number, or names of files")
    if text.startswith(YES_SIGNS):
        return Verdict("success", "it begins with a sign of success")
    if text.startswith(NO_SIGNS):
        if any(line.startswith(YES_SIGNS) for line in lines):
            return Verdict("success", "in part: some lines bear a sign of success", False)
        return judge_refusal(record, text, "a sign of failure at its start", is_sure=True, context=context)
    bare = _ORNAMENT.sub("", text)
    # A refusal is short; an argument that it quotes may have any length.
    own = text if len(text) <= _SHORT_LETTERS else context.sent.mask(text).replace(HIDDEN, "")
    is_short = len(own) <= _SHORT_LETTERS and len(lines) <= _SHORT_LINES
    if len(parts := _PART.split(text)) > 1 and all(_PART_FAILED.search(each[:HEAD]) for each in parts):
        return judge_refusal(record, text, "every part of its text says no", is_sure=False, context=context)
    begins = NO_AT_START.match(bare) or _MARKED_NO.match(text) or _MARKUP_NO.match(text)
    if begins and not HEADING.match(bare):
        return _begins_with_no(record, text, bare, is_short=is_short, context=context)
    is_story = NARRATIVE.search(text[:READ_LETTERS_MAX]) is not None
    # A reading tool's failure contains nothing else; a longer text is the content it read.
    is_told = READS.search(record["tool"]) and (len(text) > _FIRST_LETTERS or len(lines) > 1)
    if is_short and not (is_story or is_told or context.server_flags) and (cause := _cause_at_start(bare)) is not None:
        return Verdict("infrastructure", f"its first words are those of {NAMES[cause]}", False, cause)
    if not is_short and len(own) <= _LIST_LETTERS and _REFUSES_WITH_LIST.match(text) and not context.server_flags:
        return judge_refusal(record, text, "a refusal and a list of what there is", is_sure=False, context=context)
    if not is_short:
        return Verdict("success", "nothing at its start says no", context.is_seed)
    return _short(record, bare, context)


def _is_record(text: str) -> bool:
    """Return whether the lines of a text begin with field names."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and FIELD.match(lines[0]) is not None and FIELD.match(lines[1]) is not None


def _first(text: str) -> str:
    """Return the first sentence."""
    return SENTENCE.split(text, maxsplit=1)[0]


def _cause_at_start(text: str) -> Cause | None:
    """Return the failure that a text names with its first words, without any sign before them."""
    first = _first(text)
    found = ((cause, words.search(first[:_FIRST_LETTERS])) for cause, words in FAILURES)
    cause = next((cause for cause, match in found if match and match.start() <= _ORNAMENTS), None)
    is_plain = cause in ("rate", "login", "server") or NOT_DONE.search(first) is not None
    return cause if is_plain else None


def _begins_with_no(record: Mapping[str, Any], text: str, bare: str, *, is_short: bool, context: Context) -> Verdict:
    first = re.match(r"\w+", bare)
    if first and (first[0].lower() in context.choices or (context.is_seed and _is_sent_whole(record, first[0]))):
        return Verdict("success", "it begins with a word the client chose", False)
    if NOTHING.match(bare) and SEEKS.search(record["tool"]):
        return Verdict("success", "a search that found nothing", False)
    # The content that a tool reads may begin with any words; if the server marks refusals by isError, words do not
    # count.
    is_reader = READS.search(record["tool"]) or asks_a_page(record)
    if (
        is_reader
        and (context.flags or (context.server_flags and READS.search(record["tool"])))
        and not CHECKER.search(text)
    ):
        return Verdict("success", "no isError, though the tool marks its refusals so", False)
    is_sure = is_short or bool(CHECKER.search(text))
    return judge_refusal(record, text, "the first words of its text", is_sure=is_sure, context=context)


def _is_sent_whole(record: Mapping[str, Any], word: str) -> bool:
    return any(each.strip().lower() == word.lower() for each in strings_in(record.get("arguments")))


def _short(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    """Judge a short text that does not begin with a refusal."""
    first = _first(text)
    if BEGINS_WITH_YES.match(text) or _is_record(text):
        return Verdict("success", "words of success at its start, or named fields")
    if NOT_THERE.search(first) and not (SEEKS.search(record["tool"]) or context.is_seed):
        return Verdict("refused", "what was asked for is not there", is_sure=False)
    if NOTHING.search(first):
        return Verdict("success", "there is nothing, said in an ordinary way", is_sure=context.is_seed)
    if YES_INSIDE.search(first) and not NO_INSIDE.search(first):
        return Verdict("success", "words of success")
    if not NO_INSIDE.match(first) and (NARRATIVE.search(text) or asks_a_page(record)):
        return Verdict("success", "nothing at the start of what a page says", False)
    cause = find_failure(first)
    is_told = (
        READS.search(record["tool"]) and ("\n" in text or len(text) > _FIRST_LETTERS) and not NOT_DONE.search(first)
    )
    if cause is not None and (context.server_flags or is_told or _FILES.fullmatch(text)):
        return Verdict(
            "success",
            "words of a failure in what a reader tells, or without the isError by which the server marks its refusals",
            False,
        )
    if cause is not None and _NEWS.match(text):
        return Verdict("success", "words of a failure in a line of a log", False)
    if cause is not None and (NOT_DONE.search(first) or (cause in ("rate", "login") and not context.is_seed)):
        return Verdict("infrastructure", f"words of {NAMES[cause]} in a short text", False, cause)
    if CHECKER.search(first) or NO_INSIDE.search(first):
        return judge_refusal(record, text, "words of a refusal in a short text", is_sure=False, context=context)
    return Verdict("success", "nothing in it says no", context.is_seed)
