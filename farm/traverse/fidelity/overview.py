"""docs/apps.md: every app with its coverage of the server, its fidelity and its size."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path

from farm import content
from farm.appkit.app import Tool
from farm.content import LoadedApp
from farm.traverse.fidelity.provenance import Measured, load_provenance
from farm.traverse.scaffold import STUB_REFUSAL

_HEAD = """# Apps

Made by `farm apps --markdown`; a test holds it to what the apps say. *Same outcome* and *same answer* are shares of
recorded calls of the real server, answered by its own code alone, that the app answers with the same success or
refusal, and to the letter ([how it is measured](fidelity.md)); *derived* ones were worked out from published code. Each
app's `FIDELITY.md` says what differs, and its `PROVENANCE.toml` what it was written from. Code is the kernel's Python
in hundreds of lines, data its rows. *Tools* are those that do something, of all that the server lists; *others* are
prompts, resources and resource templates: 0 if the server answers a request for their list and has none, – if it has no
such method, whatever its handshake declares: some declare prompts and refuse their list, others answer undeclared ones.
*Recorded* is the version of the real server that was read, run or recorded, and the day of that; *newest seen* is the
newest one that was found, and the day on which it was looked for; a dash where nobody could look.

"""
_COLUMNS = (
    *("app", "real server", "recorded", "newest seen", "tools", "others", "profiles"),
    *("calls compared", "same outcome", "same answer", "code", "data"),
)


def overview() -> str:
    """Return the page."""
    rows = [_row(content.load_app(name)) for name in content.app_names()]
    head = (_COLUMNS, ("---",) * len(_COLUMNS))
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in (*head, *rows))


def _row(loaded: LoadedApp) -> tuple[str, ...]:
    app, server, features = loaded.app, loaded.server, loaded.features
    provenance = load_provenance(loaded)
    measured = provenance.calls
    compared, derived = (sum(int(each.expected.get(key, 0)) for each in measured) for key in ("compared", "derived"))
    older = ", ".join(name for name in loaded.profiles if name != loaded.profile) or "–"
    return (
        f"[{app.name}](../kernels/{app.name}/FIDELITY.md)",
        f"{server['name']} {server['version']}",
        _dated(provenance.version, provenance.read_on),
        _dated(provenance.newest, provenance.looked_on),
        f"{sum(map(_is_written, app.tools))} of {len(loaded.tool_schemas)}",
        ", ".join(_count(each) for each in (features.prompts, features.resources, features.templates)),
        older,
        f"{compared}{f', {derived} derived' if derived else ''}" if compared else "–",
        _mean(measured, "agreement"),
        _mean(measured, "exact"),
        f"{round(_lines(loaded.folder), -2):,}",
        _size(_data(app.name, app.reference)),
    )


def _count(entries: Sequence[object] | None) -> str:
    return "–" if entries is None else str(len(entries))


def _dated(version: str | None, day: str | None) -> str:
    return " · ".join(each for each in (version, day) if each) or "–"


def _is_written(tool: Tool) -> bool:
    """Return whether a handler is more than the stub of ``farm new app``, which refuses every call."""
    code = getattr(inspect.unwrap(tool.handler), "__code__", None)
    return code is None or STUB_REFUSAL not in code.co_names


def _mean(measured: Iterable[Measured], figure: str) -> str:
    """Return a figure's mean over files, weighted by their calls."""
    parts = [
        (int(each.expected["compared"]), float(each.expected[figure])) for each in measured if figure in each.expected
    ]
    whole = sum(count for count, _ in parts)
    return f"{sum(count * share for count, share in parts) / whole:.1%}" if whole else "–"


def _lines(folder: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))


def _data(app: str, reference: str | None) -> Iterable[Path]:
    for world in content.world_names():
        if path := content.find_rows(world, app):
            yield path
    if reference is not None:
        yield from content.reference_dir(reference).glob("*.jsonl")


def _size(files: Iterable[Path]) -> str:
    size = sum(path.stat().st_size for path in files)
    return f"{round(size / 1000, -1) or 10:,.0f} KB" if size else "–"
