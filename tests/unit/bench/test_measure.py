"""The bench's arithmetic: ratios by round, targets, exponents, what a row prints."""

from __future__ import annotations

from collections.abc import Callable

import orjson
import pytest

from farm.errors import FarmError, NotFoundError
from tests.bench import report
from tests.bench import run as run_module
from tests.bench.__main__ import main
from tests.bench.measure import Measurement, Sizes, compare, exponent, take_turns
from tests.bench.run import row_names, run


def test_a_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_the_medians() -> None:
    row = compare("x", "us", [10, 40, 30], [10, 20, 30], against="floor")

    assert row.ratio == 1
    assert (row.low, row.high) == (1, 2)


@pytest.mark.parametrize(("better", "target", "met"), [("lower", 2, True), ("lower", 1, False), ("higher", 1, True)])
def test_a_target_bounds_the_ratio_from_the_side_the_row_names(better: str, target: float, met: bool) -> None:
    row = compare("x", "us", [3], [2], against="floor", target=target, better=better)  # type: ignore[arg-type]

    assert row.met is met


@pytest.fixture
def without_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


@pytest.mark.usefixtures("without_plugin")
def test_a_named_row_that_needs_what_is_not_installed_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(FarmError, match=r"^plugin_world, .* need pytest-mcp-farm beside the farm; install it"):
        next(run(["cpu_read", "plugin_world"], Sizes.quick()))


@pytest.mark.usefixtures("without_plugin")
def test_a_run_of_all_rows_leaves_out_and_names_what_cannot_be_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_module, "GROUPS", tuple(group for group in run_module.GROUPS if group.package))

    status = main(["--quick", "--json"])

    printed = capsys.readouterr()
    assert status == 0
    assert orjson.loads(printed.out) == {"rows": [], "left_out": ["plugin_world", "plugin_test", "plugin_unused"]}
    assert printed.err == "left out, as pytest-mcp-farm is not installed: plugin_world, plugin_test, plugin_unused\n"


def test_a_row_without_a_target_says_neither_met_nor_missed() -> None:
    assert compare("x", "us", [3], [2], against="floor").met is None


def test_a_bound_on_the_value_does_not_look_at_the_ratio() -> None:
    assert Measurement("x", "us", 5.0, 1.0, ratio=5.0, target=6.0, bounds="value").met is True


def test_json_carries_the_keys_of_the_contract() -> None:
    shown = Measurement("x", "us", 5.0, notes={"more": 1}).as_json()

    assert {"name", "unit", "value", "baseline", "ratio", "target", "met", "more"} <= set(shown)


def test_things_take_turns_and_each_round_begins_with_another() -> None:
    order: list[str] = []

    def thing(name: str) -> Callable[[], float]:
        return lambda: order.append(name) or 1.0  # type: ignore[func-returns-value]

    found = take_turns(3, {name: thing(name) for name in "abc"})

    assert "".join(order) == "abcbcacab"
    assert found == {"a": [1.0] * 3, "b": [1.0] * 3, "c": [1.0] * 3}


@pytest.mark.parametrize("power", [0, 0.5, 1, 2])
def test_the_exponent_of_a_power_law_is_its_power(power: float) -> None:
    assert exponent((n, 3 * n**power) for n in (1, 10, 100)) == pytest.approx(power, abs=1e-9)


def test_every_row_with_a_target_is_in_the_plot() -> None:
    rows = [compare("fast", "us", [3], [2], against="floor", target=2), compare("plain", "us", [3], [2], against="x")]

    drawn = report.plot(rows)

    assert "fast" in drawn
    assert "plain" not in drawn


def test_an_unknown_row_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(NotFoundError, match="no row 'speed'; have cpu_read") as refused:
        list(run(["speed"], Sizes.quick()))

    assert row_names()[-1] in str(refused.value)
