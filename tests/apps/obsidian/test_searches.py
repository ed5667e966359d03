"""Searches by words, by JsonLogic and by tag, and a note's frontmatter."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from farm.errors import FarmError
from tests.apps.obsidian.conftest import NOW_MS, MakeVault, refusal

FAILED = "Error 40070: The query you provided could not be processed.\n"
VAULT = {
    "A/one.md": "---\ntags: [work, 读书]\nstatus: open\nn: 3\n---\n# One\nText #idea/new and `#code` #12\n",
    "B/two.md": "---\ntags: work, play\n---\nSee ```x``` #work，后面 and #Work\n```\n#fenced\n```\n",
    "three.txt": "#work text",
    "four.md": "",
}


def places(found: Any) -> list[Any]:
    return [
        (note["filename"], [(match["match_position"]["start"], match["context"]) for match in note["matches"]])
        for note in found
    ]


@pytest.mark.fact("words")
def test_every_word_must_stand_in_a_note(vault: MakeVault) -> None:
    app = vault({"a.md": "Launch 🎉 launch date", "b.md": "date only", "c.txt": "launch date"})

    found = app.call("obsidian_simple_search", query="LAUNCH date", context_length=3)

    # The party is two code units, of which a slice may take one.
    assert places(found) == [("a.md", [(0, "Launch 🎉"), (10, "🎉 launch da"), (17, "ch date")])]
    half = app.result("obsidian_simple_search", query="launch", context_length=2)["content"][0]["text"]
    assert '"context": "Launch \\ud83c"' in half
    assert app.call("obsidian_simple_search", query="absent") == []
    assert app.call("obsidian_simple_search", query="") == []


@pytest.mark.fact("words")
def test_small_and_capital_letters_are_one_in_query_and_text(vault: MakeVault) -> None:
    app = vault({"a.md": "İSTANBUL Straße"})

    for query in ("İSTANBUL", "İstanbul", "STRAßE"):
        assert len(app.call("obsidian_simple_search", query=query)) == 1


@pytest.mark.fact("words")
def test_the_context_is_a_slice(vault: MakeVault) -> None:
    app = vault({"a.md": "one two three"})

    found = [app.call("obsidian_simple_search", query="two", context_length=length) for length in (0, 3.0, -1, 10**9)]

    assert [places(each)[0][1] for each in found] == [
        [(4, "two")],
        [(4, "ne two th")],
        [(4, "w")],
        [(4, "one two three")],
    ]


@pytest.mark.fact("logic")
@pytest.mark.parametrize(
    ("rule", "results"),
    [
        ({"==": [{"var": "frontmatter.status"}, "open"]}, [True]),
        ({"var": "frontmatter.n"}, [3]),
        ({"==": [{"var": "frontmatter.n"}, "3"]}, [True]),
        ({"and": [{"var": "frontmatter.n"}, {"missing": ["frontmatter.x", "path"]}]}, [["frontmatter.x"]]),
        ({"cat": ["n", {"var": "frontmatter.n"}]}, ["n3", "n", "n"]),
        ({"var": "tags.0"}, ["work", "work，后面"]),
        ({"substr": [{"var": "path"}, -6, -3]}, ["one", "two", "our"]),
        ({"if": [{"<": [2, {"var": "frontmatter.n"}]}, {"+": [1, "2x"]}, 0]}, [3]),
        ({}, []),
        ({"var": "content", "or": 1}, [{"var": "content", "or": 1}] * 3),
    ],
)
def test_a_rule_s_value_is_shown_where_it_says_something(vault: MakeVault, rule: Any, results: list[Any]) -> None:
    app = vault(VAULT)

    assert [each["result"] for each in app.call("obsidian_complex_search", query=rule)] == results


@pytest.mark.fact("logic")
def test_a_note_is_path_content_frontmatter_tags_and_stat(vault: MakeVault) -> None:
    app = vault({"a.md": "---\nk: 1\n---\n#t 一"})

    (found,) = app.call("obsidian_complex_search", query={"var": ""})

    stat = {"ctime": NOW_MS - 86_400_000, "mtime": NOW_MS - 86_400_000, "size": 19}
    shown = {"tags": ["t"], "frontmatter": {"k": 1}, "stat": stat, "path": "a.md", "content": "---\nk: 1\n---\n#t 一"}
    assert found == {"filename": "a.md", "result": shown}


@pytest.mark.fact("logic")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"nope": 1}, "Unrecognized operation nope"),
        ({"regexp": ["(?i)a", {"var": "path"}]}, "Invalid regular expression: /(?i)a/: Invalid group"),
        ({"regexp": ["a)", {"var": "path"}]}, "Invalid regular expression: /a)/: Unmatched ')'"),
        ({"regexp": ["*", {"var": "path"}]}, "Invalid regular expression: /*/: Nothing to repeat"),
        ({"missing_some": [1]}, "Cannot read properties of undefined (reading 'length')"),
    ],
)
def test_what_cannot_be_worked_out_names_the_first_note(vault: MakeVault, rule: Any, said: str) -> None:
    app = vault(VAULT)

    assert refusal(app, "obsidian_complex_search", query=rule) == f"{FAILED}{said} (while processing A/one.md)"


@pytest.mark.fact("patterns")
@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ({"glob": ["*", {"var": "path"}]}, 3),
        ({"glob": ["A/*", {"var": "path"}]}, 1),
        ({"glob": ["*/?ne.md", {"var": "path"}]}, 0),
        ({"glob": ["*.{md}", {"var": "path"}]}, 0),
        ({"regexp": ["^#", {"var": "content"}]}, 0),
        ({"regexp": ["\\bn: [3-5]", {"var": "content"}]}, 1),
        ({"regexp": ["(?<a>e)\\k<a>", {"var": "content"}]}, 1),
        ({"regexp": ["[^]*fenced", {"var": "content"}]}, 1),
        ({"regexp": [".", 5]}, 0),
    ],
)
def test_patterns_are_javascript_s(vault: MakeVault, rule: Any, count: int) -> None:
    assert len(vault(VAULT).call("obsidian_complex_search", query=rule)) == count


@pytest.mark.fact("tags")
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"tag": "work"}, ["A/one.md"]),
        ({"tag": "读书"}, ["A/one.md"]),
        ({"tag": "idea/new"}, ["A/one.md"]),
        ({"tag": "Work"}, ["B/two.md"]),
        ({"tag": "Work", "dirpath": "B//"}, ["B/two.md"]),
        ({"tag": "Work", "dirpath": ""}, ["B/two.md"]),
        ({"tag": "work", "dirpath": "B"}, []),
        *(({"tag": tag}, []) for tag in ("idea", "#work", "code", "fenced", "12", "play", "")),
    ],
)
def test_a_tag_is_found_exactly(vault: MakeVault, arguments: Any, found: list[str]) -> None:
    assert vault(VAULT).call("obsidian_search_by_tag", **arguments) == found


@pytest.mark.fact("frontmatter")
def test_frontmatter_is_parsed_or_empty(vault: MakeVault) -> None:
    app = vault({**VAULT, "bad.md": "---\nt: [x\n---\n", "A/one.json": "{}"})

    asked = {
        path: app.call("obsidian_get_frontmatter", filepath=path) for path in ("A/one.md", "bad.md", "four.md", "A/")
    }

    assert asked["A/one.md"] == {"tags": ["work", "读书"], "status": "open", "n": 3}
    assert [asked["bad.md"], asked["four.md"], asked["A/"]] == [{}, {}, {}]
    assert refusal(app, "obsidian_get_frontmatter", filepath="no.md") == "Error 40400: Not Found"
    assert "Read timed out" in refusal(app, "obsidian_get_frontmatter", filepath="A/one.json")


@pytest.mark.fact("yaml-tags", "yaml-keys")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 1", "1"),
        ('!!int "3"', 3),
        ("!!float 1", "1"),
        ("!!float 1.5", 1.5),
        ("!!bool yes", "yes"),
        ("!important", ""),
        ("!mine 1", "1"),
        ("{{date}}", {"{ date }": None}),
        ("{[a, b]: c, {d: 1}: e}", {"[ a, b ]": "c", "{ d: 1 }": "e"}),
        ("&x 1 # and again\nx: &x 2\ny: *x", 1),
    ],
)
def test_tags_and_keys_of_frontmatter_mean_what_the_library_makes_of_them(
    vault: MakeVault, text: str, value: Any
) -> None:
    app = vault({"n.md": f"---\nk: {text}\n---\n"})

    assert app.call("obsidian_get_frontmatter", filepath="n.md")["k"] == value


@pytest.mark.fact("yaml")
def test_values_are_those_of_yaml_1_2(vault: MakeVault) -> None:
    written = "a: 1.0\nb: 0x1F\nc: yes\nd: 2026-01-02\ne: 12:30\nf: .inf\ng: ~\nh: 'it''s'\n2: two\nj: |\n  x\n  y"
    app = vault({"n.md": f"---\n{written}\n---\n"})

    found = app.call("obsidian_get_frontmatter", filepath="n.md")

    assert list(found) == ["2", "a", "b", "c", "d", "e", "f", "g", "h", "j"]
    assert list(found.values()) == ["two", 1, 31, "yes", "2026-01-02", "12:30", None, None, "it's", "x\ny\n"]


@pytest.mark.fact("logic")
@pytest.mark.parametrize(("number", "shown"), [(10**400, None), (2**53 + 1, 2**53), (10**22, 10**22), (-0.5, -0.5)])
def test_a_number_is_what_javascript_has_for_it(vault: MakeVault, number: Any, shown: Any) -> None:
    found = vault({"a.md": ""}).call("obsidian_complex_search", query={"merge": [number]})

    assert found == [{"filename": "a.md", "result": [shown]}]


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.fact("logic")
def test_a_rule_or_result_nested_without_end_is_refused(vault: MakeVault) -> None:
    app = vault({"a.md": "text"})
    grown = {"reduce": [list(range(600)), [{"var": "accumulator"}], "x"]}

    assert refusal(app, "obsidian_complex_search", query={"!": nested(400)}) == (
        f"{FAILED}Maximum call stack size exceeded (while processing a.md)"
    )
    assert refusal(app, "obsidian_complex_search", query=grown).startswith("maximum recursion depth exceeded")
    assert app.call("obsidian_complex_search", query={"!!": nested(250)}) == [{"filename": "a.md", "result": True}]


@pytest.mark.fact("logic")
@pytest.mark.parametrize(
    "made",
    [
        {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]},
        {"merge": [{"var": "accumulator"}, {"var": "accumulator"}]},
        {"cat": [[{"var": "accumulator"}, {"var": "accumulator"}]]},
    ],
)
def test_a_query_takes_no_more_room_than_there_is(vault: MakeVault, made: Any) -> None:
    app = vault({"a.md": "text"})
    query = {"substr": [{"reduce": [list(range(40)), made, "xxxxxxxxxxxxxxxx"]}, 0, 3]}

    tracemalloc.start()
    try:
        refused = refusal(app, "obsidian_complex_search", query=query)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert refused == f"{FAILED}Invalid string length (while processing a.md)"
    assert peak < 300_000_000


@pytest.mark.fact("logic", "patterns")
@pytest.mark.parametrize(
    ("rule", "results"),
    [
        ({"var": ["content." + "1" * 5_000, "none"]}, ["none"]),
        ({"regexp": ["^a{1," + "9" * 5_000 + "}$", "aaa"]}, [True]),
        ({"regexp": ["^a{0003}$", "aaa"]}, [True]),
        ({"regexp": ["^(a)\\" + "1" * 5_000 + "$", "aaa"]}, []),
    ],
)
def test_a_number_may_have_any_length(vault: MakeVault, rule: Any, results: list[Any]) -> None:
    found = vault({"a.md": "text"}).call("obsidian_complex_search", query=rule)

    assert [each["result"] for each in found] == results


@pytest.mark.fact("patterns")
def test_a_pattern_of_groups_in_groups_is_refused_alike_from_wherever_it_is_asked(vault: MakeVault) -> None:
    app = vault({"a.md": "text"})

    said = refusal(app, "obsidian_complex_search", query={"regexp": ["(" * 60 + ")" * 60, "a"]})

    assert "groups nested that deep" in said


@pytest.mark.fact("words")
def test_a_letter_found_everywhere_takes_no_memory_without_end(vault: MakeVault) -> None:
    app = vault({"a.md": "a" * 60_000})

    tracemalloc.start()
    try:
        # Eight megabytes are the farm's most, and come several times on the way to an agent.
        with pytest.raises(FarmError, match="more than 8 MiB"):
            app.call("obsidian_simple_search", query="a", context_length=100_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 200_000_000


@pytest.mark.fact("yaml")
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("n: " + "9" * 5_000, {"n": None}),
        ("n: -" + "0" * 5_000 + "7", {"n": -7}),
        ("n: " + "[" * 120 + "]" * 120, {}),
        ("\n".join(f"k{n}: &a{n} [*a{n - 1}]" if n else "k0: &a0 x" for n in range(120)), {}),
    ],
)
def test_frontmatter_may_be_anything(vault: MakeVault, written: str, shown: Any) -> None:
    app = vault({"n.md": f"---\n{written}\n---\n"})

    assert app.call("obsidian_get_frontmatter", filepath="n.md") == shown
