"""Lists every pattern that reading claims compiles: ``python -m tests.claims.compiled`` prints them as JSON.

A process of its own records each call of the compiler, from the import of the first module to the judging of labelled
texts of every demo task, so that no pattern can be left out, wherever it is kept and whenever it is made.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
READ = ("farm/benchmark/scoring/claims/", "farm/benchmark/scoring/", "farm/appkit/formats/unicode.py", "farm/people.py")
ANCHORED = {"match", "fullmatch"}
# A rule of the recogniser is tried where a token begins: no place inside a word or a run of digits is one.
AT_TOKEN = r"(?:(?<![a-z])(?=[a-z])|(?<!\d)(?=\d)|(?=[^a-z\d]))"


def record() -> dict[tuple[str, int], set[str]]:
    """Return each pattern with its flags, and by which functions of ``re`` it was compiled."""
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    compile_ = re._compile  # type: ignore[attr-defined]

    def spy(pattern: Any, flags: Any) -> Any:
        frame = sys._getframe(1)
        asked = frame.f_back
        if isinstance(pattern, str) and asked and any(part in asked.f_code.co_filename for part in READ):
            found[pattern, int(flags)].add(frame.f_code.co_name)
        return compile_(pattern, flags)

    re._compile = spy  # type: ignore[attr-defined]
    claims = importlib.import_module("farm.benchmark.scoring.claims")
    importlib.import_module("farm.context.operators")
    labelled = importlib.import_module("tests.claims.labelled_texts").labelled
    seen: set[str] = set()
    for exam in labelled("tune"):
        if exam.labelled.place not in seen:
            seen.add(exam.labelled.place)
            for wanted in exam.wanted:
                claims.judge(wanted, exam.labelled.text, exam.situation)
    re._compile = compile_  # type: ignore[attr-defined]
    lazy = importlib.import_module("farm.benchmark.scoring.claims.lazy").LazyPattern
    for module in _modules():
        for value in vars(module).values():
            if isinstance(value, lazy):  # compiled on its first use
                found[value.pattern, 0].add("compile")
    return found


def _modules() -> Iterator[ModuleType]:
    claims = importlib.import_module("farm.benchmark.scoring.claims")
    for module in pkgutil.walk_packages(claims.__path__, "farm.benchmark.scoring.claims."):
        yield importlib.import_module(module.name)


def searched() -> list[tuple[str, int]]:
    """Return each pattern as it is tried: from every place of a text, at tokens, or at one place only."""
    found = record()
    uses = _uses()
    names = _names()
    rules = {each.pattern.pattern for each in importlib.import_module("farm.benchmark.scoring.claims.values").RULES}
    tried = []
    for (pattern, flags), functions in found.items():
        used = {use for name in names.get(pattern, ()) for use in uses[name]}
        if pattern in rules:
            tried.append((f"{AT_TOKEN}(?:{pattern})", flags))
        elif functions <= ANCHORED or (used and used <= ANCHORED):
            tried.append((f"^(?:{pattern})", flags))
        else:
            tried.append((pattern, flags))
    return tried


def _names() -> dict[str, set[str]]:
    """Return the names that each pattern has in the modules of claims."""
    names: dict[str, set[str]] = defaultdict(set)
    for module in _modules():
        for name, value in vars(module).items():
            if isinstance(getattr(value, "pattern", None), str):
                names[value.pattern].add(name)
    return names


def _uses() -> dict[str, set[str]]:
    """Return what is called of each name: its methods, and "" where it is handed on."""
    uses: dict[str, set[str]] = defaultdict(set)
    for path in (ROOT / "farm" / "benchmark" / "scoring" / "claims").rglob("*.py"):
        tree = ast.parse(path.read_text())
        parents = {child: each for each in ast.walk(tree) for child in ast.iter_child_nodes(each)}
        for node, name in _loaded(tree):
            above = parents[node]
            is_call = isinstance(above, ast.Attribute) and isinstance(parents[above], ast.Call)
            uses[name].add(above.attr if is_call and isinstance(above, ast.Attribute) else "")
    return uses


def _loaded(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            yield node, node.attr if isinstance(node, ast.Attribute) else node.id


if __name__ == "__main__":
    print(json.dumps(searched()))  # noqa: T201
