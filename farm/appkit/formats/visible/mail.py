"""What the reader of a mail sees as the words of its writer."""

from __future__ import annotations

import re
from email import message_from_bytes, policy

from farm.appkit.formats.mail_sources import mail_bytes
from farm.appkit.formats.visible.html import visible_html
from farm.appkit.formats.visible.model import VisibleText

# The line in which a mail program says whose words follow; it may be wrapped.
_ATTRIBUTION = re.compile(
    r"(?:On\b.{0,300}\bwrote|Am\b.{0,300}\bschrieb.{0,100}|在?.{0,300}写道|[^\s<].{1,200}\bwrote)\s?[:：]", re.DOTALL
)
_ORIGINAL = re.compile(r"-{2,}\s?(?:Original Message|原始邮件|原邮件|Ursprüngliche Nachricht)\s?-{2,}", re.IGNORECASE)
_LINES_MAX = 3  # lines over which an attribution may be wrapped


def visible_mail_text(text: str) -> VisibleText:
    """Return the writer's own words in a plain text: no quoted lines, and no line that says whose they are."""
    lines = text.replace("\r\n", "\n").split("\n")
    own: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith(">"):
            _drop_attribution(own)
        elif _ORIGINAL.fullmatch(line.strip()) or (_is_attribution(line) and not _is_quoted(lines, number + 1)):
            return _with_quotation(own, lines[number:])
        else:
            own.append(line)
    return VisibleText.from_message("\n".join(own).strip())


def _is_attribution(line: str) -> bool:
    """Return whether a line names a writer and a time, as mail programs do."""
    return _ATTRIBUTION.fullmatch(line.strip()) is not None and any(sign.isdigit() or sign == "@" for sign in line)


def _is_quoted(lines: list[str], number: int) -> bool:
    following = next((lines[at] for at in range(number, len(lines)) if lines[at].strip()), ">")
    return following.startswith(">")


def _with_quotation(own: list[str], quoted: list[str]) -> VisibleText:
    """Return own words above a quotation that has no marks; without own words it is taken for them."""
    message, rest = "\n".join(own).strip(), "\n".join(quoted).strip()
    if not message:
        return VisibleText.from_message(rest)
    return VisibleText(message, message, ("a quotation whose end is not marked",))


def _drop_attribution(own: list[str]) -> None:
    """Remove the attribution of a quotation that begins behind these lines."""
    first = max(0, len(own) - 2 * _LINES_MAX)
    filled = [number for number in range(first, len(own)) if own[number].strip()][-_LINES_MAX:]
    for number in reversed(filled):
        if _ATTRIBUTION.fullmatch("\n".join(own[number:]).strip()):
            del own[number:]
            return


def visible_mail_html(html: str) -> VisibleText:
    """Return the writer's own words in HTML: no quotations, and no line that says whose they are."""
    visible = visible_html(html, without_quotes=True)
    text = visible_mail_text(visible.message)
    return text.with_doubts(*visible.doubts)


def visible_mime(source: str) -> VisibleText:
    """Return the writer's own words in a mail as it was transferred: of the part that a mail program prefers."""
    raw = mail_bytes(source)
    mail = message_from_bytes(raw, policy=policy.default)
    part = mail.get_body(preferencelist=("html", "plain"))
    if part is None:
        return VisibleText.from_message("")
    try:
        content = str(part.get_content())
    except (LookupError, ValueError):
        return VisibleText.from_message(raw.decode("utf-8", "replace"))
    return visible_mail_html(content) if part.get_content_subtype() == "html" else visible_mail_text(content)
