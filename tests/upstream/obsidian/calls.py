"""The calls made to the real mcp-obsidian and to ours, in one session: reading, patching, searching, and what fails."""

from __future__ import annotations

from typing import Any

from tests.upstream.real import call

# Today's note and yesterday's.
DAILY = ("---\nmood: 好\n---\n\n## Log\n\n- up early #day/one\n", "# Before\n")
_PLAN_NOTE = """---
status: open
owner: Ada
priority: 2
tags: [work, plan/b]
due: 2026-03-20
---

# Plan

Why. ^why

## Steps

1. one
2. two ^two

### Later

- [ ] three ^three
  - deep

## Risks

| a | b |
| - | - |
| 1 | 2 |

^risks

```
# no heading
```

^code

## Risks of ours

> said
> twice

^said
"""
_CHEN_NOTE = """---
name: 陈静
tags:
  - people
---
# 陈静

喜欢 🎉 白板。 ^likes

## 1:1

### 甲

a

### 乙

b
"""
NOTES = {
    "Plan.md": _PLAN_NOTE,
    "People/陈静.md": _CHEN_NOTE,
    "Retro.md": "Retro\n=====\n\n## Same\n\n1\n\n## Same\n\n2\n\n"
    "## **Bold** #\n\nsee `## Same`\n\n#### Deep\n\n- x\n\n^end\n",
    "Windows.md": "---\r\nos: w\r\n---\r\n\r\n# A\r\n\r\none\r\ntwo ^two\r\n\r\n## B\r\n\r\nend\r\n",
    "broken.md": "---\nt: [x\nu: 1\n---\n# B\n",
    "C# x.md": "sharp",
    "data.json": "{}",
    "empty.md": "",
}
_PLAN, _CHEN, _RETRO = "Plan.md", "People/陈静.md", "Retro.md"
_PATHS = (
    "C%23 x.md", "/Plan.md", "People//陈静.md", "x/../Plan.md", "../Plan.md", "Plan.md?x", "bad%E4.md", "", "Daily/",
    "Daily", "plan.md",
)  # fmt: skip
_FOLDERS = ("People", "People/", "", "/", "..", "./People", "Nope")
_FIELDS = ("done", "yes", "true", "5", "a: b", "- x", "", 'it\'s "so"', "two\nlines")
_ODD: tuple[Any, ...] = (None, 1, 1.5, True, ["Plan.md"], {"x": 1})


def patch(filepath: str, operation: str, target_type: str, target: str, content: Any) -> tuple[str, Any]:
    """Return a patch; the texts afterwards are compared by the reading calls."""
    how = {"operation": operation, "target_type": target_type, "target": target, "content": content}
    return call("obsidian_patch_content", filepath=filepath, **how)


def read(filepath: str) -> tuple[str, Any]:
    """Return a reading of a file."""
    return call("obsidian_get_file_contents", filepath=filepath)


def rule(query: Any) -> tuple[str, Any]:
    """Return a search by a rule."""
    return call("obsidian_complex_search", query=query)


_READS = [
    call("obsidian_list_files_in_vault"),
    ("obsidian_list_files_in_vault", None),
    *(call("obsidian_list_files_in_dir", dirpath=path) for path in _FOLDERS),
    *(read(path) for path in (*NOTES, *_PATHS)),
    *(call("obsidian_get_frontmatter", filepath=path) for path in (*NOTES, "Daily/", "no.md") if path != "data.json"),
    call("obsidian_batch_get_file_contents", filepaths=["empty.md", "no.md", _CHEN]),
    call("obsidian_batch_get_file_contents", filepaths=[]),
    *(call("obsidian_get_periodic_note", period=each) for each in ("daily", "weekly", "monthly", "yearly")),
    call("obsidian_get_periodic_note", period="daily", type="metadata"),
    call("obsidian_get_recent_periodic_notes", period="daily"),
    call("obsidian_get_recent_periodic_notes", period="daily", limit=2.0),
    *(
        call("obsidian_get_recent_changes", **how)
        for how in ({}, {"limit": 2}, {"days": 2}, {"limit": 3.0}, {"days": 4.0})
    ),
]

_SEARCHES = [
    *(call("obsidian_simple_search", query=each) for each in ("plan", "PLAN why", "🎉", "白板", "absent", "# ", "")),
    *(call("obsidian_simple_search", query="risks", context_length=each) for each in (0, 5, -2, 3.0, 10**6)),
    rule({"glob": ["*.md", {"var": "path"}]}),
    rule({"glob": ["*/陈?.md", {"var": "path"}]}),
    rule({"regexp": ["^#{1,2} \\w+$|(?<y>🎉).*\\k<y>?", {"var": "content"}]}),
    rule({"regexp": ["[[]", {"var": "content"}]}),
    rule({"regexp": ["(?<!x)#\\s", {"var": "content"}]}),
    *(
        rule({"regexp": [each, {"var": "content"}]})
        for each in ("(?i)a", "[a", "(a", "a)", "*", "a{2,1}", "\\", "[z-a]")
    ),
    rule({"var": "frontmatter"}),
    rule({"var": ["tags.1", "none"]}),
    rule(
        {
            "and": [
                {"<": [1, {"var": "frontmatter.priority"}, 3]},
                {"missing": ["frontmatter.owner", "frontmatter.boss"]},
            ]
        }
    ),
    rule({"map": [{"var": "tags"}, {"cat": [{"var": ""}, "!"]}]}),
    rule({"reduce": [[1, "2", 3], {"+": [{"var": "current"}, {"var": "accumulator"}]}, 0]}),
    rule({"if": [{"in": ["plan/b", {"var": "tags"}]}, {"var": "stat.size"}, False]}),
    rule({"/": [1, 0]}),
    rule({"missing_some": [1]}),
    rule({"nope": []}),
    rule({"a": 1, "b": 2}),
    rule({}),
    *(call("obsidian_search_by_tag", tag=each) for each in ("work", "people", "day/one", "day", "#work", "")),
    call("obsidian_search_by_tag", tag="people", dirpath="People//"),
]

_PATCHES = [
    patch(_PLAN, "append", "heading", "Plan::Steps", "3. three\n"),
    patch(_PLAN, "prepend", "heading", "steps", "0. zero\n"),
    patch(_PLAN, "replace", "heading", "Plan::Steps::Later", "\nnothing\n"),
    read(_PLAN),
    patch(_PLAN, "append", "block", "why", " Because."),
    patch(_PLAN, "replace", "block", "two", "2. TWO"),
    patch(_PLAN, "append", "block", "risks", "| 3 | 4 |\n"),
    patch(_PLAN, "append", "block", "code", "x"),
    patch(_PLAN, "prepend", "block", "said", "X"),
    patch(_PLAN, "append", "block", "three", "x"),
    read(_PLAN),
    *(patch(_PLAN, "replace", "frontmatter", "status", each) for each in _FIELDS),
    read(_PLAN),
    patch(_PLAN, "append", "frontmatter", "owner", " & Bo"),
    patch(_PLAN, "prepend", "frontmatter", "owner", "word " * 20),
    patch(_PLAN, "append", "frontmatter", "tags", "x"),
    patch(_PLAN, "prepend", "frontmatter", "priority", "x"),
    patch(_PLAN, "append", "frontmatter", "absent", "x"),
    read(_PLAN),
    patch(_PLAN, "append", "heading", "Plan::steps", "x"),
    patch(_PLAN, "append", "heading", "Plan::Risks", "| 1 | 2 |"),
    patch(_PLAN, "append", "heading", "Plan", ""),
    patch(_RETRO, "append", "heading", "Same", "x"),
    patch(_RETRO, "append", "heading", "Retro::Same", "3\n"),
    patch(_RETRO, "prepend", "heading", "Retro::**Bold**::Deep", "d\n"),
    patch(_RETRO, "append", "heading", "**bold**", "b\n"),
    patch(_RETRO, "append", "block", "end", "!"),
    patch(_RETRO, "prepend", "heading", "", "top\n"),
    read(_RETRO),
    patch(_CHEN, "append", "block", "likes", " 🎉"),
    patch(_CHEN, "append", "heading", "陈静::1:1::甲", "- 二\n"),
    patch(_CHEN, "replace", "frontmatter", "name", "陈静: Jing"),
    read(_CHEN),
    patch("Windows.md", "append", "heading", "A", "x\r\n"),
    patch("Windows.md", "append", "block", "two", "x"),
    patch("Windows.md", "replace", "frontmatter", "os", "linux"),
    read("Windows.md"),
    patch("broken.md", "append", "heading", "B", "x"),
    patch("no.md", "append", "heading", "B", "x"),
    patch("People/", "append", "heading", "B", "x"),
    patch("data.json", "append", "heading", "B", "x"),
]

_WRITES = [
    call("obsidian_append_content", filepath="empty.md", content="x"),
    call("obsidian_append_content", filepath="empty.md", content="y\n"),
    call("obsidian_append_content", filepath=".hidden/a.md", content="one\n"),
    call("obsidian_append_content", filepath=".hidden/a.md", content="two\n"),
    call("obsidian_append_content", filepath="Daily/", content="x"),
    call("obsidian_put_content", filepath="New/深/n.md", content="---\ntags: [work]\n---\n#新\n"),
    call("obsidian_put_content", filepath="Q&A what?.md", content="\ufeffx"),
    call("obsidian_put_content", filepath="", content="x"),
    *(read(path) for path in ("empty.md", ".hidden/a.md", "New/深/n.md", "Q&A what")),
    call("obsidian_search_by_tag", tag="work"),
    call("obsidian_list_files_in_vault"),
    call("obsidian_delete_file", filepath="New/深/n.md", confirm=False),
    call("obsidian_delete_file", filepath="New/深/n.md", confirm=True),
    call("obsidian_delete_file", filepath="New/深/n.md", confirm=True),
    call("obsidian_delete_file", filepath="New/", confirm=True),
    call("obsidian_list_files_in_dir", dirpath="New"),
    call("obsidian_get_recent_changes", limit=3),
]

_ARGUMENTS = [
    *(call("obsidian_get_file_contents", filepath=odd) for odd in _ODD),
    call("obsidian_get_file_contents"),
    call("obsidian_get_file_contents", path="x"),
    *(call("obsidian_batch_get_file_contents", filepaths=odd) for odd in (*_ODD[:4], "x", [1, None], [["a"]], {})),
    *(call("obsidian_simple_search", query="x", context_length=odd) for odd in (*_ODD, "5", 1e308)),
    *(call("obsidian_delete_file", filepath="x", confirm=odd) for odd in (*_ODD[:3], 0, "true")),
    *(call("obsidian_complex_search", query=odd) for odd in (*_ODD[:5], "x")),
    *(call("obsidian_get_periodic_note", period=odd) for odd in (*_ODD, "", "Daily")),
    call("obsidian_get_periodic_note", period="daily", type=None),
    *(call("obsidian_get_recent_changes", limit=odd) for odd in (0, 101, -1, "5", None, 1e3, 0.5)),
    *(call("obsidian_get_recent_changes", days=odd) for odd in (0, 0.0, 1.5, True)),
    *(call("obsidian_get_recent_periodic_notes", period="daily", limit=odd) for odd in (0, 51, "x")),
    call("obsidian_get_recent_periodic_notes", period="daily", include_content=1),
    call("obsidian_patch_content"),
    patch("x", "insert", "line", "y", None),
    patch("x", "append", "heading", "y", 5),
    call("obsidian_search_by_tag", tag="x", dirpath=None),
    call("obsidian_list_files_in_dir", dirpath=""),
    call("obsidian_read_note", filepath="x"),
    call(""),
]

CALLS = [*_READS, *_SEARCHES, *_PATCHES, *_WRITES, *_ARGUMENTS]
