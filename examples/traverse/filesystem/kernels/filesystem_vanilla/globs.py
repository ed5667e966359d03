"""Glob patterns as minimatch understands them, with its option dot."""

import re
from typing import Any

POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "word": "\\w",
    "xdigit": "a-fA-F0-9",
}


def glob_matches(name: str, pattern: str) -> bool:
    """Return whether a relative path matches a pattern."""
    if pattern.startswith("#"):
        return False
    if pattern == "":
        return name == ""
    rest = pattern.lstrip("!")
    negated = (len(pattern) - len(rest)) % 2 == 1
    segments = re.split("/+", name)
    for alternative in expand_braces(rest):
        if _match_parts(segments, _simplified(re.split("/+", alternative))):
            return not negated
    return negated


def expand_braces(pattern: str) -> list[str]:
    """Return what {a,b} and {1..3} stand for."""
    start = 0
    while start < len(pattern):
        letter = pattern[start]
        if letter == "\\":
            start += 2
            continue
        if letter == "{" and not (start > 0 and pattern[start - 1] == "$"):
            end = _closing(pattern, start, "{", "}")
            if end > 0:
                choices = _choices(pattern[start + 1 : end])
                if choices is not None:
                    before = pattern[:start]
                    after = expand_braces(pattern[end + 1 :])
                    return [before + choice + tail for choice in choices for tail in after]
        start += 1
    return [pattern]


def _choices(body: str) -> list[str] | None:
    parts = _split(body, ",", "{", "}")
    if len(parts) > 1:
        return [found for part in parts for found in expand_braces(part)]
    numbers = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?", body)
    if numbers is not None:
        first, last = int(numbers.group(1)), int(numbers.group(2))
        step = max(abs(int(numbers.group(3) or "1")), 1)
        padded = re.search(r"(?:^|\.\.)-?0\d", body) is not None
        width = max(len(numbers.group(1)), len(numbers.group(2))) if padded else 0
        steps = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
        return [str(number).zfill(width) for number in steps]
    letters = re.fullmatch(r"([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?", body)
    if letters is not None:
        first, last = ord(letters.group(1)), ord(letters.group(2))
        step = max(abs(int(letters.group(3) or "1")), 1)
        steps = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
        return [chr(number) for number in steps]
    return None


def _closing(text: str, start: int, opener: str, closer: str) -> int:
    depth = 0
    position = start
    while position < len(text):
        letter = text[position]
        if letter == "\\":
            position += 2
            continue
        if letter == opener:
            depth += 1
        elif letter == closer:
            depth -= 1
            if depth == 0:
                return position
        position += 1
    return -1


def _split(text: str, separator: str, opener: str, closer: str) -> list[str]:
    parts = []
    depth = 0
    current = ""
    position = 0
    while position < len(text):
        letter = text[position]
        if letter == "\\":
            current += text[position : position + 2]
            position += 2
            continue
        if letter == opener:
            depth += 1
        elif letter == closer:
            depth -= 1
        if letter == separator and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += letter
        position += 1
    parts.append(current)
    return parts


def _simplified(parts: list[str]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "**" and kept and kept[-1] == "**":
            continue
        if part == ".." and kept and kept[-1] not in ("", "..", ".", "**"):
            kept.pop()
            continue
        kept.append(part)
    return kept or [""]


def _match_parts(names: list[str], parts: list[str]) -> bool:
    position = 0
    while position < len(names) and position < len(parts):
        part = parts[position]
        if part == "**":
            rest = parts[position + 1 :]
            if not rest:
                return all(name not in (".", "..") for name in names[position:])
            start = position
            while start < len(names):
                if _match_parts(names[start:], rest):
                    return True
                if names[start] in (".", ".."):
                    return False
                start += 1
            return False
        if not _match_segment(names[position], part):
            return False
        position += 1
    if position == len(names) and position == len(parts):
        return True
    if position == len(parts):
        return position == len(names) - 1 and names[position] == ""
    return False


def _match_segment(name: str, part: str) -> bool:
    if re.search(r"[*?\[\\]|[+@!]\(", part) is None:
        return name == part
    simple = re.fullmatch(r"\*+([^+@!?*\[(\\]*)", part)
    if simple is not None:
        ending = simple.group(1)
        if ending == "":
            return name not in ("", ".", "..")
        return name.endswith(ending)
    guard = r"(?!\.{1,2}\Z)" if part[0] in "*?[+@!" else ""
    return re.fullmatch(r"(?=.)" + guard + _expression(part), name, re.DOTALL) is not None


def _expression(text: str) -> str:
    out = ""
    position = 0
    while position < len(text):
        letter = text[position]
        if letter == "\\" and position + 1 < len(text):
            out += re.escape(text[position + 1])
            position += 2
            continue
        if letter in "?*+@!" and text[position + 1 : position + 2] == "(":
            end = _closing(text, position + 1, "(", ")")
            if end > 0:
                inner = "|".join(_expression(part) for part in _split(text[position + 2 : end], "|", "(", ")"))
                rest = _expression(text[end + 1 :])
                if letter == "!":
                    return out + f"(?:(?!(?:{inner}){rest}\\Z)[^/]*?)" + rest
                suffix = "" if letter == "@" else letter
                return out + f"(?:{inner}){suffix}" + rest
        if letter == "*":
            while text[position : position + 1] == "*" and text[position + 1 : position + 2] == "*":
                position += 1
            out += "[^/]*?"
        elif letter == "?":
            out += "[^/]"
        elif letter == "[":
            found = _bracket(text, position)
            if found is not None:
                out += found[0]
                position = found[1]
                continue
            out += "\\["
        else:
            out += re.escape(letter)
        position += 1
    return out


def _bracket(text: str, start: int) -> Any:
    position = start + 1
    negated = text[position : position + 1] in ("!", "^")
    if negated:
        position += 1
    first = position
    items: list[str] = []
    while position < len(text):
        letter = text[position]
        if letter == "]" and position > first:
            if not items:
                return "(?!)", position + 1
            return "[" + ("^" if negated else "") + "".join(items) + "]", position + 1
        named = re.match(r"\[:(\w+):\]", text[position:])
        if named is not None and named.group(1) in POSIX:
            items.append(POSIX[named.group(1)])
            position += len(named.group(0))
            continue
        if letter == "\\" and position + 1 < len(text):
            position += 1
            letter = text[position]
        following = text[position + 2 : position + 3]
        if text[position + 1 : position + 2] == "-" and following not in ("", "]"):
            if letter <= following:
                items.append(re.escape(letter) + "-" + re.escape(following))
            position += 3
            continue
        items.append("\\" + letter if letter in "\\[]^-&~|" else letter)
        position += 1
    return None
