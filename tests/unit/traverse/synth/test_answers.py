"""A writer's answers: how files are read, and what is rejected before it runs."""

from __future__ import annotations

import re

import pytest

from farm.traverse.synth.answer import AnswerError, read_answer
from farm.traverse.synth.sieve import BYTES_MAX, find_problem, names_of

ANSWER = '''Here it is.

### file: schema.py
```python
METADATA = 1
```

## `books.py`
```py
DIFF = """
```diff
"""
```

### file: tools.py
```python
ignored = True
```

### file: ids.json
```json
{"book": "b_{hex:4}"}
```

### file: start.json
```json
[{"table": "books", "id": "1"}]
```

### file: guesses.json
```json
[{"tool": "find", "arguments": {}}, {"calls": [{"tool": "add"}, {"tool": "find", "arguments": {}}], "why": "order"}, 5]
```
'''


def test_the_files_of_an_answer_are_read() -> None:
    written = read_answer(ANSWER)

    assert sorted(written.files) == ["books.py", "schema.py"]
    assert written.files["books.py"] == 'DIFF = """\n```diff\n"""\n'
    assert written.ids == {"book": "b_{hex:4}"}
    assert written.start == ({"table": "books", "id": "1"},)
    assert [len(each.calls) for each in written.guesses] == [1, 2]
    assert written.guesses[1].calls[0].omits_arguments
    assert written.guesses[1].why == "order"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I am sorry, I cannot do that.\nReally.", "the answer has no file: .* it begins: I am sorry"),
        ("", "the answer has no file"),
        (ANSWER.replace('{"book": "b_{hex:4}"}', "[]"), "ids.json is no table of texts"),
        (ANSWER.replace('{"book": "b_{hex:4}"}', '{"book": "{nothing:4}"}'), "ids.json, 'book'"),
        (ANSWER.replace('"id": "1"}]', '"id": "1"'), "start.json is not JSON"),
    ],
)
def test_an_answer_that_cannot_be_used_is_told_in_one_line(answer: str, why: str) -> None:
    with pytest.raises(AnswerError, match=why) as problem:
        read_answer(answer)

    assert "\n" not in str(problem.value)


def test_a_repair_replaces_files_and_keeps_the_others() -> None:
    first = read_answer(ANSWER)

    later = first.with_changes(read_answer("### file: books.py\n```python\nNEW = 1\n```"))

    assert later.files == {**first.files, "books.py": "NEW = 1\n"}
    assert (later.ids, later.start, later.guesses) == (first.ids, first.start, ())


GOOD = '''
"""A module."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.sqlite import ClientDatabase, SqlError

from . import errors
from .errors import Refused

_WORD = re.compile(r"\\w+")


class Odd(VendorError):
    """Odd {name}"""

    code = "odd"

    def __init__(self, name: str) -> None:
        super().__init__(f"odd {name}")


def go(ep: Episode, *, a: str = "x") -> Result:
    """Return something."""
    found = _words(a)
    return {"now": ep.now.isoformat(), "words": found, "json": json.dumps(found), "b": "{} and {0:>3}".format(1)}


def _words(text: str) -> list[Any]:
    return [each.lower() for each in _WORD.findall(text)]
'''


def test_ordinary_code_passes() -> None:
    assert find_problem({"books.py": GOOD, "errors.py": "class Refused(Exception):\n    pass\n"}) is None


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os", "line 1: the import of os is not allowed"),
        ("from os import path", "the import of os is not allowed"),
        ("import posixpath as p", "write 'from posixpath import NAME'"),
        ("from posixpath import os", "posixpath has nothing called os that may be imported"),
        ("from farm.appkit import schema", "farm.appkit has nothing called schema"),
        ("from farm import content", "the import of farm is not allowed"),
        ("from ..other import x", r"the import of \.\.other is not allowed"),
        ("from .missing import x", r"there is no file missing.py"),
        ("import json\nX = json.codecs", r"line 2: json.codecs is not allowed"),
        ("import json\nX = json", "json may be used for its functions only"),
        ("X = ().__class__", r"\.__class__ is not allowed"),
        ("X = __builtins__", "__builtins__ is not allowed"),
        ("def f(ep):\n    return getattr(ep, 'db')", "getattr is not allowed"),
        ("def f(ep):\n    return ep.db.connection", r"\.connection is not allowed"),
        ("def f(ep):\n    return ep._made", r"\._made is not allowed"),
        ("from datetime import datetime\nX = datetime.now()", "reads a clock"),
        ("def f(t, x):\n    return t.format(x)", r"\.format on anything but a plain literal"),
        ("X = '{0.__class__}'.format(1)", r"\.format on anything but a plain literal"),
        ("for each in range(3):\n    pass", "at the top of a file stand"),
        ("X = 1\ndef f(ep):\n    global X", "a handler keeps nothing between calls"),
        ("def f(ep):\n    try:\n        pass\n    except:\n        pass", "a bare except"),
        ("class A(metaclass=B):\n    pass", "a class with keywords"),
        ("async def f(ep):\n    pass", "at the top of a file stand|without async"),
        ("def f(:", "line 1: "),
        ("X = '" + "x" * BYTES_MAX + "'", "bytes; 102400 are allowed"),
        ("print(1)", "print is not allowed"),
    ],
)
def test_code_that_is_not_allowed_is_named_with_its_line(code: str, why: str) -> None:
    found = find_problem({"books.py": code})

    assert found is not None
    assert re.search(why, found), found


def test_no_allowed_name_is_a_module() -> None:
    assert "json" not in names_of("farm.appkit")
    assert names_of("farm.appkit.formats.javascript") >= {"js_string", "js_number"}
    assert names_of("subprocess") == frozenset()
