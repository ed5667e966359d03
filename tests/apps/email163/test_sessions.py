"""Sessions that were recorded on a captured mailbox, replayed over the wire on the same mailbox."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm import content
from farm.testing import LocalApp
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.provenance import load_provenance
from farm.traverse.fidelity.replay import Start
from farm.traverse.recordings.calls import read_calls
from tests.apps.email163.captured import rows

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "email163"
SESSIONS = [each.stem.removeprefix("traces_") for each in sorted(RECORDED.glob("traces_*.jsonl"))]


@pytest.mark.fact("session")
@pytest.mark.parametrize("name", SESSIONS or ["none"])
def test_a_session_comes_out_as_it_was_recorded(name: str, tmp_path: Path) -> None:
    calls, state = RECORDED / f"traces_{name}.jsonl", RECORDED / f"initial_state_{name}.json"
    if not (calls.is_file() and state.is_file()):
        pytest.skip("the recorded sessions are not on this machine")
    start = json.loads(state.read_text("utf-8"))
    app = content.load_app("email163")

    found = measure(
        app,
        read_calls(calls),
        Start(rows=tuple(rows(start)), me=start["account"]),
        tmp_path,
        masks=load_provenance(app).masks,
        is_sequence=True,
    )

    assert found["compared"] >= 60
    assert found["agreement"] >= 0.98, found["differences"]
    assert found["exact"] >= 0.90, found["differences"]
    assert found["crashes"] == 0
    assert found["unanswered"]["lines"] == found["unanswered"]["refused"]


@pytest.mark.fact("session")
def test_a_session_leaves_the_mailboxes_that_were_captured_after_it(tmp_path: Path) -> None:
    if not (RECORDED / "final_state_a.json").is_file():
        pytest.skip("the recorded sessions are not on this machine")
    start = json.loads((RECORDED / "initial_state_a.json").read_text("utf-8"))
    app = LocalApp("email163", tmp_path, rows=list(rows(start)), me="lin.yue")
    for line in (RECORDED / "traces_a.jsonl").read_text("utf-8").splitlines():
        call = json.loads(line)
        app.outcome(call["tool"], call["arguments"])

    for file, address in (("final_state_a", "lin.yue@163.com"), ("final_state_a_recipient", "zhou.han@163.com")):
        (inbox,) = (
            each
            for each in json.loads((RECORDED / f"{file}.json").read_text("utf-8"))["folders"]
            if each["name"] == "INBOX"
        )
        sent = [each for each in inbox["messages"] if each["from"] == "lin.yue@163.com"]
        ours = app.episode.db.all(
            """
            SELECT d.uid, m.sender, m.recipients, m.cc, m.subject, m.html FROM deliveries d
            JOIN messages m ON m.message_key = d.message_key
            WHERE d.address = ? AND m.source IS NULL ORDER BY d.uid
            """,
            address,
        )
        assert len(sent) >= 5
        assert ours == [
            {
                "uid": each["uid"],
                "sender": each["from"],
                "recipients": each["to"],
                "cc": each["cc"],
                "subject": each["subject"],
                "html": each["html"],
            }
            for each in sent
        ]
    app.close()
