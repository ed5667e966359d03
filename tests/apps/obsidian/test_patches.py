"""Patches by heading, block and frontmatter. What is expected was checked against markdown-patch 0.2.2 itself."""

from __future__ import annotations

import time

import pytest

from tests.apps.obsidian.conftest import MakeVault, patch, refusal

FAILED = "Error 40080: The patch you provided could not be applied to the target content.\n"
NOTE = "# A\n\nintro\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n"


def refused(app: object, kind: str, target: str, content: str = "x", path: str = "n.md") -> str:
    arguments = {"operation": "append", "target_type": kind, "target": target, "content": content}
    return refusal(app, "obsidian_patch_content", filepath=path, **arguments)  # type: ignore[arg-type]  # a LocalApp


@pytest.mark.fact("heading")
@pytest.mark.parametrize(
    ("operation", "target", "becomes"),
    [
        ("append", "A::B", "# A\n\nintro\n\n## B\n\nb\n\n### C\n\nc\n\nNEW## D\n\nd\n"),
        ("prepend", "A::B", "# A\n\nintro\n\n## B\nNEW\nb\n\n### C\n\nc\n\n## D\n\nd\n"),
        ("replace", "A::B::C", "# A\n\nintro\n\n## B\n\nb\n\n### C\nNEW## D\n\nd\n"),
        ("append", "A", f"{NOTE}NEW"),
        ("prepend", "", f"NEW{NOTE}"),
    ],
)
def test_a_text_goes_into_a_heading_s_section(vault: MakeVault, operation: str, target: str, becomes: str) -> None:
    app = vault({"n.md": NOTE})

    assert patch(app, "n.md", operation, "heading", target, "NEW") == becomes


@pytest.mark.fact("heading")
def test_headings_of_every_kind_have_a_path(vault: MakeVault) -> None:
    note = "T\n===\n\n## **Bold** x ##\n\n#### Deep\n\n## Same\n1\n## Same\n2\n```\n# no\n```\n> # no\n"
    app = vault({"n.md": note})

    assert patch(app, "n.md", "append", "heading", "T::Same", "S\n") == f"{note}S\n"
    assert "#### Deep\n\nD\n## Same\n1" in patch(app, "n.md", "append", "heading", "T::**Bold** x::Deep", "D\n")
    for absent in ("T::no", "T::Bold x", "T::same", "Same ::", "T:: Same"):
        assert refused(app, "heading", absent) == f"{FAILED}invalid-target"


@pytest.mark.fact("astray")
def test_a_heading_s_words_quoted_above_it_end_the_section_there(vault: MakeVault) -> None:
    app = vault({"n.md": "## A\n\nsee `## B` below\n\n## B\n"})

    assert patch(app, "n.md", "append", "heading", "A", "X") == "## A\n\nsee `X## B` below\n\n## B\n"


@pytest.mark.fact("bare")
def test_a_bare_name_is_completed_where_it_is_one_heading_s(vault: MakeVault) -> None:
    app = vault({"n.md": "# A\n## One\n## Two\n# B\n## Two\n", "s.md": "# A\n\nUnder\n---\n"})

    assert patch(app, "n.md", "append", "heading", "one", "X\n") == "# A\n## One\nX\n## Two\n# B\n## Two\n"
    said = "Ambiguous heading 'two'. Candidates: A::Two, B::Two. Specify the qualified path with '::' delimiter."
    assert refused(app, "heading", "two") == said
    assert refused(app, "heading", "Under", path="s.md") == f"{FAILED}invalid-target"
    assert refused(app, "heading", "One", path="absent.md") == "Error 40400: Not Found"


@pytest.mark.fact("block")
@pytest.mark.parametrize(
    ("note", "becomes"),
    [
        ("para one ^id\n", "para oneX ^id\n"),
        ("- a\n- [ ] b ^id\n", "- a\n- [ ] bX ^id\n"),
        ("> said\n\n^id\n", "> saiXd\n\n^id\n"),
        ("| a |\n| - |\n| b |\n\n^id\n", "| a |\n| - |\n| b |\nX\n^id\n"),
        ("```\ncode\n```\n\n^id\n", "```\ncode\n``X`\n\n^id\n"),
        ("one\n\n- a\n  - b\n\n^id\n", "one\n\n- a\n  - Xb\n\n^id\n"),
    ],
)
def test_a_text_goes_behind_a_block(vault: MakeVault, note: str, becomes: str) -> None:
    app = vault({"n.md": note})

    assert patch(app, "n.md", "append", "block", "id", "X") == becomes


@pytest.mark.fact("block")
def test_an_item_with_a_list_below_it_is_no_target(vault: MakeVault) -> None:
    app = vault({"n.md": "- a ^id\n  - b\n"})

    for absent in ("id", "^id", "ID"):
        assert refused(app, "block", absent) == f"{FAILED}invalid-target"


@pytest.mark.fact("preexists")
def test_what_stands_there_already_is_refused(vault: MakeVault) -> None:
    app = vault({"n.md": "# A\n\nsome text ^id\n"})

    for kind, target, content in (("heading", "A", " some text\n"), ("block", "id", "ext"), ("heading", "A", "")):
        assert refused(app, kind, target, content) == f"{FAILED}content-already-preexists-in-target"
    assert patch(app, "n.md", "append", "heading", "A", "Some text") == "# A\n\nsome text ^id\nSome text"


@pytest.mark.fact("field")
def test_a_field_is_set_and_the_frontmatter_written_anew(vault: MakeVault) -> None:
    app = vault({"n.md": "---\n# why\ns: a\nn: 1\nl: [x, 'y']\nd: 2026-01-02\n---\nbody\n"})
    head = "---\ns: a\nn: {}\nl:\n  - x\n  - y\nd: 2026-01-02\n---\nbody\n"

    assert patch(app, "n.md", "replace", "frontmatter", "n", "2") == head.format('"2"')
    assert patch(app, "n.md", "append", "frontmatter", "n", " b") == head.format("2 b")
    assert patch(app, "n.md", "prepend", "frontmatter", "n", "c: ") == head.format('"c: 2 b"')
    assert refused(app, "frontmatter", "absent") == f"{FAILED}invalid-target"
    said = "Error 50000: Internal Server Error\nCannot merge objects of different types or unsupported types: "
    assert refused(app, "frontmatter", "l") == f"{said}object and string"


@pytest.mark.fact("field")
def test_frontmatter_with_nothing_in_it_breaks_the_library(vault: MakeVault) -> None:
    app = vault({"n.md": "---\n# to do\n---\n# A\n"})

    said = "Error 50000: Internal Server Error\nCannot read properties of null (reading 'x')"
    assert refused(app, "frontmatter", "x") == said
    assert patch(app, "n.md", "append", "heading", "A", "X") == "---\n# to do\n---\n# A\nX"


@pytest.mark.fact("yaml")
@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("true", '"true"'), ("2026-01-02", "2026-01-02"), ("12:30", "12:30"), ("1e3", '"1e3"'), ("a: b", '"a: b"'),
        ("", '""'), ('["a"]', "'[\"a\"]'"), ("it's", "it's"), ("- x", '"- x"'), ("a\nb", "|-\n  a\n  b"),
        ("a\n", "|\n  a"), ("a\r\nb", '"a\\r\\nb"'), ("a\x07", '"a\\a"'), ('\r"', '"\\r\\""'),
        ("word " * 20 + "end", f"{'word ' * 14}word\n  {'word ' * 5}end"),
    ],
)  # fmt: skip
def test_a_text_is_quoted_only_where_it_must_be(vault: MakeVault, content: str, written: str) -> None:
    app = vault({"n.md": "---\nf: x\n---\n"})

    assert patch(app, "n.md", "replace", "frontmatter", "f", content) == f"---\nf: {written}\n---\n"


@pytest.mark.fact("yaml")
@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("a\tb", "a\tb"), ("a \t b\t", "a \t b"), ("\tlate", "late"), ('"q"\t# why', "q"), ("c\t# why", "c"),
        ("[\ta\t,\tb\t]\t", "\n  - a\n  - b"), ("x\t#y", "x"), ("a:\tb", None),
    ],
)  # fmt: skip
def test_a_tab_is_a_blank_except_where_a_line_begins(vault: MakeVault, line: str, written: str | None) -> None:
    app = vault({"n.md": f"---\nt: {line}\nf: x\n---\n"})

    if written is None:
        assert refused(app, "frontmatter", "f", "z").startswith("Error 50000: Internal Server Error\nNested mappings")
        return
    gap = "" if written.startswith("\n") else " "
    assert patch(app, "n.md", "append", "frontmatter", "f", "z") == f"---\nt:{gap}{written}\nf: xz\n---\n"


@pytest.mark.fact("yaml")
def test_a_tab_at_the_head_of_a_line_is_refused(vault: MakeVault) -> None:
    app = vault({"n.md": "---\nm:\n\ta: 1\n---\n# A\n"})

    said = "Tabs are not allowed as indentation at line 2, column 1:\n\nm:\n\ta: 1\n^\n"
    assert refused(app, "heading", "A") == f"Error 50000: Internal Server Error\n{said}"


@pytest.mark.fact("yaml")
def test_a_note_whose_yaml_does_not_parse_cannot_be_patched(vault: MakeVault) -> None:
    app = vault({"n.md": "---\nt: a: b\n---\n# A\n"})

    said = "Nested mappings are not allowed in compact mappings at line 1, column 4:\n\nt: a: b\n   ^\n"
    assert refused(app, "heading", "A") == f"Error 50000: Internal Server Error\n{said}"


UNINDENTED = "Flow sequence in block collection must be sufficiently indented and end with a ]"


# What yaml 2.8.0 says of each.
@pytest.mark.fact("yaml-lines", "yaml-faults")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tags: [a,\nb]", f"{UNINDENTED} at line 2, column 1"),
        ("up: {a: [b}", f"{UNINDENTED} at line 1, column 11"),
        ('t: "a\nb"', 'Missing closing "quote at line 1, column 6'),
        ('t: "a"#b', "Comments must be separated from other tokens by white space characters at line 1, column 7"),
        ("t: 'it's me'", "Unexpected scalar at node end at line 1, column 8"),
        ("t: [[Link]] more", "Unexpected scalar at node end at line 1, column 13"),
        ("t: [a,, b]", "Unexpected , in flow sequence at line 1, column 7"),
        ('t: "C:\\path"', "Invalid escape sequence \\p at line 1, column 7"),
        ("t: > quote", "Not a YAML token: quote at line 1, column 6"),
        ("a:\n  b: 1\n c: 2", "All mapping items must start at the same column at line 3, column 1"),
        ("a:\n- b: 1\n c: 2", "All mapping items must start at the same column at line 3, column 1"),
        ("a: 1\n- b", "Implicit keys need to be on a single line at line 2, column 1"),
        ("a: &x &y 1", "A node can have at most one anchor at line 1, column 7"),
    ],
)
def test_a_fault_of_frontmatter_is_told_where_it_is(vault: MakeVault, text: str, said: str) -> None:
    app = vault({"n.md": f"---\n{text}\n---\n# A\n"})

    assert refused(app, "heading", "A").startswith(f"Error 50000: Internal Server Error\n{said}:\n\n")


@pytest.mark.fact("yaml-faults")
def test_a_pointer_is_as_long_as_what_is_wrong(vault: MakeVault) -> None:
    app = vault({"n.md": "---\nt: [[Link]] more\n---\n# A\n"})

    assert refused(app, "heading", "A").endswith(":\n\nt: [[Link]] more\n            ^^^^\n")


LONG = {
    "blanks": "x" + " " * 20_000 + "y",
    "empty lines": "\n" * 60_000,
    "headings": "# a\n" * 6_000,
    "headings in headings": "".join("#" * (number % 6 + 1) + " a\n" for number in range(6_000)),
    "a list": "- a\n" * 3_000,
    "an item of many lines": "- a\n" + "  b\n" * 5_000,
    "a quote that goes on": "> a\nb\n" * 4_000,
    "code marks": "`" * 20_000 + "x`",
    "blanks before an id": "a" + " " * 20_000 + "^",
}


@pytest.mark.fact("heading")
@pytest.mark.parametrize("kind", list(LONG))
def test_a_long_note_is_read_in_time(vault: MakeVault, kind: str) -> None:
    app = vault({"n.md": LONG[kind]})

    started = time.process_time()

    assert refused(app, "heading", "none").endswith("invalid-target")
    assert time.process_time() - started < 1, "the farm cuts what takes longer than a quarter of a second"


@pytest.mark.fact("heading")
@pytest.mark.parametrize("mark", ["> ", "- ", "> > a\n> b\nc\n"])
def test_lists_and_quotes_in_each_other_are_read_a_hundred_deep(vault: MakeVault, mark: str) -> None:
    app = vault({"deep.md": f"# A\n{mark * 45}x\n", "n.md": f"# A\n{mark * 210}x\n"})

    assert patch(app, "deep.md", "append", "heading", "A", "y").endswith("x\ny")
    assert refused(app, "heading", "A") == "Error 50000: Internal Server Error\nMaximum call stack size exceeded"
