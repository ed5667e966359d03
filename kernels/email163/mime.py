"""A mail's source read as mailparser reads it: headers, texts of all parts put together, what is attached."""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from email.message import Message
from html import escape
from html.entities import codepoint2name
from quopri import decodestring

from farm.appkit.formats.times import js_utc

from . import addresses, dates
from .charsets import decode_text
from .html_texts import html_to_text

ENDS_IN_WORD = re.compile(r"=\?[^?]*\?[qbQB]\?.*?\?=$")
BEGINS_WITH_WORD = re.compile(r"[ \t]=\?[^?]*\?[qbQB]\?.*?\?=")
# An encoded word: its charset, how it is encoded, and the rest.
_WORD = re.compile(r"=\?([\w*-]+)\?([QqBb])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(?<=\?=)\s+(?==\?[^?]+\?[QqBb]\?[^?]*\?=)")
# One and the beginning of the next, which may be of the same kind.
_JOINED = re.compile(r"(=\?([^?]+)\?([Bb]|[Qq])\?[^?]*)\?=\s*=\?([^?]+)\?([Bb]|[Qq])\?(?=[^?]*\?=)")
_FOLD = re.compile(r"(?:\r?\n|\r)[ \t]*")
_TEXTS = frozenset(("text/plain", "text/html", "message/delivery-status"))
_AS_IT_IS = frozenset(("", "7bit", "8bit", "binary"))
_CID = re.compile(r"\bcid:([^'\"\s]{1,256})")
# Of all top-level domains those one meets.
_TOP = "com|net|org|edu|gov|info|io|me|co|cn|hk|tw|jp|sg|de|fr|uk|eu|us|app|dev"
_LINK = re.compile(
    rf"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]']|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|"
    rf"(?<![\w.@/-])(?:[A-Za-z0-9-]+\.)+(?:{_TOP})\b(?:/[^\s<>\"]*[^\s<>\".,;:!?)\]'])?",
)
_DEPTH_MAX = 50
# What nodemailer puts on a line, less the name of the header.
_FIRST_LINE = 76 - len("Subject: ")


@dataclass(frozen=True)
class Attachment:
    """A file in a mail."""

    filename: str | None
    size_bytes: int


@dataclass(frozen=True)
class Mail:
    """A mail as the server has it from mailparser.

    Attributes:
        date_ms: None where it says none.
        sender: as text, names in quotes; so are ``recipients`` and ``cc``; None where there is no such header.
        text: None where there is no text at all.
    """

    date_ms: int | None
    sender: str | None
    recipients: str | None
    cc: str | None
    subject: str | None
    text: str | None
    html: str | None
    attachments: tuple[Attachment, ...]


@dataclass
class _Part:
    """One part; ``headers`` are all of each name, unfolded, a character a byte."""

    headers: dict[str, list[str]]
    body: bytes
    kind: str = ""
    children: list[_Part] = field(default_factory=list)
    text: str = ""
    is_embedded: bool = False


@dataclass(frozen=True)
class _File:
    attachment: Attachment
    kind: str
    cid: str | None
    data: bytes


def read(source: bytes, now_ms: int, zone: tzinfo) -> Mail:
    """Return what a mail says; a date nobody can read is the time of reading."""
    root = _parse(source, 0)
    files = list(_files(root))
    text, html = _texts(root, now_ms, zone)
    return Mail(
        date_ms=_date_ms(root, now_ms, zone),
        sender=_addresses(root, "from"),
        recipients=_addresses(root, "to"),
        cc=_addresses(root, "cc"),
        subject=_subject(root),
        text=text,
        html=None if html is None else _with_pictures(html, files),
        attachments=tuple(each.attachment for each in files),
    )


# -- headers ----------------------------------------------------------------------------------------------------------


def decode_words(text: str) -> str:
    """Return a header with its encoded words read; words of one kind are joined first: they may share a character."""
    text = _joined(text)
    return _WORD.sub(_word, _BETWEEN_WORDS.sub("", text))


def is_sent_encoded(line: str) -> bool:
    """Return whether nodemailer sends a subject as encoded words, in which blanks at its ends last."""
    return '"' in line or not line.isascii()


def begins_folded(line: str) -> bool:
    """Return whether a subject sent as it is begins below its header's name, as its first word is too long."""
    return len(line) >= _FIRST_LINE and not is_sent_encoded(line) and not re.search(r"\s", line[:_FIRST_LINE])


def _joined(text: str) -> str:
    def join(found: re.Match[str]) -> str:
        same = found[2].lower() == found[4].lower() and found[3].lower() == found[5].lower()
        return found[1] if same else found[0]

    before = None
    while before != text:
        before, text = text, _JOINED.sub(join, text)
    return text


def _word(found: re.Match[str]) -> str:
    charset, encoding, text = found[1].partition("*")[0], found[2].upper(), found[3]
    if encoding == "Q":
        return decode_text(decodestring(re.sub(r"[_\s]", "=20", text).encode()), charset)
    return decode_text(b"".join(read_base64(each.encode()) for each in text.split("=") if each), charset)


def _quoted(data: bytes) -> bytes:
    """Return what quoted-printable says; blanks at the end of a line were put there on the way."""
    return decodestring(re.sub(rb"[ \t]+(?=\r?\n|\Z)", b"", data))


def read_base64(data: bytes) -> bytes:
    """Return what base64 says, whatever else stands in it."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data.translate(bytes.maketrans(b"-_", b"+/")))
    # A single character at the end is less than a byte.
    kept = kept[:-1] if len(kept) % 4 == 1 else kept
    return a2b_base64(kept + b"=" * (-len(kept) % 4))


def _addresses(part: _Part, name: str) -> str | None:
    values = [each for each in _values(part, name) if each]
    # The last From counts; of several To or Cc headers none has a text.
    if not values or (len(values) > 1 and name != "from"):
        return None if not values or name == "to" else "undefined"
    return addresses.format_addresses(addresses.decode(addresses.parse(values[-1]), decode_words))


def _subject(part: _Part) -> str | None:
    values = [decode_words(each) for each in _values(part, "subject") if each]
    return values[-1] if values else None


def _date_ms(part: _Part, now_ms: int, zone: tzinfo) -> int | None:
    values = part.headers.get("date", ())
    if not values:
        return None
    found = dates.read_date(values[-1], zone)
    return now_ms if found is None else found


# -- structure --------------------------------------------------------------------------------------------------------


def _parse(source: bytes, depth: int, *, parent_kind: str = "") -> _Part:
    head, body = _split(source)
    part = _Part(_headers(head), body)
    part.kind = _kind(part)
    part.is_embedded = parent_kind == "message/rfc822"
    if depth >= _DEPTH_MAX:
        return part
    boundary = _message(part).get_param("boundary") if part.kind.startswith("multipart/") else None
    if boundary:
        kind = part.kind
        part.children = [_parse(each, depth + 1, parent_kind=kind) for each in _between(body, str(boundary).encode())]
    elif part.kind == "message/rfc822" and _disposition(part) == "inline" and _encoding(part) in _AS_IT_IS:
        part.children = [_parse(body, depth + 1, parent_kind=part.kind)]
    return part


def _split(source: bytes) -> tuple[bytes, bytes]:
    if source[:1] == b"\n" or source[:2] == b"\r\n":
        return b"", source.partition(b"\n")[2]
    found = re.search(rb"\r?\n\r?\n", source)
    return (source[: found.start()], source[found.end() :]) if found else (source, b"")


def _headers(head: bytes) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in re.split(r"\r?\n(?![ \t])", head.decode("latin-1")):
        name, colon, value = _FOLD.sub(" ", line).strip().partition(":")
        if colon:
            found.setdefault(name.strip().lower(), []).append(value.strip())
    return found


def _values(part: _Part, name: str) -> list[str]:
    """Return what headers of a name say; bytes beyond ASCII are taken for UTF-8, whatever they are."""
    return [each.encode("latin-1").decode("utf-8", "replace") for each in part.headers.get(name, ())]


def _message(part: _Part) -> Message:
    message = Message()
    for name in ("content-type", "content-disposition"):
        if part.headers.get(name):
            message[name] = part.headers[name][0]
    return message


def _kind(part: _Part) -> str:
    return part.headers.get("content-type", ["text/plain"])[0].partition(";")[0].lower().strip()


def _disposition(part: _Part) -> str:
    return part.headers.get("content-disposition", [""])[0].partition(";")[0].lower().strip()


def _between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Yield the parts of a multipart; the line end before a boundary belongs to it."""
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?(?:\r?\n|\r?\Z)", re.MULTILINE)
    begin: int | None = None
    for found in line.finditer(body):
        if begin is not None:
            yield re.sub(rb"\r?\n\Z", b"", body[begin : found.start()])
        if found[1]:
            return
        begin = found.end()
    if begin is not None:
        yield body[begin:]


def _data(part: _Part) -> bytes:
    encoding = _encoding(part)
    if encoding == "base64":
        return read_base64(part.body)
    return _quoted(part.body) if encoding == "quoted-printable" else part.body


def _encoding(part: _Part) -> str:
    given = part.headers.get("content-transfer-encoding", [""])[0]
    return re.sub(r"\(.*\)", "", given).lower().strip()


# -- attachments ------------------------------------------------------------------------------------------------------


def _is_attached(part: _Part) -> bool:
    if part.kind.startswith("multipart/") or (part.kind == "message/rfc822" and part.children):
        return False
    return part.kind not in _TEXTS or _disposition(part) not in ("", "inline")


def _files(part: _Part) -> Iterator[_File]:
    if _is_attached(part):
        data = _data(part)
        cids = part.headers.get("content-id")
        cid = re.sub(r"^<|>$", "", cids[-1].strip()).strip() if cids else None
        yield _File(Attachment(_filename(part), len(data)), part.kind, cid, data)
    for child in part.children:
        yield from _files(child)


def _filename(part: _Part) -> str | None:
    name = _message(part).get_filename()
    return decode_words(name) if name else None


def _with_pictures(html: str, files: list[_File]) -> str:
    """Put pictures in the place of references to them."""
    pictures: dict[str, _File] = {}
    for each in files:
        if each.cid and re.fullmatch(r"image/\w+", each.kind):
            pictures.setdefault(each.cid, each)

    def picture(found: re.Match[str]) -> str:
        file = pictures.get(found[1])
        return found[0] if file is None else f"data:{file.kind};base64,{b64encode(file.data).decode()}"

    return _CID.sub(picture, html)


# -- texts ------------------------------------------------------------------------------------------------------------


def _texts(root: _Part, now_ms: int, zone: tzinfo) -> tuple[str | None, str | None]:
    """Return all texts and all HTML of a mail, each in one; None where there is none."""
    shown = list(_walk(root))
    for part, _ in shown:
        if part.kind in _TEXTS and not _is_attached(part):
            part.text = _text(part)
    kinds = {part.kind for part, _ in shown if part.kind in _TEXTS and not _is_attached(part)}
    has_text, has_html = bool(kinds & {"text/plain", "message/delivery-status"}), "text/html" in kinds
    texts: list[str] = []
    htmls: list[str] = []
    for part, is_alternative in shown:
        if part.is_embedded:
            meta = _meta(part, now_ms, zone)
            if has_html:
                htmls.append(_meta_html(meta))
            if has_text:
                texts.append("\n" + "\n".join(f"{name}: {value}" for name, value in meta) + "\n")
        if not part.text:
            continue
        if part.kind == "text/html":
            if (not is_alternative and has_text) or (part is root and not has_text):
                texts.append(html_to_text(part.text))
            htmls.append(part.text)
        else:
            texts.append(part.text)
            if not is_alternative and has_html:
                htmls.append(_as_html(part.text))
    return "\n".join(texts) if texts else None, "<br/>\n".join(htmls) if htmls else None


def _walk(part: _Part, is_alternative: bool = False) -> Iterator[tuple[_Part, bool]]:
    yield part, is_alternative
    for child in part.children:
        yield from _walk(child, is_alternative or part.kind == "multipart/alternative")


def _text(part: _Part) -> str:
    data = _data(part)
    message = _message(part)
    if str(message.get_param("format") or "").lower().strip() == "flowed":
        data = _unflowed(data, str(message.get_param("delsp") or "").lower().strip() == "yes")
    text = decode_text(data, str(message.get_param("charset") or "utf-8"))
    return re.sub(r"\r?\n", "\n", text)


def _unflowed(data: bytes, drops_spaces: bool) -> bytes:
    """Join lines that end in a space with those behind them."""
    joined: list[bytes] = []
    for line in re.split(rb"\r?\n", data):
        if joined and joined[-1].endswith(b" ") and joined[-1] != b"-- ":
            joined[-1] = (joined[-1][:-1] if drops_spaces else joined[-1]) + line
        else:
            joined.append(line)
    return b"\n".join(each.removeprefix(b" ") for each in joined)


def _meta(part: _Part, now_ms: int, zone: tzinfo) -> list[tuple[str, str]]:
    date_ms = _date_ms(part, now_ms, zone)
    found = {
        "From": _addresses(part, "from"),
        "Subject": _subject(part),
        "Date": None if date_ms is None else js_utc(date_ms),
        "To": _addresses(part, "to"),
        "Cc": _addresses(part, "cc"),
        "Bcc": _addresses(part, "bcc"),
    }
    return [(name, value) for name, value in found.items() if value]


def _meta_html(meta: list[tuple[str, str]]) -> str:
    rows = [
        f'<tr><td class="mp_head_key">{name}:</td><td class="mp_head_value">{_meta_value(name, value)}<td></tr>'
        for name, value in meta
    ]
    return f'<table class="mp_head">{chr(10).join(rows)}<table>'


def _meta_value(name: str, value: str) -> str:
    if name == "Subject":
        return f"<strong>{_references(value, named=False)}</strong>"
    return value if name == "Date" else _addresses_html(addresses.parse(value))


def _addresses_html(entries: list[addresses.Address]) -> str:
    shown = []
    for each in entries:
        text = '<span class="mp_address_group">'
        if each.name:
            text += f'<span class="mp_address_name">{_references(each.name, named=False)}</span>'
        if each.address:
            address = _references(each.address, named=False)
            link = f'<a href="mailto:{address}" class="mp_address_email">{address}</a>'
            text += f" &lt;{link}&gt;" if each.name else link
        shown.append(f"{text}</span>")
    return ", ".join(shown)


def _as_html(text: str) -> str:
    """Return a plain text as paragraphs, links in it as links."""
    pieces, last = [], 0
    for link in _LINK.finditer(text):
        address = link[0] if "://" in link[0] else f"{'mailto:' if '@' in link[0] else 'http://'}{link[0]}"
        pieces += [_references(text[last : link.start()]), f'<a href="{address}">{link[0]}</a>']
        last = link.end()
    whole = "".join([*pieces, _references(text[last:])]).replace("\r\n", "\n").strip()
    whole = re.sub(r"[ \t]+$", "", whole, flags=re.MULTILINE).strip()
    whole = re.sub(r"\n\n+", "</p><p>", whole).replace("\n", "<br/>")
    return f"<p>{whole}</p>"


def _references(text: str, *, named: bool = True) -> str:
    """Return a text as HTML in ASCII; characters with a name by it, others by number."""

    def reference(found: re.Match[str]) -> str:
        code = ord(found[0])
        return f"&{codepoint2name[code]};" if named and code in codepoint2name else f"&#x{code:X};"

    escaped = escape(text, quote=True).replace("`", "&#x60;") if named else _numbered(text)
    return re.sub(r"[^\x00-\x7f]", reference, escaped)


def _numbered(text: str) -> str:
    return re.sub(r"[\"&'<>`]", lambda found: f"&#x{ord(found[0]):X};", text)
