"""Redaction: planted secrets are found however they are written, stand-ins keep form and length, ids stay."""

from __future__ import annotations

import base64
import copy
import json
import os
import stat
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farm._util.private_values.check_digits import has_chinese, has_iban, has_luhn
from farm.errors import FarmError
from farm.traverse.redact import (
    Private,
    Redactor,
    add_machine_values,
    read_mapping,
    read_private,
    write_mapping,
)
from farm.traverse.redact.substitutes import crc_letters

KEY = b"k" * 32
# Put together here, so that nobody's scanner takes them for real ones.
ALNUM = "Zq8Rt2Lk9Wm4Xp7Vb3Nc6Hd1Jf5Gs0TyAeUiOlKj"
RSA = "\n".join(["MIIEowIBAAKCAQEA" + ALNUM + ALNUM[:8], ALNUM + "+/" + ALNUM[:22], ALNUM[:30] + "=="])


def jwt(claims: dict[str, Any]) -> str:
    def part(said: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(said, separators=(",", ":")).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.{ALNUM}abc"


GITHUB_BODY = ALNUM[:30]
# What is planted: how it stands in a text, and the part of it that may not be left.
PLANTED: dict[str, tuple[str, str]] = {
    "AWS key id": ("key AKIA" + "Q3ZT7MBX4LPWRD6K for s3", "Q3ZT7MBX4LPWRD6K"),
    "AWS secret": ("aws_secret_access_key = " + ALNUM, ALNUM),
    "GitHub": ("ghp_" + GITHUB_BODY + crc_letters(GITHUB_BODY), GITHUB_BODY),
    "GitHub fine-grained": ("token: github_pat_11" + ALNUM + "_" + ALNUM[:20], ALNUM[:20]),
    "GitLab": ("glpat-" + ALNUM[:20], ALNUM[:20]),
    "Slack": ("xoxb-" + "123456789012-1234567890123-" + ALNUM[:24], ALNUM[:24]),
    "Slack hook": ("https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/" + ALNUM[:24], ALNUM[:24]),
    "OpenAI": ("sk-proj-" + ALNUM + "_" + ALNUM, ALNUM),
    "DeepSeek": ("sk-" + "3f9a0c4be17d4628a5b2c8d90e6f7a1b", "3f9a0c4be17d4628a5b2c8d90e6f7a1b"),
    "Anthropic": ("sk-ant-api03-" + ALNUM, ALNUM),
    "Stripe": ("sk_live_" + ALNUM[:24], ALNUM[:24]),
    "Google": ("https://maps.example/x?key=AIza" + ALNUM[:35], ALNUM[:35]),
    "npm": ("//registry/:_authToken=npm_" + ALNUM[:36], ALNUM[:36]),
    "Telegram bot": ("bot 123456789:AA" + ALNUM[:33], ALNUM[:33]),
    "Discord bot": ("MTA4" + ALNUM[:20] + ".GaBcDe." + ALNUM[:30], ALNUM[:20]),
    "JWT": ("Authorization: Bearer " + jwt({"sub": "ada.l", "exp": 1795311988}), ALNUM),
    "PEM": (f"-----BEGIN RSA PRIVATE KEY-----\n{RSA}\n-----END RSA PRIVATE KEY-----", ALNUM[:30]),
    "URL login": ("postgres://svc_user9:Pg!7secret@db:5432/x", "Pg!7secret"),
    "URL login, @ inside": ("redis://:p%40ss9Word@cache:6379", "ss9Word"),
    "basic header": ("Authorization: Basic " + base64.b64encode(b"svc:Qw3rty!9z").decode(), "Qw3rty!9z"),
    "bearer header": ("authorization: bearer " + "opaque" + ALNUM[:26], ALNUM[:26]),
    "cookie": ("Set-Cookie: sid=s%3A" + ALNUM[:22] + "; Path=/; HttpOnly", ALNUM[:22]),
    "connection string": ("Server=db;User Id=sa;Password=Tr0ub4dor&3;Encrypt=yes", "Tr0ub4dor"),
    "storage key": ("AccountName=x;AccountKey=" + ALNUM + "+/" + ALNUM + "==;Suffix=y", ALNUM),
    "spoken": ("my password is hunter2!x, keep it", "hunter2!x"),
    "spoken in Chinese": ("邮箱授权码：QWZXhtnm8812，请勿外传", "QWZXhtnm8812"),
    "mail": ("write to Grace.Hopper@navy-yard.com", "Grace.Hopper@navy-yard.com"),
    "phone abroad": ("call +44 20 7946 0958 now", "7946 0958"),
    "phone, US": ("call (415) 867-5309 now", "867-5309"),
    "mobile, CN": ("手机13812345678，谢谢", "13812345678"),
    "landline, CN": ("电话 0571-87654321", "87654321"),
    "card": ("pay 4539 1488 0343 6467 today", "1488 0343"),
    "IBAN": ("to DE89 3704 0044 0532 0130 00", "0532 0130"),
    "resident number": ("身份证 11010519491231002X", "19491231002X"),
    "SSN": ("ssn 123-45-6789", "123-45-6789"),
    "home": ("open /home/grhopper/notes.md or C:\\Users\\grhopper\\x", "grhopper"),
    "robot": ("https://x.example/cgi-bin/webhook/send?key=5a1f9c3e-77b0-4d1e-9a51-0c2b7d8e4f60", "5a1f9c3e"),
    "signed URL": ("https://b.example/o?X-Amz-Signature=" + ALNUM + "&x=1", ALNUM),
}


def line(text: str, **more: Any) -> dict[str, Any]:
    return {"tool": "note", "trace": 0, "arguments": {"text": text}, "result": {"content": []}} | more


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_secret_is_found_by_its_form(kind: str) -> None:
    text, secret = PLANTED[kind]

    (found,) = Redactor(KEY).redact_all([line(f"before {text} after")])

    said = found["arguments"]["text"]
    assert secret not in said
    assert len(said) == len(f"before {text} after")
    assert said.startswith("before ")
    assert said.endswith(" after")


def written_otherwise(text: str) -> dict[str, str]:
    nested = dumped({"a": text})
    return {
        "as JSON in a text": nested,
        "as JSON in JSON in a text": dumped({"b": nested}),
        "with escapes": json.dumps({"a": text}),
        "for a URL": "https://x.example/?q=" + quote(text, safe=""),
        "for a form": "q=" + quote_plus(text),
        "in base64": base64.b64encode(f"-- {text} --".encode()).decode(),
        "in base64 of URLs": base64.urlsafe_b64encode(f"? {text} ?".encode()).decode().rstrip("="),
    }


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_secret_is_found_however_it_is_written(kind: str) -> None:
    text, secret = PLANTED[kind]
    for way, said in written_otherwise(text).items():
        (found,) = Redactor(KEY).redact_all([line(said)])

        after = found["arguments"]["text"]
        assert len(after) == len(said), way
        assert secret not in _read(way, after), way


def _read(way: str, said: str) -> str:
    """Return what a text written in one of the ways means, read with the standard library."""
    from urllib.parse import unquote, unquote_plus

    if "base64" in way:
        return base64.urlsafe_b64decode(said.replace("+", "-").replace("/", "_") + "==").decode()
    if "URL" in way:
        return unquote(said)
    if "form" in way:
        return unquote_plus(said)
    inner = json.loads(said)
    return str(json.loads(inner["b"])["a"]) if "b" in inner else str(inner["a"])


def test_a_secret_known_by_the_name_beside_it_is_gone_where_it_stands_bare() -> None:
    lines = [
        {"tool": "setup", "arguments": {"user": "x", "password": "Kx7-blue-Moon"}, "result": {"content": []}},
        line("login with Kx7-blue-Moon failed; kX7-BLUE-mOON too; " + base64.b64encode(b"x:Kx7-blue-Moon").decode()),
        line(quote("tried Kx7-blue-Moon", safe="")),
    ]

    found = Redactor(KEY).redact_all(lines)

    made = found[0]["arguments"]["password"]
    said = found[1]["arguments"]["text"]
    assert len(made) == len("Kx7-blue-Moon")
    assert made in said
    assert made.swapcase() in said
    assert base64.b64encode(f"x:{made}".encode()).decode() in said
    assert made in found[2]["arguments"]["text"]
    assert "blue" not in dumped(found).lower()


@pytest.mark.parametrize(
    "key",
    ["apiKey", "client_secret", "accessToken", "X-Api-Key", "authorization", "DB_PASSWORD", "密码", "refresh_token"],
)
def test_names_that_say_that_a_value_is_secret(key: str) -> None:
    given = {
        "tool": "x",
        "arguments": {key: "v4lue-Of-it"},
        "result": {"structuredContent": {"a": {key: "v4lue-Of-it"}}},
    }

    (found,) = Redactor(KEY).redact_all([given])

    assert "v4lue" not in dumped(found)
    assert found["arguments"][key] == found["result"]["structuredContent"]["a"][key]


KEPT = [
    "3f2b8c1e-9d47-4a60-b1c2-7e5d90f1a234",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "1730000000.123456",
    "1730000000123",
    "2026-11-22T15:00:00.123+08:00",
    "2026-11-22 15:00:00",
    "C0123ABCD",
    "ou_2910013f1e6456f16a0ce75ede950a0a",
    "oc_a0553eda9014c201e6969b478895c230",
    "17841405822304914",
    "1180000000000000123",
    "B000A7BD6C",
    "116.481488,39.990464",
    "600519.SH",
    "10.1038/s41586-020-2649-2",
    "978-3-16-148410-0",
    "192.168.10.12:8080",
    "dXNlcjpVMDYxTkZUVDI=",
    "eyJvZmZzZXQiOjIwfQ==",
    "<25aa5f65-f7d7-87ee-9aa1-b19e658b9c20@163.com>",
    "feishu.cn_a1b2c3d4e5f6g7h8i9j0k1l2m@group.calendar.feishu.cn",
    "git@github.com:octo/repo.git",
    "icon@2x.png",
    "react@18.3.1",
    "user@example.com",
    "bob@corp.example",
    "noreply@github.com",
    "/home/user/x and /Users/Shared/y and /root/z",
    "Invalid password: required",
    "the token is missing; the password must be a string",
    "Error: Tokens: 1234567, max_tokens=4096",
    "page_token=CAUQAA&next_page_token: CAoQAA",
    "Authorization required. Find your API Key in the settings.",
    "Progress: 13 of 800, 5000 rows, 12345678901234567890",
    "AKIA and sk- and ghp_ are how keys begin",
    "https://api.example.com/v1/items?limit=20&cursor=bmV4dA==&sort=asc#frag",
    "task-force-for-the-new-year-2026-planning",
    "sk-folding-cube-animation-loader-wrapper",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
]


@pytest.mark.parametrize("text", KEPT)
def test_ids_times_hashes_and_ordinary_words_stay(text: str) -> None:
    given = line(text, result={"structuredContent": {"id": text, "next_page_token": text, "app_token": text}})

    assert Redactor(KEY).redact_all([given]) == [given]


def test_numbers_called_ids_stay_whatever_they_look_like() -> None:
    given = {
        "tool": "get",
        "arguments": {"chat_id": "13812345678", "user_id": 13812345678},
        "result": {"structuredContent": {"id": "4539148803436467", "ts": "13812345678"}},
    }
    said = line("chat_id: 13812345678, message #13912345678")

    assert Redactor(KEY).redact_all([given, said]) == [given, said]


def test_one_number_in_many_forms_has_one_stand_in() -> None:
    forms = ["13812345678", "138 1234 5678", "138-1234-5678", "+86 13812345678", "+8613812345678", "0086-13812345678"]

    found = Redactor(KEY).redact_all([line(each) for each in forms])

    ends = {"".join(filter(str.isdigit, each["arguments"]["text"]))[-11:] for each in found}
    assert len(ends) == 1
    made = ends.pop()
    assert made != "13812345678"
    assert phonenumbers.is_valid_number(phonenumbers.parse(made, "CN"))
    for before, after in zip(forms, found, strict=True):
        shape = "".join("0" if each.isdigit() else each for each in before)
        assert shape == "".join("0" if each.isdigit() else each for each in after["arguments"]["text"])


def test_a_phone_number_that_is_a_number_in_json_stays_a_number() -> None:
    (found,) = Redactor(KEY).redact_all([{"tool": "x", "arguments": {"phone": 13812345678}, "result": {}}])

    made = found["arguments"]["phone"]
    assert isinstance(made, int)
    assert made != 13812345678
    assert str(made).startswith("138")
    assert len(str(made)) == 11


def only(text: str) -> str:
    (found,) = Redactor(KEY).redact_all([line(text)])
    return str(found["arguments"]["text"])


def test_check_digits_stay_right() -> None:
    assert has_luhn(only("4539148803436467"))
    assert has_luhn(only("3782-822463-10005").replace("-", ""))
    assert has_iban(only("GB82 WEST 1234 5698 7654 32").replace(" ", ""))
    assert has_chinese(only("11010519491231002X"))
    token = only("ghp_" + GITHUB_BODY + crc_letters(GITHUB_BODY))
    assert token[-6:] == crc_letters(token[4:-6])


def test_known_check_digits() -> None:
    # From the standards' own examples, and the CRC-32 of "123456789" (0xCBF43926).
    assert has_luhn("79927398713")
    assert has_iban("GB82WEST12345698765432")
    assert has_chinese("11010519491231002X")
    assert not has_chinese("110105194912310021")
    number = 0
    for letter in crc_letters("123456789"):
        number = number * 62 + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".index(letter)
    assert number == 0xCBF43926


def test_a_token_with_claims_stays_readable_and_keeps_its_times() -> None:
    made = only("token " + jwt({"sub": "ada.lovelace", "exp": 1795311988}))

    payload = made.split(".")[1]
    said = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert said["exp"] == 1795311988
    assert said["sub"] != "ada.lovelace"
    assert len(said["sub"]) == len("ada.lovelace")


def test_addresses_names_and_logins_of_one_person_fit_together() -> None:
    lines = [
        line("Grace Hopper <grace.hopper@navy-yard.com> wrote to grace.hopper; see https://navy-yard.com/gh"),
        line("GRACE said: hopper_grace and GraceHopper, and may grace us"),
    ]

    found = Redactor(KEY, Private(names=("Grace Hopper",))).redact_all(lines)

    said = found[0]["arguments"]["text"]
    first, last = said.split(" <")[0].split(" ")
    domain = said.split("@")[1].split(">")[0]
    assert f"<{first.lower()}.{last.lower()}@{domain}>" in said
    assert f"wrote to {first.lower()}.{last.lower()};" in said
    assert f"https://{domain}/gh" in said
    assert found[1]["arguments"]["text"] == (
        f"{first.upper()} said: {last.lower()}_{first.lower()} and {first}{last}, and may grace us"
    )


def test_names_in_chinese_and_in_other_scripts() -> None:
    private = Private(names=("周韩", "Анна Ковалёва", "José Núñez"))
    text = "周韩今晚值班；Анна Ковалёва и José Núñez"

    found = Redactor(KEY, private).redact_all([line(text), line(json.dumps(text))])

    said = found[0]["arguments"]["text"]
    for name in ("周韩", "Анна", "Ковалёва", "José", "Núñez"):
        assert name not in said
    assert len(said.encode()) == len(text.encode())
    assert json.loads(found[1]["arguments"]["text"]) == said


def test_short_names_do_not_hit_words_that_hold_them() -> None:
    given = line("<li>a brilliant italian may limp</li>, and lithium")
    named = line("An Li met Li; an_li, LI")

    same, found = Redactor(KEY, Private(names=("An Li", "Li"))).redact_all([given, named])

    assert same == given
    said = found["arguments"]["text"]
    assert "Li" not in said
    assert "LI" not in said
    assert "an_li" not in said


def test_a_picture_is_not_hit_by_a_short_name() -> None:
    data = bytes(range(256)) * 4 + b"\x00Ada\x00ADA\x01" + b"\xff" * 9
    given = line("x", result={"content": [{"type": "image", "data": base64.b64encode(data).decode()}]})

    redactor = Redactor(KEY, Private(names=("Ada",)))

    assert redactor.redact_all([given]) == [given]
    assert redactor.left(given) == []


def test_the_machine_and_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "grhopper")
    monkeypatch.setattr("socket.gethostname", lambda: "univac-7.lan")
    monkeypatch.setattr("pathlib.Path.home", lambda: Path("/data/people/grhopper"))
    text = "/data/people/grhopper/x by grhopper on univac-7, production: 12 files in /usr/bin"

    (found,) = Redactor(KEY, add_machine_values(Private())).redact_all([line(text)])

    said = found["arguments"]["text"]
    assert not any(each in said.lower() for each in ("grhopper", "univac", "people"))
    assert said.endswith(", production: 12 files in /usr/bin")
    assert len(said) == len(text)


def test_a_user_called_root_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    monkeypatch.setattr("socket.gethostname", lambda: "localhost")
    monkeypatch.setattr("pathlib.Path.home", lambda: Path("/root"))
    given = line("the root of /root on localhost")

    redactor = Redactor(KEY, add_machine_values(Private()))

    assert redactor.redact_all([given]) == [given]
    assert redactor.left(given) == []


def test_keys_of_objects_and_pictures_are_redacted_too() -> None:
    picture = base64.b64encode(b"\x89PNG\xff\xfe" + b"Author: tk-Secret-0042!" + b"\x00\xff" * 20).decode()
    lines = [
        line("x", result={"structuredContent": {"members": {"ada.l@navy-yard.com": {"n": 1}}}}),
        line("x", result={"content": [{"type": "image", "data": picture}]}),
    ]

    found = Redactor(KEY, Private(values=("tk-Secret-0042!",))).redact_all(lines)

    assert "navy-yard" not in dumped(found)
    data = base64.b64decode(found[1]["result"]["content"][0]["data"])
    assert b"Secret" not in data
    assert data.startswith(b"\x89PNG\xff\xfeAuthor: ")
    assert len(data) == len(base64.b64decode(picture))


def test_what_the_user_keeps_stays() -> None:
    given = {"tool": "auth", "arguments": {"token": "wikcnKQ1k3pVabcef", "password": "a-Known-1"}, "result": {}}

    private = Private(allowed=frozenset({"a-Known-1"}), allowed_keys=frozenset({"token"}))

    assert Redactor(KEY, private).redact_all([given]) == [given]
    assert Redactor(KEY).redact_all([given]) != [given]


def pool() -> list[dict[str, Any]]:
    texts = [text for text, _ in PLANTED.values()]
    return [line(text, step=step) for step, text in enumerate([*texts, *map(str.swapcase, texts), dumped(texts)])]


def test_what_was_redacted_holds_nothing_and_stays_as_it_is() -> None:
    given, redactor = pool(), Redactor(KEY, Private(names=("Grace Hopper",)))
    before = copy.deepcopy(given)

    found = redactor.redact_all(given)

    assert given == before
    assert redactor.left(given)
    assert redactor.left(found) == []
    assert Redactor(KEY, Private(names=("Grace Hopper",)), redactor.mapping).redact_all(found) == found


def test_stand_ins_hang_on_the_key_and_not_on_the_order() -> None:
    one, other = Redactor(KEY).redact_all(pool()), Redactor(KEY).redact_all(pool()[::-1])[::-1]

    assert one == other
    assert Redactor(b"another key of 32 bytes, as long").redact_all(pool()) != one


def test_a_later_recording_has_the_stand_ins_of_the_earlier() -> None:
    first = Redactor(KEY, Private(names=("Ada Byron",)))
    (early,) = first.redact_all([line("Ada Byron, ada.b@navy-yard.com")])

    # Words of the later texts are avoided by new stand-ins; the old ones hold.
    words = early["arguments"]["text"]
    later = Redactor(KEY, Private(names=("Ada Byron",)), first.mapping)
    (found, _) = later.redact_all([line("Ada Byron, ada.b@navy-yard.com"), line(words)])

    assert found == early


def test_different_values_have_different_stand_ins() -> None:
    texts = [f"u{number}x.ann@navy-yard.com" for number in range(300)]

    found = Redactor(KEY).redact_all([line(each) for each in texts])

    assert len({each["arguments"]["text"] for each in found}) == 300


def test_what_was_replaced_is_counted_by_kind_and_not_named() -> None:
    redactor = Redactor(KEY, Private(names=("Ada Byron", "Nobody Here")))
    redactor.redact_all([line("a.b@navy-yard.com and 13812345678, 138 1234 5678"), line("a.b@navy-yard.com, Ada")])

    assert redactor.used() == {"mail address": 1, "name": 1, "phone number": 1}


def test_the_mapping_is_the_owners_alone_and_outside_the_pool(tmp_path: Path) -> None:
    path, folder = tmp_path / "private" / "mapping.json", tmp_path / "pool"
    mapping = read_mapping(path)
    redactor = Redactor(mapping.key, Private(), mapping.replaced)
    redactor.redact_all([line("a.b@navy-yard.com")])
    mapping.replaced = redactor.mapping

    write_mapping(path, mapping, pool=folder)

    assert read_mapping(path) == mapping
    assert read_mapping(tmp_path / "none").key != read_mapping(tmp_path / "none").key
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FarmError, match="inside the pool"):
        write_mapping(folder / "deep" / "mapping.json", mapping, pool=folder)
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="no modes of files")
def test_a_mapping_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mapping.json"
    write_mapping(path, read_mapping(path), pool=tmp_path / "pool")
    path.chmod(0o644)

    with pytest.raises(FarmError, match="chmod 600"):
        read_mapping(path)


def test_what_is_no_mapping_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mapping.json"
    path.write_text('{"key": 3}')

    with pytest.raises(FarmError, match=r"mapping\.json is no mapping"):
        read_mapping(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("names = 3", "'names' must be a list of texts"),
        ("nmes = []", "'nmes' means nothing here; have names"),
        ("kept = []", "'kept' is called 'allowed' since 0.1.0"),
        ("names = [", "is not TOML"),
        ('names = [" "]', "'names' must be a list of texts"),
    ],
)
def test_a_list_of_private_values_that_cannot_be_read_is_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "private.toml"
    path.write_text(text)

    with pytest.raises(FarmError, match=problem):
        read_private(path)


def test_a_list_of_private_values_is_read(tmp_path: Path) -> None:
    path = tmp_path / "private.toml"
    path.write_text('names = ["Ada Byron"]\nallowed = ["x@y.com"]\n')

    assert read_private(path) == Private(names=("Ada Byron",), allowed=frozenset({"x@y.com"}))


@pytest.mark.parametrize("password", ["p%41ss+w0rd", "back\\u0041slash7", "a\\nb-Secret9"])
def test_a_password_that_looks_like_an_escape_is_gone_everywhere(password: str) -> None:
    lines = [
        {
            "tool": "setup",
            "arguments": {"password": password},
            "result": {"content": [json.dumps(f"for {password} ok")]},
        },
        line(f"tried {password} twice"),
        line(quote(f"tried {password} twice", safe="")),
    ]

    redactor = Redactor(KEY)
    found = redactor.redact_all(lines)

    made = found[0]["arguments"]["password"]
    assert made != password
    assert json.loads(found[0]["result"]["content"][0]) == f"for {made} ok"
    assert found[1]["arguments"]["text"] == f"tried {made} twice"
    assert found[2]["arguments"]["text"] == quote(f"tried {made} twice", safe="")
    assert not any(redactor.left(each) for each in found)


PIECES = st.sampled_from(
    [text for text, _ in PLANTED.values()]
    + ["\ud800", "\\u00e9", "%E6%9E%97", "%zz", "\\", "+", "=", "&", "\x00", "é", "林", "😀", "ß", "İ"]
)
TEXTS = st.lists(PIECES | st.text(st.characters(), max_size=12), max_size=6).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(["text", "password", "phone", "token", "id", "cookie"]))
def test_any_text_keeps_its_length_and_is_done_at_once(texts: list[str], key: str) -> None:
    lines = [{"tool": "note", "arguments": {key: each}, "result": {"content": [json.dumps(each)]}} for each in texts]
    redactor = Redactor(KEY, Private(names=("Grace Hopper", "林薇")))

    found = redactor.redact_all(lines)

    for before, after in zip(texts, found, strict=True):
        assert len(after["arguments"][key]) == len(before)
        assert len(after["result"]["content"][0]) == len(json.dumps(before))
    assert not any(redactor.left(each) for each in found)


def test_recorded_calls_lose_few_values_and_keep_their_form() -> None:
    folder = Path(__file__).parents[5] / "shared" / "upstream"
    if not folder.is_dir():
        pytest.skip("the recorded calls are not here")
    replaced: dict[str, set[str]] = {}
    for app in sorted(each for each in folder.iterdir() if each.is_dir()):
        files = [*app.glob("validation*.jsonl"), *app.glob("traces_a.jsonl"), *app.glob("*_samples.jsonl")]
        lines = [json.loads(each) for file in sorted(files) for each in file.read_text("utf-8").splitlines()]
        redactor = Redactor(KEY)
        found = redactor.redact_all(lines)
        assert [len(dumped(each).encode()) for each in found] == [len(dumped(each).encode()) for each in lines]
        replaced[app.name] = set(redactor.mapping["values"])

    # Read one by one: three are stand-ins of phone numbers by their vendor; the others are what they are taken for.
    assert {app: values for app, values in replaced.items() if values} == {
        "email163": {
            "AUTHCODEAAAA1111",
            "WRONGCODE",
            "a@163.com",
            "lin.yue@163.com",
            "nobody.here@163.com",
            "wang.lei@163.com",
            "zhao.min@163.com",
            "zhou.han@163.com",
        },
        "lark": {
            "13011111111",
            "13022222222",
            "13026162666",
            "1302616xxxx",
            "130xxxx1111",
            "131xxxx6666",
            "971024",
        },
        "notion": {"123-456-7890"},
    }
