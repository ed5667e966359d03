"""The examples of docs/living.md, as tests of a project: an agent that recovers passes them, others fail them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from farm import content
from farm.benchmark.tasks.model import Fault, PersonRule
from farm.benchmark.tasks.toml_schema import problems_in
from farm.context.person_rules import RuleChecker, acts_of
from farm.context.template import account_holders
from farm.testing.local_world import LocalWorld
from tests.plugin.conftest import Run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "living.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
AGENT = '''
import json
import urllib.error
import urllib.request


def ask(server, tool, arguments):
    body = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": tool, "arguments": arguments}}}}
    headers = {{"content-type": "application/json", "accept": "application/json, text/event-stream"}}
    headers |= server["headers"]
    with urllib.request.urlopen(urllib.request.Request(server["url"], json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)["result"]


def agent(config, instruction):
    """Post what stands behind the colon, {tries} times at most; look before a second try if it looks."""
    server = config["mcpServers"]["slack"]
    channel, text = instruction.removeprefix("Tell ").split(": ")
    for _ in range({tries}):
        result = ask(server, "slack_post_message", {{"channel_id": channel, "text": text}})
        if not result.get("isError") and json.loads(result["content"][0]["text"])["ok"]:
            return
        found = ask(server, "slack_list_channels", {{}})["content"][0]["text"]
        ids = {{each["name"]: each["id"] for each in json.loads(found)["channels"]}}
        told = ask(server, "slack_get_channel_history", {{"channel_id": ids[channel[1:]]}})["content"][0]["text"]
        if {looks} and text in told:
            return
'''


def played(run: Run, *, tries: int, looks: bool) -> pytest.RunResult:
    return run(AGENT.format(tries=tries, looks=looks) + "\n\n".join(EXAMPLES))


def test_an_agent_that_recovers_passes_every_example(run: Run) -> None:
    assert all(len(each.splitlines()) <= 10 for each in EXAMPLES)

    played(run, tries=2, looks=True).assert_outcomes(passed=len(EXAMPLES))


def test_an_agent_that_gives_up_fails_the_first_example(run: Run) -> None:
    played(run, tries=1, looks=False).assert_outcomes(passed=len(EXAMPLES) - 1, failed=1)


def test_an_agent_that_never_looks_fails_the_second_example(run: Run) -> None:
    played(run, tries=2, looks=False).assert_outcomes(passed=len(EXAMPLES) - 1, failed=1)


def test_the_examples_of_a_task_are_some() -> None:
    found = [tomllib.loads(each) for each in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]

    assert [key for each in found for key in each] == ["faults", "people", "people", "people"]
    assert [*problems_in(Fault, found[0]["faults"][0], "faults[0]")] == []
    assert [*problems_in(PersonRule, found[1]["people"][0], "people[0]")] == []
    checker = RuleChecker(["slack"], content.load_app, lambda app: account_holders("mini", app))
    assert checker.add(found[1]["people"][0])["id"] == "chairs"


def test_the_example_of_what_is_settled_answers_what_the_page_says() -> None:
    [example] = [
        each for each in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) if "settled" in each
    ]
    [rule] = tomllib.loads(example)["people"]
    texts = re.findall(r'"(.+?)"', PAGE.partition("a request from its end: ")[2].partition(" have the same")[0])

    with LocalWorld("mini", apps=["slack"], people=[{**rule, "times": 0}]) as world:
        for text in texts:
            world.call("slack", "slack_post_message", channel_id="#opening", text=text)
        assert [bool(call.get("people")) for call in world.calls()] == [True, False]


def test_the_example_of_claims_answers_what_the_page_says() -> None:
    [example] = [
        each for each in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) if "claims" in each
    ]
    [rule] = tomllib.loads(example)["people"]
    told = PAGE.partition("whatever else it says: ")[2].partition(".")[0]
    said, asked = re.findall(r'"(.+?)"', told), re.findall(r'crutch: "(.+?)"', PAGE)

    assert [*problems_in(PersonRule, rule, "people[0]")] == []
    with LocalWorld("mini", apps=["slack"], people=[{**rule, "times": 0}]) as world:
        for text in (*said, *asked):
            world.call("slack", "slack_post_message", channel_id="#opening", text=text.replace(" it ", " the tasting "))
        assert (len(said), len(asked), world.answers["rules"][0]["matched"]) == (2, 1, 2)


def test_the_verbs_of_every_app_and_what_surrounds_its_rows_stand_on_the_page() -> None:
    apps = [app for app in content.app_names() if (acts := acts_of(app)) is not None and acts.verbs]
    rows = {cell: line for line in PAGE.splitlines() for cell in re.findall(r"`(\w+)`", line.split(" | ")[0])}

    assert len(apps) >= 11
    for app in apps:
        acts = acts_of(app)
        assert acts is not None
        names = [*acts.verbs, *(name for each in acts.around.values() for name in each.names if name != "to")]
        assert [name for name in names if not re.search(rf"`{name}[(`]", rows[app])] == [], app
