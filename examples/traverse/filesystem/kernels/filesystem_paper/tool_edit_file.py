"""Editing a file."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context

SPACES = " \t\n\r\x0b\x0c\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


class EditFileRefused(VendorError):
    """{message}"""

    code = "edit_file_refused"


class NoMatch(VendorError):
    """Could not find exact match for edit: {text}"""

    code = "no_match"


def edit_file(ep: Episode, *, path: str, edits: list[Any], dryRun: bool = False) -> Result:
    """Replace texts of a file, and show the difference.

    Raises:
        EditFileRefused: the path is refused or cannot be read.
        NoMatch: a text is not in the file.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise EditFileRefused(message=refusal)
    content, refusal = context.read_whole(ep, valid)
    if refusal:
        raise EditFileRefused(message=refusal)
    content = context.unix(content)
    modified = content
    for edit in edits:
        modified = _edited(modified, edit["oldText"], edit["newText"])
    diff = context.unified_diff(valid, content, modified)
    ticks = 3
    while "`" * ticks in diff:
        ticks += 1
    fence = "`" * ticks
    if not dryRun:
        refusal = context.store_file(ep, valid, modified)
        if refusal:
            raise EditFileRefused(message=refusal)
    return f"{fence}diff\n{diff}{fence}\n\n"


def _edited(text: str, old_text: str, new_text: str) -> str:
    old, new = context.unix(old_text), context.unix(new_text)
    if old in text:
        return text.replace(old, new, 1)
    old_lines = old.split("\n")
    lines = text.split("\n")
    for at in range(len(lines) - len(old_lines) + 1):
        window = lines[at : at + len(old_lines)]
        if all(one.strip(SPACES) == other.strip(SPACES) for one, other in zip(old_lines, window)):
            lines[at : at + len(old_lines)] = _indented(_indent(lines[at]), old_lines, new.split("\n"))
            return "\n".join(lines)
    raise NoMatch(f"Could not find exact match for edit:\n{old_text}")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(SPACES))]


def _indented(original: str, old_lines: list[str], new_lines: list[str]) -> list[str]:
    """Return new lines with the indentation of the file's first line."""
    result = []
    for place, line in enumerate(new_lines):
        if place == 0:
            result.append(original + line.lstrip(SPACES))
            continue
        old_indent = _indent(old_lines[place]) if place < len(old_lines) else ""
        new_indent = _indent(line)
        if old_indent and new_indent:
            deeper = max(0, len(new_indent) - len(old_indent))
            result.append(original + " " * deeper + line.lstrip(SPACES))
        else:
            result.append(line)
    return result
