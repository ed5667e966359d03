"""What generators make of the accounts of people beside the protagonist: in Telegram, and in WeCom."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.handler_api import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generators import generator
from tests.unit.world._mini_copy import copy_mini

SPEC = Path(__file__).parents[3] / "contexts" / "worlds" / "mini" / "spec"
PRIVATE = """
[[chats]]
key = "ben-gus"
kind = "private"
between = ["gus", "ben"]

[[chats]]
key = "ben-saved"
kind = "private"
between = ["ben", "ben"]
"""
BEN = """
contacts = [{ person = "gus", first = "G" }]
folders = ["/home/ben"]
drafts = [{ chat = "ben-gus", text = "Well", at = "-1 10:00" }]
lists = [{ title = "Work", chats = ["ben-gus", "regulars"] }]
later = [{ chat = "ben-saved", text = "Flour", at = "+1 10:00" }]

[[dialogs]]
chat = "ben-gus"
unread = 1
pin = 1

[files]
"/home/ben/a.pdf" = 10
"""
TALK = "## #ben-gus\n\n- -2 10:00 ben: Late?\n- -2 10:05 gus: No\n\n## #ben-saved\n\n- -1 09:00 ben: Oven 3\n"


def rows_of(tmp_path: Path, app: str, files: dict[str, str]) -> list[Row]:
    """Return an app's rows of mini with other files."""
    folder = copy_mini(tmp_path, {f"spec/{app}/{name}": text for name, text in files.items()})
    return list(generator(app).rows(Spec(folder).app(app)))


def telegram(tmp_path: Path, **holders: str) -> list[Row]:
    chats = (SPEC / "telegram" / "chats.toml").read_text("utf-8") + PRIVATE
    files = {"chats.toml": chats, "talk/ben.md": TALK}
    files |= {f"holders/{key}.toml": text for key, text in holders.items()}
    return rows_of(tmp_path, "telegram", files)


def test_a_holder_keeps_dialogs_drafts_lists_and_a_machine(tmp_path: Path) -> None:
    rows = telegram(tmp_path, ben=BEN)
    ids = {row["person"]: row["user_id"] for row in rows if row["table"] == "users" and "person" in row}
    ben, gus = ids["ben"], ids["gus"]
    pairs = {frozenset((row["low_id"], row["high_id"])): row["chat_id"] for row in rows if "low_id" in row}
    with_gus, saved = pairs[frozenset((ben, gus))], pairs[frozenset((ben,))]
    said = [row for row in rows if row["table"] == "messages" and row["chat_id"] == with_gus]

    dialogs = {row["chat_id"]: row for row in rows if row["table"] == "dialogs" and row["user_id"] == ben}
    in_chats = {row["chat_id"] for row in rows if row["table"] == "members" and row["user_id"] == ben}
    assert dialogs.keys() == in_chats
    assert (dialogs[with_gus]["pin"], dialogs[with_gus]["read_id"]) == (1, said[-1]["message_id"] - 1)
    (draft,) = (row for row in rows if row["table"] == "drafts")
    assert (draft["user_id"], draft["peer_id"]) == (ben, gus)
    (folder,) = (row for row in rows if row["table"] == "folders" and row["owner_id"] == ben)
    assert folder["included"].startswith(f"[{gus}, -100")
    (later,) = (row for row in rows if row["table"] == "scheduled_messages")
    assert (later["sender_id"], later["chat_id"]) == (ben, saved)
    assert {row["owner_id"] for row in rows if row["table"] == "files" and "ben" in row["path"]} == {ben}
    assert not [row for row in rows if row["table"] == "dialogs" and row["user_id"] == gus]


def test_what_others_say_among_themselves_changes_but_the_numbers_of_what_the_protagonist_has(tmp_path: Path) -> None:
    before = rows_of(tmp_path / "before", "telegram", {})
    after = telegram(tmp_path / "after", ben=BEN)

    mutual = [row for row in before if row["table"] == "contacts"]
    known = [_unnumbered(row) for row in after]
    assert [row for row in before if _unnumbered(row) not in known and row not in mutual] == []


def _unnumbered(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in ("message_id", "reply_to", "read_id")}


def test_numbers_rise_with_time_over_all_private_chats_and_groups_of_an_account(tmp_path: Path) -> None:
    rows = telegram(tmp_path, ben=BEN)

    kinds = {row["chat_id"]: row["kind"] for row in rows if row["table"] == "chats"}
    said = [row for row in rows if row["table"] == "messages" and kinds[row["chat_id"]] in ("private", "group")]
    in_order = sorted(said, key=lambda row: row["message_id"])
    assert len({row["chat_id"] for row in said}) > 1
    assert len({row["message_id"] for row in said}) == len(said)
    assert [row["sent_s"] for row in in_order] == sorted({row["sent_s"] for row in said})


def test_a_contact_that_both_list_is_there_once(tmp_path: Path) -> None:
    rows = telegram(tmp_path, ben='contacts = [{ person = "ada", first = "A" }, { person = "gus" }]')
    found = [(row["owner_id"], row["user_id"]) for row in rows if row["table"] == "contacts"]

    assert len(found) == len(set(found))
    assert "A" in {row["first_name"] for row in rows if row["table"] == "contacts"}


@pytest.mark.parametrize(
    ("chats", "holders", "problem"),
    [
        ('between = ["ben"]', {}, "'between' names 1, and a private chat has two people"),
        ('between = ["ben", "gus"]\nwith = "ben"', {}, "name the other person in 'with', or both in 'between'"),
        ('between = ["ben", "gus"]\nunread = 1', {}, "unread, pin and muted are the protagonist's, who is not in it"),
        ('between = ["ben", "gus"]', {"ada": ""}, "'ada' is the protagonist, whose account is account.toml"),
        ('between = ["ben", "gus"]', {"finn": 'drafts = [{ chat = "odd", text = "x", at = "-1 10:00" }]'},
         "no chat of 'finn' 'odd'"),
        ('between = ["ben", "gus"]', {"ben": '[[dialogs]]\nchat = "odd"\nunread = 1'},
         "dialog 'odd': 1 unread, and others sent 0"),
        ('between = ["ben", "gus"]', {"ben": '[[dialogs]]\nchat = "vans"'}, "no chat of 'ben' 'vans'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_with_its_place(
    tmp_path: Path, chats: str, holders: dict[str, str], problem: str
) -> None:
    all_chats = (SPEC / "telegram" / "chats.toml").read_text("utf-8")
    files = {"chats.toml": f'{all_chats}\n[[chats]]\nkey = "odd"\nkind = "private"\n{chats}\n'}
    files |= {f"holders/{key}.toml": text for key, text in holders.items()}

    with pytest.raises(WorldError) as refused:
        rows_of(tmp_path, "telegram", files)

    assert problem in str(refused.value)


GROUP = """
[chat]
name = "Ovens"
created = "-50 08:00"
members = ["ben", "gus"]

[robot]
name = "Timer"
created_by = "ben"

[[posts]]
at = "-1 08:00"
text = "Oven 3 is hot"
"""
HOLDER = 'robot = "ovens"\nfolder = "/Users/ben"\n[files]\n"a.pdf" = 10\n'
OVENS = """
## #ovens

- -1 08:02 ben: {{user:gus}} please look
  - 08:09 gus: Done, @所有人
- -1 08:20 gus {file: bill.pdf}:

## #group

- -1 09:00 ada: Morning
"""


def wecom(tmp_path: Path, **files: str) -> list[Row]:
    told = {
        "groups/ovens.toml": GROUP,
        "holders/ben.toml": HOLDER,
        "talk/talk.md": OVENS.replace("- -1 08:09", "- 08:09"),
    }
    return rows_of(tmp_path, "wecom", told | files)


def test_people_write_in_groups_and_have_servers_of_their_own(tmp_path: Path) -> None:
    rows = wecom(tmp_path)
    ovens, main = (next(row for row in rows if row.get("name") == name) for name in ("Ovens", "Deliveries"))
    robots = {row["chat_id"]: row["webhook_key"] for row in rows if row["table"] == "robots"}
    names = {row["userid"]: row["name"] for row in rows if row["table"] == "users"}
    servers = {row["userid"]: row for row in rows if row["table"] == "servers"}
    said = [row for row in rows if row["table"] == "member_messages" and row["chat_id"] == ovens["chat_id"]]

    assert {key: row["webhook_key"] for key, row in servers.items()} == {
        "Ada": robots[main["chat_id"]], "Ben": robots[ovens["chat_id"]],
    }  # fmt: skip
    assert [(row["seq"], row["userid"], row.get("content"), row.get("reply_to")) for row in said] == [
        (1, "Ben", said[0]["content"], None), (2, "Gus", "Done, @所有人", 1), (3, "Gus", None, None),
    ]  # fmt: skip
    assert said[0]["content"] == f"@{names['Gus']} please look"
    assert [row.get("mentioned_userids") for row in said] == ['["Gus"]', '["@all"]', None]
    assert (said[2]["msgtype"], said[2]["filename"]) == ("file", "bill.pdf")
    assert {row["path"] for row in rows if row["table"] == "files" and row["userid"] == "Ben"} == {"/Users/ben/a.pdf"}


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("holders/ben.toml", 'robot = "none"\nfolder = "/"', "no group with a robot 'none'"),
        ("holders/ada.toml", HOLDER, "the protagonist's server is [server] of group.toml"),
        ("talk/talk.md", "## #ovens\n\n- -1 08:02 ada: Hm\n", "no member of the group 'ada'"),
        ("talk/talk.md", "## #stove\n\n- -1 08:02 ben: Hm\n", "no group 'stove'"),
        ("talk/talk.md", "## #ovens\n\n- -1 08:02 ben {file: a.pdf}: Hm\n", "sends a text and a file as two messages"),
        ("groups/group.toml", GROUP, "'group' is the group of group.toml"),
    ],
)
def test_what_wecom_cannot_have_is_said_with_its_place(tmp_path: Path, file: str, text: str, problem: str) -> None:
    with pytest.raises(WorldError) as refused:
        wecom(tmp_path, **{file: text})

    assert problem in str(refused.value)
