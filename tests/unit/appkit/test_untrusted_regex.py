"""What callers send and Python would keep."""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit.formats.untrusted_regex import compile_sent, split_sent

Start = Callable[..., Any]
LONG = 10_000
# App, tool, and arguments with a long text that Python has to compile or take apart.
KEEPING: dict[str, tuple[str, str, Callable[[str], dict[str, Any]]]] = {
    "reddit's searches": ("reddit", "REDDIT_SEARCH_ACROSS_SUBREDDITS", lambda text: {"search_query": text}),
    "tushare's searches": ("tushare", "search_stocks", lambda text: {"keyword": text}),
    "obsidian's patterns": (
        "obsidian",
        "obsidian_complex_search",
        lambda text: {"query": {"regexp": [text, {"var": "path"}]}},
    ),
    "pollinations' addresses": (
        "pollinations",
        "editImage",
        lambda text: {"prompt": "a lamp", "imageUrl": f"https://{text}", "width": 16, "height": 16},
    ),
}


@pytest.mark.parametrize("keeping", KEEPING)
def test_of_long_texts_python_keeps_nothing(start: Start, keeping: str) -> None:
    name, tool, arguments = KEEPING[keeping]
    app = start(name, world="mini")
    app.outcome(tool, arguments("a" * LONG))
    tracemalloc.start()
    try:
        for number in range(8):
            app.outcome(tool, arguments(f"a{number}{'a' * LONG}"))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 4 * LONG


def test_a_pattern_that_was_sent_is_compiled_or_refused_as_python_does_it() -> None:
    assert compile_sent("a+", re.IGNORECASE).fullmatch("AA")
    with pytest.raises(re.error, match="missing"):
        compile_sent("(" * 300)


def test_an_address_that_was_sent_is_taken_apart_or_refused_as_python_does_it() -> None:
    assert split_sent("https://example.org/a").hostname == "example.org"
    with pytest.raises(ValueError, match="IPv6"):
        split_sent("http://[" + "a" * 300)
