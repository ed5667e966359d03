"""The rules: what an answer is, by its envelope, its body and its words."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.traverse.discriminate.bodies import SAYS_NO, TEXT_KEYS, find_no
from farm.traverse.discriminate.codes import CODE_WORDS
from farm.traverse.discriminate.failures import FAILURES, NARRATIVE, PAGE_QUOTED, RULE, STUMBLE, UNREADABLE
from farm.traverse.discriminate.sent import HIDDEN, Sent, texts_in
from farm.traverse.discriminate.templates import Templates
from farm.traverse.discriminate.verdict import Cause, Verdict
from farm.traverse.discriminate.words import (
    BEGINS_WITH_YES,
    CHECKER,
    FIELD,
    GENERIC,
    HEADING,
    NO_AT_START,
    NO_INSIDE,
    NO_MAYBE,
    NO_SIGNS,
    NOT_DONE,
    NOT_THERE,
    NOT_YES,
    NOTHING,
    READS,
    SEEKS,
    UNKNOWN_TOOL,
    YES_INSIDE,
    YES_SIGNS,
)

# How recordings say that nothing came: ours, and those of older ones.
_SILENCES = ("silence", "gone", "crash", "_process_exit", "process_exited", "_no_response_within_s")
_PROTOCOL_REFUSALS = (-32700, -32600, -32601, -32602)
_INTERNAL = -32603
# Where the words of a failure are looked for: at the beginning, and in the last line of a traceback.
_HEAD, _TAIL = 600, 300
_SHORT_LETTERS, _SHORT_LINES = 400, 4
_FIRST_LETTERS, _ORNAMENTS = 60, 2
# What says no says so early; patterns over more would take as long as somebody's longest value likes.
_READ_LETTERS_MAX = 8_000
_VAGUE_WORDS_MAX = 3
_LIST_LETTERS = 1_500
_TITLES_LETTERS = 80
_REPR_LETTERS_MAX = 100_000
_BODY_KEYS_MAX = 6
_COUNTS_DONE = ("succeeded", "successful", "success_count", "succeeded_count", "success", "ok")
_COUNTS_FAILED = ("failed", "failures", "failed_count", "failure_count", "error_count", "errors")
_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_NO_FAILURES = re.compile(r"(?:errors?|failed|failures?)\W{0,3}(?:0|none|\[\])\b", re.IGNORECASE)
# Signs, headings and emphasis before the first word; brackets and quotes are part of data.
_ORNAMENT = re.compile(r"^[^\w(\[{\"'<\x00]+")
# A line of a log begins with its time or in brackets: somebody else's failure.
_NEWS = re.compile(r"\d{1,4}[-/:.]\d|[\[{<\"']")
_QUOTED = re.compile(r"(?<!\w)(['\"“‘`]).{1,200}?['\"”’`](?!\w)")
_ARTICLE = re.compile(r"(?:your|the|this|sorry,?|oops[,!]?) ", re.IGNORECASE)
# A session of the transport, not of the tool.
_SESSION = re.compile(r"\bsession\b.*\b(?:not found|expired|invalid|terminated)|\bno valid session\b", re.IGNORECASE)
# A single word in quotes after another word is a name: near "timeout".
_NAMED = re.compile(r"(?<=[a-z] )(['\"`])[\w-]{1,40}\1")
_WORD = re.compile(r"\w+")
_YOU = re.compile(r"you\b", re.IGNORECASE)
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
_AGAIN = re.compile(r"(?:please )?(?:try|retry)\b|稍后|稍候", re.IGNORECASE)
# A site's own rule about who may read it.
_ROBOTS = re.compile(r"\brobots\b|\bfetching\b[^.\n]{0,30}\bnot allowed\b", re.IGNORECASE)
# What a client gives to be parsed, and how it names what is to be read.
_PARSED = re.compile(r"[\[{<]|\"|.*\n", re.DOTALL)
_NAMES_TEXT = re.compile(r"parse|validate|format_?json|json_?(?:format|query)", re.IGNORECASE)
_PLACE = re.compile(r"https?://|file:|ftp:|[./~]|[A-Za-z]:\\|[\w.-]+\.(?:json|ya?ml|xml|txt|csv|html?)$", re.IGNORECASE)
_IS_URL = re.compile(r"(?:https?://|www\.)\S", re.IGNORECASE)
# More words by which a refusal says what is wrong with the request.
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
# A report file by file or page by page.
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


@dataclass
class Context:
    """What is known beside an answer itself.

    Attributes:
        sent: what the client has sent in the trace, this call's arguments included.
        templates: how successes of the server's tools read.
        fits: whether a structured result fits the tool's outputSchema, where that says more than "a text".
        choices: values the tool's schema offers for the arguments that were sent.
        flags: whether the tool was seen to mark refusals of its own by isError.
        server_flags: whether the server was seen to, by any of its tools.
        breaks_schema: whether the arguments break the tool's inputSchema.
        is_seed: whether the call was meant to succeed.
    """

    sent: Sent = field(default_factory=Sent)
    templates: Templates = field(default_factory=Templates)
    fits: Callable[[Any], bool] = field(default=lambda _: False)
    choices: frozenset[str] = frozenset()
    flags: bool = False
    server_flags: bool = False
    breaks_schema: bool = False
    is_seed: bool = False


def discriminate(record: Mapping[str, Any], context: Context) -> Verdict:
    """Return what the answer of a recorded line is."""
    result = record["result"]
    if any(key in result for key in _SILENCES):
        return Verdict("infrastructure", "no answer came", cause="silence")
    error = result.get("error") or result.get("jsonrpc_error")
    if isinstance(error, dict) and "content" not in result and ("code" in error or "jsonrpc_error" in result):
        return _protocol(record, error, context)
    if not isinstance(result.get("content"), list):
        return _unwrapped(record, result, context)
    if result.get("isError"):
        return _flagged(record, text_of(result), context, "isError")
    return _ordinary(record, result, context)


def text_of(result: Mapping[str, Any]) -> str:
    """Return the texts of a result, or of the resources in it."""
    found = []
    for item in result.get("content") or ():
        if isinstance(item, dict):
            inner = item.get("resource")
            text = item.get("text", inner.get("text") if isinstance(inner, dict) else None)
            if isinstance(text, str):
                found.append(text)
    return "\n".join(found)


def body_of(result: Mapping[str, Any]) -> Any:
    """Return what a result says: its structured part where that is more than a text, else its text, parsed if JSON."""
    structured = result.get("structuredContent")
    if isinstance(structured, dict) and not _is_wrapped_text(structured):
        return structured
    text = text_of(result)
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return _python_of(text)


def _python_of(text: str) -> Any:
    """Return what a text says that is the repr of a Python value, as some servers write rows; else the text."""
    if len(text) > _REPR_LETTERS_MAX:
        return text
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def find_failure(text: str) -> Cause | None:
    """Return what a text says has failed that is not the call; a rule of the tool in such words is none."""
    looked_at = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    looked_at = _NAMED.sub(lambda found: HIDDEN * len(found[0]), looked_at)
    for cause, words in FAILURES:
        found = words.search(looked_at)
        if found and not (_ROBOTS if cause == "login" else RULE).search(_around(looked_at, found)):
            return cause
    return None


def _around(text: str, found: re.Match[str]) -> str:
    """Return the sentence of a failure's words; all of the text where they only ask to try again."""
    if _AGAIN.match(found[0]):
        return text
    start = max((end.end() for end in _SENTENCE.finditer(text, 0, found.start())), default=0)
    end = _SENTENCE.search(text, found.end())
    return text[start : end.start() if end else len(text)]


def _is_wrapped_text(structured: Mapping[str, Any]) -> bool:
    return len(structured) == 1 and isinstance(next(iter(structured.values())), str)


def _protocol(record: Mapping[str, Any], error: Mapping[str, Any], context: Context) -> Verdict:
    code, message = error.get("code"), str(error.get("message"))[:_READ_LETTERS_MAX]
    if code in _PROTOCOL_REFUSALS:
        return Verdict("refused", f"JSON-RPC error {code}")
    if CHECKER.search(message) or UNKNOWN_TOOL.search(message):
        return Verdict("refused", f"JSON-RPC error {code} and words of a checker")
    if isinstance(code, int) and (of_status := _cause_of(code)):
        return Verdict("infrastructure", f"JSON-RPC error {code}, an HTTP status", cause=of_status)
    if _SESSION.search(message):
        return Verdict("infrastructure", f"JSON-RPC error {code}, no session", cause="login")
    cause = find_failure(context.sent.hidden(message))
    if cause is None and UNREADABLE.search(message) and not context.breaks_schema:
        return _unreadable(record, message, context, f"JSON-RPC error {code}")
    if cause == "server" and code == _INTERNAL and context.breaks_schema:
        return Verdict("refused", "JSON-RPC error -32603 to arguments that break the schema", False)
    if cause is not None:
        return Verdict("infrastructure", f"JSON-RPC error {code} and words of {_NAMES[cause]}", False, cause)
    if code == _INTERNAL and not message.strip():
        return Verdict("infrastructure", "JSON-RPC error -32603 without a reason", False, "server")
    if context.is_seed and not _gives_reason(message):
        return Verdict(
            "infrastructure", f"JSON-RPC error {code} without a reason to a call meant to succeed", False, "server"
        )
    return Verdict("refused", f"JSON-RPC error {code}")


def _cause_of(status: int) -> Cause | None:
    """Return what an HTTP status says has failed; None where it is none, or says that the call is at fault."""
    known: dict[int, Cause] = {401: "login", 407: "login", 408: "time", 429: "rate", 504: "time"}
    return known.get(status, "server" if status in range(500, 600) else None)


def _unwrapped(record: Mapping[str, Any], result: Mapping[str, Any], context: Context) -> Verdict:
    """Judge what is no CallToolResult: a body that a recorder wrote down alone, or nothing that MCP knows."""
    if find_no(result) is not None:
        return _no(record, result, context)
    return Verdict("infrastructure", "no answer of the protocol", False, "server")


def _flagged(record: Mapping[str, Any], text: str, context: Context, sign: str) -> Verdict:
    hidden = context.sent.hidden(text)[:_READ_LETTERS_MAX]
    if UNKNOWN_TOOL.search(hidden):
        return Verdict("refused", f"{sign}, the tool is unknown")
    checked = CHECKER.search(hidden)
    cause = find_failure(hidden)
    if checked and (cause is None or checked.start() <= _first_failure(hidden, cause)):
        return Verdict("refused", f"{sign} and words of a checker")
    if cause is None and UNREADABLE.search(hidden):
        return _unreadable(record, hidden, context, sign)
    if cause is not None:
        return Verdict("infrastructure", f"{sign} and words of {_NAMES[cause]}", False, cause)
    if context.is_seed and STUMBLE.search(hidden):
        return Verdict("infrastructure", f"{sign}, a stumble over what a good call was given", False, "server")
    if context.is_seed and not _gives_reason(hidden):
        return Verdict("infrastructure", f"{sign} without a reason to a call meant to succeed", False, "server")
    return Verdict("refused", sign, not context.is_seed)


def _gives_reason(text: str) -> bool:
    """Whether a text says what is wrong with the request."""
    rest = GENERIC.sub(" ", text)
    return any(words.search(rest) for words in (CHECKER, NO_INSIDE, NOT_THERE, RULE, _REASON))


def _unreadable(record: Mapping[str, Any], text: str, context: Context, sign: str) -> Verdict:
    """Judge a parser's complaint: about what the client gave or named, or about what came in the place of an answer."""
    arguments = record.get("arguments")
    given = [each.strip() for each in texts_in(arguments)]
    if any(_PARSED.match(each) for each in given) or _NAMES_TEXT.search(record["tool"]):
        return Verdict("refused", f"{sign}, a parser of what the client gave", False)
    if context.is_seed or (PAGE_QUOTED.search(text) and not any(_PLACE.match(each) for each in given)):
        return Verdict("infrastructure", f"{sign}, an answer that could not be read", False, "server")
    return Verdict("refused", f"{sign}, a parser of what the client named", False)


def _first_failure(text: str, cause: Cause) -> int:
    found = dict(FAILURES)[cause].search(text)
    return found.start() if found else len(text)


def _ordinary(record: Mapping[str, Any], result: Mapping[str, Any], context: Context) -> Verdict:
    body, text = body_of(result), text_of(result)
    if isinstance(body, (dict, list)):
        plain = _body(record, body, context)
    elif isinstance(body, str):
        plain = _blocks(record, body, result["content"], context)
    else:
        plain = Verdict("success", "a number, a truth value or nothing", context.is_seed)
    structured = result.get("structuredContent")
    if plain.kind == "success" and plain.is_sure:
        return plain
    if context.sent.said_back(text) and not (plain.kind == "refused" and NO_INSIDE.search(context.sent.hidden(text))):
        return Verdict("success", "what the client itself had sent")
    if structured is not None and find_no(structured) is None and context.fits(structured):
        return Verdict("success", "its structured part fits the outputSchema")
    if find_no(body) is None and _reads_like_success(record, body, context):
        return Verdict("success", "it reads like the tool's successes")
    return plain


def _values(arguments: Any) -> list[Any]:
    return list(arguments.values()) if isinstance(arguments, dict) else []


def _reads_like_success(record: Mapping[str, Any], body: Any, context: Context) -> bool:
    """Whether an answer reads like the tool's successes, words of a refusal in it included."""
    if not context.templates.knows(record["tool"], body):
        return False
    if not isinstance(body, str):
        return True
    refusal = NO_AT_START.match(_ORNAMENT.sub("", body.strip())) or NO_INSIDE.search(body)
    return refusal is None or context.templates.holds(record["tool"], body, refusal[0])


def _body(record: Mapping[str, Any], body: Any, context: Context) -> Verdict:
    body = _without_echo(body, context)
    if (
        isinstance(body, dict)
        and len(body) == 1
        and isinstance(told := next(iter(body.values())), str)
        and set(body) & TEXT_KEYS
    ):
        return _prose(record, told, context)
    if find_no(body) is not None and _asks_a_page(record) and context.server_flags:
        return Verdict("success", "the contents of a page", False)
    if find_no(body) is not None:
        return _no(record, body, context)
    if (cause := _code_in(body)) is not None:
        return Verdict("infrastructure", f"a short body with a code of {_NAMES[cause]}", False, cause)
    if isinstance(body, list) and body:
        noes = _noes(body, context)
        if all(noes):
            return Verdict("refused", "every item of the body says no", False)
        if any(noes):
            return Verdict("success", "in part: some items of the body say no", False)
    if isinstance(body, dict) and _failed_in_all_parts(body, context):
        return Verdict("refused", "every part of the body says no", False)
    is_known = context.is_seed or context.templates.knows(record["tool"], body)
    return Verdict("success", "a body that says nothing of a failure", is_known or bool(body))


def _noes(items: list[Any], context: Context) -> list[bool]:
    return [find_no(_without_echo(each, context), is_item=True) is not None for each in items]


def _failed_in_all_parts(body: Mapping[str, Any], context: Context) -> bool:
    """Whether a report names what it did one by one, and did none of it."""
    lists = [each for each in body.values() if isinstance(each, list) and each and isinstance(each[0], dict)]
    if len(lists) == 1 and all(_noes(lists[0], context)):
        return True
    counts = {
        key.lower(): value for key, value in body.items() if isinstance(value, int) and not isinstance(value, bool)
    }
    done = [counts[key] for key in _COUNTS_DONE if key in counts]
    failed = [counts[key] for key in _COUNTS_FAILED if key in counts]
    return bool(done and failed) and not any(done) and any(failed)


def _without_echo(body: Any, context: Context) -> Any:
    """Return a body without empty values and without what the client sent, which many put before their own."""
    if not isinstance(body, dict):
        return body
    has_error = any(body.get(key) for key in ("error", "errors"))
    own = {
        key: value
        for key, value in body.items()
        if key.lower() in SAYS_NO or not (_is_echo(value, context) or (has_error and value in (False, 0)))
    }
    return own if any(key in body for key in own) else body


def _is_echo(value: Any, context: Context) -> bool:
    if isinstance(value, str):
        return not value or context.sent.has(value)
    return value is None or value in ([], {})


def _code_in(body: Any) -> Cause | None:
    """Return what a short body without data says has failed, by a vendor's code alone."""
    if (
        not isinstance(body, dict)
        or len(body) > _BODY_KEYS_MAX
        or any(isinstance(each, (dict, list)) for each in body.values())
    ):
        return None
    codes = [each for each in body.values() if isinstance(each, str) and _CODE.fullmatch(each)]
    return next((cause for cause, words in CODE_WORDS.items() if any(words.fullmatch(each) for each in codes)), None)


def _no(record: Mapping[str, Any], body: Any, context: Context) -> Verdict:
    found = find_no(body)
    assert found is not None
    words = context.sent.hidden(found.words)[:_READ_LETTERS_MAX]
    cause = None if CHECKER.search(words) else find_failure(words) or find_failure(f"error {found.code}")
    if cause is not None:
        return Verdict("infrastructure", f"its body says no, in words of {_NAMES[cause]}", False, cause)
    if UNREADABLE.search(words):
        return _unreadable(record, words, context, "its body says no")
    if context.is_seed and not _gives_reason(f"{found.code} {words}"):
        return Verdict(
            "infrastructure", "its body says no without a reason to a call meant to succeed", False, "server"
        )
    return Verdict("refused", "its body says no", not context.is_seed)


def _blocks(record: Mapping[str, Any], text: str, content: list[Any], context: Context) -> Verdict:
    """Judge the texts of an answer one by one where there are several; it succeeds in part where one of them does."""
    texts = [each["text"] for each in content if isinstance(each, dict) and isinstance(each.get("text"), str)]
    if not text.strip() and len(texts) < len(content):
        return Verdict("success", "contents other than text")
    if len(texts) < 2 or text.lstrip().startswith("{"):
        return _prose(record, text, context)
    found = [_prose(record, each, context) for each in texts]
    several = any(isinstance(each, list) and len(each) > 1 for each in _values(record.get("arguments")))
    if not several and found[0].kind != "success" and found[0].is_sure:
        return found[0]
    if any(each.kind == "success" for each in found) and any(each.kind != "success" for each in found):
        return Verdict("success", "in part: some of its texts say no", False)
    return found[0]


def _prose(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    stripped = text.strip()
    if not stripped:
        return Verdict("success", "an empty answer", context.is_seed)
    if _PAGE.match(stripped):
        title = " ".join(_PAGE_TITLE.findall(stripped))
        cause = find_failure(f"status {title}") if title else None
        is_told = _asks_a_page(record) and (len(title) > _TITLES_LETTERS or NARRATIVE.search(title) is not None)
        if cause is not None and not is_told:
            return Verdict("infrastructure", f"a web page with words of {_NAMES[cause]}", False, cause)
        if not (_asks_a_page(record) or context.templates.knows(record["tool"], stripped)) and _PAGE_IN_PLACE.search(
            title
        ):
            return Verdict("infrastructure", "a web page in the place of an answer", False, "login")
    said = _said(record, stripped, context)
    if said.kind == "success":
        return said
    # What the client sent may hold the words of a refusal; without it the answer may say none.
    hidden = context.sent.hidden(stripped)
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
        return _refusal(record, text, "a sign of failure at its start", is_sure=True, context=context)
    bare = _ORNAMENT.sub("", text)
    # A refusal is short; an argument that it quotes may be as long as it likes.
    own = text if len(text) <= _SHORT_LETTERS else context.sent.hidden(text).replace(HIDDEN, "")
    is_short = len(own) <= _SHORT_LETTERS and len(lines) <= _SHORT_LINES
    if len(parts := _PART.split(text)) > 1 and all(_PART_FAILED.search(each[:_HEAD]) for each in parts):
        return _refusal(record, text, "every part of its text says no", is_sure=False, context=context)
    begins = NO_AT_START.match(bare) or _MARKED_NO.match(text) or _MARKUP_NO.match(text)
    if begins and not (_NO_FAILURES.match(bare) or HEADING.match(bare)):
        return _begins_with_no(record, text, bare, is_short=is_short, context=context)
    if _reads_like_success(record, text, context):
        return Verdict("success", "it reads like the tool's successes")
    is_story = NARRATIVE.search(text[:_READ_LETTERS_MAX]) is not None
    # A reader's failure is that and no more; a longer text is what it reads.
    is_told = READS.search(record["tool"]) and (len(text) > _FIRST_LETTERS or len(lines) > 1)
    if is_short and not (is_story or is_told or context.server_flags) and (cause := _cause_at_start(bare)) is not None:
        return Verdict("infrastructure", f"its first words are those of {_NAMES[cause]}", False, cause)
    if not is_short and len(own) <= _LIST_LETTERS and _REFUSES_WITH_LIST.match(text) and not context.server_flags:
        return _refusal(record, text, "a refusal and a list of what there is", is_sure=False, context=context)
    is_about_sent = HIDDEN in context.sent.hidden(_first(bare)) and NO_INSIDE.search(_first(bare)) is not None
    if not is_short or (context.templates.is_free(record["tool"]) and not (is_about_sent and len(lines) == 1)):
        return Verdict("success", "nothing at its start says no", context.is_seed)
    return _short(record, bare, context)


def _is_record(text: str) -> bool:
    """Whether a text is of lines with the names of fields."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and FIELD.match(lines[0]) is not None and FIELD.match(lines[1]) is not None


def _asks_a_page(record: Mapping[str, Any]) -> bool:
    """Whether the client said which page it wants: what comes may speak of anything."""
    return any(_IS_URL.match(each) for each in texts_in(record.get("arguments")))


def _first(text: str) -> str:
    """Return the first sentence."""
    return _SENTENCE.split(text, maxsplit=1)[0]


def _cause_at_start(text: str) -> Cause | None:
    """Return what a text without any sign says has failed with its first words."""
    first = _ARTICLE.sub("", _first(text))
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
    # What a reader tells may begin with any words, and where others are refused by isError it has no need of them.
    is_reader = READS.search(record["tool"]) or context.templates.is_free(record["tool"]) or _asks_a_page(record)
    if (
        is_reader
        and (context.flags or (context.server_flags and READS.search(record["tool"])))
        and not CHECKER.search(text)
    ):
        return Verdict("success", "no isError, though the tool marks its refusals so", False)
    is_sure = is_short or bool(CHECKER.search(text))
    return _refusal(record, text, "the first words of its text", is_sure=is_sure, context=context)


def _is_sent_whole(record: Mapping[str, Any], word: str) -> bool:
    return any(each.strip().lower() == word.lower() for each in texts_in(record.get("arguments")))


def _short(record: Mapping[str, Any], text: str, context: Context) -> Verdict:
    """Judge a short text that does not begin with a refusal."""
    first = _first(text)
    if BEGINS_WITH_YES.match(text) or _is_record(text):
        return Verdict("success", "words of success at its start, or named fields")
    if NOT_THERE.search(first) and not (SEEKS.search(record["tool"]) or context.is_seed):
        return Verdict("refused", "what was asked for is not there", is_sure=False)
    if NOTHING.search(first):
        return Verdict("success", "there is nothing, said in an ordinary way", is_sure=context.is_seed)
    if YES_INSIDE.search(first) and not NOT_YES.search(first) and not NO_INSIDE.search(first):
        return Verdict("success", "words of success")
    if not NO_INSIDE.match(first) and (NARRATIVE.search(text) or (_asks_a_page(record) and not _YOU.match(text))):
        return Verdict("success", "nothing at the start of what a page says", False)
    cause = find_failure(_QUOTED.sub("", first))
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
        return Verdict("infrastructure", f"words of {_NAMES[cause]} in a short text", False, cause)
    if CHECKER.search(first) or NO_INSIDE.search(first):
        return _refusal(record, text, "words of a refusal in a short text", is_sure=False, context=context)
    if record.get("error_class") not in (None, "success") and NO_MAYBE.search(first):
        return _refusal(
            record, text, "words of a refusal in a short text to a provoked call", is_sure=False, context=context
        )
    return Verdict("success", "nothing in it says no", context.is_seed)


def _refusal(record: Mapping[str, Any], text: str, why: str, *, is_sure: bool, context: Context) -> Verdict:
    text = text[:_READ_LETTERS_MAX]
    checked, cause = CHECKER.search(text), find_failure(text)
    if cause is not None and not (checked and checked.start() <= _first_failure(text, cause)):
        return Verdict("infrastructure", f"{why}, in words of {_NAMES[cause]}", False, cause)
    if not checked and UNREADABLE.search(text):
        return _unreadable(record, text, context, why)
    if context.is_seed and not _gives_reason(text) and len(_WORD.findall(GENERIC.sub(" ", text))) <= _VAGUE_WORDS_MAX:
        return Verdict("infrastructure", f"{why}, without a reason to a call meant to succeed", False, "server")
    return Verdict("refused", why, is_sure)


_NAMES: Mapping[Cause, str] = {
    "silence": "a server that ended",
    "server": "a server that broke",
    "network": "a network",
    "time": "a time-out",
    "rate": "a rate limit",
    "login": "a login",
}
