"""Messages that meet a word of 0.1.0 name the new one."""

from __future__ import annotations

import importlib

import pytest

from farm._util.renamed_words import hint
from farm.appkit.schema import column


@pytest.mark.parametrize(
    ("module", "new"),
    [("farm.kernel", "farm.appkit"), ("farm.dialects.zod", "farm.appkit.dialects")],
)
def test_an_old_module_is_named_with_its_new_room(module: str, new: str) -> None:
    with pytest.raises(ImportError) as found:
        importlib.import_module(module)

    assert f"' is called '{new}' since 0.1.0, see docs/renames.md" in hint(found.value)


def test_an_old_name_is_named_with_its_new_one() -> None:
    with pytest.raises(ImportError) as found:
        exec("from farm.appkit.dialects import Plain")

    assert hint(found.value) == "; 'Plain' is called 'GenericJsonSchema' since 0.1.0, see docs/renames.md"


def test_an_old_option_is_named_with_its_new_word() -> None:
    with pytest.raises(TypeError) as found:
        column("text", made="text")

    assert hint(found.value) == "; 'made' is called 'generation' since 0.1.0, see docs/renames.md"


def test_other_errors_get_no_hint() -> None:
    for problem in (ImportError("x", name="json.nothing"), TypeError("f() takes 1 argument"), ValueError("made")):
        assert hint(problem) == ""
