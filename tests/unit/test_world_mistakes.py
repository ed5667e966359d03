"""A mistake anywhere in a specification is refused in one line that names the place: harbor with one thing changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm.context.template import load_world
from farm.errors import FarmError
from farm.world import Row, Spec, WorldError
from farm.world.check import check_people, check_rows, check_texts
from farm.world.generate import generator

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
    return list(generator(app).rows(spec))


MILESTONE = 'cal = "s2-milestones", at = "+14 16:00"'


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("spec/events.toml", 'cal = "s2-milestones"', 'cal = "s2-milestone"', "no calendar or person with Lark"),
        ("spec/events.toml", MILESTONE, 'cal = "s2-milestones", at = "14 16:00"', "'14 16:00' is no point in time"),
        ("spec/events.toml", 'room = "polaris"', 'room = "polari"', "no room 'polari'; nearest: polaris"),
        ("spec/events.toml", 'room = "polaris"', 'rooom = "polaris"', "no key 'rooom'; have ability, at, by"),
        (
            "spec/events.toml",
            'title = "S2 go / no-go"',
            'title = "S2 on March 26"',
            "the date 'March 26' is written out",
        ),
        ("spec/calendars.toml", 'owner = "li.xiang"', 'owner = "su.qing"', "no person with Lark 'su.qing'"),
        ("spec/lark_chats/chats.toml", '"xie.fan"]', "]", "'xie.fan' is not in chat 'hexin' (chats.toml)"),
        ("spec/lark_chats/s2.md", "## #s2-core", "## #s2-cor", "lark_chats: '## #s2-cor': no chat 's2-cor'"),
        ("spec/lark_chats/s2.md", "{{doc:s2-launch-plan}}", "{{doc:plan}}", "no doc 'plan'; nearest: "),
        ("spec/docs/s2-prd.md", "+++\n", "---\n", "docs/s2-prd.md: begins with no front matter"),
        ("spec/docs/s2-prd.md", 'owner = "lin.wan"', 'owner = "lin.one"', "docs/s2-prd.md: no person with Lark"),
        ("spec/bases.toml", '"rolling out", "firmware', '"rolling", "firmware', "no option 'rolling'; nearest"),
        (
            "spec/bases.toml",
            ', "+30 00:00", "吴建国"',
            ', "+30 00:00"',
            "record 2 has 9 cells, and the table 10 fields",
        ),
        ("spec/tasks.toml", 'list = "launch/本周"', 'list = "launch/下周"', "no section '下周' in list 'launch'"),
        ("spec/tasks.toml", 'at = "-1 20:16"', 'at = "+1 20:16"', "made or done after the world starts"),
        (
            "spec/wiki.toml",
            'under = "incident-rules"',
            'under = "incidents"',
            "is under 'incidents', which is not above",
        ),
        ("world.toml", 'key = "chen.mo"', 'key = "chen.mei"', "person 'chen.mei' stands there twice"),
        ("world.toml", 'language = "zh"', 'lang = "zh"', "no key 'lang'; have apps, city"),
    ],
)
def test_a_mistake_in_what_lark_is_made_of(changed: Changed, file: str, old: str, new: str, complaint: str) -> None:
    spec = changed(file, old, new)

    with pytest.raises(WorldError) as refused:
        _rows("lark", spec)

    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("users.toml", 'nickname = "晚灯"', 'nickname = "晚风"', "nickname '晚风', and world.toml says '晚灯'"),
        ("posts/wan.toml", 'kind = "image"', 'kind = "imagee"', "no kind of post 'imagee'"),
        ("posts/wan.toml", "images = [", "pictures = [", "no key 'pictures' in posts"),
        ("posts/creators.toml", 'title = "嘘，', 'title = "嘘，这个标题写得实在是太长太长太长太长了，', "longer than"),
        ("posts/creators.toml", "comments = 264", "comments = 1", "shows fewer than are stored (comment_base is -"),
        ("posts/creators.toml", 'author = "ye.liang"', 'author = "ye.lang"', "no user 'ye.lang'; nearest: ye.liang"),
        ("follows.toml", 'who = "', 'who = "x', "rednote: follow of"),
    ],
)
def test_a_mistake_in_what_rednote_is_made_of(changed: Changed, file: str, old: str, new: str, complaint: str) -> None:
    spec = changed(f"spec/rednote/{file}", old, new)

    with pytest.raises(WorldError) as refused:
        _rows("rednote", spec)

    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_rows_that_point_at_nothing_are_found() -> None:
    orphan = {"table": "chat_members", "chat_id": "oc_1", "open_id": "ou_1", "role": "member", "joined_at": 1}

    with pytest.raises(FarmError, match="lark: FOREIGN KEY constraint failed in 'chat_members'"):
        check_rows("lark", [orphan], load_world("harbor"))


def test_a_text_with_a_date_written_out_is_found() -> None:
    with pytest.raises(WorldError, match=r"lark: documents\.markdown: the date '3月26日' is written out"):
        check_texts("lark", [{"table": "documents", "document_id": "x", "markdown": "发布 3月26日"}])


def test_a_person_with_another_mail_in_one_app_is_found() -> None:
    spec = Spec.load("harbor")
    rows = _rows("slack", spec)
    account = next(row for row in rows if row.get("person") == "lin.wan")
    account["email"] = "wan@elsewhere.example"

    with pytest.raises(WorldError, match=r"slack: the email of 'lin\.wan' is 'wan@elsewhere\.example'"):
        check_people(spec, {"slack": rows})
