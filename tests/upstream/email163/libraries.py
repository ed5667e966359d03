"""What mailparser and Node say to mails and dates drawn by lot, kept for tests/apps/email163/test_libraries.py.

``FARM_REAL_SERVERS=FOLDER python -m tests.upstream.email163.libraries`` asks them and writes the answers there.
"""

# ruff: noqa: E501
from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.upstream.real import npm_package

ANSWERS = Path(__file__).parents[2] / "apps" / "email163" / "libraries.jsonl"
_NAMES = (
    *(
        "Bo Li",
        '"Doe, John"',
        '"a \\"b\\" c"',
        "=?utf-8?B?546L56OK?=",
        "=?gb2312?Q?=CD=F5=C0=DA?=",
        "\u674e\u56db",
        "'Single'",
    ),
    *(
        "",
        "John Q. Public",
        "A.B",
        "Bad [at]",
        "x@y.example",
        "=?utf-8?Q?Me=2C_Too?=",
        "=?utf-8?B?5L2g?= =?utf-8?B?5aW9?=",
    ),
)
_ADDRESSES = (
    "a@x.example",
    "b.c@y.example",
    "d@xn--fsq.example",
    "<e@z.example>",
    "bare",
    "f@g@h.example",
    "i @j.example",
    "",
)
_ENTRIES = (
    *(
        "a@x.example (John Doe)",
        "(c) b@x.example",
        "Team: a@x.example, B <b@x.example>;",
        "undisclosed-recipients:;",
        ",",
        "<>",
    ),
    *(
        "=?utf-8?b?YkBiLmV4YW1wbGU=?=",
        "c@x.example d@x.example",
        '"a b"@x.example',
        "a@x.example; b@x.example",
        "x:y:z@a.b;",
    ),
    *(
        "<<a@x.example>>",
        "Bo <a@x.example> more",
        "a(b)c@x.example",
        '"unclosed <a@x.example>',
        "\u674e<li@x.example>",
        "(only)",
    ),
)
_SUBJECTS = (
    *(
        "plain",
        "=?utf-8?B?5L2g5aW9?= =?utf-8?Q?=E4=B8=96_=E7=95=8C?= end",
        "=?gb2312?B?xOO6ww==?=",
        "  blanks   in it  ",
        "",
    ),
    *(
        "=?utf-8?b?5L2g5aW95LiW5w==?=\n =?utf-8?b?lYzkvaDlpb3kuJbnlYw=?= split",
        "folded\n over\n\ttwo",
        "=?x-none?Q?a=41?=",
        "=?utf-8?Q?_a_?=",
    ),
    *(
        "=?UTF-8*en?Q?lang?=",
        "=?utf-8?B?????=",
        "a =?utf-8?Q?b?=c",
        "=?utf-8?Q?b?= =?iso-8859-1?Q?=E9?=",
        "\u539f\u6837",
    ),
)
_DATES = ("Mon, 2 Mar 2026 10:00:00 +0100", "Sun, 8 Mar 2026 10:11:12 GMT", "9 Mar 2026", "tomorrow", "")
_TEXTS = (
    *(
        "hello\nworld\n",
        "one\n\n\ntwo  \n three",
        "see https://a.example/x?y=1. and www.b.example or c@d.example!",
        "a & b <c> \"d\" 'e' `f`",
    ),
    *(
        "\u4f60\u597d caf\u00e9 \u2013 \u2018x\u2019\n",
        "",
        "\n",
        "this goes \non here\n\n> quoted \n> on\n-- \nsig ",
        " stuffed\n",
        "b.org/x, (d.com) e.cn",
    ),
)
_WORDS = (
    "word",
    "a",
    "longer-than-most-words",
    "\u4f60\u597d",
    "&amp;",
    "&nbsp;",
    "&lt;b&gt;",
    "x" * 30,
    "\n",
    "  ",
    "end.",
    "&eacute;&#x41;",
    "y" * 85,
)
_TAGS = (
    *(
        "p",
        "div",
        "span",
        "b",
        "h1",
        "h2",
        "h3",
        "h4",
        "h6",
        "ul",
        "ol",
        "li",
        "li",
        "blockquote",
        "pre",
        "table",
        "tr",
        "td",
        "th",
    ),
    *(
        "a href='https://a.example/p'",
        "a href='mailto:b@c.example'",
        "a href='#x'",
        "a",
        "ol start=3",
        "ol type=a",
        "ol start=27 type=A",
    ),
    *("section", "body", "em", "a href='https://a.example'", "p", "div", "dl", "dt", "dd", "option", "form"),
)
_EMPTY = (
    "<br>",
    "<hr>",
    "<img alt='pic' src='p.png'>",
    "<img src='cid:i@x'>",
    "<img alt='only'>",
    "<img>",
    "<br/><br/>",
    "<!-- c -->",
    "</p>",
    "</div>",
)
_FILES = (
    "Content-Type: application/pdf; name=\"r.pdf\"\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQK",
    "Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''%E7%BA%AA.txt\n\nabc\ndef",
    "Content-Type: image/png; name=p.png\nContent-ID: <i@x>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBO",
    "Content-Disposition: attachment; filename=\"=?GBK?B?zsS8/i5kb2M=?=\"\nContent-Transfer-Encoding: quoted-printable\n\na=3Db=\nc  ",
    "Content-Type: text/csv; name=d.csv\n\n1,2\n", "Content-Type: application/octet-stream\n\n", "Content-Type: image/gif\n\nGIF",
    "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR", "Content-Disposition: attachment\n\nunnamed",
    "Content-Type: message/rfc822\n\nSubject: inner\nFrom: Zoe <z@x.example>\n\ninner text",
    "Content-Type: message/rfc822\nContent-Disposition: inline\n\nFrom: \"Z, \u00e9\" <z@x.example>\nTo: Y <y@x.example>, w@x.example\nSubject: in & <er>\nDate: Mon, 2 Mar 2026 10:00:00 +0100\nCc: =?utf-8?B?546L?= <c@x.example>\n\ninner text",
    "Content-Type: message/rfc822\nContent-Disposition: inline\n\nSubject: page\nContent-Type: text/html\n\n<p>inner page</p>",
    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n", "Content-Type: text/plain; name=log.txt\nContent-Disposition: inline; filename=log.txt\n\nlog",
)  # fmt: skip
_CODED = (
    "Content-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: base64\n\nxOO6w6OsysDB+aGj",
    "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 =\nsoft=20\n=2\n",
    "Content-Type: TEXT/PLAIN; CHARSET=\"UTF-8\"\ncontent-transfer-encoding: BASE64 (comment)\n\n5L2g\n5aW9!",
    "Content-Type: text/plain; format=flowed\n\nthis goes \non here\n\n> quoted \n> on\n-- \nsig \nend",
    "Content-Type: text/plain; format=Flowed; delsp=Yes\n\nthis go \nes on\n stuffed\n",
    "Content-Type: text/html; charset=GB18030\nContent-Transfer-Encoding: base64\n\nPHA+xOO6wzwvcD4=",
)  # fmt: skip
_DAY_PARTS = (
    *(
        "Mon",
        "Mon,",
        "Monday",
        "9",
        "09",
        "31",
        "32",
        "0",
        "Mar",
        "March",
        "mar",
        "Feb",
        "marvel",
        "2026",
        "26",
        "49",
        "50",
        "99",
        "1970",
    ),
    *(
        "10:00",
        "10:00:00",
        "10:00:00.5",
        "10:00:00.1234",
        "24:00:00",
        "24:00:01",
        "23:59:60",
        "9:5",
        "12:00",
        "00:30",
        "AM",
        "pm",
        "PM",
    ),
    *(
        "GMT",
        "UTC",
        "Z",
        "EST",
        "PDT",
        "JST",
        "+0800",
        "-0530",
        "+08:00",
        "+8",
        "GMT+8",
        "-5:30",
        "(CST)",
        "(a (b) c)",
        "(open",
        ")",
        "-",
    ),
    *(
        "/",
        "2026-03-09",
        "2026/03/09",
        "3/9/2026",
        "9-Mar-2026",
        "T10:00",
        "2026-03",
        "x",
        ",",
        "2026-03-09T10:00:00",
        "10.30",
        "a.m.",
    ),
)
_ISO = (
    "2026-03-09", "2026-03", "2026-03-09T10:11", "2026-03-09T10:11:12", "2026-03-09T10:11:12Z", "2026-03-09T10:11:12.5Z", "2026-03-09T10:11:12.98765+08:00",
    "2026-03-09T10:11:12-05:30", "2026-02-30", "2026-03-32", "2026-13-01", "2026-00-01", "2026-03-09T24:00:00Z", "2026-03-09T24:00:01Z", "2026-03-09T10:60Z",
    "2026-03-09t10:11z", "2026-03-09T10", "2026-3-9", "2026-03-09 10:11:12", "2026-03-09T10:11:12+0800", "20260309", "2026", "1", "0", "13", "32", "2026-03-09T10:11:12.123456789Z",
)  # fmt: skip


def _mail(lot: random.Random) -> str:
    heads = [
        f"From: {_people(lot, 1)}", f"To: {_people(lot, 3)}", f"Cc: {_people(lot, 2)}", f"Cc: {_people(lot, 1)}", f"Subject: {lot.choice(_SUBJECTS)}",
        f"Date: {lot.choice(_DATES)}", "X-Other: \u00e9", f"From: {_people(lot, 1)}", f"Subject: {lot.choice(_SUBJECTS)}", f"To: {_people(lot, 1)}",
    ]  # fmt: skip
    chances = (0.9, 0.9, 0.4, 0.05, 0.9, 0.8, 0.1, 0.05, 0.05, 0.05)
    kept = [head for head, chance in zip(heads, chances, strict=True) if lot.random() < chance]
    return "\n".join([*kept, _part(lot, 2)])


def _people(lot: random.Random, most: int) -> str:
    return ", ".join(
        lot.choice(_ENTRIES)
        if lot.random() < 0.3
        else f"{lot.choice(_NAMES)} {'<{}>' if lot.random() < 0.8 else '{}'}".format(lot.choice(_ADDRESSES))
        for _ in range(lot.randint(1, most))
    )


def _part(lot: random.Random, depth: int) -> str:
    chance = lot.random()
    if depth and chance < 0.5:
        mark = f"b{depth}{lot.randint(0, 9)}"
        kind = lot.choice(("mixed", "mixed", "alternative", "alternative", "related", "report"))
        parts = [_part(lot, depth - 1) for _ in range(lot.randint(1, 3))]
        inside = "\n".join(f"--{mark}\n{each}" for each in parts)
        before, behind = lot.choice(("", "preamble\n")), lot.choice((f"--{mark}--\n", f"--{mark}--\nepilogue"))
        return f"Content-Type: multipart/{kind}; boundary={lot.choice((mark, chr(34) + mark + chr(34)))}\n\n{before}{inside}\n{behind}"
    if depth < 2 and chance < 0.65:
        return lot.choice(_FILES)
    if chance < 0.72:
        return lot.choice(_CODED)
    if chance < 0.88:
        return f"Content-Type: text/html\n\n{_page(lot, 3)}"
    return f"{lot.choice(('', 'Content-Type: text/plain' + chr(10)))}\n{lot.choice(_TEXTS)}"


def _page(lot: random.Random, depth: int) -> str:
    pieces = []
    for _ in range(lot.randint(1, 4)):
        chance = lot.random()
        if depth and chance < 0.6:
            tag = lot.choice(_TAGS)
            end = f"</{tag.split()[0]}>" if lot.random() < 0.9 else ""
            pieces.append(f"<{tag}>{_page(lot, depth - 1)}{end}")
        elif chance < 0.7:
            pieces.append(lot.choice(_EMPTY))
        else:
            pieces.append(
                lot.choice((" ", "")) + " ".join(lot.choices(_WORDS, k=lot.randint(1, 6))) + lot.choice((" ", ""))
            )
    return "".join(pieces)


def _questions(lot: random.Random) -> Iterator[dict[str, Any]]:
    for _ in range(160):
        yield {"ask": "mail", "source": _mail(lot)}
    for _ in range(160):
        yield {"ask": "mail", "source": f"Subject: page\nContent-Type: text/html\n\n{_page(lot, 4)}\n"}
    for text in (*_ISO, *(f"{each} GMT" for each in _ISO)):
        yield {"ask": "date", "text": text}
    for _ in range(500):
        yield {"ask": "date", "text": " ".join(lot.choices(_DAY_PARTS, k=lot.randint(1, 6)))}
    for _ in range(300):
        day = f"{lot.choice(('Mon, ', '', 'Monday '))}{lot.choice((9, '09', 31, 32, 1))} {lot.choice(('Mar', 'February', 'dec'))} {lot.choice((2026, 26, 50, 1999))}"
        clock = lot.choice(
            ("10:00", "10:00:00", "10:00:00.5", "24:00:00", "12:30 AM", "12:30 pm", "1:05 PM", "13:00 PM", "")
        )
        yield {
            "ask": "date",
            "text": f"{day} {clock} {lot.choice(('GMT', '+0800', '-05:30', 'EST', 'PDT', 'GMT+2', '(CST)', 'Z', '', 'UTC+1', '+8', '-330', 'x'))}",
        }


# Texts that each of these charsets has.
_CHARSET_TEXTS = {
    "gb2312": "你好，王磊：附件是三月的报价。",
    "gbk": "你好，朱镕基在丁香园。",
    "gb18030": "㐀你好，€ 5。",
    "big5": "您好，會議改到三點。",
    "shift_jis": "こんにちは、会議は三時です。",
    "euc-jp": "こんにちは、会議は三時です。",
    "iso-2022-jp": "こんにちは、会議は三時です。",
    "euc-kr": "안녕하세요, 회의는 세 시입니다.",
    "iso-8859-1": "Grüße, café à £5 ½",
    "iso-8859-15": "Grüße, 5 €, œuvre",
    "windows-1252": "“Grüße” – 5 € … café",
    "windows-1251": "Привет, встреча в три часа.",
    "koi8-r": "Привет, встреча в три часа.",
    "iso-8859-2": "Zażółć gęślą jaźń",
    "windows-1253": "Γειά σου, στις τρεις",
    "utf-16le": "hi 你好",
}
_BAD_BYTES = (
    b"caf\xe9 only",
    b"cut \xe4\xbd",
    b"\xff\xfe\x00a",
    b"\xc0\xaf long",
    b"ok \xe4\xbd\xa0 and \x80 not",
    b"\xed\xa0\x80 half",
)
_NAMES_OF_UTF8 = (
    "utf-8",
    "UTF8",
    "us-ascii",
    "ascii",
    "x-unknown",
    "unknown-8bit",
    "8bit",
    "ansi_x3.4-1968",
    "iso-8859-99",
    "",
)


def _byte_mails() -> Iterator[bytes]:
    """Yield mails whose bytes are no UTF-8, or are called something else than they are."""
    head = b"From: Bo <bo@z.example>\r\nTo: me@163.com\r\n"
    for charset, text in _CHARSET_TEXTS.items():
        body, name = text.encode(charset), charset.encode()
        plain = b"Content-Type: text/plain; charset=" + name
        yield head + b"Subject: body\r\n" + plain + b"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + body + b"\r\n"
        page = b'Content-Type: text/html; charset="' + name + b'"\r\n\r\n<p>' + body + b"</p>\r\n"
        yield head + b"Subject: quoted\r\n" + page
        if charset in ("utf-16le", "iso-2022-jp"):
            continue
        yield head + b"Subject: " + body + b"\r\n\r\nASCII\r\n"
        yield head + b"Subject: unnamed\r\n\r\n" + body + b"\r\n"
        sender = b'From: "' + body[:6] + b'" <bo@z.example>\r\nTo: me@163.com\r\nSubject: from\r\n'
        yield sender + plain + b"\r\n\r\n" + body
    for data in _BAD_BYTES:
        yield head + b"Subject: " + data + b"\r\n\r\n" + data + b"\r\n"
        for known in (b"utf-8", b"gbk", b"iso-8859-1"):
            plain = b"Content-Type: text/plain; charset=" + known
            yield head + b"Subject: bad\r\n" + plain + b"\r\n\r\n" + data + b"\r\n"
    for called in _NAMES_OF_UTF8:
        kind = b"Content-Type: text/plain; charset=" + called.encode()
        for body in ("你好".encode(), b"caf\xe9"):
            yield head + b"Subject: called\r\n" + kind + b"\r\n\r\n" + body + b"\r\n"
    gbk = "报价.txt".encode("gbk")
    for disposition in (
        b'attachment; filename="' + gbk + b'"',
        b"attachment; filename=" + gbk,
        b"inline; filename*=gbk''%B1%A8%BC%DB.txt",
    ):
        part = b"--b\r\nContent-Type: text/plain; charset=gbk\r\n\r\n" + "正文".encode("gbk")
        file = (
            b"\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: "
            + disposition
            + b"\r\n\r\n\xff\xfe\r\n--b--\r\n"
        )
        yield head + b"Subject: file\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + part + file


def _ask(questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    modules = npm_package("mailparser", "3.7.3").parent
    command = [shutil.which("node") or "node", str(Path(__file__).with_suffix(".mjs")), str(modules)]
    given = "".join(f"{json.dumps(each)}\n" for each in questions)
    environment = {**os.environ, "TZ": "UTC"}
    said = subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=environment).stdout
    return [json.loads(line) for line in said.split("\n") if line]


def _asked(question: dict[str, Any]) -> str:
    return str(question.get("source") or question.get("bytes") or question["text"])


def main() -> None:
    """Ask and write what is said."""
    questions = list(_questions(random.Random(25)))
    questions += [{"ask": "mail", "bytes": b64encode(each).decode()} for each in _byte_mails()]
    kept = [json.loads(line) for line in ANSWERS.read_text("utf-8").split("\n") if line] if ANSWERS.is_file() else []
    # Marked by hand, and kept where the same is asked again.
    differs = {_asked(each) for each in kept if "differs" in each}
    with ANSWERS.open("w", encoding="utf-8") as file:
        for question, answer in zip(questions, _ask(questions), strict=True):
            mark = {"differs": True} if _asked(question) in differs else {}
            file.write(f"{json.dumps({**question, **answer, **mark})}\n")


if __name__ == "__main__":
    main()
