"""``farm world audit``: private values are found where they were planted, and a world's own are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.world_spec import WorldError
from farm.appkit.world_spec.own_values import OwnValues
from farm.world import Spec
from farm.world.privacy import PrivacyReader, audit_privacy
from tests.unit.world._mini_copy import copy_mini

# Invented values in the forms of real ones: what a writer might copy out of a life.
PLANTED = {
    "Ring me on 138 2244 9071 after six": "138 2244 9071",
    "office line is 0571-88234410, ask for the desk": "0571-88234410",
    "my aunt's number +44 7911 284663": "+44 7911 284663",
    "call (617) 384-2290 when it arrives": "(617) 384-2290",
    "send it to zhou.weiming@qq.com please": "zhou.weiming@qq.com",
    "or klara.neumann@gmail.com": "klara.neumann@gmail.com",
    "加我微信：chenyu_0917": "chenyu_0917",
    "wxid_k3j9x0aa2b is the one": "wxid_k3j9x0aa2b",
    "QQ 2819403377 也行": "2819403377",
    "车停门口了，浙A·8K2M7": "浙A·8K2M7",
    "快递寄到文一西路 128 号 3 幢 2 单元 1102 室": "文一西路 128 号 3 幢 2 单元 1102 室",
    "I live at 48 Maple Street, Apt 5B": "48 Maple Street, Apt 5B",
    "身份证 330106198807121534": "330106198807121534",
    "护照号 E83920175": "E83920175",
    "卡号 6217 0012 8003 4471 926": "6217 0012 8003 4471 926",
    "card 4111 1111 1111 1111, next year": "4111 1111 1111 1111",
    "开票税号 91330106MA2KJ8R47C": "91330106MA2KJ8R47C",
    "the key is sk-proj-Zx81kLmQ02vTyB77aPqWn3dE": "sk-proj-Zx81kLmQ02vTyB77aPqWn3dE",
    "wifi 密码是 hj7!kQ29": "hj7!kQ29",
    "收件人：陈志强": "陈志强",
    "我住解放路 77 号": "解放路 77 号",
    "Torstraße 114, second bell": "Torstraße 114",
    "座机 057188234412": "057188234412",
    "微信号：linxiaomei": "linxiaomei",
    "(0592) 2185678 是店里的": "(0592) 2185678",
    "加v：suye1994": "suye1994",
    "身份证号码350583920512481": "350583920512481",
    "H04827715 是我的通行证": "H04827715",
    "12 Jalan Besar #05-11": "12 Jalan Besar #05-11",
    "Flat 3, 27 Kingsland Road": "27 Kingsland Road",
    "门禁密码 4827#": "4827#",
    "phone 0932-123-456 works": "0932-123-456",
    "write to karl.weber (at) gmail.com": "karl.weber (at) gmail.com",
    "身份证在 S8412345D 那张复印件上": "S8412345D",
    "转到 6222 0812 3456 7890 123": "6222 0812 3456 7890 123",
    "the api key is 9f8c2b7a41d0e6": "9f8c2b7a41d0e6",
    "搬到阳光花园 12 栋 2 单元 803 了": "阳光花园 12 栋 2 单元 803",
    "Margaret Thompson has the spare one": "Margaret Thompson",
    "在 /Users/zhangwei/Desktop 里": "zhangwei",
    "landline 040 2284 7391, mornings": "040 2284 7391",
    "or 040/22847391": "040/22847391",
    "shop (040) 22847391": "(040) 22847391",
    "021 6482 5508 找小李": "021 6482 5508",
    "mobile 015123984701": "015123984701",
    "0157/23984703 after six": "0157/23984703",
    "0176 239 847 04 is new": "0176 239 847 04",
    "Reisepass C4F7K2M9P, valid": "C4F7K2M9P",
    "wechat me: linxiao": "linxiao",
    "parked, HH-KM 4827": "HH-KM 4827",
    "ssh kmahnke@10.12.7.43": "kmahnke@10.12.7.43",
    "Steuer-ID 48 273 915 602": "48 273 915 602",
    "USt-IdNr. DE287641953": "DE287641953",
    "Steuernummer 27/412/05183": "27/412/05183",
    "we are at 53.56932, 9.98417": "53.56932, 9.98417",
    "IMEI 356938035643809": "356938035643809",
    "geboren am 12.03.1988": "12.03.1988",
    "my IBAN is DE89 3704 0044 0532 0130 00": "DE89 3704 0044 0532 0130 00",
}
HARMLESS = (
    "the oven is at 220, the bread at 96.5 inside",
    "订单 20260309118274 到了吗",
    "see you in Dock Road 12, second door",
    "meet at 9:30, room 402",
    "vx 还没装好",
    "version 10.4.2 build 20268831",
    "mail me at ada@plum.example or info@bakery.test",
    "call +44 20 7946 0123 or +1 415 555 0142",
    "谢谢周老师，收到",
    "qq 音乐 10 分钟",
    "京A 组 和 B 组",
    "password reset works again",
    "网又掉了，密码是不是换了",
    "账号明天开好",
    "300 g flour, 2 eggs, 1 kg 红糖",
    "call me at 3, call 2 is the long one",
    "token bucket full again",
    "a token of thanks-and-more-thanks",
    "3 号楼的会 1430 开始",
    "微信支付 已到账",
    "0930 doors, 1500 cake, 10-12 people",
    "rows 04 12 19 of the seating plan",
    "0.5 l, 0.25 l and 040 grams of yeast",
    "Slot A-B 2 and order EMB-412",
    "ratio 1.2500, 3.7500 times",
)
MINI = Spec.load("mini")


@pytest.mark.parametrize("text", PLANTED)
def test_a_planted_value_is_found_in_a_talk_with_its_line(text: str, tmp_path: Path) -> None:
    talk = f"## #general\n- -3 16:01 ben: hello\n- -3 16:02 hana: {text}\n"

    found = audit_privacy(Spec(copy_mini(tmp_path, {"spec/slack/talk/planted.md": talk})))

    # It stands in the line, and nowhere else is anything found.
    assert {each.place for each in found} == {"spec/slack/talk/planted.md:3"}
    assert any(PLANTED[text] in each.value or each.value in PLANTED[text] for each in found)


def test_all_planted_values_are_found_together_and_nothing_else(tmp_path: Path) -> None:
    lines = "".join(f"- -3 16:02 hana: {text}\n" for text in (*PLANTED, *HARMLESS))

    found = audit_privacy(Spec(copy_mini(tmp_path, {"spec/slack/talk/planted.md": f"## #general\n{lines}"})))

    assert {int(each.place.rpartition(":")[2]) for each in found} == {*range(2, len(PLANTED) + 2)}


def test_values_are_found_in_files_also_if_no_rows_can_be_made(tmp_path: Path) -> None:
    talk = "## #general\n- -3 16:01 hana: ring 138 2244 9071\n- -3 16:02 hana: I was born on 1992-05-12\n"
    folder = copy_mini(tmp_path, {"spec/slack/talk/planted.md": talk})

    found = audit_privacy(Spec(folder))

    assert [(each.kind, each.place.rpartition(":")[2]) for each in found] == [
        ("phone number", "2"),
        ("date of birth", "3"),
    ]
    (folder / "spec/slack/talk/planted.md").write_text("## #general\n- -3 16:02 hana: on 1992-05-12\n", "utf-8")
    with pytest.raises(WorldError, match="is written out"):
        audit_privacy(Spec(folder))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_a_little_like_it_is_passed(text: str) -> None:
    assert [*PrivacyReader(MINI).find(text)] == []


@pytest.mark.parametrize("world", ["mini", "halfday", "harbor"])
def test_the_shipped_worlds_hold_no_private_value(world: str) -> None:
    assert audit_privacy(Spec.load(world)) == []


def test_the_numbers_of_people_lie_in_a_declared_block(tmp_path: Path) -> None:
    text = (MINI.folders[0] / "world.toml").read_text("utf-8")
    first = next(iter(MINI.people.values())).phone
    folder = copy_mini(tmp_path, {"world.toml": text.replace(first, "+86 139 1122 3344")})

    (found,) = (each for each in audit_privacy(Spec(folder)) if each.place.startswith("world.toml"))
    assert str(found).endswith(
        "'+86 139 1122 3344' looks like a phone number; invent another, or declare it ([privacy])"
    )

    world = (folder / "world.toml").read_text("utf-8")
    declared = world.replace("[privacy]", '[privacy]\nphones = ["+86 139 1122 33xx"]')
    (folder / "world.toml").write_text(declared, "utf-8")
    assert audit_privacy(Spec(folder)) == []


@pytest.mark.parametrize(
    ("number", "is_own"),
    [
        ("+86 139 1122 3344", True),
        ("008613911223344", True),
        ("139-1122-3344", True),
        ("13911223444", False),
        ("+44 20 7946 0123", True),
        ("020 7946 0123", True),
        ("(415) 555-0142", True),
        ("(415) 555-1142", False),
    ],
)
def test_a_block_holds_numbers_in_every_notation(number: str, is_own: bool) -> None:
    assert OwnValues(phones=("+86 139 1122 33xx",)).has_phone(number) is is_own


def test_an_address_is_the_worlds_own_by_its_domain_or_a_pattern() -> None:
    own = OwnValues(domains=("pier.io", "*.example@163.com"))

    assert own.has_address("ada@pier.io")
    assert own.has_address("Ada@Mail.Pier.io")
    assert own.has_address("ada.example@163.com")
    assert not own.has_address("ada@163.com")
    assert not own.has_address("ada@notpier.io")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"phones": ["+86 139"]}, "is no block of numbers"),
        ({"phones": ["+86 139 1122 3344"]}, "is no block of numbers"),
        ({"phones": "+86"}, "'phones' must be a list of texts"),
        ({"mails": []}, "no key 'mails'; nearest: "),
        (["x"], "is no table"),
    ],
)
def test_a_mistake_in_what_is_declared_is_refused_in_one_line(entry: dict[str, object], why: str) -> None:
    with pytest.raises(WorldError, match=why) as refused:
        OwnValues.read(entry, "world.toml: privacy")

    assert "\n" not in str(refused.value)


def test_a_folder_of_a_firm_of_the_world_is_no_user() -> None:
    reader = PrivacyReader(MINI)

    assert not [*reader.find("scores are in /home/plum/music")]
    assert [*reader.find("scores are in /home/kmahnke/music")] == [("user", "kmahnke")]
