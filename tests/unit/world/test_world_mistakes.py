"""A mistake anywhere in a specification is refused in one line that names the place: a world with one thing changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec import Row, WorldError
from farm.context.template import load_world
from farm.errors import FarmError
from farm.world import Spec
from farm.world.check import check_accounts, check_prompts, check_rows, check_texts
from farm.world.generate import scheduled_rows_of
from farm.world.generators import generator

Changed = Callable[[str, str, str], Spec]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """Return a function that copies harbor's specification with one text replaced and gives it as read."""

    def make(file: str, old: str, new: str) -> Spec:
        folder = tmp_path / "harbor"
        shutil.copytree(content.world_dir("harbor"), folder)
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")
        return Spec(folder)

    return make


def _rows(app: str, spec: Spec) -> list[Row]:
    return list(generator(app).rows(spec.app(app)))


def _refusal(make: Callable[[], object]) -> str:
    """Return what is said of a specification that is refused: a line for each mistake of its file."""
    with pytest.raises(WorldError) as refused:
        make()
    assert len({line.partition(":")[0] for line in str(refused.value).splitlines()}) == 1
    return str(refused.value)


LUNCH = 'cal = "li.xiang", at = "-27 12:15"'


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("spec/lark/events.toml", 'cal = "s2-milestones"', 'cal = "s2-milestone"', "no calendar or person with Lark"),
        (
            "spec/lark/events.toml",
            LUNCH,
            'cal = "li.xiang", at = "27 12:15"',
            "'27 12:15' is no point in time",
        ),
        ("spec/lark/events.toml", 'room = "polaris"', 'room = "polari"', "no room 'polari'; nearest: polaris"),
        ("spec/lark/events.toml", 'room = "polaris"', 'rooom = "polaris"', "no key 'rooom'; nearest: room"),
        (
            "spec/lark/events.toml",
            'title = "S2 go / no-go"',
            'title = "S2 on March 26"',
            "the date 'March 26' is written out",
        ),
        ("spec/lark/calendars.toml", 'owner = "li.xiang"', 'owner = "su.qing"', "no person with Lark 'su.qing'"),
        ("spec/lark/chats.toml", '"xie.fan"]', "]", "'xie.fan' is not in chat 'hexin' (lark/chats.toml)"),
        ("spec/lark/talk/s2.md", "## #s2-core", "## #s2-cor", "lark/talk: '## #s2-cor': no chat 's2-cor'"),
        ("spec/lark/talk/s2.md", "{{doc:s2-launch-plan}}", "{{doc:plan}}", "no doc 'plan'; nearest: "),
        ("spec/lark/docs/s2-prd.md", "+++\n", "---\n", "lark/docs/s2-prd.md: begins with no front matter"),
        (
            "spec/lark/docs/s2-prd.md",
            'owner = "lin.wan"',
            'owner = "lin.one"',
            "lark/docs/s2-prd.md: no person with Lark",
        ),
        ("spec/lark/bases.toml", '"rolling out", "firmware', '"rolling", "firmware', "no option 'rolling'; nearest"),
        (
            "spec/lark/bases.toml",
            ', "+30 00:00", "吴建国"',
            ', "+30 00:00"',
            "record 2 has 9 cells, and the table 10 fields",
        ),
        ("spec/lark/tasks.toml", 'list = "launch/本周"', 'list = "launch/下周"', "no section '下周' in list 'launch'"),
        ("spec/lark/tasks.toml", 'at = "-1 20:16"', 'at = "+1 20:16"', "made or done after the world starts"),
        (
            "spec/lark/wiki.toml",
            'under = "incident-rules"',
            'under = "incidents"',
            "is under 'incidents', which is not above",
        ),
        ("world.toml", 'key = "chen.mo"', 'key = "chen.mei"', "world.toml: people 'chen.mei' stands there twice"),
        (
            "world.toml",
            'language = "zh"',
            'lang = "zh"',
            "world.toml: people 'lin.wan': no key 'lang'; nearest: language",
        ),
    ],
)
def test_a_mistake_in_what_lark_is_made_of(changed: Changed, file: str, old: str, new: str, complaint: str) -> None:
    spec = changed(file, old, new)

    assert complaint in _refusal(lambda: _rows("lark", spec))


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("posts/wan.toml", 'kind = "image"', 'kind = "imagee"', "no kind of post 'imagee'"),
        ("posts/wan.toml", "images = [", "pictures = [", "no key 'pictures'; nearest: "),
        (
            "posts/creators.toml",
            'title = "收到一箱光，',
            'title = "收到一箱光，这个标题写得实在是太长太长太长太长了，',
            "longer than",
        ),
        ("posts/wan.toml", "collects = 1", "collects = 0 # 1", "shows fewer than are stored (collected_base is -"),
        ("posts/creators.toml", 'author = "ye.liang"', 'author = "ye.lang"', "no user 'ye.lang'; nearest: ye.liang"),
        ("follows.toml", 'who = "', 'who = "x', "rednote: follow of"),
    ],
)
def test_a_mistake_in_what_rednote_is_made_of(changed: Changed, file: str, old: str, new: str, complaint: str) -> None:
    spec = changed(f"spec/rednote/{file}", old, new)

    assert complaint in _refusal(lambda: _rows("rednote", spec))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('kind = "like"', 'kind = "likee"', "no kind of mark 'likee'; nearest: like"),
        ('kind = "like"', 'kind = "like comment"', "a 'like comment' names a comment"),
        (
            'at = "+0 12:41"',
            'at = "-1 12:41"',
            "scheduled mark by 'daxue': at -1 12:41, and scheduled/ is from Mon 09:00",
        ),
        ('at = "+6 23:27"', 'at = "+7 23:27"', "at +7 23:27, and this ends on Mon 09:00"),
        ('post = "w-sunday-desk"', 'post = "w-sunday-disk"', "no post 'w-sunday-disk'; nearest: w-sunday-desk"),
        ('whom = "lin.wan"', 'whom = "lin.wam"', "no user 'lin.wam'; nearest: lin.wan"),
        ('-later1"', '-c1"', "stands there twice"),
    ],
)
def test_a_mistake_in_what_comes_to_rednote(changed: Changed, old: str, new: str, complaint: str) -> None:
    spec = changed("spec/rednote/scheduled/week.toml", old, new)

    assert complaint in _refusal(lambda: scheduled_rows_of(spec.app("rednote")))


def test_rows_that_point_at_nothing_are_found() -> None:
    orphan = {"table": "chat_members", "chat_id": "oc_1", "open_id": "ou_1", "role": "member", "joined_at": 1}

    with pytest.raises(FarmError, match=r"lark: chat_members.\w+ '.*' is no "):
        check_rows("lark", [orphan], load_world("harbor"))


def test_a_text_with_a_date_written_out_is_found() -> None:
    with pytest.raises(WorldError, match=r"lark: documents\.markdown: the date '3月26日' is written out"):
        check_texts("lark", [{"table": "documents", "document_id": "x", "markdown": "发布 3月26日"}])


CREATED = 'created = "-900 10:00"'
ACCOUNT = '{ person = "chen.mo" }'


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (ACCOUNT, '{ person = "chen.mao" }', "slack/accounts.toml: no person 'chen.mao'; nearest: chen.mo"),
        (ACCOUNT, '{ person = "chen.mei" }', "slack/accounts.toml: 'chen.mei' and 'chen.mei' have one key"),
        (ACCOUNT, '{ person = "chen.mo", adress = "x" }', "accounts 'chen.mo': no key 'adress'; nearest: address"),
        (ACCOUNT, '{ person = "chen.mo", role = "boss" }', "slack/accounts.toml: 'chen.mo': no role 'boss'"),
        (ACCOUNT, "{ }", "slack/accounts.toml: {} belongs to a person or to an organisation; name one of the two"),
        (ACCOUNT, '{ organisation = "harborligth" }', "no organisation 'harborligth'; nearest: harborlight"),
        (
            ACCOUNT,
            '{ person = "chen.mo", address = "chen.mei@harborlight.example" }',
            "'chen.mo' and 'chen.mei' have one address, 'chen.mei@harborlight.example'",
        ),
        (ACCOUNT, "{ person = 5 }", "slack/accounts.toml: accounts '5': 'person' must be the key of a person, not 5"),
        (
            ACCOUNT,
            '{ person = "chen.mo", address = 5 }',
            "slack/accounts.toml: accounts 'chen.mo': 'address' must be a text, not 5",
        ),
        (f"    {ACCOUNT},\n", "", "'chen.mo' has no account in slack (slack/accounts.toml)"),
    ],
)
def test_a_mistake_in_who_has_an_account(changed: Changed, old: str, new: str, complaint: str) -> None:
    spec = changed("spec/slack/accounts.toml", old, new)

    with pytest.raises(WorldError) as refused:
        _rows("slack", spec)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("world.toml", "seed = 2", "sed = 2", "world.toml: no key 'sed'; nearest: seed"),
        ("world.toml", 'city = "Shanghai"', "city = 1", "world.toml: people 'lin.wan': 'city' must be a text, not 1"),
        ("world.toml", 'key = "lin.wan"', "key = 5", "world.toml: people '5': 'key' must be a text, not 5"),
        ("world.toml", 'key = "lin.wan"', "key = [5]", "world.toml: people '[5]': 'key' must be a text, not [5]"),
        ("world.toml", 'time_zone = "Asia/Shanghai"', 'time_zone = "Mars/X"', "world.toml: no time zone 'Mars/X'"),
        ("world.toml", 'time_zone = "Asia/Shanghai"', 'time_zone = "Asia"', "world.toml: no time zone 'Asia'"),
        ("world.toml", 'time_zone = "Asia/Shanghai"', "time_zone = 5", "world.toml: a time zone is a text"),
        (
            "world.toml",
            'city = "Shanghai"\ntime_zone = "Asia/Shanghai"',
            'city = "Shanghai"\ntime_zone = "Mars/X"',
            "world.toml: 'lin.wan': no time zone 'Mars/X'",
        ),
        ("world.toml", "seed = 20260309", "seed = inf", "world.toml: 'seed' must be an integer, not inf"),
        ("world.toml", "2026-03-09T09:00:00+08:00", "0001-01-01T00:00:00+23:00", "world.toml: date value out of range"),
        ("world.toml", 'protagonist = "lin.wan"', "protagonist = 5", "world.toml: protagonist: a person is named by"),
        (
            "world.toml",
            'Leadership = "管理层"',
            "Leadership = 5",
            "world.toml: departments: 'Leadership' must be a text",
        ),
        ("world.toml", 'protagonist = "lin.wan"', 'protagonist = "lin.wang"', "world.toml: protagonist: no person"),
        ("world.toml", 'manager = "hu.lei"', 'manager = "hu.li"', "world.toml: 'chen.mo': manager: no person 'hu.li'"),
        (
            "world.toml",
            '"yu.han"]',
            '"yu.hann"]',
            "world.toml: relation 'mentor': no person 'yu.hann'; nearest: yu.han",
        ),
        (
            "outsiders/friends.toml",
            'organisation = "friends"',
            'organisation = "friend"',
            "outsiders/friends.toml: 'su.qing': no organisation 'friend'; nearest: friends",
        ),
        (
            "outsiders/friends.toml",
            'key = "su.qing"',
            'key = "lin.wan"',
            "outsiders/friends.toml: people 'lin.wan' stands in world.toml, too",
        ),
        (
            "outsiders/agencies.toml",
            '"Client service" =',
            '"Clients" =',
            "outsiders/agencies.toml: 'rao.jing': no department 'Client service'; nearest: Clients",
        ),
    ],
)
def test_a_mistake_in_who_there_is(changed: Changed, file: str, old: str, new: str, complaint: str) -> None:
    assert complaint in _refusal(lambda: changed(file, old, new).check_people())


@pytest.mark.parametrize(
    ("created", "complaint"),
    [
        (
            '"-99999999 10:00"',
            "'created' must be a day and a time such as -1 10:05 or -1 10:~, not '-99999999 10:00'",
        ),
        ("5", "'created' must be a day and a time such as -1 10:05 or -1 10:~, not 5"),
    ],
)
def test_a_day_beyond_every_calendar_is_refused_with_its_entry(changed: Changed, created: str, complaint: str) -> None:
    spec = changed("spec/slack/channels.toml", CREATED, f"created = {created}")

    said = _refusal(lambda: _rows("slack", spec))

    assert said.startswith("slack/channels.toml: channels '")
    assert complaint in said


def test_a_prompt_that_takes_an_app_the_world_has_not_is_found(changed: Changed) -> None:
    spec = changed("spec/lark/prompts.toml", 'with = ["slack"]', 'with = ["slak"]')

    with pytest.raises(WorldError, match=r"lark/prompts\.toml: prompt 5: no app 'slak'; nearest: slack"):
        check_prompts(spec, "lark")


def test_a_person_with_another_mail_in_one_app_is_found() -> None:
    spec = Spec.load("harbor").app("slack")
    rows = list(generator("slack").rows(spec))
    account = next(row for row in rows if row.get("person") == "lin.wan")
    account["email"] = "wan@elsewhere.example"

    with pytest.raises(WorldError, match=r"the address of 'lin\.wan' is 'lin\.wan@.*', and the rows say 'wan@else"):
        check_accounts(spec, rows)


def test_an_account_may_have_an_address_of_its_own(changed: Changed) -> None:
    private = "mo@private.example"
    spec = changed("spec/slack/accounts.toml", ACCOUNT, f'{{ person = "chen.mo", address = "{private}" }}')

    rows = _rows("slack", spec)

    assert next(row for row in rows if row.get("person") == "chen.mo")["email"] == private
    check_accounts(spec.app("slack"), rows)


def test_a_person_without_an_account_in_the_rows_is_found() -> None:
    spec = Spec.load("harbor").app("slack")
    rows = [row for row in generator("slack").rows(spec) if row.get("person") != "lin.wan"]

    with pytest.raises(WorldError, match=r"slack/accounts\.toml: 'lin\.wan' should have an account"):
        check_accounts(spec, rows)


def test_a_part_of_an_app_that_nothing_generates_is_found(changed: Changed) -> None:
    spec = changed("world.toml", "seed", "seed")
    (spec.folders[0] / "spec" / "slakc").mkdir()

    with pytest.raises(
        WorldError, match=r"spec/slakc/: no app with a contexts/<app>/generate\.py 'slakc'; nearest: sl"
    ):
        _ = spec.apps


def test_a_folder_of_scheduled_rows_by_its_former_name_is_named_with_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "harbor"
    shutil.copytree(content.world_dir("harbor"), folder)
    (folder / "spec" / "slack" / "scheduled").rename(folder / "spec" / "slack" / "later")

    with pytest.raises(WorldError, match=r"slack/later is not read; 'later/' is called 'scheduled/' since 0\.1\.0"):
        _ = Spec(folder).apps


def test_a_generator_whose_function_has_its_former_name_is_named_with_the_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = generator("slack")
    monkeypatch.setattr(made, "later", made.scheduled, raising=False)
    monkeypatch.delattr(made, "scheduled")

    with pytest.raises(WorldError, match="'later' is called 'scheduled' since"):
        scheduled_rows_of(Spec.load("harbor").app("slack"))
