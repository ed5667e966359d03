"""No text that an agent writes costs more to judge than it is long."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.formats.unicode import nfkc
from farm.benchmark.scoring.claims import Claim, Requirement, Situation, Stance
from farm.benchmark.scoring.claims.normalize import _fold, _fold_long, _fold_short, fold
from farm.benchmark.scoring.claims.verdict import _judge
from farm.context.operators import normalize, seen, texts_in
from tests.claims.backtracking import faults, is_multiplied

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SUPERLINEAR = (
    r"(?:a*)*b", r"(?:a+)+b", r"(?:a|a)*b", r"(?:it|is|it is| )*now", r"\s*(?:a|\s)*b", r"^\W*(?:了)?\W*$", r"^a.*a.*b",
    r"\s*$", r"x|\s+y", r"[一二]*[十][一二]*", r"\w+n't", r"mov\w+ (?:to|from)", r"<!--.{0,4000}?-->", r"(?=\W*\w)x|y",
    r"能(?:不能|你)*转", r"(?<!b)a+c", r"\W+(?!\W*x)y", r"a*?b", r"(?s)a.*b", r"(?>a*)*ab", r"a+b{0,500}c",
    r"(?>(?:a|a)*b)c", r"(?:(?:a+)+b)*+c",
)  # fmt: skip
LINEAR = (
    r"a+", r"[*_`~]+", r"^\s*$", r"(?<!\s)\s*$", r"到\s*$", r"^\W*(?:(?:but|so)\W+)+no", r"thank\w*(?![a-z\d_])",
    r"\bfrom(?: \w+'?s?){0,3} ?$", r"^\W*+(?:了\W*+)?$", r"(?<![a-z])[a-z]+ (?:19|20)\d\d", r"x{0,60}y", r"\d{9,}",
    r"__+|(?<![^\W_])_", r"^[^,]*,[^,]*$",
)  # fmt: skip


@pytest.mark.parametrize("pattern", SUPERLINEAR)
def test_a_pattern_that_can_be_read_twice_is_refused(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize("pattern", LINEAR)
def test_a_pattern_that_is_read_once_is_passed(pattern: str) -> None:
    assert faults(pattern) == []


@pytest.fixture(scope="module")
def patterns() -> list[tuple[str, int]]:
    """Return every pattern that a process compiles that reads claims."""
    found = subprocess.run([sys.executable, "-m", "tests.claims.compiled"], capture_output=True, text=True, check=True)
    return [(pattern, flags) for pattern, flags in json.loads(found.stdout)]


def test_a_counted_repeat_that_reads_one_word_on_two_ways_is_found() -> None:
    assert is_multiplied(r"(?: \w+'?s?){0,3} ?$")
    assert not is_multiplied(r"(?: \w+(?:'s?)?){0,3} ?$")


def test_every_pattern_of_claims_is_linear(patterns: list[tuple[str, int]]) -> None:
    refused = {pattern: found for pattern, flags in patterns if (found := faults(pattern, flags))}

    assert len(patterns) > 380
    assert refused == {}


def test_no_counted_repeat_of_claims_multiplies_itself(patterns: list[tuple[str, int]]) -> None:
    assert [pattern for pattern, flags in patterns if is_multiplied(pattern, flags)] == []


def cpu_s(work: Callable[[str], object], text: str) -> float:
    """Return the least CPU time of three runs."""
    spent = []
    for _ in range(3):
        _fold_short.cache_clear()
        _fold_long.cache_clear()
        started = time.process_time()
        work(text)
        spent.append(time.process_time() - started)
    return min(spent)


def wall(piece: str, length: int) -> str:
    """Return a text of one piece again and again."""
    return (piece * (length // len(piece) + 1))[:length]


# What costs time before a text is known to be too long, set apart by bars.
OPENERS = (
    "<!--|~~|~~a|~a |*|_|_a|a_|`|:a|1:|：|，|１，|- | -|–\t|\t|\n| \n|x1|壹|零|壹万|万|①|ﷺ|İ|ß|\u200b|“|"
    '\u0300\u0316|\u0f73\u0316|\uff9e\u0301|\u1161|a ~\t|\U0001f642|、|{|[|"|\\|(|> '
)


@pytest.mark.parametrize("piece", OPENERS.split("|"))
def test_what_is_done_before_a_text_is_too_long_costs_no_more_than_its_length(piece: str) -> None:
    for work in (_fold, normalize, texts_in):
        short, long = cpu_s(work, wall(piece, 4_000)), cpu_s(work, wall(piece, 40_000))

        # What grows with the square takes a hundred times as long.
        assert long < max(40 * short, 0.1), work


WANTED = Requirement(
    (
        Claim("date", (date(2026, 3, 26),), of=("launch", "发布"), rivals=(("达人进度",), ("room",))),
        Claim("clock", ("10:00",)),
        Claim("number", (4.0,), of=("the date",)),
        Claim("choice", ("Cove", "小湾"), rivals=(("Porthole", "舷窗"),)),
    ),
    Stance("yes", ("move", "改")),
)
HOSTILE = (
    '<!--|~~|(|“|「|"a" |1|1:|1-|1 |1, |下|下周|not |no |nicht |\U0001f642|\n- |\n|[a](|[a](b) |2026-01-01 |2026-01-|'
    "10:00-|10:00–11:00 |一|一个|三月|,|> |\n> |a |\x0b|\u2028|%|_|*|/|a/|'|\"|it is |it's |moved to |从|改到|前|原来|"
    "没|不|"
    "如果|or |还是|a? |有人说|we have |the |26 march, |3月26日、|¥1 |a-|= |→ |1→|4.01→|but |not 1, |before |a's |～|"
    "在|的|了吗|"
    "\u0300\u0316|ﷺ|…|;|1;|cove |10:00 not |launch 4 |26 march launch 达人进度not |26 march launch 达人进度|"
    "promis一|1-not not i |"
    "壹|的话|guess一|应该是|能不能|有人用|4.0 or |4.0 1 |the date 4 |room 1 and "
)


@pytest.mark.parametrize("piece", HOSTILE.split("|"))
def test_a_hostile_text_costs_no_more_than_its_length_to_judge(piece: str) -> None:
    def work(text: str) -> object:
        return _judge(WANTED, text, Situation(NOW, ("When is the launch?",)))

    work(wall(piece, 400))  # compiles what this text needs
    short, long = cpu_s(work, wall(piece, 500)), cpu_s(work, wall(piece, 4_000))

    # Eight times the length; what grows with its square takes 64 times as long.
    assert long < max(30 * short, 0.1)


def test_a_comment_is_not_read_however_long_it_is() -> None:
    assert fold("a<!--" + "b" * 5_000 + "-->c<!-->d--> e<!--f") == "a c e "


def test_marks_that_anybody_reads_stay_and_a_heap_of_them_is_cut() -> None:
    assert nfkc("e\u0301 か\u3099 ﾊﾞ") == "é が バ"
    assert nfkc("x" + "\u0316" * 30) == "x" + "\u0316" * 30
    assert nfkc("x" + "\u0316\u0300" * 500 + "y") == "x" + "\u0316" * 15 + "\u0300" * 15 + "y"


@pytest.mark.parametrize("depth", [101, 600, 1_020])
def test_json_that_is_nested_deeper_than_anybody_means_is_a_text(depth: int) -> None:
    text = "[" * depth + '"a"' + "]" * depth

    assert texts_in(text) == text
    assert seen(text, {"a"}) == text


def test_json_inside_of_json_inside_of_a_text_gives_its_texts() -> None:
    text = json.dumps([json.dumps([{"a": "b", "c": []}, None]), "[d", {}, 1])

    assert texts_in(text) == "b\n\n\n[d\n\n1"
