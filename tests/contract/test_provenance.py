"""Every app's PROVENANCE.toml: what it says was measured comes out again, and what it masks has a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.provenance import Measured, load_provenance
from farm.traverse.recordings.calls import hash_calls, read_calls

RECORDINGS = Path(__file__).parents[3] / "shared" / "upstream"
MEASURED = [(app, each) for app in content.app_names() for each in load_provenance(content.load_app(app)).calls]


def _names(value: Any) -> str | None:
    return f"{value.file}:{value.profile}" if isinstance(value, Measured) else None


@pytest.mark.parametrize(("app", "measured"), MEASURED, ids=_names)
def test_what_was_measured_comes_out_again(app: str, measured: Measured, tmp_path: Path) -> None:
    file = RECORDINGS / app / measured.file
    if not file.is_file():
        pytest.skip("the recorded calls are not on this machine")
    loaded, calls = content.load_app(app, measured.profile), read_calls(file)

    said = load_provenance(loaded)
    found = measure(
        loaded,
        calls,
        measured.start,
        tmp_path,
        masks=said.masks,
        conditions=said.conditions,
        is_sequence=measured.is_sequence,
    )

    assert (measured.count, measured.sha256) == (len(calls), hash_calls(file))
    assert {"compared", "agreement", "exact"} <= measured.expected.keys()
    assert {name: found[name] for name in measured.expected} == measured.expected
    assert found["crashes"] == 0
    assert found["shape"]["same_form"] == found["shape"]["same_outcome"]


@pytest.mark.parametrize("app", content.app_names())
def test_recorded_calls_that_there_are_were_measured(app: str) -> None:
    if not (RECORDINGS / app / "validation.jsonl").is_file():
        pytest.skip("the recorded calls are not on this machine")
    loaded = content.load_app(app)
    if "Nothing of it is simulated yet" in (loaded.folder / "FIDELITY.md").read_text("utf-8"):
        pytest.skip("a folder that farm new app made, and nothing more")

    assert "validation.jsonl" in {each.file for each in load_provenance(loaded).calls}


@pytest.mark.parametrize("app", content.app_names())
def test_a_mask_has_a_name_of_its_own_and_a_reason(app: str) -> None:
    masks = load_provenance(content.load_app(app)).masks

    assert len({mask.name for mask in masks}) == len(masks)
    assert all(len(mask.reason) > 20 for mask in masks)
