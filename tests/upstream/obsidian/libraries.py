"""What the plugin's own libraries say to questions drawn by lot, kept for tests/apps/obsidian/test_libraries.py.

``FARM_REAL_SERVERS=FOLDER python -m tests.upstream.obsidian.libraries`` asks them and writes the answers there.
"""

# ruff: noqa: E501
from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.upstream.real import npm_package

# What the plugin 3.2.0 locks.
LIBRARIES = {
    "markdown-patch": "0.2.2",
    "json-logic-js": "2.0.5",
    "glob-to-regexp": "0.4.1",
    "moment": "2.29.4",
    "yaml": "2.8.0",
}
ANSWERS = Path(__file__).parents[2] / "apps" / "obsidian" / "libraries.jsonl"
TODAY = "2026-03-09"
# What rules look at.
FIELDS = 'n: 3\ns: text\nl: [1, two, [3], 4.5, ""]\nm: {k: v, 0: z}\nb: true\ne: ""\nz: null\nf: 0.5\nd: 2026-03-09\n'
DATA = {
    "tags": [],
    "frontmatter": {"n": 3, "s": "text", "l": [1, "two", [3], 4.5, ""], "m": {"0": "z", "k": "v"}, "b": True, "e": ""}
    | {"z": None, "f": 0.5, "d": "2026-03-09"},
    "stat": {"size": 1},
    "path": "rules.md",
    "content": f"---\n{FIELDS}---\n",
}

_LINES = (
    *("# A", "## B", "### C c", "## **Bold** x ##", "#### Deep #", "#no heading", " # a blank before", "## "),
    *("Title\n===", "Sub\n---", "Two lines\nof a title\n=", "", "", "", "plain words", "words ^w{}", "words  ^v{}  "),
    *("^alone{}", "a^glued{}", "- item", "- item ^i{}", "  - deeper ^d{}", "    - deepest", "1. one", "2. two ^n{}"),
    *("   more of it", "- [ ] task ^t{}", "- [x] done", "-", "* star ^s{}", "+ plus", "10) ten", "- - twice ^u{}"),
    *("> quote", "> quote ^q{}", "> - in it ^j{}", "> > deeper", ">", "> # A", "> ```", "lazy line", "```", "```js"),
    *("~~~", "| a | b |\n| - | - |\n| 1 | 2 |", "| a |\n|:-:|\n| \\| |", "a | b\n--|--", "| a | b |\n| - |", "---"),
    *("***", "_ _ _", "<div>", "</div>", "<b>x</b>", "<!-- c -->", "<script>\nx\n\ny</script>", "[ref]: http://x 'y'"),
    *("\tindented", "    indented code", "![p](x.png)", '![p](x.png "t") ^k{}', "**strong** and `code`", "_a_ [b](c)"),
    *("\N{PARTY POPPER} party ^e{}", "  ", "text  ", "say ## B here", "\\# no", "- ```\n  x\n  ```", "- a\n\n  b ^l{}"),
    *("1. a\n   - b\n\n     c", "> a\nb", "> ~~~\n> x\n> ~~~", "<p\n class='x'>\n", "<?php\n?>", "- # A"),
)
_HEADS = ("", "", "", "---\na: 1\n---\n", "---\na: 1\n---\n\n", "---\n# why\n---\n")
_VALUES: tuple[Any, ...] = (
    *(
        0,
        1,
        -1,
        2.5,
        3,
        10,
        "",
        "a",
        "3",
        "3x",
        "  4 ",
        "abc",
        "text",
        "true",
        "0x10",
        "1e2",
        ".5",
        "-",
        None,
        True,
        False,
    ),
    *([], [1], [1, "2", [3]], ["a", None], [[]], 1e21, 0.1, "\N{PARTY POPPER}\u00e9"),
    *({"var": f"frontmatter.{name}"} for name in "nslmbezfdx"),
    *({"var": name} for name in ("", "path", "content.length", "tags", "frontmatter.l.1", "frontmatter.m.0", "none.x")),
    *(
        {"var": ["frontmatter.x", 7]},
        {"var": ["frontmatter.z", "none"]},
        {"var": []},
        {"var": None},
        {"a": 1, "b": 2},
        {},
    ),
)
_REASONS = ("==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "%", "in", "cat", "substr", "+", "-", "*", "/")
_OPERATIONS = (
    *_REASONS, *_REASONS, "min", "max", "merge", "if", "?:", "and", "or", "missing", "missing_some", "var", "log",
    "nope", "a.b", "glob", "regexp", "if", "and", "or", "substr", "missing_some",
)  # fmt: skip
_OF_EACH = ("filter", "map", "all", "some", "none", "reduce")
_EACH: tuple[Any, ...] = (
    {"var": ""}, {">": [{"var": ""}, 1]}, {"==": [{"var": ""}, "2"]}, {"+": [{"var": "current"}, {"var": "accumulator"}]},
    {"cat": [{"var": "accumulator"}, "-", {"var": "current"}]}, {"var": "0"}, {"!": {"var": ""}}, 5, None,
)  # fmt: skip
_LISTS: tuple[Any, ...] = (
    {"var": "frontmatter.l"}, [1, 2, 3], [0, "2", ""], [], "abc", None, {"var": "frontmatter.s"}, {"merge": [1, [2]]}
)  # fmt: skip
_ATOMS = (
    *("a", "b", "c", ".", "^", "$", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[abc]", "[^abc]", "[a-c\\d]", "[\\w-]"),
    *("(a|b)", "(?:ab)", "(?=a)", "(?!a)", "(?<n>a)", "\\k<n>", "\\k", "\\1", "\\2", "\\b", "\\B", "a*", "b+", "c?"),
    *(
        "a{2}",
        "a{1,2}",
        "b{2,}",
        "a{,2}",
        "*",
        "?",
        "+",
        "{",
        "}",
        "]",
        "[",
        "(",
        ")",
        "\\x41",
        "\\u0041",
        "\\cA",
        "\\c1",
    ),
    *("\\0", "\\101", "\\n", "\\t", "\\/", "\\.", "\\-", "-", "|", "\N{PARTY POPPER}", "\u00e9", "[]", "[^]", "\\"),
    *("(?i)", "(?<n>b)", "(?<1>a)", "(?<m", "\\8", "a{2,1}", "[z-a]", "[\\s\\S]", "[^\\s]", "[\\b]", "a*?", "(?:a)?"),
    *("(?<=a)b", "(?<!a)b", "(?=a)*", "{1}", "[a-]", "[-a]", "[\\d-z]", "[]a]", "[&&~|]", "\\x4", "\\u00", "(?", "(?:"),
)
_TEXTS = (
    "",
    "a",
    "ab",
    "aab ba",
    "abc\nab",
    "A\u0001 1_-",
    "\N{PARTY POPPER}\u00e9",
    "\u00a0x",
    "bbb",
    "{}[]|*?",
    "k<n>c1",
)
_GLOBS = (
    "*",
    "**",
    "?",
    "a",
    "b",
    ".md",
    "{a}",
    "[a]",
    "\\",
    "/",
    "(",
    ")",
    "+",
    "!",
    "^",
    "$",
    "\N{PARTY POPPER}",
    ",",
    "|",
    "=",
)
_PATHS = (
    "",
    "a",
    "ab",
    "a/b.md",
    "a/b/a.md",
    "{a}",
    "[a]",
    "a\nb",
    "(a)+!",
    "\N{PARTY POPPER}.md",
    "a?",
    "\\a",
    "^$,|=",
)
SCALARS = (
    *("1", "-1", "+1", "01", "1.0", "1.", ".5", "1e3", "1E-2", "1.5e+3", "0x1F", "0o17", "0b1", "1_000", "0xg", "--1"),
    *("yes", "no", "on", "true", "True", "TRUE", "tRUE", "false", "False", "null", "Null", "~", "", ".inf", "-.Inf"),
    *("+.INF", ".nan", ".NaN", "nan", "2026-01-02", "12:30", "1:2:3", "2026-01-02T03:04:05Z", "a b", "a:b", "a#b"),
    *("a #b", "'it''s'", '"q\\n\\u00e9\\x41"', '"a\\\n  b"', "'a\n  b'", "a\n  b", "[a, b]", "[]", "[a, [b, c]]"),
    *(
        "[1, 'x', \"y\"]",
        "{a: 1}",
        "{}",
        "{a: {b: c}}",
        "{a, b: }",
        "[a: 1]",
        "\n  - a\n  - b",
        "\n- a\n- b",
        "\n  - - a",
    ),
    *(
        "\n  a: 1\n  b:\n    - c",
        "\n  - a: 1\n    b: 2",
        "|\n  x\n  y",
        "|-\n  x\n",
        "|+\n  x\n\n",
        ">\n  x\n  y\n\n  z",
    ),
    *(">-\n  x\n   y", "|2\n   x", "!!str 1", "&a x", "*a", "? a", "-", "- a", "@a", "`a", "%a", "a: b", "[a", "{a: 1"),
    *("]", "}", "'a", '"a', "'a' b", '"a" b', "\ta", "a\t#b", "123456789012345678901", "9007199254740993", "1e400"),
    *("0.1", "-0", "-0.0", "<<", "=", "a, b", "?x", ":x", "x:", "!x", "\u4e00", "\N{PARTY POPPER}", "# c", "a\n\n  b"),
)
ENTRIES = (
    *(
        "2: a\n1: b\nx: c\n0: d",
        "a: 1\na: 2",
        "'q': 1",
        '"q r": 1',
        "? k\n: v",
        "1.5: x",
        "null: x",
        "true: x",
        "a b: c",
    ),
    *(
        "[a]: b",
        "- a\n- b",
        "word",
        "a:\n  b:\n    c: 1\nd: e",
        "a: &x 1\nb: *x",
        "a: &x [1]\nb: *x",
        "a: *none",
        "<<: {a: 1}",
    ),
    *("# c\na: 1 # d\n# e", "a:\n\n\nb: 1", "a: 1\n b: 2", "a:\n  - 1\n - 2", "a\nb: 1", "a: 'x\nb: 1", "a: [1\nb: 2"),
    *(
        "a: {x: 1\nb: 2",
        "a: ]",
        "\ta: 1",
        "a:\n\tb: 1",
        "a: b: c",
        "a: - b",
        "position: x\na: 1",
        "a:b",
        "a : b",
        "k: |\n x\n  y",
    ),
    *(
        "a: [1, 2]]",
        'a: "x" y: 1',
        "long: [" + "abcdefghij, " * 12 + "\nb: 1",
        "- a: 1\n  b: [2\n- c",
        "a: {b: [1}",
        "? [x]\n: y",
    ),
)
_PIECES = (
    *("a", "word", "it's", '"q"', ": ", "#", " # ", "- ", "\n", "\n\n", "  ", " ", " ", " ", "\t", "\N{PARTY POPPER}"),
    *(
        "\u00e9",
        "longer-words-than-usual",
        "0x1",
        "true",
        "null",
        "1e3",
        "~",
        "{",
        "[",
        "*",
        "&",
        "!",
        "|",
        ">",
        "%",
        "@",
        "`",
    ),
    *(
        ",",
        "?",
        "\\",
        "\x07",
        "\u2028",
        "\u00a0",
        "\r",
        "=",
        "2026-01-02",
        ":",
        "x" * 30,
        "y" * 90,
        "and so on",
        "'",
        "\x85",
    ),
)
_OLD = (
    "f: x", "f: x\nl: [a, 'b: c', \"\"]\nm: {a: {b: []}, c: {}}\nn: null\nb: true", "x: |\n  a\n  b\nf: x\ny: 1.50",
    "f: x\nl:\n  - - a\n    - b\n  - c: 1\n    d: 2\n  - {}", "'1': a\nf: x\ntrue: b\n'': c\n'a: b': d\n'- x': e", "f: x\nd: .inf\ne: -.inf\ng: .nan\nh: 1e21\ni: 0.1\nj: 1e-7",
    f"f: x\nl: [{'abc ' * 30}, {'w' * 90}]\nlong_{'k' * 60}: {'word ' * 10}", "f: x\nm: {l: [{a: 'x\\ny'}, \"two\\nlines\\n\"]}", "f: 'it''s'\ng: 2026-01-02\nh: '12'\ni: \"\\ttab\"",
)  # fmt: skip
_FORMATS = (
    *(
        "YYYY-MM-DD",
        "YYYYMMDD",
        "YY-M-D",
        "D MMM YYYY",
        "Do MMMM YYYY",
        "dddd D MMMM YYYY",
        "ddd DD.MM.YY",
        "dd D-M-YYYY",
    ),
    *(
        "[Day] DDDD YYYY",
        "YYYY DDD",
        "gggg-[W]ww",
        "gg [w]w",
        "GGGG-[W]WW",
        "GG-W",
        "GGGG-[W]WW-E",
        "gggg-ww-e",
        "gggg-ww d",
    ),
    *(
        "YYYY-MM",
        "MMMM YYYY",
        "MMM YY",
        "M YYYY",
        "YYYY-[Q]Q",
        "Q",
        "YYYY",
        "YY",
        "MM-DD",
        "DD",
        "dddd",
        "HH-mm-ss YYYY-M-D",
    ),
    *("YYYY-MM-DD H m s", "[note]", "YYYY.MM.DD", "YYYY ww", "MMMM", "E", "e", "W", "w", "DDDD", "DD MMMM"),
)
_DAYS = (
    "2026-03-09", "2026-03-08", "2026-03-07", "2026-03-15", "2026-03-14", "2026-02-09", "2026-01-01", "2025-12-31", "2025-03-09",
    "2024-02-29", "2026-12-31", "1970-01-01", "2026-04-01",
)  # fmt: skip
_STEMS = (
    "2026-3-9", "2026-02-30", "2026-13-01", "26-03-09", "9 mar 2026", "9th March 2026", "Day 366 2026", "Day 000 2026", "Day 068 2026",
    "2026-W00", "2026-W53", "2026-W54", "2026-W11", "2026-Q5", "2026-Q0", "note", "NOTE", "Monday", "Tuesday 9 March 2026", "2026 60",
)  # fmt: skip


def _questions(lot: random.Random) -> Iterator[dict[str, Any]]:
    for _ in range(260):
        lines = [
            line.replace("{}", str(number)) for number, line in enumerate(lot.choices(_LINES, k=lot.randint(3, 12)))
        ]
        note = lot.choice(_HEADS) + "\n".join(lines) + lot.choice(("", "\n", "\n\n"))
        yield {"ask": "targets", "note": note.replace("\n", "\r\n") if lot.random() < 0.1 else note}
    for _ in range(700):
        yield {"ask": "logic", "rule": _rule(lot, 2)}
    for _ in range(500):
        pattern = "".join(lot.choices(_ATOMS, k=lot.randint(1, 4)))
        if "\\k<" in pattern and "(?<1>" in pattern:
            continue  # two faults, of which V8 tells the second
        yield {"ask": "logic", "rule": {"regexp": [pattern, lot.choice(_TEXTS)]}}
    for _ in range(120):
        yield {
            "ask": "logic",
            "rule": {"glob": ["".join(lot.choices(_GLOBS, k=lot.randint(1, 4))), lot.choice(_PATHS)]},
        }
    for text in (*(f"k: {each}" for each in SCALARS), *(f"- {each}" for each in SCALARS[:20]), *ENTRIES):
        yield {"ask": "yaml", "text": text}
    for old in _OLD:
        for content in ("y", "two\nlines", ""):
            yield _field(old, lot.choice(("replace", "append", "prepend")), content)
    for _ in range(300):
        yield _field("f: x", "replace", "".join(lot.choices(_PIECES, k=lot.randint(1, 14))))
    for format in _FORMATS:
        for day in _DAYS:
            yield {"ask": "moment", "format": format, "day": day, "period": lot.choice(_PERIODS)}
        for stem in lot.sample(_STEMS, 6):
            yield {"ask": "moment", "format": format, "stem": stem, "period": lot.choice(_PERIODS)}


# Frontmatter with what people get wrong in it, a text a line; marked where our app knowingly says something else.
_FAULTS = [json.loads(line) for line in Path(__file__).with_name("faults.jsonl").read_text("utf-8").split("\n") if line]
# Where our app knowingly says something else, or says it in other words.
_DIFFERS = frozenset(each["text"] for each in _FAULTS if "differs" in each)
_WORDED = frozenset(("- a: 1\n  b: [2\n- c", *(each["text"] for each in _FAULTS if "worded" in each)))
_PERIODS = ("daily", "weekly", "monthly", "quarterly", "yearly")


def _field(old: str, operation: str, content: str) -> dict[str, Any]:
    return {
        "ask": "field",
        "note": f"---\n{old}\n---\nbody\n",
        "operation": operation,
        "field": "f",
        "content": content,
    }


def _rule(lot: random.Random, depth: int) -> Any:
    if depth == 0 or (depth < 2 and lot.random() < 0.5):
        return lot.choice(_VALUES)
    if lot.random() < 0.2:
        rule = [lot.choice(_LISTS), lot.choice(_EACH)]
        return {lot.choice(_OF_EACH): [*rule, *([lot.choice(_VALUES)] if lot.random() < 0.6 else [])]}
    values = [_rule(lot, depth - 1) for _ in range(lot.choice((0, 1, 1, 2, 2, 2, 2, 3, 3, 4)))]
    return {lot.choice(_OPERATIONS): values[0] if len(values) == 1 and lot.random() < 0.4 else values}


def _ask(questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    modules = [str(npm_package(name, version).parent) for name, version in LIBRARIES.items()]
    command = [shutil.which("node") or "node", str(Path(__file__).with_suffix(".mjs")), *modules]
    given = "".join(f"{json.dumps(each)}\n" for each in questions)
    said = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.split("\n") if line]


def main() -> None:
    """Ask the libraries and write what they say."""
    questions = [*_questions(random.Random(25)), *({"ask": "yaml", "text": each["text"]} for each in _FAULTS)]
    named = [each for each in questions if "day" in each]
    stems = _ask([{"ask": "format", "format": each["format"], "day": each["day"]} for each in named])
    for each, stem in zip(named, stems, strict=True):
        each["stem"] = stem["is"]
        del each["day"]
    more: dict[str, dict[str, Any]] = {"logic": {"data": DATA}, "moment": {"today": TODAY}}
    answers = _ask([{**each, **more.get(each["ask"], {})} for each in questions])
    with ANSWERS.open("w", encoding="utf-8") as file:
        for question, answer in zip(questions, answers, strict=True):
            if '"tags": []' in json.dumps(answer):
                continue  # times and sizes of the note itself
            text = question.get("text")
            marks = {"differs": True} if text in _DIFFERS else {"worded": "otherwise"} if text in _WORDED else {}
            file.write(f"{json.dumps({**question, **answer, **marks})}\n")


if __name__ == "__main__":
    main()
