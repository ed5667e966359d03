"""The core takes apps and worlds as they come: no code of the farm or the gateway names one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from farm import content

pytestmark = pytest.mark.xdist_group("names")  # the files are read once for both

ROOT = Path(__file__).resolve().parents[2]

# File → why it may name apps or worlds.
ALLOWED = {
    "farm/appkit/column_vocabulary.py": "formats of texts, some of which are one vendor's",
    "farm/appkit/formats/visible/__init__.py": "the same formats",
    "farm/benchmark/audit/attacks/hidden_texts.py": "the same formats",
    "farm/benchmark/scoring/claims/lexicon/hearsay.py": "where people say they heard it: the news, or an app",
    "farm/benchmark/export/harbor.py": "Harbor, a framework that shares a world's name",
    "farm/cli/tasks.py": "the same framework, and its file format",
    "farm/cli/up.py": "the world of a new farm when nobody names one",
}
# Words of other programs that have an app's name in them: HAProxy's for where it is asked whether it lives, the domain
# of Message-IDs, as a pattern, and the class of quotations in HTML.
OTHERS_WORDS = ("monitor-uri", r"mail\.gmail\.com", "gmail_quote")


def texts(path: Path) -> Iterator[str]:
    """Yield the texts in a file's code, those of its documentation left out."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    said = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}
    for each in nodes:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in said:
            yield each.value


@cache
def naming() -> frozenset[str]:
    """Return the files whose code names an app or a world."""
    names = {*content.app_names(), *content.world_names()}
    found = set()
    for folder in ("farm", "gateway"):
        for path in (ROOT / folder).rglob("*.py"):
            words = {word for text in texts(path) for word in re.split(r"[^a-z0-9]+", _ours(text.lower()))}
            if words & names:
                found.add(path.relative_to(ROOT).as_posix())
    return frozenset(found)


def _ours(text: str) -> str:
    for word in OTHERS_WORDS:
        text = text.replace(word, "")
    return text


def test_no_code_of_the_core_names_an_app_or_a_world() -> None:
    assert naming() - ALLOWED.keys() == set()


def test_what_is_allowed_to_name_one_does() -> None:
    # A line that is needed no more would let the next name in unseen.
    assert ALLOWED.keys() - naming() == set()
