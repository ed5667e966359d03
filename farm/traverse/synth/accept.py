"""Accept an app: put it into a content folder, with where it comes from, what it does, its tests and a small world."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from farm.appkit.world_spec.world_of_one import WORLD_OF_ONE
from farm.errors import ConflictError
from farm.traverse.fidelity.provenance import OWN_START
from farm.traverse.fidelity.table import Answered
from farm.traverse.pool.pool import POOL
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.recordings.recording import as_json
from farm.traverse.synth.app_files import Plan, render, write
from farm.traverse.synth.box import play_boxed
from farm.traverse.synth.evidence import SUCCESS
from farm.traverse.synth.recognise import FoundDialect
from farm.traverse.synth.synthesise import Synthesis

_TEXT_MAX = 90
_DIFFERENCES_MAX = 40

_FACTS = '''"""What the real {title} does."""

from farm.testing import Fact

FACTS = {{
    "recorded": Fact({server}, "It answers as in the recorded calls."),
}}
'''

_TEST = '''"""The recorded calls that {title} was written from are answered as the real server answered them."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.traverse.fidelity.compare import compare
from farm.traverse.fidelity.provenance import load_provenance, own_start
from farm.traverse.fidelity.replay import Start, replay
from farm.traverse.recordings.calls import Recorded, read_calls

CALLS = [each for each in read_calls(Path(__file__).parent / {calls}) if each.side in ("train", "check")]
TRACES = sorted({{each.trace or 0 for each in CALLS}})
# Calls that the app answers otherwise than the real server, as [trace, step].
KNOWN = {known}


@pytest.mark.fact("recorded")
@pytest.mark.parametrize("trace", TRACES)
def test_a_trace_is_answered_as_recorded(trace: int, tmp_path: Path) -> None:
    loaded = content.load_app({app})
    calls: list[Recorded] = [each for each in CALLS if each.trace == trace]
    masks = load_provenance(loaded).masks

    answers = replay(loaded, calls, own_start(loaded, Start()), tmp_path, masks=masks)

    compared = [compare(each, ours, masks) for each, ours in zip(calls, answers, strict=True)]
    differing = [[each.recorded.trace, each.recorded.step] for each in compared if not each.is_exact]
    assert [each for each in differing if each not in KNOWN] == []
'''


def accept(plan: Plan, dialect: FoundDialect, found: Synthesis, folder: Path, *, writer: str, arm: str) -> list[Path]:
    """Write the app into a content folder and return its files.

    Raises:
        ConflictError: the folder has an app of this name that no synthesis wrote.
    """
    require_replaceable(plan.app, folder)
    files = render(plan, found.best.written)
    files[f"kernels/{plan.app}/PROVENANCE.toml"] = _provenance(plan, dialect, found, writer=writer, arm=arm)
    files[f"kernels/{plan.app}/FIDELITY.md"] = _fidelity(plan, dialect, found)
    if rows := found.best.written.start:
        files[f"kernels/{plan.app}/{OWN_START}"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if not plan.hidden:
        files |= _tests(plan, found, folder) | _worlds(plan, found, folder)
    for old in (folder / "kernels" / plan.app, folder / "contexts" / plan.app):
        shutil.rmtree(old, ignore_errors=True)
    write(files, folder)
    return [folder / each for each in files]


def require_replaceable(app: str, folder: Path) -> None:
    """Raise an error if a folder has an app of this name that a person wrote.

    Raises:
        ConflictError: it has.
    """
    kernel = folder / "kernels" / app
    if kernel.is_dir() and not is_synthesised(kernel):
        raise ConflictError(f"{kernel} was not written by farm synth; choose another name, or another --content")


def is_synthesised(kernel: Path) -> bool:
    """Return whether a kernel's folder says that farm synth wrote it."""
    try:
        return "synthesis" in tomllib.loads((kernel / "PROVENANCE.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return False


def _provenance(plan: Plan, dialect: FoundDialect, found: Synthesis, *, writer: str, arm: str) -> str:
    evidence, best = plan.evidence, found.best.score
    lines = [
        "# What this kernel was written from. farm synth wrote it; a person should read it before relying on it.",
        f"server = {_toml(evidence.server.get('name'))}",
        f"version = {_toml(evidence.server.get('version'))}",
        'sources = ["the calls of the pool below, recorded by farm traverse"]',
        "",
        "[synthesis]",
        f"arm = {_toml(arm)}",
        f"writer = {_toml(writer)}",
        f"pool_sha256 = {_toml(evidence.sha256)}",
        f"train = {len(evidence.train)}",
        f"repair = {len(evidence.repair)}",
        f"asked = {found.asked}",
        f"prompts = {found.prompts}",
        f"tokens = {found.tokens}",
        f"writing_s = {found.writing_s}",
        f"rounds = [{', '.join(f'{each.exact:.4f}' for each in found.rounds)}]  # share of equal answers",
        f"dialect_same = {dialect.same}  # of {dialect.refused} argument refusals, to the letter",
    ]
    if found.rounds:
        lines += [
            f"outcome = {best.outcome:.4f}",
            f"exact = {best.exact:.4f}",
            f"exact_beyond_schema = {best.beyond:.4f}",
        ]
    for mask in evidence.masks:
        lines += [
            "",
            "[[volatile]]",
            f"name = {_toml(mask.name)}",
            f"pattern = {_toml(mask.pattern.pattern)}",
            f"reason = {_toml(mask.reason)}",
            *(["only_without_at = true"] if mask.only_without_at else []),
            *(["never_an_argument = true"] if mask.never_an_argument else []),
        ]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _fidelity(plan: Plan, dialect: FoundDialect, found: Synthesis) -> str:
    arm, server = found.best.arm, plan.evidence.server
    answered = [] if arm is None else [each for each in arm.answered if not each.recorded.is_duplicate]
    lines = [
        f"# {plan.title}: what is simulated",
        "",
        f"The server imitated is `{server.get('name')}` {server.get('version')}. farm synth wrote "
        "the app from recorded calls. The table counts the calls that it was written from and repaired on.",
        "",
        "| tool | calls seen | refused | answered alike |",
        "|---|---|---|---|",
    ]
    for tool in plan.handlers:
        own = [each for each in answered if each.recorded.tool == tool]
        refused = sum(not each.was_success for each in own)
        same = sum(each.compared.is_exact for each in own)
        lines.append(
            f"| `{tool}` | {len(own)} | {refused} | {f'{same} of {len(own)}' if own else 'never called: guessed'} |"
        )
    lines += ["", "## Refusals seen", "", *_refusals(plan, answered), "", "## Knowing differences", ""]
    differing = [each for each in answered if not each.compared.is_exact]
    lines += [_difference(each) for each in differing[:_DIFFERENCES_MAX]] or ["- None among these calls."]
    return "\n".join(lines) + "\n"


def _difference(each: Answered) -> str:
    assert each.compared.difference is not None
    where = f"{each.recorded.trace}.{each.recorded.step}"
    return f"- `{each.recorded.tool}` ({where}): {', '.join(each.compared.difference.parts)}"


def _refusals(plan: Plan, answered: Any) -> list[str]:
    texts: Counter[str] = Counter()
    for each in answered:
        if not each.was_success and each.is_beyond_schema:
            texts[" ".join(text_of(each.recorded.result).split())[:_TEXT_MAX]] += 1
    shown = [f"- `{text.replace('`', chr(39))}` ({count})" for text, count in texts.most_common(30)]
    return shown or ["- Only those of arguments, by the dialect."]


def _tests(plan: Plan, found: Synthesis, folder: Path) -> dict[str, str]:
    own = f"tests/apps/{plan.app}"
    pool = plan.evidence.folder.resolve() / POOL
    files: dict[str, str] = {}
    if pool.is_relative_to(folder.resolve()):
        calls = os.path.relpath(pool, folder.resolve() / own)
    else:
        calls = "calls.jsonl"
        files[f"{own}/{calls}"] = b"".join(_call_line(each) for each in plan.evidence.seen).decode(errors="replace")
    arm = found.best.arm
    known = [
        [each.recorded.trace, each.recorded.step]
        for each in (() if arm is None else arm.answered)
        if not each.compared.is_exact and each.recorded.side is not None
    ]
    server = f"{plan.evidence.server.get('name')} {plan.evidence.server.get('version')}"
    files[f"{own}/facts.py"] = _FACTS.format(title=_plain(plan.title), server=json.dumps(server, ensure_ascii=False))
    test = _TEST.format(title=_plain(plan.title), calls=json.dumps(calls), app=json.dumps(plan.app), known=known)
    return {**files, f"{own}/test_recorded.py": test}


def _plain(text: str) -> str:
    """Return a text for a docstring."""
    return " ".join(text.replace('"', "'").replace("\\", "/").split())


def _call_line(each: Recorded) -> bytes:
    omitted = {"arguments_omitted": True} if each.request.omits_arguments else {"arguments": each.request.arguments}
    at = None if each.at is None else each.at.isoformat()
    line = {"trace": each.trace, "step": each.step, "tool": each.tool, **omitted, "at": at, "result": each.result}
    return as_json({**line, "side": each.side, "verdict": each.verdict}) + b"\n"


def _worlds(plan: Plan, found: Synthesis, folder: Path) -> dict[str, str]:
    """Return a small world: what the first trace's successes left behind, in a world of its own."""
    train = plan.evidence.train
    seeds = [each for each in train if each.trace == train[0].trace and each.verdict == SUCCESS and not each.operation]
    staging = folder / f".{plan.app}.staging"
    try:
        write(render(plan, found.best.written), staging)
        played = play_boxed(
            staging, plan.app, seeds[: max(1, len(seeds) // 2)], rows=found.best.written.start, dump=True
        )
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in played.rows)
    began = next((each.at for each in train if each.at is not None), None)
    starts = "2026-03-09T09:00:00+00:00" if began is None else began.replace(microsecond=0).isoformat()
    told = f"# A small world for {plan.app}: what the first recorded trace had made of it half way.\n\n"
    world = told + WORLD_OF_ONE.format(
        name=f"{plan.app}_small",
        title=f"A small world for {plan.app}",
        summary="The state after the first recorded calls.",
        starts_at=starts,
        note="Whoever runs the server.",
        person="ann",
        person_name="Ann Own",
        job="Owner",
    )
    base = f"contexts/worlds/{plan.app}_small"
    return {f"{base}/world.toml": world, f"{base}/{plan.app}.jsonl": rows}
