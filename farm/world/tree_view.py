"""Show an app's context tree: as lines for a terminal, and as a picture for documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from farm.appkit.context_tree import TreeField, TreeNode
from farm.appkit.schema import Generation

ROOT = "account holder"
# What a schema declares as authentic comes from the specification: names, accounts, what belongs to what.
METHODS: tuple[Generation, ...] = ("free-form", "random", "enumerate", "authentic")
_COLOURS = {"free-form": "#3b6fb6", "random": "#c9c9c9", "enumerate": "#e0a33a", "authentic": "#5c9e6b"}
_ROW, _STEP, _WIDTH, _BAR = 22, 24, 860, 260


def tree_lines(roots: Sequence[TreeNode]) -> Iterator[str]:
    """Yield a tree with the fields of each entity."""
    yield ROOT
    for number, node in enumerate(roots, start=1):
        yield from _lines(node, "", is_last=number == len(roots))


def _lines(node: TreeNode, before: str, *, is_last: bool) -> Iterator[str]:
    yield f"{before}{'└─ ' if is_last else '├─ '}{node.table}[{','.join(node.key)}]"
    inner = before + ("   " if is_last else "│  ")
    bar = "│  " if node.children else "   "
    width = max(len(each.name) for each in node.fields) + 1
    for each in node.fields:
        yield f"{inner}{bar}{each.name:<{width}} {each.generation:<10}{_about(each)}"
    for number, child in enumerate(node.children, start=1):
        yield from _lines(child, inner, is_last=number == len(node.children))


def _about(each: TreeField) -> str:
    """Return what a field is: key, role, and the entity to which it refers."""
    role = "key" if each.is_key else each.role or ""
    return f"{role} → {each.references}" if each.references else role


def tree_picture(app: str, roots: Sequence[TreeNode]) -> str:
    """Return a tree as SVG: a line for each entity, with a bar of its fields by method."""
    rows = [row for root in roots for row in _rows(root, 1)]
    height = (len(rows) + 3) * _ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="ui-sans-serif, system-ui, sans-serif" font-size="13">',
        f"<title>Context tree of {escape(app)}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="{_ROW}" font-weight="bold">{ROOT}</text>',
    ]
    parts += _edges(rows)
    most = max(len(node.fields) for _, node in rows)
    for number, (depth, node) in enumerate(rows, start=2):
        parts += _picture_row(node, 16 + depth * _STEP, number * _ROW, _BAR / most)
    parts += _legend((len(rows) + 2) * _ROW)
    return "\n".join((*parts, "</svg>\n"))


def _rows(node: TreeNode, depth: int) -> Iterator[tuple[int, TreeNode]]:
    yield depth, node
    for child in node.children:
        yield from _rows(child, depth + 1)


def _edges(rows: Sequence[tuple[int, TreeNode]]) -> Iterator[str]:
    """Yield the lines from each entity to its owner."""
    last: dict[int, int] = {0: 1}
    for number, (depth, _) in enumerate(rows, start=2):
        x, y = 16 + (depth - 1) * _STEP + 6, number * _ROW - 4
        yield f'<path d="M{x} {last[depth - 1] * _ROW + 4}V{y}H{x + _STEP - 10}" fill="none" stroke="#999999"/>'
        last[depth] = number


def _picture_row(node: TreeNode, x: int, y: int, unit: float) -> Iterator[str]:
    weight = ' font-weight="bold"' if node.is_holder else ""
    key = f'<tspan fill="#777777"> {escape(", ".join(node.key))}</tspan>'
    yield f'<text x="{x}" y="{y}"><tspan{weight}>{escape(node.table)}</tspan>{key}</text>'
    counts, left = Counter(each.generation for each in node.fields), float(_WIDTH - _BAR - 16)
    for method in METHODS:
        if wide := counts[method] * unit:
            yield (
                f'<rect x="{left:.1f}" y="{y - 11}" width="{wide:.1f}" height="14" fill="{_COLOURS[method]}">'
                f"<title>{counts[method]} {method}</title></rect>"
            )
        left += wide


def _legend(y: int) -> Iterator[str]:
    x = 16
    for method in METHODS:
        yield f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{_COLOURS[method]}"/>'
        yield f'<text x="{x + 18}" y="{y}">{method}</text>'
        x += 110
