"""Matching of paths as minimatch does it, with dot: true."""

import re


def matches(path: str, pattern: str) -> bool:
    """Tell whether a relative path matches a pattern."""
    if pattern.startswith("#"):
        return False
    negated = False
    while pattern.startswith("!") and not pattern.startswith("!("):
        negated = not negated
        pattern = pattern[1:]
    if pattern == "":
        return (path == "") != negated
    parts = path.split("/")
    found = any(_match_parts(parts, _pattern_parts(one)) for one in _braces(pattern))
    return found != negated


def _pattern_parts(pattern: str) -> list[str]:
    parts: list[str] = []
    pieces = re.sub(r"/+", "/", pattern).split("/")
    for piece in pieces:
        if piece == "**" and parts and parts[-1] == "**":
            continue
        if piece == "." and parts:
            continue
        if piece == ".." and parts and parts[-1] not in ("", ".", "..", "**"):
            parts.pop()
            continue
        parts.append(piece)
    return parts


def _match_parts(path: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not path
    first = pattern[0]
    if first == "**":
        if len(pattern) == 1:
            return len(path) > 0
        return any(_match_parts(path[skipped:], pattern[1:]) for skipped in range(len(path) + 1))
    if not path:
        return False
    if not _match_part(path[0], first):
        return False
    return _match_parts(path[1:], pattern[1:])


def _match_part(name: str, pattern: str) -> bool:
    if pattern == name:
        return True
    if not re.search(r"[*?\[\\]|[+@!]\(", pattern):
        return False
    text = _translated(pattern, 0, "")[0]
    if pattern[:1] in "*?" or re.match(r"[+@!]\(", pattern):
        text = "(?!\\.{1,2}$)(?=.)" + text
    try:
        return re.fullmatch(text, name, re.DOTALL) is not None
    except re.error:
        return False


def _translated(pattern: str, at: int, closing: str) -> tuple[str, int]:
    """Translate from a place up to the end, or up to the parenthesis that closes."""
    text = ""
    while at < len(pattern):
        sign = pattern[at]
        if closing and sign == ")":
            return text, at + 1
        if closing and sign == "|":
            text += "|"
            at += 1
        elif sign in "?*+@!" and pattern[at + 1 : at + 2] == "(" and ")" in pattern[at:]:
            inner, at = _translated(pattern, at + 2, ")")
            if sign == "!":
                text += f"(?!(?:{inner})$)[^/]*?"
            else:
                text += f"(?:{inner})" + {"?": "?", "*": "*", "+": "+", "@": ""}[sign]
        elif sign == "*":
            while pattern[at + 1 : at + 2] == "*":
                at += 1
            text += "[^/]*?"
            at += 1
        elif sign == "?":
            text += "[^/]"
            at += 1
        elif sign == "[":
            ranges, at = _class(pattern, at)
            text += ranges
        elif sign == "\\" and at + 1 < len(pattern):
            text += re.escape(pattern[at + 1])
            at += 2
        else:
            text += re.escape(sign)
            at += 1
    return text, at


def _class(pattern: str, at: int) -> tuple[str, int]:
    start = at + 1
    inverted = pattern[start : start + 1] in ("!", "^")
    if inverted:
        start += 1
    end = pattern.find("]", start + 1)
    if end < 0:
        return re.escape("["), at + 1
    inner = pattern[start:end]
    if "[:" in inner and pattern[end + 1 : end + 2] == "]":
        inner = inner + "]"
        end += 1
    posix = {
        "[:alnum:]": "a-zA-Z0-9",
        "[:alpha:]": "a-zA-Z",
        "[:digit:]": "0-9",
        "[:lower:]": "a-z",
        "[:upper:]": "A-Z",
        "[:space:]": " \\t\\r\\n\\v\\f",
        "[:xdigit:]": "A-Fa-f0-9",
        "[:word:]": "a-zA-Z0-9_",
    }
    if inner in posix:
        body = posix[inner]
    else:
        body = re.sub(r"([\[\]&~|^])", r"\\\1", inner)
    return f"[{'^' if inverted else ''}{body}]", end + 1


def _braces(pattern: str) -> list[str]:
    """Expand the first pair of braces that has alternatives, and what follows."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 2
            continue
        if pattern[at] == "{":
            parts, end = _alternatives(pattern, at)
            if parts:
                return [
                    pattern[:at] + one + rest for part in parts for one in _braces(part) for rest in _braces(pattern[end:])
                ]
        at += 1
    return [pattern]


def _alternatives(pattern: str, at: int) -> tuple[list[str], int]:
    depth = 0
    parts = [""]
    for place in range(at, len(pattern)):
        sign = pattern[place]
        if sign == "{":
            depth += 1
            if depth == 1:
                continue
        elif sign == "}":
            depth -= 1
            if depth == 0:
                if len(parts) > 1:
                    return parts, place + 1
                span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", parts[0])
                if span is not None:
                    low, high = int(span.group(1)), int(span.group(2))
                    step = 1 if low <= high else -1
                    if abs(high - low) <= 10000:
                        return [str(number) for number in range(low, high + step, step)], place + 1
                return [], place + 1
        elif sign == "," and depth == 1:
            parts.append("")
            continue
        parts[-1] += sign
    return [], len(pattern)
