"""The ledger of a world: values and their forms, derived values, references in texts and in tasks, and bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.world_spec.facts import FactError, Ledger, Told, plain, told_in
from farm.benchmark.tasks.facts import with_claims

PAPER = """
[[facts]]
key = "paper.total"
kind = "amount"
unit = "CNY"
value = 32000
names = ["paper", "纸款"]
former = [{ key = "quote", value = 35000, until = "-3 10:00" }]

[[facts]]
key = "paper.deposit"
kind = "amount"
unit = "CNY"
value = 9600

[[facts]]
key = "paper.rest"
kind = "amount"
unit = "CNY"
value = "= paper.total - paper.deposit"
distinct = ["paper.deposit"]

[[facts]]
key = "fair.opens"
kind = "moment"
value = "+5 14:30"

[[facts]]
key = "fair.setup"
kind = "moment"
value = "= fair.opens - 1 * day - 90 * minutes"
order = ["fair.setup < fair.opens"]
"""


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Ledger]:
    def load(text: str, *, traced: bool = False) -> Ledger:
        (tmp_path / "facts").mkdir(exist_ok=True)
        (tmp_path / "facts" / "story.toml").write_text(text, "utf-8")
        return Ledger.load([tmp_path], traced=traced)

    return load


def one(**keys: str) -> str:
    return "[[facts]]\n" + "\n".join(f"{name} = {value}" for name, value in keys.items()) + "\n"


@pytest.mark.parametrize(
    ("kind", "value", "form", "written"),
    [
        ("moment", '"+17 10:00"', "zh_week_clock", "{{date:+17 zh_week}} 10:00"),
        ("moment", '"+17 10:00"', "rfc3339", "{{rfc3339:+17 10:00}}"),
        ("moment", '"+17 14:30"', "clock_zh", "下午两点半"),
        ("moment", '"+17 14:30"', "offset", "+17"),
        ("day", '"-3"', "en_short", "{{date:-3 en_short}}"),
        ("day", '"-3"', "weekday_en_words", "Friday"),
        ("moment", '"+15 09:00"', "weekday_zh_words", "周二"),
        ("clock", '"09:05"', "clock_short", "9:05"),
        ("clock", '"12:00"', "clock_zh", "中午十二点"),
        ("clock", '"00:15"', "clock_en", "12:15 am"),
        ("clock", '"20:10"', "hour_zh", "八点十分"),
        ("clock", '"10:58"', "hour_zh_short", "十点五十八"),
        ("clock", '"11:08"', "hour_zh_short", "十一点零八"),
        ("clock", '"09:05"', "minute", "05"),
        ("span", '"90 min"', "minutes_en", "90 minutes"),
        ("span", '"2 days"', "days_zh_words", "两天"),
        ("span", '"2 h"', "hours_zh_tight", "两小时"),
        ("amount", "320000", "wan", "32 万"),
        ("amount", "1234.5", "cents", "1,234.50"),
        ("amount", "1234.5", "cents_de", "1.234,50"),
        ("amount", "42000", "thousands", "42"),
        ("amount", "1080000", "millions", "1.08"),
        ("amount", "12005", "zh", "一万二千零五"),
        ("number", "3000", "", "3,000"),
        ("number", "110", "zh", "一百一十"),
        ("number", "8", "en_capital", "Eight"),
        ("number", "24", "en", "twenty-four"),
        ("number", "90", "en_capital", "Ninety"),
        ("clock", '"09:30"', "hour_en", "half past nine"),
        ("clock", '"12:00"', "hour_en", "twelve"),
        ("number", "5000", "en", "five thousand"),
        ("number", "2142", "en", "two thousand one hundred forty-two"),
        ("moment", '"+17 10:00"', "hour_en", "ten"),
        ("moment", '"+17 15:30"', "clock_zh_digits", "下午3点半"),
        ("clock", '"14:30"', "hour_en", "half past two"),
        ("amount", "38000", "wan_bare", "3.8"),
        ("amount", "11000", "zh_spoken", "一万一"),
        ("amount", "183000", "zh_spoken", "十八万三"),
        ("amount", "122000", "zh_spoken", "十二万二"),
        ("amount", "2000", "zh_spoken", "两千"),
        ("amount", "22050", "zh_spoken", "两万两千零五十"),
        ("percent", "6.3", "percent_tight", "6.3%"),
        ("percent", "1.0", "percent_tenths", "1.0 %"),
        ("percent", "2", "percent_tenths_tight", "2.0%"),
        ("percent", "2", "tenths", "2.0"),
        ("percent", "0.3", "fraction", "0.003"),
        ("amount", "4908000000", "yi", "49.08 亿"),
        ("moment", '"+4 11:00"', "day_at", "+4 00:00"),
        ("day", '"-3"', "day_at", "-3 00:00"),
        ("id", '"GY-2602-B"', "tail", "2602-B"),
        ("id", '"HL-88213"', "number_part", "88213"),
        ("place", '"湖岸花园酒店"', "", "湖岸花园酒店"),
    ],
)
def test_a_value_is_written_in_the_form_that_a_text_asks_for(
    load: Callable[..., Ledger], kind: str, value: str, form: str, written: str
) -> None:
    ledger = load(one(key='"it.is"', kind=f'"{kind}"', value=value))

    assert ledger.render(f"a {{{{fact:it.is {form}}}}} b", "talk/a.md") == f"a {written} b"


def test_a_number_of_a_million_is_not_written_in_english_words(load: Callable[..., Ledger]) -> None:
    ledger = load(one(key='"it.is"', kind='"number"', value="1000000"))

    with pytest.raises(FactError, match=r"a\.md:1: 1000000 is not written in words"):
        ledger.render("{{fact:it.is en}}", "a.md")


def test_a_derived_value_follows_its_parts(load: Callable[..., Ledger]) -> None:
    ledger = load(PAPER)

    assert ledger["paper.rest"].value == 22400
    assert ledger["fair.setup"].value == "+4 13:00"
    assert load(PAPER.replace("32000", "40000"))["paper.rest"].value == 30400


def test_a_former_value_is_named_and_a_number_of_toml_loses_its_quotes(load: Callable[..., Ledger]) -> None:
    ledger = load(PAPER)

    text = 'price = "{{fact:paper.total number}}" # was {{fact:paper.total#quote money}}'

    assert ledger.render(text, "a.toml") == "price = 32000 # was ¥35,000"
    assert ledger.render('price = "{{fact:paper.total decimal}}"', "a.toml") == "price = 32000.0"


def test_a_trace_tells_which_part_of_a_text_tells_which_fact(load: Callable[..., Ledger]) -> None:
    text = "{{fact:paper.total#quote money}} → {{fact:paper.total money}}, {{noise:14:00}}, {{noise:+3 zh}}"

    traced = load(PAPER, traced=True).render(text, "a.md")

    assert [*told_in(traced)] == [
        Told("paper.total", "quote", "¥35,000"),
        Told("paper.total", "", "¥32,000"),
        Told("noise", "", "14:00"),
        Told("noise", "", "{{date:+3 zh}}"),
    ]
    assert plain(traced) == load(PAPER).render(text, "a.md") == "¥35,000 → ¥32,000, 14:00, {{date:+3 zh}}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n{{fact:paper.totl}}", "a.md:2: no fact 'paper.totl'; nearest: paper.total"),
        ("{{fact:paper.total tides}}", "a.md:1: 'paper.total' (amount) has no form 'tides'; nearest: "),
        ("{{fact:paper.total#second}}", "a.md:1: 'paper.total' has no former or wrong value 'second'; have quote"),
    ],
)
def test_a_reference_to_what_does_not_exist_is_one_line_with_the_way_out(
    load: Callable[..., Ledger], text: str, line: str
) -> None:
    with pytest.raises(FactError) as problem:
        load(PAPER).render(text, "a.md")

    assert str(problem.value).startswith(line)
    assert "\n" not in str(problem.value)


# A key of a number whose value is 7, the key's value and what is said of it.
KEYS = (
    ("since", "3", "'since' must be a time such as '-4 16:00' or '-4', not 3"),
    ("since", '"+3 25:00"', "'since' must be a time"),
    ("known", '["ada"]', "'known' must be a table: person → from when"),
    (
        "known",
        '{ ada = "soon" }',
        "'known' is a table: person → from when, such as { ada = '-3 12:00' }; 'ada' has 'soon'",
    ),
    ("names", '"seven"', "'names' must be a list, not 'seven'"),
    ("names", "[7]", "'names' must be a list of texts; 7 is none"),
    ("tell", '[""]', "'tell' must be a list of texts; '' is none"),
    ("order", "[1]", "'order' must be a list of texts; 1 is none"),
    ("distinct", '["c.d"]', "no fact 'c.d'"),
    ("scope", '["+1"]', "'scope' must be two days"),
    ("rows", '["lark"]', "'rows' names columns such as 'APP.TABLE.COLUMN', not 'lark'"),
    ("unit", "7", "'unit' must be a text"),
    ("forms", '["x"]', "'forms' must be a table"),
    ("forms", "{ short = 7 }", "'forms' is a table: name → text without quotes, backslashes and braces; 'short' has 7"),
    ("fixed", '"yes"', "'fixed' must be true or false, not 'yes'"),
    ("fixed", "true\ndraw = [8]", "has 'draw' and 'fixed'; remove one of them"),
    ("draw", "[]", "'draw' is empty"),
    ("colour", "7", "no key 'colour'; nearest: "),
    ("draw", '["eight"]', "draw: candidate 1: 'eight' is no number"),
    ("draw", "[8, { forms = {} }]", "draw: candidate 2: lacks 'value'"),
    ("draw", "[{ value = 8, until = 3 }]", "draw: candidate 1: no key 'until'"),
    ("draw", "[{ value = 8, former = { first = 3 } }]", "draw: candidate 1: the fact has no former value 'first'"),
    ("draw", '[8]\nforms = { en = "seven" }', "draw: candidate 1: lacks the form 'en' of the fact"),
    ("former", '[{ key = "The first", value = 3 }]', "former: 'key' must be one word of a-z, 0-9 and '_'"),
    ("former", '[{ key = "first", value = 3, until = 4 }]', "'first: until' must be a time"),
    ("wrong", '[{ key = "rumour", value = 3, by = 4 }]', "wrong: 'by' must be the key of a person, not 4"),
    ("wrong", '[{ key = "rumour", value = [3] }]', "[3] is no number"),
)
# A kind, a value and what is said of it; the other facts are those of PAPER.
VALUES = (
    ("number", "inf", "inf is no number that can be written; numbers are below 1,000,000,000,000"),
    ("number", "nan", "nan is no number that can be written"),
    ("amount", "1000000000000", "1000000000000 is no amount that can be written"),
    ("number", '"= 1e308 * 1e308"', "the number is 1,000,000,000,000 or more"),
    ("place", "2026-06-01", "datetime.date(2026, 6, 1) is no place"),
    ("amount", '"= paper.total#quote - 1"', "'paper.total#quote - 1' is no formula; a version is written KEY.VERSION"),
    ("moment", '"= fair.opens + paper.total"', "'fair.opens + paper.total' mixes a time and a number"),
    ("amount", '"= fair.opens"', "'= fair.opens' is a time, and the kind is amount"),
    ("number", f'"= {"(" * 240}1{")" * 240}"', f"'{'(' * 240}1{')' * 240}' is no formula"),
    ("number", f'"= {"1 + " * 200}1"', "a formula has at most 500 letters"),
    ("place", '"Pier"\norder = ["a.b < paper.total"]', "'a.b < paper.total' compares the kinds place and amount"),
    ("place", '"Pier"\norder = ["a.b < a.b"]', "a place cannot be calculated or ordered"),
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (one(key='"Total"', kind='"amount"', value="1"), "facts/story.toml: fact 1: 'key' must be words with dots"),
        (one(key='"a.b"', kind='"money"', value="1"), "facts/story.toml: 'a.b': no kind 'money'; have moment, day"),
        (one(key='"a.b"', kind='"amount"', valu="1"), "facts/story.toml: 'a.b': no key 'valu'; nearest: value"),
        (one(key='"a.b"', kind='"amount"'), "facts/story.toml: 'a.b': lacks 'value'"),
        (one(key='"a.b"', kind='"amount"', value='"1"'), "facts/story.toml: 'a.b': '1' is no amount; write a number"),
        (one(key='"a.b"', kind='"clock"', value='"25:00"'), "facts/story.toml: 'a.b': '25:00' is no time of day"),
        (one(key='"a.b"', kind='"id"', value='"= c.d"'), "facts/story.toml: 'a.b': the kind id cannot be calculated"),
        (one(key='"a.b"', kind='"number"', value='"= c.d"'), "facts/story.toml: 'a.b': no fact 'c.d'; nearest: a.b"),
        (one(key='"a.b"', kind='"number"', value='"= a.b + 1"'), "facts/story.toml: 'a.b' is derived from itself: a.b"),
        (one(key='"a.b"', kind='"number"', value='"= 1 / 0"'), "facts/story.toml: 'a.b': '1 / 0' divides by zero"),
        (one(key='"a.b"', kind='"number"', value='"= open(1)"'), "facts/story.toml: 'a.b': 'open(1)' is not allowed"),
        (PAPER + PAPER, "facts/story.toml: 'paper.total' stands in facts/story.toml, too"),
        (PAPER.replace("9600", "16000"), "facts/story.toml: 'paper.rest': 'distinct' names 'paper.deposit', and both"),
        (
            PAPER.replace("setup < fair", "opens < fair").replace("< fair.opens", "< fair.setup"),
            "facts/story.toml: 'fa",
        ),
        (PAPER.replace("35000", "32000"), "facts/story.toml: 'paper.total': the version 'quote' has the present value"),
        ("facts = 1", "facts/story.toml: a ledger has [[facts]]"),
        ("[[facts]", "facts/story.toml: "),
        (
            '[[facts]]\nkey = "it.raise"\nkind = "number"\nvalue = 2\n'
            '[[facts]]\nkey = "it.all"\nkind = "number"\nvalue = "= 2 * it.raise"',
            "facts/story.toml: 'it.all': 'it.raise' cannot stand in a formula, as 'raise' is a keyword of Python",
        ),
        ('[facts]\nkey = "a.b"', "facts/story.toml: a ledger has [[facts]] and [[noise]] only; write each entry below"),
        ("facts = [1]", "facts/story.toml: a ledger has [[facts]] and [[noise]] only; write each entry below"),
        ("noise = 3", "facts/story.toml: a ledger has [[facts]] and [[noise]] only; write each entry below"),
        ("[[fact]]", "facts/story.toml: a ledger has [[facts]] and [[noise]] only, not 'fact'"),
        ("\ufeff" + PAPER, "facts/story.toml: begins with a byte order mark; save it as UTF-8 without one"),
        ("a = " + "[" * 5000, "facts/story.toml: brackets are nested too deeply"),
        *(
            (one(key='"a.b"', kind='"number"', value="7", **{name: value}), f"facts/story.toml: 'a.b': {line}")
            for name, value, line in KEYS
        ),
        *(
            (PAPER + one(key='"a.b"', kind=f'"{kind}"', value=value), f"facts/story.toml: 'a.b': {line}")
            for kind, value, line in VALUES
        ),
    ],
)
def test_an_invalid_ledger_is_one_line_with_file_and_entry(load: Callable[..., Ledger], text: str, line: str) -> None:
    with pytest.raises(FactError) as problem:
        load(text)

    assert str(problem.value).startswith(line)
    assert "\n" not in str(problem.value)


def test_a_claim_that_names_a_fact_has_its_kind_unit_and_subject(load: Callable[..., Ledger]) -> None:
    def claims(*entries: dict[str, Any]) -> list[Any]:
        raw = {"checkpoints": [{"answer": {"claims": [*entries]}}]}
        found: list[Any] = with_claims(raw, load(PAPER))["checkpoints"][0]["answer"]["claims"]
        return found

    total, quote, opens = ({"fact": each} for each in ("paper.total", "paper.total#quote", "fair.opens"))
    assert claims(total) == [{"number": 32000, "unit": ["", "CNY"], "of": ["paper", "纸款"], **total}]
    assert claims({**quote, "of": [], "denied": True}) == [
        {"number": 35000, "unit": ["", "CNY"], "denied": True, **quote}
    ]
    assert claims(opens) == [{"date": "+5", **opens}, {"clock": "14:30", **opens}]
    assert claims({**opens, "part": "clock"}) == [{"clock": "14:30", **opens}]
    with pytest.raises(ValueError, match="has no part 'day'; have date, clock"):
        claims({"fact": "fair.opens", "part": "day"})


def test_former_values_of_a_claimed_fact_may_be_denied_and_not_asserted(load: Callable[..., Ledger]) -> None:
    def only(form: dict[str, Any]) -> Any:
        return with_claims({"answer": form}, load(PAPER))["answer"].get("only")

    assert only({"claims": [{"fact": "paper.total"}]}) == {"stale": ["35,000"]}
    assert only({"claims": [{"fact": "paper.total"}], "only": {"also": "1", "stale": "35,000"}}) == {
        "also": "1",
        "stale": ["35,000"],
    }
    assert only({"claims": [{"fact": "fair.opens"}]}) is None
    assert only({"claims": [{"fact": "paper.total"}, {"number": 35000}]}) is None  # it is claimed, too


def test_a_value_that_is_derived_through_very_many_facts_is_one_line(load: Callable[..., Ledger]) -> None:
    chain = "".join(one(key=f'"a.n{n}"', kind='"number"', value=f'"= a.n{n + 1}"') for n in range(2000))

    with pytest.raises(FactError, match=r"^facts/story.toml: 'a.n0' is derived through too many other facts"):
        load(chain + one(key='"a.n2000"', kind='"number"', value="1"))


def test_a_world_may_have_a_file_without_facts(load: Callable[..., Ledger]) -> None:
    assert not len(load(""))
