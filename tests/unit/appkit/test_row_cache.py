"""The memoised row: shown as the dictionary it stands for, wherever a body holds it, and bounded."""

from __future__ import annotations

import gc
import json
import tracemalloc
from typing import Any

import orjson
import pytest

from farm.appkit import row_cache
from farm.appkit.envelope import Envelope, GoJson, compact_json
from farm.appkit.handler_api import Row
from farm.appkit.row_cache import CachedRow, PrintedRow, embed, memoised_row, unprinted

go_json = GoJson().text
render_compact = Envelope().compile().success
render_go = Envelope(json=GoJson()).compile().success

ROWS: tuple[Row, ...] = (
    {},
    {"id": "C1", "count": 3, "share": 0.5, "is_open": True, "topic": None},
    {"quotes": 'she said "no"', "path": "C:\\temp", "percent": "100 % of %b and %%"},
    {"lines": "a\nb\r\n\tc", "control": "\x00\x01\x1f"},
    {"chinese": "第二批周四下线", "emoji": "🙂", "separators": "\u2028\u2029"},
    {"markup": "<b>&amp;</b>", 'key "with" <quotes>': {"nested": ["\\n", [], {}, [{"deep": "<"}]]}},
)


def _shown(row: Row, /, **more: Any) -> dict[str, Any]:
    return {"row": row, **more}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_rendered_as_the_dictionary_it_stands_for(row: Row) -> None:
    shown = memoised_row()(_shown)

    for _ in range(2):  # the second comes from memory
        assert render_compact({"100 %b": [shown(row), "%", shown(row)]}) == render_compact(
            {"100 %b": [_shown(row), "%", _shown(row)]}
        )
        assert compact_json([shown(row)]) == compact_json([_shown(row)])


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_a_row_stands_at_its_depth_in_an_indented_body_as_go_prints_it(row: Row, depth: int) -> None:
    shown = memoised_row(depth=depth)(_shown)

    def body(item: Any) -> Any:
        for _ in range(depth):
            item = [item]
        return item

    for _ in range(2):
        assert render_go(body(shown(row))) == render_go(body(_shown(row)))
        assert go_json(body(shown(row))) == go_json(body(_shown(row)))


@pytest.mark.parametrize("row", ROWS)
def test_a_row_beside_the_text_is_the_dictionary_too(row: Row) -> None:
    shown = memoised_row(depth=2)(_shown)(row)

    assert orjson.loads(orjson.dumps({"structuredContent": shown}, embed)) == {"structuredContent": _shown(row)}
    assert json.loads(json.dumps([shown], default=unprinted)) == [_shown(row)]


def test_a_row_escaped_for_one_reader_is_escaped_anew_for_another() -> None:
    shown = memoised_row()(_shown)({"markup": "<b>"})

    assert b"<b>" in render_compact({"a": shown})
    assert b"u003cb" in render_go({"a": shown})
    assert b"<b>" in render_compact({"a": shown})


def test_values_that_are_equal_but_print_differently_are_kept_apart() -> None:
    shown = memoised_row()(_shown)
    values: tuple[Any, ...] = (1, True, 1.0, "1", None, "null", 0, False, 0.0, -0.0, "", [], {})

    for value in values * 2:
        assert compact_json(shown({"value": value})) == compact_json(_shown({"value": value}))
        assert compact_json(shown({"value": 1}, more=value)) == compact_json(_shown({"value": 1}, more=value))


def test_a_row_is_kept_by_the_names_of_its_columns_and_by_everything_else_that_is_given() -> None:
    made: list[Any] = []

    @memoised_row()
    def shown(row: Row, suffix: str, *, at: int = 0) -> dict[str, Any]:
        made.append((row, suffix, at))
        return {"text": f"{sorted(row)}{suffix}{at}"}

    calls = [(({"a": 1}, "x"), 0), (({"b": 1}, "x"), 0), (({"a": 1}, "y"), 0), (({"a": 1}, "x"), 7)]
    first = [compact_json(shown(*given, at=at)) for given, at in calls]
    again = [compact_json(shown(*given, at=at)) for given, at in calls]

    assert len(set(first)) == len(made) == len(calls)
    assert again == first


def test_a_row_that_is_changed_afterwards_does_not_change_what_is_kept() -> None:
    shown = memoised_row()(_shown)
    row = {"tags": ["a"]}
    shown(row)
    row["tags"].append("b")

    assert compact_json(shown({"tags": ["a"]})) == '{"row":{"tags":["a"]}}'
    assert compact_json(shown(row)) == '{"row":{"tags":["a","b"]}}'


@pytest.mark.parametrize("value", ["\ud83d", 2**70])
def test_what_cannot_be_printed_comes_back_as_the_dictionary(value: Any) -> None:
    shown = memoised_row(depth=1)(_shown)
    made = memoised_row(depth=1)(lambda row: {"from a small row": value})

    assert shown({"value": value}) == _shown({"value": value})
    assert made({}) == {"from a small row": value}
    # Beside it, in the same body, a row that is kept.
    assert json.loads(json.loads(render_compact([made({}), shown({"a": 1})]))["content"][0]["text"]) == [
        made({}),
        _shown({"a": 1}),
    ]
    assert json.loads(json.loads(render_go([made({}), shown({"a": 1})]))["content"][0]["text"]) == [
        made({}),
        _shown({"a": 1}),
    ]


def _memory(shown: Any) -> row_cache.Memory:
    found: row_cache.Memory = shown.memory
    return found


def test_the_memory_is_bounded_in_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROWS_MAX", 10)
    shown = memoised_row()(_shown)

    for number in range(25):
        shown({"number": number})
        held = _memory(shown)
        assert len(held.rows) + len(held.older) <= 10


def test_a_row_that_is_asked_for_again_and_again_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROWS_MAX", 10)
    made: list[int] = []

    @memoised_row()
    def shown(row: Row) -> dict[str, Any]:
        made.append(row["number"])
        return row

    for number in range(1, 100):
        shown({"number": number})
        shown({"number": 0})

    assert made.count(0) == 1
    shown({"number": 1})
    assert made.count(1) == 2


def test_the_memory_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 5000)
    shown = memoised_row()(_shown)

    for number in range(50):
        shown({"text": f"{number:0100}"})
        held = _memory(shown)
        assert _held_bytes(held) <= 5000
        assert held.size_bytes <= 2500


@pytest.mark.parametrize("size", [1, 100, 1000, 5000])
@pytest.mark.parametrize("text", ["x", '"', "第"])
def test_what_the_memory_takes_is_what_it_counts(monkeypatch: pytest.MonkeyPatch, size: int, text: str) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 400_000)
    shown = memoised_row()(_shown)
    render_go([shown({"text": text})])  # what is made once for all
    gc.collect()

    tracemalloc.start()
    try:
        for number in range(1000):
            item = shown({"number": number, "text": text * size})
            render_go([item])
        del item
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    held = _memory(shown)
    # Rows are counted with room for their longest escaped form, so the count may be more, but hardly less.
    assert len(held.rows) + len(held.older) > 3
    assert taken <= 1.1 * 400_000


@pytest.mark.parametrize("text", ["x", '"', "\\", "<", "\x01", "<b>bold</b> and so on", "第二批"])
def test_what_is_held_escaped_is_counted_too(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 8000)
    shown = memoised_row()(_shown)

    for number in range(40):
        item = shown({"text": text * 30, "number": number})
        for render in (render_compact, render_go):
            render([item])
            render([item])  # as it is kept
            held = _memory(shown)
            assert _held_bytes(held) <= 8000
            assert held.size_bytes <= 4000


def _held_bytes(memory: row_cache.Memory) -> int:
    held = [*memory.rows.items(), *memory.older.items()]
    return sum(len(key) + len(row.text) + len(row._quoted) for key, row in held)


def test_a_large_row_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROW_BYTES_MAX", 2000)
    shown = memoised_row()(_shown)
    large: CachedRow = shown({"text": "x" * 500})

    assert isinstance(large, PrintedRow)
    assert not _memory(shown).rows
    assert shown({"text": "x"}) is shown({"text": "x"})


def test_a_body_with_something_else_that_is_no_json_is_refused() -> None:
    for render in (render_compact, render_go, compact_json, go_json):
        with pytest.raises(TypeError):
            render([memoised_row()(_shown)({}), object()])
