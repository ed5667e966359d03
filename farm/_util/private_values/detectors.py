"""Detect secrets and private values by their form, or by the name beside them.

token_patterns.toml holds the forms of tokens.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from farm._util.private_values.check_digits import has_chinese, has_iban, has_luhn

PrivateKind = Literal[
    "token",
    "password",
    "private key",
    "jwt",
    "basic login",
    "cookie",
    "mail address",
    "phone number",
    "card number",
    "bank account",
    "national id",
    "name",
    "user",
    "host",
    "folder",
    "value",
]


@dataclass(frozen=True)
class PrivateValue:
    """The position of a private value in a text."""

    kind: PrivateKind
    start: int
    end: int


def split_words(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


_DATA = tomllib.loads(files(__package__).joinpath("token_patterns.toml").read_text("utf-8"))
PUBLIC_DOMAINS = frozenset(_DATA["public_domains"])
_TOKENS = tuple((tuple(each["holds"]), re.compile(each["pattern"])) for each in _DATA["tokens"])
_JWT = re.compile(r"(?<![\w-])(ey[A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{0,2000})")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----([A-Za-z0-9+/=\s:,.-]{16,20000}?)-----END "
)
_BASIC = re.compile(r"(?i)\bbasic\s+([A-Za-z0-9+/]{8,}={0,2})")
_URL_LOGIN = re.compile(
    r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://([^\s/:@\"'<>]{0,80}):([^\s/\"'<>]{1,200})@(?=[\w\[])"
)
_CURL_LOGIN = re.compile(r"\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]['\"]?([^\s:'\"]{1,80}):([^\s'\"]{1,100})")
_COOKIE = re.compile(r"(?i)\b(?:set-)?cookie['\"]?\s*[:=]\s*['\"]?([^\n\r'\"]{3,4000})")
_CRUMB = re.compile(r"([^\s=;,]{1,60})=([^\s;,]{4,2000})")
# Attributes of a cookie, and cookie names that are not secret.
_COOKIE_WORDS = {
    "path",
    "domain",
    "expires",
    "max-age",
    "samesite",
    "lang",
    "locale",
    "theme",
    "tz",
    "timezone",
    "priority",
}

_NAMED = (
    r"pass(?:word|wd|phrase|code)|pwd|secret|credentials?|apikey|auth[_-]?code"
    r"|(?:api|access|secret|private|signing|encryption|account|shared[_-]?access|license)[_-]?key"
    r"|(?:access|refresh|auth|id|bot|api|session|bearer|secret|security|csrf|xsrf|oauth|login|personal)[_-]?token"
)
_NAMED_VALUE = re.compile(
    rf"(?i)(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]{{0,40}}?(?:{_NAMED})[\"'`]?\s{{0,3}}(?:=>|[:=])|token=)\s{{0,3}}[\"'`]?"
    r"([^\s\"'`,;&<>{}()\[\]]{4,400})"
)
_SPOKEN_VALUE = re.compile(
    r"(?i)(?:\bpass(?:word|phrase|code)(?: is| was|:)|(?:密码|口令|授权码|密钥)(?:是|为|[:：]))"
    r"\s{0,3}[\"'`「“]?([^\s\"'`,;。，；」”]{4,100})"
)

_MAIL = re.compile(
    r"(?<![A-Za-z0-9_.+%@-])([A-Za-z0-9_](?:[A-Za-z0-9._%+'-]{0,62}[A-Za-z0-9_+-])?)"
    r"@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24})(?![A-Za-z0-9_@])"
)
# Ids in the form of a mail address: of messages, calendars or images.
_ID_LOCAL = re.compile(r"(?i)[0-9a-f-]{16,}|(?=.*\d.*\d.*\d)[\w.+=-]{25,}|.*[0-9a-f]{20,}.*|\d{12,}[\w.-]*")
_ID_DOMAIN = re.compile(
    r"(?i)(?:.*\.)?calendar\..*|\d+x\.[a-z]+|mail\.gmail\.com|.*\.(?:png|jpe?g|gif|svg|webp|js|ts|json|css)"
)
RESERVED_DOMAIN = re.compile(
    r"(?i)(?:.*\.)?(?:example|invalid|test|localhost|local)|(?:.*\.)?example\.(?:com|org|net|edu|cn|co\.uk)"
)
# Local parts of addresses that belong to no particular person.
ROLES = split_words(
    "abuse admin alerts billing contact donotreply feedback git hello help hostmaster info mail mailer-daemon news "
    "newsletter no-reply noreply notifications notify office postmaster reply root sales security service support "
    "system team test user webmaster"
)

_MOBILE_CN = re.compile(
    r"(?<![A-Za-z0-9_.%/=#-])((?:(?:\+|00)?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2})(?![A-Za-z0-9_-]|\.\d)"
)
_LANDLINE_CN = re.compile(r"(?<![A-Za-z0-9_.%/=#+-])(0\d{2,3}[ -]\d{7,8})(?![A-Za-z0-9_-]|\.\d)")
_PHONE_ABROAD = re.compile(r"(?<![A-Za-z0-9_.%/=#-])((?:\+|00)[1-9](?:[ ().-]{0,2}\d){7,14})(?![A-Za-z0-9_-]|\.\d)")
_PHONE_US = re.compile(
    r"(?<![A-Za-z0-9_.%/=#+-])((?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4})"
    r"(?![A-Za-z0-9_-]|\.\d)"
)
_CARD = re.compile(
    r"(?<![A-Za-z0-9_.%/=#+-])(3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|[2-6]\d{3}(?:[ -]?\d{4}){3}\d{0,3})(?![A-Za-z0-9_-]|\.\d)"
)
_CARD_MAKER = re.compile(
    r"4\d{15}$|5[1-5]\d{14}$|2(?:2[2-9]|[3-6]\d|7[01])\d{13}$|3[47]\d{13}$|6(?:011|5\d\d|4[4-9]\d)\d{12}$|35\d{14}$|62\d{14,17}$"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])")
_CHINESE_ID = re.compile(r"(?<![A-Za-z0-9])(\d{17}[\dXx])(?![A-Za-z0-9])")
_US_SSN = re.compile(r"(?<![A-Za-z0-9_.-])((?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4})(?![A-Za-z0-9_-]|\.\d)")

_HOME = re.compile(
    r"(?:(?<![A-Za-z0-9.])/(?:home|Users)/|[A-Za-z]:[\\/]+Users[\\/]+|/Documents and Settings/)"
    r"([^\s/\\\"'<>|:*?,;)\]]{2,64})"
)
# Home folders that identify nobody.
NOBODY = split_words(
    "admin all app default debian ec2-user guest home host linuxbrew me name node nobody public root runner shared "
    "someone sandbox test ubuntu user username users vagrant vscode workspace www you"
)

_PLACEHOLDER = re.compile(
    r"(?i)x{3,}|.*\*{3,}.*|•+|\.{3,}|<.*>?|\$\{?.*|\{.*|%.*%|your[_-].*|my[_-].*|.*(?:placeholder|redacted|changeme|example).*"
    r"|null|none|nil|undefined|true|false|string|number|integer|boolean|object|array|required|optional|invalid|missing"
    r"|expired|wrong|empty|unset|not|is|must|and|or|the|a|an|to|for|of|in|required\.?|field|input|value|values?"
)


# Words of a sentence or identifiers of a program: password_reset, "Required.".
_WORDS = re.compile(r"(?:[A-Za-z]?[a-z]+)(?:[_-][a-z]+)*[.,:;!?]?|[A-Z]+(?:_[A-Z]+)+|[一-鿿]+[，。！？]?")


def find(text: str) -> list[PrivateValue]:
    """Return the private values that a text's forms reveal, in order and without overlaps."""
    taken: list[PrivateValue] = []
    for found in _all(text):
        if found.end > found.start and all(found.end <= each.start or found.start >= each.end for each in taken):
            taken.append(found)
    return sorted(taken, key=lambda each: each.start)


def _all(text: str) -> Iterator[PrivateValue]:
    """Yield the matches, the most reliable forms first: a later match that overlaps is dropped."""
    if "-----BEGIN " in text:
        yield from _groups("private key", _PRIVATE_KEY, text)
    if "ey" in text:
        yield from _groups("jwt", _JWT, text)
    for pattern in (_URL_LOGIN,) * ("://" in text) + (_CURL_LOGIN,) * ("curl" in text):
        for found in pattern.finditer(text):
            if found[1] and found[1].lower() not in ROLES | NOBODY and is_secret(found[1]):
                yield PrivateValue("user", *found.span(1))
            if not _PLACEHOLDER.fullmatch(found[2]):
                yield PrivateValue("password", *found.span(2))
    for hints, pattern in _TOKENS:
        if any(each in text for each in hints):
            yield from _groups("token", pattern, text)
    yield from _groups("basic login", _BASIC, text)
    for found in _COOKIE.finditer(text):
        for crumb in _CRUMB.finditer(text, *found.span(1)):
            if crumb[1].lower() not in _COOKIE_WORDS and is_secret(crumb[2]):
                yield PrivateValue("cookie", *crumb.span(2))
    for found in (*_NAMED_VALUE.finditer(text), *_SPOKEN_VALUE.finditer(text)):
        if is_secret(found[1]):
            yield PrivateValue("password", found.start(1), found.end(1))
    yield from _people(text)


def _people(text: str) -> Iterator[PrivateValue]:
    if "@" in text:
        for found in _MAIL.finditer(text):
            if not (
                _ID_LOCAL.fullmatch(found[1]) or _ID_DOMAIN.fullmatch(found[2]) or RESERVED_DOMAIN.fullmatch(found[2])
            ):
                yield PrivateValue("mail address", found.start(), found.end())
    for found in _CHINESE_ID.finditer(text):
        if has_chinese(found[1]):
            yield PrivateValue("national id", *found.span(1))
    for found in _IBAN.finditer(text):
        if has_iban(found[1].replace(" ", "")):
            yield PrivateValue("bank account", *found.span(1))
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found[1])
        if _CARD_MAKER.match(digits) and has_luhn(digits) and not _is_id(text, found):
            yield PrivateValue("card number", *found.span(1))
    for pattern in (_PHONE_ABROAD, _MOBILE_CN, _LANDLINE_CN, _PHONE_US):
        for found in pattern.finditer(text):
            if not _is_id(text, found):
                yield PrivateValue("phone number", *found.span(1))
    yield from _groups("national id", _US_SSN, text)
    for found in _HOME.finditer(text):
        if found[1].lower() not in NOBODY and not _PLACEHOLDER.fullmatch(found[1]):
            yield PrivateValue("user", *found.span(1))


def _is_id(text: str, found: re.Match[str]) -> bool:
    """Return whether unformatted digits follow a word that marks them as an id."""
    return found[1].isdigit() and _ID_BEFORE.search(text, max(0, found.start(1) - 24), found.start(1)) is not None


def _groups(kind: PrivateKind, pattern: re.Pattern[str], text: str) -> Iterator[PrivateValue]:
    for found in pattern.finditer(text):
        yield PrivateValue(kind, *found.span(1))


def is_secret(value: str) -> bool:
    """Return whether the text after "password:" can be a secret: not a word of a sentence, and not a placeholder."""
    if _PLACEHOLDER.fullmatch(value) or _WORDS.fullmatch(value):
        return False
    return not (value.isdigit() and len(value) < 4)


_KEY_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[一-鿿]+")
_SECRET_KEY = re.compile(
    rf"(?:\w+_)?(?:{_NAMED}|(?:app|client|webhook)_secret|authorization|passcode|cvv|cvc|otp|pin|session_string|cookies?|set_cookie)"
    rf"|(?:\w+_)?(?:{'|'.join(_DATA['makers'])})_token"
    r"|密码|口令|授权码|密钥|令牌"
)
# Names that contain a secret's word but hold no secret: positions in a list, and documents.
_PLAIN_KEY = re.compile(
    r"(?:\w+_)?(?:page|next|prev|sync|continuation|cursor|app|doc|docs|file|obj|node|wiki|folder)_token"
)
_PHONE_KEY = re.compile(
    r"(?:\w+_)?(?:phone|mobile|tel|telephone|cellphone|msisdn|fax|whatsapp)s?(?:_(?:number|no|list|numbers|e164))?|手机号?码?|电话号?码?|联系电话"
)


_ID_KEY = re.compile(r"(?:\w+_)?(?:ids?|uid|uuid|ts|timestamp|time|at|cursor|seq|offset|number_id|version)")
# A text that marks the digits after it as an id.
_ID_BEFORE = re.compile(r"(?i)(?:\b|_)(?:id|uid|no)s?\W{0,4}$|(?<=[a-z])Ids?\W{0,4}$|[单编]号\W{0,4}$|#$")
# Names beside a token that logs a user in, and names of tools that accept one.
_LOGIN_KEY = re.compile(
    r"expire|token_type|refresh|login|auth|account|credential|configure|setup|set_up|connect|_token"
)


def kind_of_key(key: str, beside: frozenset[str] = frozenset()) -> PrivateKind | None:
    """Return the kind of private value under a name in a JSON object, None if the name does not mark it as private.

    Args:
        beside: the other names of the object, or words of the receiving tool: many ids are also called a token.
    """
    low = _low_key(key)
    if low == "token":
        return "password" if any(_LOGIN_KEY.search(_low_key(each)) for each in beside) else None
    if _PLAIN_KEY.fullmatch(low):
        return None
    if _SECRET_KEY.fullmatch(low):
        return "cookie" if "cookie" in low else "password"
    return "phone number" if _PHONE_KEY.fullmatch(low) else None


def is_id_key(key: str) -> bool:
    """Return whether a name marks digits as an id or a time, whatever number they look like."""
    return bool(_ID_KEY.fullmatch(_low_key(key)))


def _low_key(key: str) -> str:
    return "_".join(_KEY_PARTS.findall(key)).lower()
