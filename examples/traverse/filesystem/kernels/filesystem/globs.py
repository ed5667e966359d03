"""Glob patterns, as minimatch reads them with dot: true."""

import re

POSIX = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:space:]": "\\s",
    "[:blank:]": " \\t",
    "[:word:]": "\\w",
    "[:xdigit:]": "A-Fa-f0-9",
}


def matches(path: str, pattern: str) -> bool:
    """Tell whether a relative path fits a pattern."""
    if pattern.startswith("#"):
        return False
    if pattern == "":
        return path == ""
    bare = pattern.lstrip("!")
    negated = (len(pattern) - len(bare)) % 2 == 1
    names = _units(path).split("/")
    for text in _braces(_units(bare)):
        if _parts_match(names, _optimized(re.split(r"/+", text)), 0, 0):
            return not negated
    return negated


def _units(text: str) -> str:
    """Return the text with one character for each UTF-16 unit."""
    out = []
    for char in text:
        number = ord(char)
        if number > 0xFFFF:
            number -= 0x10000
            out.append(chr(0xD800 + (number >> 10)))
            out.append(chr(0xDC00 + (number & 0x3FF)))
        else:
            out.append(char)
    return "".join(out)


def _optimized(parts: list[str]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        last = kept[-1] if kept else None
        if part == "**" and last == "**":
            continue
        if part == ".." and last and last not in ("..", ".", "**"):
            kept.pop()
            continue
        kept.append(part)
    return kept or [""]


def _parts_match(names: list[str], parts: list[str], at: int, part_at: int) -> bool:
    if part_at == len(parts):
        return at == len(names)
    if at == len(names):
        return False
    part = parts[part_at]
    if part == "**":
        if part_at + 1 == len(parts):
            return True
        return any(_parts_match(names, parts, start, part_at + 1) for start in range(at, len(names)))
    if not _segment_matches(names[at], part):
        return False
    return _parts_match(names, parts, at + 1, part_at + 1)


def _segment_matches(name: str, part: str) -> bool:
    if part != "" and part.strip("*") == "":
        return name != ""
    try:
        return re.fullmatch(_regex(part), name, re.DOTALL) is not None
    except re.error:
        return False


def _regex(text: str) -> str:
    out = ""
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            if at + 1 < len(text):
                out += re.escape(text[at + 1])
            else:
                out += "\\\\"
            at += 2
            continue
        if char in "!?+*@" and text[at + 1 : at + 2] == "(":
            end = _closing(text, at + 1)
            if end > 0:
                body = "|".join([_regex(item) for item in _split(text[at + 2 : end], "|", "()")])
                if char == "!":
                    rest = _regex(text[end + 1 :])
                    return f"{out}(?:(?!(?:{body}){rest}\\Z)[^/]*?){rest}"
                out += f"(?:{body})" + {"?": "?", "*": "*", "+": "+", "@": ""}[char]
                at = end + 1
                continue
        if char == "*":
            while text[at + 1 : at + 2] == "*" and text[at + 2 : at + 3] != "(":
                at += 1
            out += "[^/]*?"
        elif char == "?":
            out += "[^/]"
        elif char == "[":
            source, end = _class(text, at)
            if end > 0:
                out += source
                at = end + 1
                continue
            out += "\\["
        else:
            out += re.escape(char)
        at += 1
    return out


def _class(text: str, start: int) -> tuple[str, int]:
    at = start + 1
    negated = text[at : at + 1] in ("!", "^") and at < len(text)
    if negated:
        at += 1
    first = at
    items = ""
    while at < len(text):
        char = text[at]
        if char == "]" and at > first:
            if items == "":
                return "(?!)", at
            return ("[^" if negated else "[") + items + "]", at
        posix = [name for name in POSIX if text.startswith(name, at)]
        if posix:
            items += POSIX[posix[0]]
            at += len(posix[0])
            continue
        if char == "\\" and at + 1 < len(text):
            at += 1
            char = text[at]
        if text[at + 1 : at + 2] == "-" and text[at + 2 : at + 3] not in ("", "]"):
            last = text[at + 2]
            if char < last:
                items += _in_class(char) + "-" + _in_class(last)
            elif char == last:
                items += _in_class(char)
            at += 3
            continue
        items += _in_class(char)
        at += 1
    return "", 0


def _in_class(char: str) -> str:
    return "\\" + char if char in "\\]^-[&~|" else char


def _closing(text: str, start: int) -> int:
    depth = 0
    at = start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return 0


def _split(text: str, mark: str, pair: str) -> list[str]:
    parts = [""]
    depth = 0
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            parts[-1] += text[at : at + 2]
            at += 2
            continue
        if char == pair[0]:
            depth += 1
        elif char == pair[1]:
            depth -= 1
        if char == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
        at += 1
    return parts


def _pair(text: str) -> tuple[int, int] | None:
    for start in range(len(text)):
        if text[start] != "{" or (start > 0 and text[start - 1] == "\\"):
            continue
        depth = 0
        at = start
        while at < len(text):
            if text[at] == "\\":
                at += 1
            elif text[at] == "{":
                depth += 1
            elif text[at] == "}":
                depth -= 1
                if depth == 0:
                    return start, at
            at += 1
    return None


def _braces(text: str) -> list[str]:
    found = _pair(text)
    if found is None:
        return [text]
    before, body, after = text[: found[0]], text[found[0] + 1 : found[1]], text[found[1] + 1 :]
    tails = _braces(after) if after else [""]
    if before.endswith("$"):
        return [before + "{" + body + "}" + tail for tail in tails]
    numbers = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?", body)
    letters = re.fullmatch(r"([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?", body)
    if numbers:
        heads = _numbers(numbers.group(1), numbers.group(2), numbers.group(3))
    elif letters:
        first, last = ord(letters.group(1)), ord(letters.group(2))
        heads = [chr(number) for number in _steps(first, last, letters.group(3)) if number != 92]
    elif "," not in body:
        return [before + "{" + body + "}" + tail for tail in tails]
    else:
        parts = _split(body, ",", "{}")
        if len(parts) == 1:
            heads = ["{" + item + "}" for item in _braces(parts[0])]
        else:
            heads = [item for part in parts for item in _braces(part)]
    return [before + head + tail for head in heads for tail in tails]


def _steps(first: int, last: int, step: str | None) -> list[int]:
    width = max(abs(int(step)), 1) if step else 1
    if first <= last:
        return list(range(first, last + 1, width))
    return list(range(first, last - 1, -width))


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    padded = any(re.match(r"-?0\d", text) for text in (first, last))
    width = max(len(first), len(last)) if padded else 0
    return [str(number).zfill(width) for number in _steps(int(first), int(last), step)]
