"""Count how the values of a world's rows were made, app by app, by the method that each column declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from farm.appkit.handler_api import Row
from farm.world.authentic import read_authentic
from farm.world.generate import rows_of
from farm.world.generators import schema
from farm.world.spec import Spec

# A schema's "authentic" column holds what the specification says, such as a name. Only rows of an export are authentic.
METHODS = ("free-form", "specified", "random", "enumerate", "authentic")


@dataclass(frozen=True)
class MethodShares:
    """How many values of an app were made by each method.

    Attributes:
        app: the app.
        counts: method → values that are not null: ``free-form`` from a writer, ``specified`` names and links of the
            specification, ``random`` drawn, ``enumerate`` one of a few, ``authentic`` from an export with a licence.
        sources: origin and licence of the authentic rows → how many there are.
    """

    app: str
    counts: Mapping[str, int]
    sources: Mapping[str, int]

    def share(self, method: str) -> float:
        """Return the share of a method among all values; 0 without any."""
        total = sum(self.counts.values())
        return self.counts.get(method, 0) / total if total else 0.0

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {self.share(name):.1%}" for name in METHODS)
        sources = "; ".join(f"{number} rows of {name}" for name, number in self.sources.items())
        return f"{self.app}: {shares}{f' ({sources})' if sources else ''}"


def method_shares(spec: Spec) -> Iterator[MethodShares]:
    """Yield the shares of each app of a world.

    Raises:
        WorldError: the world cannot be generated.
    """
    for app, rows in rows_of(spec).items():
        lines = read_authentic(spec.app(app).folder, app)
        sources = Counter(f"{line['origin']} ({line['licence']})" for line in lines)
        yield MethodShares(app, _counts(app, rows, [line["row"] for line in lines]), sources)


def _counts(app: str, rows: list[Row], authentic: list[Row]) -> Counter[str]:
    methods = {
        str(table.name): {str(column.name): column.info["generation"] for column in table.columns}
        for table in schema(app).tables
    }
    counts: Counter[str] = Counter()
    for row in rows:
        is_authentic = row in authentic
        for column, method in methods[row["table"]].items():
            if row.get(column) is not None:
                counts["authentic" if is_authentic else "specified" if method == "authentic" else method] += 1
    return counts
