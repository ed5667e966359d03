"""A synthesis from a pool to an accepted app: answers are repaired, kept, and repeated without their writer."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from farm._util.prompt_writers import (
    AnswerPendingError,
    CommandWriter,
    FolderWriter,
    KeptOnly,
    ModelWriter,
    Writer,
    read_writer,
)
from farm.cli import main
from farm.content import load_app
from farm.errors import FarmError
from farm.testing.mock_model import Endpoint, parse_script
from farm.traverse.synth import fence
from farm.traverse.synth.answer import read_answer
from farm.traverse.synth.answer_form import recognise_form
from farm.traverse.synth.app_files import Plan
from farm.traverse.synth.ask import Asked
from farm.traverse.synth.evidence import read_evidence
from farm.traverse.synth.prompt import code
from farm.traverse.synth.recognise import recognise_dialect
from farm.traverse.synth.synthesise import Loop

pytestmark = pytest.mark.skipif(sys.platform != "linux" or fence.landlock_abi() < 1, reason="there is no Landlock")

POOL = Path(__file__).resolve().parents[4] / "examples/traverse/memory/pool"
# Written by somebody who knows the server by heart: here the loop is tested, not the writer.
ANSWER = (Path(__file__).parent / "memory_answer.md").read_text("utf-8")
NONSENSE = "I would rather talk about the weather."
FORBIDDEN = ANSWER.replace("import json\n", "import os\n", 1)
WRONG = ANSWER.replace('return "Entities deleted successfully"', 'return "Deleted"')
MENDED = "### file: entities.py\n" + ANSWER.partition("### file: entities.py\n")[2].partition("### file:")[0]


@pytest.fixture(autouse=True)
def _no_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARM_CONTENT", raising=False)


def _run(*words: str) -> int:
    try:
        main(words)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _synth(folder: Path, writer: str, *more: str, app: str = "memory") -> int:
    return _run("synth", app, "--from", str(POOL), "--with", writer, "--content", str(folder), *more)


def _answer(folder: Path, answers: list[str], content: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Answer the prompts one after the other; return what the last command printed."""
    for text in answers:
        assert _synth(content, f"files:{folder}") == 1
        steps = {path.name.partition(".")[0] for path in folder.glob("*.prompt.md")}
        (step,) = (each for each in steps if not (folder / f"{each}.answer.md").exists())
        (folder / f"{step}.answer.md").write_text(text, "utf-8")
    capsys.readouterr()
    assert _synth(content, f"files:{folder}") == 0
    return capsys.readouterr().out


def test_nonsense_forbidden_code_and_wrong_answers_are_handed_back_until_the_app_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, content = tmp_path / "prompts", tmp_path / "content"

    printed = _answer(folder, [NONSENSE, FORBIDDEN, WRONG, MENDED], content, capsys)

    assert "the answer cannot be used: the answer has no file" in printed
    assert "the answer cannot be used: entities.py, line 3: the import of os is not allowed" in printed
    repair = (folder / "04-repair.prompt.md").read_text("utf-8")
    assert "expected: Entities deleted successfully\nyours: Deleted" in repair
    said = tomllib.loads((content / "kernels/memory/PROVENANCE.toml").read_text("utf-8"))["synthesis"]
    assert (said["exact"], said["outcome"], said["prompts"]) == (1.0, 1.0, 4)
    assert said["rounds"][0] < said["rounds"][1] == 1.0
    monkeypatch.setenv("FARM_CONTENT", str(content))
    assert load_app("memory").app.tools[0].name == "create_entities"
    assert (content / "contexts/worlds/memory_small/memory.jsonl").read_text("utf-8").count("\n") > 1
    assert (content / "tests/apps/memory/test_recorded.py").is_file()

    # Repeated without the writer, from the kept answers: the same app.
    before = (content / "kernels/memory/entities.py").read_bytes()
    assert _synth(content, "kept") == 0
    assert (content / "kernels/memory/entities.py").read_bytes() == before


def test_a_prompt_holds_no_call_that_is_held_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _synth(tmp_path / "content", f"files:{tmp_path / 'prompts'}")

    prompt = (tmp_path / "prompts/01-write.prompt.md").read_text("utf-8")

    lines = [json.loads(line) for line in (POOL / "pool.jsonl").read_bytes().splitlines()]
    traces = {side: {line["trace"] for line in lines if line["side"] == side} for side in ("train", "check", "held")}
    assert all(f"#### Trace {trace}\n" in prompt for trace in traces["train"])
    assert not any(f"#### Trace {trace}\n" in prompt for trace in traces["check"] | traces["held"])
    assert "waits for an answer" in capsys.readouterr().err


def test_the_prompt_from_documentation_holds_no_recorded_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "documentation.md").write_text("It keeps a graph in a file.")

    _synth(tmp_path, f"files:{tmp_path / 'prompts'}", "--vanilla", "--docs", str(tmp_path / "documentation.md"))

    prompt = (tmp_path / "prompts/01-vanilla.prompt.md").read_text("utf-8")
    assert "It keeps a graph in a file." in prompt
    assert "A tool with an output schema also sends structured content" in prompt
    assert "#### Trace" not in prompt
    answers = [json.loads(line)["result"] for line in (POOL / "pool.jsonl").read_bytes().splitlines()]
    texts = {item["text"] for each in answers for item in each.get("content", ()) if len(item.get("text", "")) > 20}
    assert texts
    assert not any(text in prompt for text in texts)


def test_the_floor_needs_no_writer_and_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _synth(tmp_path, "none", app="memory_none") == 0

    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    loaded = load_app("memory_none")
    assert loaded.app.hidden
    assert loaded.bound


@pytest.mark.parametrize(
    ("writer", "more", "why"),
    [
        ("llm", (), "a writer is none, kept, files:DIR, command:COMMAND or llm:NAME"),
        ("human:me", (), "a writer is none"),
        ("kept", (), "has no answer to the prompt 01-write"),
        ("kept", ("--vanilla", "--prompts", "paper"), "are two arms"),
        ("kept", ("--docs", "/nowhere.md"), "cannot be read"),
        ("command:echo nonsense", ("--rounds", "0"), "no usable answer in 1 attempt; the last problem"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    writer: str, more: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _synth(tmp_path, writer, *more) == 1

    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_an_app_that_a_person_wrote_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernels/memory").mkdir(parents=True)

    assert _synth(tmp_path, "none") == 1

    assert "was not written by farm synth" in capsys.readouterr().err


def test_a_name_that_the_farm_has_already_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _synth(tmp_path, "none", app="slack") == 1

    assert "the farm has an app 'slack' already" in capsys.readouterr().err


def test_answers_of_the_real_server_that_were_cut_off_are_asked_again(tmp_path: Path) -> None:
    (tmp_path / "asked.jsonl").write_bytes(b'{"asked": "a", "lines": []}\n{"asked": "b", "li')

    assert Asked(tmp_path, read_evidence(POOL), None).random(1) == []


def test_an_answer_to_another_prompt_is_set_aside_and_kept(tmp_path: Path) -> None:
    writer = FolderWriter(tmp_path / "folder", tmp_path / "work")
    with pytest.raises(AnswerPendingError):
        writer.answer("01-write", "first")
    (tmp_path / "folder/01-write.answer.md").write_text("an answer")

    with pytest.raises(AnswerPendingError):
        writer.answer("01-write", "second")

    assert (tmp_path / "folder/01-write.answer.old-1.md").read_text() == "an answer"
    assert (tmp_path / "folder/01-write.prompt.md").read_text() == "second"


def test_the_time_of_an_answer_in_a_folder_is_from_its_prompt_to_it(tmp_path: Path) -> None:
    asked, answered = (tmp_path / f"folder/01-write.{kind}.md" for kind in ("prompt", "answer"))
    writer = FolderWriter(tmp_path / "folder", tmp_path / "work")
    with pytest.raises(AnswerPendingError):
        writer.answer("01-write", "first")
    answered.write_text("an answer")
    os.utime(asked, (1000, 1000))
    os.utime(answered, (1090, 1090))

    assert writer.answer("01-write", "first").elapsed_s == 90.0

    assert KeptOnly("kept", tmp_path / "work").answer("01-write", "first").elapsed_s == 90.0


class _Counting(Writer):
    """Answers with the number of times that it was asked."""

    times = 0

    def _complete(self, step: str, prompt: str) -> str:
        self.times += 1
        return f"{self.times}: {prompt}"


def test_a_prompt_is_answered_once_and_then_by_its_hash(tmp_path: Path) -> None:
    first = _Counting("counting", tmp_path)
    assert first.answer("01-write", "a").text == "1: a"
    with (tmp_path / "completions.jsonl").open("ab") as file:
        file.write(b'{"prompt_sha')  # a line cut off by a kill

    later = _Counting("counting", tmp_path)

    assert [later.answer("09-other", each).text for each in ("a", "b")] == ["1: a", "1: b"]
    assert [each.is_new for each in later.asked] == [False, True]
    kept = KeptOnly("kept", tmp_path)
    assert [(each.text, each.writer) for each in (kept.answer("", "a"), kept.answer("", "b"))] == [
        ("1: a", "counting"),
        ("1: b", "counting"),
    ]
    with pytest.raises(FarmError, match="has no answer to the prompt 02-repair"):
        KeptOnly("kept", tmp_path).answer("02-repair", "c")


def test_a_program_writes_its_answer_in_a_folder_with_the_task_alone(tmp_path: Path) -> None:
    code = "import os; a = f'{os.listdir()} {open(\"TASK.md\").read()[:5]}'; open('ANSWER.md', 'w').write(a)"
    writer = CommandWriter(f"{sys.executable} -c {json.dumps(code)}", tmp_path)

    assert writer.answer("01-write", "Write it.").text == "['TASK.md'] Write"


def test_a_program_may_print_its_answer_and_one_that_fails_is_told(tmp_path: Path) -> None:
    assert CommandWriter("cat {task}", tmp_path).answer("01-write", "Hello").text.startswith("Hello\n")
    with pytest.raises(FarmError, match=r"ended with status 1 and wrote no ANSWER.md: it said nothing"):
        CommandWriter("false", tmp_path).answer("02-write", "x")
    with pytest.raises(FarmError, match="did not write an answer"):
        CommandWriter("/no/such/program", tmp_path).answer("03-write", "x")


def test_a_model_behind_an_api_writes_the_app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # In a script, a name in braces is a reference to a call, unless it begins with a capital.
    said = ANSWER.replace("{name}", "{Name}").replace("EntityNotFound(name=", "EntityNotFound(Name=")
    endpoint = Endpoint(parse_script({"turns": [{"text": said}]}))
    endpoint.start()
    try:
        assert _synth(tmp_path, "llm:writer", "--base-url", endpoint.base_url()) == 0
        asked = endpoint.plays[""].requests
        assert len(asked) == 1
        assert "Write a kernel that answers like the server memory-server 0.6.3" in asked[0]["newest"]
    finally:
        endpoint.close()

    assert "100.0% the same answer" in capsys.readouterr().out
    assert _synth(tmp_path, "kept") == 0  # the model is gone


class _Scripted(Writer):
    """Answers each kind of prompt by a function of the prompt."""

    def __init__(self, work: Path, answers: Callable[[str, str], str]) -> None:
        super().__init__("scripted", work)
        self._answers = answers

    def _complete(self, step: str, prompt: str) -> str:
        return self._answers(step.partition("-")[2], prompt)


def _loop(tmp_path: Path, answers: Callable[[str, str], str], app: str = "memory") -> Loop:
    evidence = read_evidence(POOL)
    dialect = recognise_dialect(evidence)
    plan = Plan(app, "Memory", evidence, dialect.source, recognise_form(evidence, dialect))
    return Loop(plan, dialect, _Scripted(tmp_path, answers), tmp_path, Asked(tmp_path, evidence, None))


def test_the_papers_prompts_write_the_storage_and_then_tool_by_tool(tmp_path: Path) -> None:
    written = read_answer(ANSWER).files
    handlers = "\n".join(written[each] for each in ("entities.py", "relations.py", "graph.py"))
    context = "\n".join(line for line in handlers.splitlines() if not line.startswith("from ."))
    storage = {"schema.py": written["schema.py"], "errors.py": written["errors.py"], "context.py": context}
    storage["context.py"] = "from . import errors\n" + context.replace('"""Reading the graph."""', "")

    def answer(kind: str, prompt: str) -> str:
        if kind == "context":
            return code(storage)
        tool = prompt.partition("# Implement one tool of a simulated service: ")[2].partition("\n")[0]
        assert "def shown_entity" in prompt  # the storage is shown
        signature = prompt.rpartition("```python\n")[2].partition("\n```")[0]
        names = [part.partition(":")[0].strip() for part in signature.partition("*, ")[2].split(",") if ":" in part]
        given = ", ".join(f"{name}={name}" for name in names if name)
        head = "from typing import Any\n\nfrom farm.appkit import Episode, Result\n\nfrom . import context\n\n\n"
        call = f"    return context.{tool}(ep{', ' if given else ''}{given})\n"
        return code({f"tool_{tool}.py": f"{head}{signature}\n{call}"})

    found = _loop(tmp_path, answer).paper()

    assert found.best.problem is None
    assert found.prompts == 1 + 9
    assert found.best.score.exact == 1.0


def test_the_loop_ends_when_nothing_improves_and_keeps_the_best(tmp_path: Path) -> None:
    changed = MENDED.replace('return "Entities deleted successfully"', 'return "Gone"')
    worse = changed.replace("return new\n", "return []\n")

    def answer(kind: str, prompt: str) -> str:
        return WRONG if kind == "write" else worse

    found = _loop(tmp_path, answer).traversed()

    assert [each.exact for each in found.rounds[1:]] == [found.rounds[1].exact] * 3
    assert found.rounds[1] < found.rounds[0] == found.best.score
    assert 'return "Deleted"' in found.best.written.files["entities.py"]


def test_code_that_crashes_is_handed_back_with_its_line(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(kind: str, prompt: str) -> str:
        asked.append(prompt)
        return ANSWER.replace('return "Entities deleted successfully"', "return {}[entityNames[0]]")

    loop = _loop(tmp_path, answer)
    loop.rounds_max = 1
    found = loop.traversed()

    assert found.best.score.crashes > 0
    assert "return {}[entityNames[0]]" in asked[1]
    assert "KeyError: 'Acme'" in asked[1]


def test_crashes_of_a_kernel_from_documentation_are_handed_back_without_the_real_answers(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(kind: str, prompt: str) -> str:
        asked.append(prompt)
        return WRONG.replace('return "Deleted"', "return {}[entityNames[0]]") if kind == "vanilla" else MENDED

    found = _loop(tmp_path, answer).vanilla()

    assert (len(asked), found.best.score.crashes) == (2, 0)
    assert "KeyError: 'Acme'" in asked[1]
    assert "Entities deleted successfully" not in asked[1]


def test_the_kinds_of_writers_are_read(tmp_path: Path) -> None:
    assert read_writer("none", tmp_path) is None
    assert isinstance(read_writer("files:there", tmp_path), FolderWriter)
    assert isinstance(read_writer("command:cat", tmp_path), CommandWriter)
    assert isinstance(read_writer("llm:some", tmp_path), ModelWriter)
