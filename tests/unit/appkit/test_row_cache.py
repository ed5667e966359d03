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


def _row_body(row: Row, /, **more: Any) -> dict[str, Any]:
    return {"row": row, **more}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_rendered_as_the_dictionary_it_stands_for(row: Row) -> None:
    cached = memoised_row()(_row_body)

    for _ in range(2):  # the second comes from memory
        assert render_compact({"100 %b": [cached(row), "%", cached(row)]}) == render_compact(
            {"100 %b": [_row_body(row), "%", _row_body(row)]}
        )
        assert compact_json([cached(row)]) == compact_json([_row_body(row)])


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_a_row_stands_at_its_depth_in_an_indented_body_as_go_prints_it(row: Row, depth: int) -> None:
    cached = memoised_row(depth=depth)(_row_body)

    def body(item: Any) -> Any:
        for _ in range(depth):
            item = [item]
        return item

    for _ in range(2):
        assert render_go(body(cached(row))) == render_go(body(_row_body(row)))
        assert go_json(body(cached(row))) == go_json(body(_row_body(row)))


@pytest.mark.parametrize("row", ROWS)
def test_a_row_beside_the_text_is_the_dictionary_too(row: Row) -> None:
    cached = memoised_row(depth=2)(_row_body)(row)

    assert orjson.loads(orjson.dumps({"structuredContent": cached}, embed)) == {"structuredContent": _row_body(row)}
    assert json.loads(json.dumps([cached], default=unprinted)) == [_row_body(row)]


def test_a_row_escaped_for_one_reader_is_escaped_anew_for_another() -> None:
    cached = memoised_row()(_row_body)({"markup": "<b>"})

    assert b"<b>" in render_compact({"a": cached})
    assert b"u003cb" in render_go({"a": cached})
    assert b"<b>" in render_compact({"a": cached})


def test_values_that_are_equal_but_print_differently_are_kept_apart() -> None:
    cached = memoised_row()(_row_body)
    values: tuple[Any, ...] = (1, True, 1.0, "1", None, "null", 0, False, 0.0, -0.0, "", [], {})

    for value in values * 2:
        assert compact_json(cached({"value": value})) == compact_json(_row_body({"value": value}))
        assert compact_json(cached({"value": 1}, more=value)) == compact_json(_row_body({"value": 1}, more=value))


def test_a_row_is_kept_by_the_names_of_its_columns_and_by_everything_else_that_is_given() -> None:
    made: list[Any] = []

    @memoised_row()
    def cached(row: Row, suffix: str, *, at: int = 0) -> dict[str, Any]:
        made.append((row, suffix, at))
        return {"text": f"{sorted(row)}{suffix}{at}"}

    calls = [(({"a": 1}, "x"), 0), (({"b": 1}, "x"), 0), (({"a": 1}, "y"), 0), (({"a": 1}, "x"), 7)]
    first = [compact_json(cached(*given, at=at)) for given, at in calls]
    again = [compact_json(cached(*given, at=at)) for given, at in calls]

    assert len(set(first)) == len(made) == len(calls)
    assert again == first


def test_a_row_that_is_changed_afterwards_does_not_change_what_is_kept() -> None:
    cached = memoised_row()(_row_body)
    row = {"tags": ["a"]}
    cached(row)
    row["tags"].append("b")

    assert compact_json(cached({"tags": ["a"]})) == '{"row":{"tags":["a"]}}'
    assert compact_json(cached(row)) == '{"row":{"tags":["a","b"]}}'


@pytest.mark.parametrize("value", ["\ud83d", 2**70])
def test_what_cannot_be_printed_comes_back_as_the_dictionary(value: Any) -> None:
    cached = memoised_row(depth=1)(_row_body)
    made = memoised_row(depth=1)(lambda row: {"from a small row": value})

    assert cached({"value": value}) == _row_body({"value": value})
    assert made({}) == {"from a small row": value}
    # Beside it, in the same body, a row that is kept.
    assert json.loads(json.loads(render_compact([made({}), cached({"a": 1})]))["content"][0]["text"]) == [
        made({}),
        _row_body({"a": 1}),
    ]
    assert json.loads(json.loads(render_go([made({}), cached({"a": 1})]))["content"][0]["text"]) == [
        made({}),
        _row_body({"a": 1}),
    ]


def _memory(cached: Any) -> row_cache.Memory:
    found: row_cache.Memory = cached.memory
    return found


def test_the_memory_is_bounded_in_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROWS_MAX", 10)
    cached = memoised_row()(_row_body)

    for number in range(25):
        cached({"number": number})
        held = _memory(cached)
        assert len(held.rows) + len(held.older) <= 10


def test_a_row_that_is_asked_for_again_and_again_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROWS_MAX", 10)
    made: list[int] = []

    @memoised_row()
    def cached(row: Row) -> dict[str, Any]:
        made.append(row["number"])
        return row

    for number in range(1, 100):
        cached({"number": number})
        cached({"number": 0})

    assert made.count(0) == 1
    cached({"number": 1})
    assert made.count(1) == 2


def test_the_memory_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 5000)
    cached = memoised_row()(_row_body)

    for number in range(50):
        cached({"text": f"{number:0100}"})
        held = _memory(cached)
        assert _held_bytes(held) <= 5000
        assert held.size_bytes <= 2500


@pytest.mark.parametrize("size", [1, 100, 1000, 5000])
@pytest.mark.parametrize("text", ["x", '"', "第"])
def test_what_the_memory_takes_is_what_it_counts(monkeypatch: pytest.MonkeyPatch, size: int, text: str) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 400_000)
    cached = memoised_row()(_row_body)
    render_go([cached({"text": text})])  # what is made once for all
    gc.collect()

    tracemalloc.start()
    try:
        for number in range(min(1000, 2_000_000 // size)):  # several times as much as is kept
            item = cached({"number": number, "text": text * size})
            render_go([item])
        del item
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    held = _memory(cached)
    # Rows are counted with room for their longest escaped form, so the count may be more, but hardly less.
    assert len(held.rows) + len(held.older) > 3
    assert taken <= 1.1 * 400_000


@pytest.mark.parametrize("text", ["x", '"', "\\", "<", "\x01", "<b>bold</b> and so on", "第二批"])
def test_what_is_held_escaped_is_counted_too(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(row_cache, "BYTES_MAX", 8000)
    cached = memoised_row()(_row_body)

    for number in range(40):
        item = cached({"text": text * 30, "number": number})
        for render in (render_compact, render_go):
            render([item])
            render([item])  # as it is kept
            held = _memory(cached)
            assert _held_bytes(held) <= 8000
            assert held.size_bytes <= 4000


def _held_bytes(memory: row_cache.Memory) -> int:
    held = [*memory.rows.items(), *memory.older.items()]
    return sum(len(key) + len(row.text) + len(row._quoted) for key, row in held)


def test_a_large_row_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "ROW_BYTES_MAX", 2000)
    cached = memoised_row()(_row_body)
    large: CachedRow = cached({"text": "x" * 500})

    assert isinstance(large, PrintedRow)
    assert not _memory(cached).rows
    assert cached({"text": "x"}) is cached({"text": "x"})


def test_a_body_with_something_else_that_is_no_json_is_refused() -> None:
    for render in (render_compact, render_go, compact_json, go_json):
        with pytest.raises(TypeError):
            render([memoised_row()(_row_body)({}), object()])
