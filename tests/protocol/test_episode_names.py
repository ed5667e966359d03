"""Episodes on the command line: named by their ids, or by labels that no other has."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import ANY

import pytest
import pytest_asyncio

from farm.cli import main
from farm.client import FarmClient
from tests.protocol.in_process import OPERATOR_TOKEN, Farm, farm


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, "parrot", "toy", monkeypatch=monkeypatch) as made:
        yield made


class Shell:
    """Runs the farm command on the farm that runs here."""

    def __init__(self, running: Farm, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._token, self._running, self._capsys = folder / "token", running, capsys
        self._token.write_text(OPERATOR_TOKEN)

    async def run(self, *arguments: str) -> tuple[int, str]:
        """Return status and what was printed: on stdout, or on stderr of a failure."""
        given = [*arguments, "--farm", self._running.operators_url, "--token-file", str(self._token)]
        with pytest.raises(SystemExit) as ended:
            await asyncio.to_thread(main, given)
        printed = self._capsys.readouterr()
        status = int(ended.value.code or 0)
        return status, printed.err if status else printed.out


@pytest.fixture
def shell(
    running: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Shell]:
    made: list[FarmClient] = []

    def client(url: str, token: str) -> FarmClient:
        made.append(FarmClient(url, token))
        return made[-1]

    # A command leaves its connection to the end of its process, which is not here.
    monkeypatch.setattr("farm.cli.options.FarmClient", client)
    yield Shell(running, tmp_path, capsys)
    for each in made:
        each.close()


async def test_a_label_that_one_episode_has_names_it_in_every_command(running: Farm, shell: Shell) -> None:
    made = await running.create(label="my try")

    for command, *rest in (
        ("reset",),
        ("snapshot", "--name=before"),
        ("snapshots",),
        ("restore", "before"),
        ("clock", "--advance-s=60"),
        ("calls",),
        ("diff",),
        ("state", "toy", "notes"),
    ):
        status, said = await shell.run("episode", command, "my try", *rest)
        assert status == 0, said
    assert made["id"] in (await shell.run("episode", "show", "my try"))[1]
    assert await shell.run("call", "toy", "note_add", '{"text": "hi"}', "--episode=my try") == (0, ANY)
    assert [each["tool"] for each in json.loads((await shell.run("episode", "calls", "my try", "--json"))[1])] == [
        "note_add"
    ]
    assert await shell.run("episode", "drop", "my try") == (0, f"{made['id']} is gone\n")


async def test_a_refused_call_of_a_tool_that_the_app_lacks_says_the_nearest(running: Farm, shell: Shell) -> None:
    await running.create(label="my try")

    status, said = await shell.run("call", "toy", "note_ad", "{}", "--episode=my try")

    assert (status, said.splitlines()[-1]) == (
        1,
        "no tool 'note_ad' in 'toy'; see 'farm tools toy'; did you mean 'note_add'?",
    )


async def test_a_label_that_several_have_is_told_with_their_ids_and_nothing_is_done(
    running: Farm, shell: Shell
) -> None:
    first, second = [(await running.create(label="twice"))["id"] for _ in range(2)]

    for command in (("episode", "drop", "twice"), ("call", "toy", "note_add", "{}", "--episode=twice")):
        assert await shell.run(*command) == (
            1,
            f"farm: 'twice' is the label of 2 episodes; name one by its id: {second}, {first}\n",
        )
    (forked,) = json.loads((await shell.run("episode", "fork", first, "--json"))[1])
    said = (await shell.run("episode", "show", "twice"))[1]
    assert said.endswith(f"the label of 3 episodes; name one by its id: {forked['id']}, {second}, {first}\n")


async def test_an_id_counts_before_a_label_and_what_is_neither_is_refused(running: Farm, shell: Shell) -> None:
    made = await running.create()
    labelled = [await running.create(label=label) for label in ("default", made["id"])]

    for name in ("default", made["id"]):
        assert json.loads((await shell.run("episode", "show", name, "--json"))[1])["id"] == name
    some = ", ".join(["default", made["id"], *(each["id"] for each in labelled)])
    assert await shell.run("episode", "show", "nowhere") == (1, f"farm: no episode 'nowhere'; have {some} (4)\n")
