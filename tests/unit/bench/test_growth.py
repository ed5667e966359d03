"""What a call costs with more rows: the bench's growth rows in their quick form. Exponents are held, never times."""

from __future__ import annotations

import sys

import pytest

from tests.bench.measure import Measurement, Sizes
from tests.bench.measured_apps import LISTED
from tests.bench.run import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench runs on Linux")
# From 1,000 to 16,000 rows: what is flat comes out at 0.00 to 0.03, and a walk over an index's rows from 0.3 on.
_FLAT = 0.15
_QUICK = Sizes(rounds=3, is_quick=True)


def measured(*names: str) -> dict[str, Measurement]:
    """Measure again what looks as if it grew: a busy machine may slow down one size more than the other."""
    rows = {row.name: row for row in run(names, _QUICK)}
    again = [name for name, row in rows.items() if row.value > _FLAT]
    if again:
        rows |= {row.name: row for row in run(again, _QUICK) if row.value < rows[row.name].value}
    return rows


@pytest.mark.parametrize(
    "names",
    [
        *((f"growth_list_{app}",) for app in LISTED),
        ("growth_messages_read", "growth_messages_page", "growth_messages_write"),
        ("growth_search",),
    ],
    ids=lambda names: names[0],
)
def test_a_call_costs_the_same_however_many_rows_there_are(names: tuple[str, ...]) -> None:
    grown = {name: row.notes["points"] for name, row in measured(*names).items() if row.value > _FLAT}

    assert grown == {}
