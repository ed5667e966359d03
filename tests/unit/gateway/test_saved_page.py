"""The page as one file: its modules, put into one script."""

from __future__ import annotations

import re

from gateway.page.files import FOLDER
from gateway.page.saved import MODULES, saved_page

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";$', re.MULTILINE)


def test_each_module_imports_only_those_before_it() -> None:
    for number, name in enumerate(MODULES):
        assert set(_IMPORT.findall((FOLDER / f"{name}.js").read_text())) <= set(MODULES[:number])


def test_no_import_or_export_is_left_in_the_file() -> None:
    script = saved_page({}).decode().partition('<script type="module">')[2]

    assert re.findall(r"^\s*(?:import|export) .*", script, re.MULTILINE) == []


def test_a_text_cannot_end_the_element_of_the_data() -> None:
    found = saved_page({"text": "</script><img src=x>"}).decode()

    assert "</script><img" not in found
    assert found.count("</script>") == 2
