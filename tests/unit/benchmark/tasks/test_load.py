"""Task files: what a right one becomes, and one clear line for everything wrong in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.task_start import added_rows
from farm.benchmark.tasks import Operate, Search, TaskError, load_suite, load_task
from farm.errors import NotFoundError

RIGHT = """
id = "post-it"
title = "Post it"
world = "harbor"
apps = ["slack"]
category = "slack/post"
instruction = "Post the new day."
oracle_answer = "Done."

[lookups]
channel = { app = "slack", table = "channels", where = { name = "general" }, column = "id" }

[[checkpoints]]
id = "posted"
kind = "operate"
change = "create"
app = "slack"
table = "messages"
where = { channel_id = "{{channel}}", user_id = { person = "me" } }
after = { text = { claims = [{ date = "+17" }], contains = "Ember" } }

[[checkpoints]]
id = "said"
kind = "personal_search"
answer = { contains = "done" }

[[oracle]]
calls = [{ app = "slack", tool = "slack_list_channels", as = "channels" }]

[[oracle]]
[[oracle.calls]]
app = "slack"
tool = "slack_post_message"
as = "post"
arguments = { channel_id = "{channels.channels[name=general].id}", text = "Ember: {{date:+17 en}}" }
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "post-it.toml"
    path.write_text(text, "utf-8")
    return path


def problems(tmp_path: Path, old: str, new: str) -> list[str]:
    """Return what is said of the right task with one piece replaced."""
    assert old in RIGHT
    with pytest.raises(TaskError) as refused:
        load_task(write(tmp_path, RIGHT.replace(old, new)), "mine")
    return refused.value.problems


def test_a_right_file_becomes_a_task(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, RIGHT), "mine")

    posted, said = task.checkpoints
    assert isinstance(posted, Operate)
    assert isinstance(said, Search)
    assert (posted.change, posted.table, posted.count) == ("create", "messages", 1)
    assert [len(step) for step in task.oracle] == [1, 1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "post-it"', 'id = "other"', "post-it.toml: id: 'other' is not the file's name, 'post-it'"),
        ('title = "Post it"\n', "", "post-it.toml: title: missing; it is a text"),
        ('apps = ["slack"]', 'apps = "slack"', "post-it.toml: apps: must be a list of texts, not 'slack'"),
        ('apps = ["slack"]', 'apps = ["slak"]', "post-it.toml: apps: no app 'slak'; have"),
        ('world = "harbor"', 'world = "harbour"', "post-it.toml: world: no world 'harbour'; have"),
        (
            'category = "slack/post"',
            'category = "slack/post"\ncolour = 1',
            "post-it.toml: colour: unknown key; have id,",
        ),
        ('kind = "operate"', 'kind = "operates"', "checkpoints[0].kind: must be one of generic_search,"),
        ('change = "create"', 'change = "insert"', "checkpoints[0].change: must be one of create, update, delete"),
        ('table = "messages"', 'table = "mesages"', "checkpoints[0].where: no table 'mesages' in 'slack'; have"),
        ("text = { claims", "txt = { claims", "no column 'txt' in slack.messages; have channel_id"),
        ('date = "+17"', 'date = "17 March"', "text.claims[0].date: must be an offset of days such as '+17'"),
        ('contains = "Ember"', 'contain = "Ember"', "after.text.contain: no such operator; have"),
        ('contains = "Ember"', 'regex = "("', "after.text.regex: '(' is no regular expression: missing )"),
        ('person = "me"', 'person = "wan.lin"', "no person 'wan.lin' in world 'harbor'"),
        ('channel_id = "{{channel}}", user', 'channel_id = "{{room}}", user', "no lookup 'room'; have channel"),
        ('tool = "slack_list_channels"', 'tool = "slack_channels"', "oracle[0].calls[0]: no tool 'slack_channels'"),
        ("{channels.channels[name", "{rooms.channels[name", "'{rooms…}' names no earlier step's result"),
        ("{{date:+17 en}}", "{{date:+17 english}}", "no date format 'english'"),
        ('oracle_answer = "Done."\n', "", "oracle_answer: missing; a task with a search checkpoint has the answer"),
        ('id = "said"', 'id = "posted"', "checkpoints: two have the id 'posted'"),
        ('answer = { contains = "done" }', "answer = {}", "checkpoints[1].answer: names nothing"),
        ('where = { name = "general" }', 'where = { nme = "general" }', "no column 'nme' in slack.channels"),
        ('title = "Post it"', 'titel = "Post it"', "post-it.toml: titel: unknown key; have id, title"),
        ('title = "Post it"', 'titel = "Post it"', "; did you mean 'title'?"),
        ('title = "Post it"', 'title = "Post it"\nchurn = "ignore"', "; 'churn' is called 'reverted' since 0.1.0"),
        ('tool = "slack_list_channels"', 'tool = "slack_list_channel"', "; did you mean 'slack_list_channels'?"),
        ('person = "me"', 'person = "lin.wam"', "; did you mean 'lin.wan'?"),
        (
            'person = "me"',
            'checkpoint = "said", column = "id"',
            "checkpoint 'said' has no rows; its kind is personal_search, not operate",
        ),
        ('person = "me"', 'checkpoint = "posted", column = "tz"', "no column 'tz' in slack.messages; have channel_id"),
        ('person = "me"', 'checkpoint = "sent", column = "ts"', "no checkpoint 'sent'; have posted, said"),
        (
            'contains = "done"',
            'contains = { checkpoint = "posted", column = "ts" }',
            "checkpoints[1].answer.contains: the rows of a checkpoint are compared as they are, not by an operator",
        ),
        (
            'person = "me"',
            'checkpoint = "posted", column = "user_id"',
            "checkpoints: a circle: 'posted' → 'posted'; a checkpoint cannot be decided by its own rows",
        ),
        (
            'where = { name = "general" }, column',
            'where = { id = { checkpoint = "posted", column = "channel_id" } }, column',
            "lookups.channel: is found in the start, which knows nothing of checkpoints",
        ),
        (
            'answer = { contains = "done" }',
            'answer = { claims = [{ choice = "a", rivals = { table = "users", column = "name", all = true } }] }',
            "checkpoints[1].answer: an answer is in no app: name the app of {'table': 'users', 'column': 'name', ",
        ),
        (
            'category = "slack/post"',
            'category = "slack/post"\ncalls_max = 1',
            "calls_max: the oracle itself makes 2 calls, more than 1",
        ),
    ],
)
def test_each_mistake_is_one_line_that_names_the_key_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    found = problems(tmp_path, old, new)

    assert any(said in line for line in found), found
    assert all(line.startswith("post-it.toml: ") and "\n" not in line for line in found)


def test_every_mistake_of_a_file_is_said_at_once(tmp_path: Path) -> None:
    text = RIGHT.replace('change = "create"', 'change = "make"').replace('"slack_post_message"', '"slack_post"')

    with pytest.raises(TaskError) as refused:
        load_task(write(tmp_path, text), "mine")

    assert len(refused.value.problems) == 2


def test_what_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"not TOML: .*line 1"):
        load_task(write(tmp_path, "id = post"), "mine")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('change = "create"\nfree = ["words"]', "checkpoints[0].free: no column 'words' in slack.messages"),
        ('change = "update"\nfree = ["blocks"]', "checkpoints[0].free: is for created rows; 'may_change' lists"),
    ],
)
def test_free_names_columns_of_created_rows(tmp_path: Path, line: str, said: str) -> None:
    found = problems(tmp_path, 'change = "create"', line)

    assert [each for each in found if said in each], found


def test_an_updated_row_must_say_what_it_holds_afterwards(tmp_path: Path) -> None:
    text = RIGHT.replace('change = "create"', 'change = "update"')
    text = text.replace('after = { text = { claims = [{ date = "+17" }], contains = "Ember" } }\n', "")

    with pytest.raises(TaskError, match="say what an updated row must hold"):
        load_task(write(tmp_path, text), "mine")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            'predicate = "called"\ntol = "x"',
            "checkpoints[2].tol: unknown key; have app, tool, arguments, contains, min",
        ),
        ('predicate = "calls_max"', "checkpoints[2].max: missing; it is a whole number from 1"),
        ('predicate = "order"\nfirst = {}', "checkpoints[2].then: missing; it is a table"),
        (
            'predicate = "order"\nfirst = {}\nthen = { tools = "x" }',
            "checkpoints[2].then.tools: unknown key; have app,",
        ),
        ('predicate = "not_called"\ntool = "x"', "checkpoints[2]: a tool needs its app"),
        ('predicate = "called"\napp = "slack"\ntool = ["x"]', "checkpoints[2]: no tool 'x' in 'slack'"),
    ],
)
def test_the_options_of_a_predicate_are_those_it_declares(tmp_path: Path, options: str, said: str) -> None:
    text = f'{RIGHT}\n[[checkpoints]]\nid = "way"\nkind = "other"\n{options}\n'

    with pytest.raises(TaskError) as refused:
        load_task(write(tmp_path, text), "mine")

    assert len(refused.value.problems) == 1
    assert refused.value.problems[0].startswith(f"post-it.toml: {said}")


def test_a_predicate_of_ones_own_must_stand_beside_the_task(tmp_path: Path) -> None:
    text = RIGHT + '\n[[checkpoints]]\nid = "mine"\nkind = "other"\npredicate = "is_polite"\n'

    with pytest.raises(TaskError, match=r"or a function in post_it\.py"):
        load_task(write(tmp_path, text), "mine")
    (tmp_path / "post_it.py").write_text("def is_polite(evidence, start)\n    return True, ''\n")
    with pytest.raises(TaskError, match=r"post_it\.py is no Python: expected ':'"):
        load_task(write(tmp_path, text), "mine")
    (tmp_path / "post_it.py").write_text("def is_polite(evidence, start):\n    return True, ''\n")
    assert len(load_task(tmp_path / "post-it.toml", "mine").checkpoints) == 3


def test_the_lines_of_suite_toml_hold_for_every_task() -> None:
    demo = load_suite("demo")

    assert all(any(each.table == "subscriptions" for each in task.allow) for task in demo.tasks)


def test_an_unknown_task_is_refused_with_some_that_exist() -> None:
    with pytest.raises(NotFoundError, match=r"no task 'x' in suite 'demo'; have "):
        load_suite("demo").task("x")


@pytest.mark.parametrize("name", content.suite_names())
def test_every_suite_can_be_read(name: str) -> None:
    assert load_suite(name).tasks


PATH = 'path = "channels[{{channel}}].messages[*]"\nwhere = { user_id'


def test_a_path_of_a_checkpoint_is_its_table_and_conditions(tmp_path: Path) -> None:
    text = RIGHT.replace('table = "messages"\nwhere = { channel_id = "{{channel}}", user_id', PATH)
    assert PATH in text

    posted = load_task(write(tmp_path, text), "mine").checkpoints[0]

    assert posted == load_task(write(tmp_path, RIGHT), "mine").checkpoints[0]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("channels[{{channel}}].message[*]", "no 'message' below channels; have "),
        ("users[{{channel}}].messages[*]", "messages belongs to users in more than one way; write "),
        ("messages[{{channel}}]", "the key of messages here is messages[CHANNEL_ID,TS]; or write messages[*]"),
        ("channels[{{channel}}].messages[*].text", "ends in the column 'text'; name columns in 'where' and 'after'"),
    ],
)
def test_a_path_of_a_checkpoint_that_leads_nowhere_is_one_line(path: str, said: str, tmp_path: Path) -> None:
    old = 'table = "messages"\nwhere = { channel_id = "{{channel}}", user_id'

    found = problems(tmp_path, old, PATH.replace("channels[{{channel}}].messages[*]", path))

    assert found[0].startswith("post-it.toml: checkpoints[0].path: ")
    assert said in found[0]


def test_a_path_beside_a_table_is_one_of_the_two(tmp_path: Path) -> None:
    found = problems(tmp_path, 'table = "messages"', 'table = "messages"\npath = "messages[*]"')

    assert found == ["post-it.toml: checkpoints[0].path: names the table, and 'table' does, too; leave one out"]


ROW = """
[[rows]]
app = "slack"
table = "messages"
values = { channel_id = "C0ZN02ESEIP", ts = "{{s:-1 17:20}}.000100", user_id = "U00W2UXG5AR", text = "Not the 26th." }
"""


def test_a_row_of_the_start_has_its_days_and_times_filled_in(tmp_path: Path) -> None:
    task = load_task(write(tmp_path, RIGHT + ROW), "mine")

    (row,) = added_rows(task)["slack"]
    assert (row["table"], row["ts"]) == ("messages", "1772961600.000100")


def test_a_row_of_the_start_names_places_by_lookups_and_people_by_their_keys(tmp_path: Path) -> None:
    named = ROW.replace('"C0ZN02ESEIP"', '"{{channel}}"').replace('"U00W2UXG5AR"', '{ person = "gao.yuan" }')

    (row,) = added_rows(load_task(write(tmp_path, RIGHT + named), "mine"))["slack"]

    start = load_start("harbor")
    (general,) = (each for each in start.rows("slack", "channels") if each["name"] == "general")
    assert (row["channel_id"], row["user_id"]) == (general["id"], start.account("slack", "gao.yuan"))


def test_a_row_of_the_start_may_take_a_time_from_a_lookup(tmp_path: Path) -> None:
    parent = """
[lookups.parent]
app = "slack"
table = "messages"
where = { text = { contains = "愿意帮我们测" } }
column = "ts"
"""
    reply = ROW.replace('text = "Not', 'thread_ts = "{{parent}}", text = "Not')

    (row,) = added_rows(load_task(write(tmp_path, RIGHT + parent + reply), "mine"))["slack"]

    assert row["thread_ts"] == "1772966274.000153"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('app = "slack"\ntable', 'app = "lark"\ntable', "rows[0].app: no app 'lark' in this task; have slack"),
        ('table = "messages"\nvalues', 'table = "message"\nvalues', "rows[0].table: no table 'message' in slack"),
        ("text =", "words =", "rows[0].values: no column 'words' in slack.messages"),
        ("{{s:-1 17:20}}.000100", "yesterday", "rows[0].values: messages.ts is a time that is stored as ts"),
        ("{{s:-1 17:20}}.000100", "{{date:-1 nowhere}}", "rows[0].values: no date format 'nowhere'"),
        ('"C0ZN02ESEIP"', '"{{room}}"', "rows[0].values: no lookup 'room'; have channel"),
        ('"U00W2UXG5AR"', '{ person = "gao.yun" }', "rows[0].values: no person 'gao.yun' in world 'harbor'"),
    ],
)
def test_a_row_of_the_start_that_does_not_fit_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in ROW
    with pytest.raises(TaskError) as refused:
        load_task(write(tmp_path, RIGHT + ROW.replace(old, new)), "mine")

    (problem,) = refused.value.problems
    assert said in problem
