"""Render a report as one page: the table, and each arm's differing answers beside the real ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from farm.traverse.fidelity.compare import Mask

_FIGURES = (
    ("n", "n"),
    ("tp", "TP"),
    ("tn", "TN"),
    ("fp", "FP"),
    ("fn", "FN"),
    ("accuracy", "accuracy"),
    ("precision", "precision"),
    ("recall", "recall"),
    ("f1", "F1"),
    ("tfidf", "TF-IDF"),
    ("rouge", "ROUGE"),
    ("bleu", "BLEU"),
    ("meteor", "METEOR"),
    ("exact", "exact text"),
    ("exact_unmasked", "unmasked"),
    ("leaf_equal", "leaf-equal bodies"),
)
# Part of a report → its heading, in the order of the page.
PARTS = {
    "scored": "Calls that count: each once, half of them refusals",
    "all": "All calls that were not seen before",
    "beyond_schema": "Those that the input schema allows",
}
HEADS = tuple(head for _, head in _FIGURES)
# MCP-Persona's own figures, over 50 calls of one app: from documentation alone, and with traversal.
_PAPER = {
    "the paper, vanilla": {"n": 50, "accuracy": 0.58, "meteor": 0.321},
    "the paper, traversed": {"n": 50, "accuracy": 0.94, "meteor": 0.87},
}


def cells(figures: Mapping[str, Any]) -> list[str]:
    """Return a row of figures as texts, in the order of ``HEADS``; a dash for a missing figure."""
    return [_format_figure(figures[name]) for name, _ in _FIGURES]


def paper_rows() -> list[tuple[str, ...]]:
    """Return rows with the published figures of MCP-Persona, to stand below ours; a dash for what it does not give."""
    return [(arm, *(_format_figure(said.get(name)) for name, _ in _FIGURES)) for arm, said in _PAPER.items()]


def page(
    title: str,
    tables: Sequence[Mapping[str, Any]],
    differing: Mapping[str, Sequence[Mapping[str, Any]]],
    masks: Sequence[Mask],
) -> str:
    """Return a self-contained page.

    Args:
        tables: one report for each arm.
        differing: arm → its disagreements.
        masks: the declared masks.
    """
    template = Template(files(__package__).joinpath("page.html").read_text("utf-8"))
    parts = "".join(_part(head, [(each["arm"], each[part]) for each in tables]) for part, head in PARTS.items())
    groups = "".join(
        _part(f"{each['arm']}, {head}", list(each[part].items()))
        for each in tables
        for part, head in (("by_class", "by what a call was meant to be"), ("by_tool", "by tool"))
    )
    masked = "".join(_mask(each, tables) for each in masks)
    sides = "".join(_disagreements(arm, found) for arm, found in differing.items())
    return template.substitute(
        title=escape(title), parts=parts, groups=groups, masks=f"<ul>{masked}</ul>" if masked else "none", sides=sides
    )


def _part(head: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    heads = "".join(f"<th>{escape(each)}</th>" for each in ("", *HEADS))
    body = "".join(
        f"<tr><td>{escape(name)}</td>{''.join(f'<td>{escape(each)}</td>' for each in cells(figures))}</tr>"
        for name, figures in rows
    )
    return f"<h3>{escape(head)}</h3><div class=wide><table><tr>{heads}</tr>{body}</table></div>"


def _mask(mask: Mask, tables: Sequence[Mapping[str, Any]]) -> str:
    counts = ", ".join(f"{escape(each['arm'])}: {each['masks'].get(mask.name, 0)} calls" for each in tables)
    return f"<li>{escape(mask.name)} <code>{escape(mask.pattern.pattern)}</code>: {escape(mask.reason)}; {counts}</li>"


def _disagreements(arm: str, found: Sequence[Mapping[str, Any]]) -> str:
    shown = "".join(_disagreement(each) for each in found)
    return f"<h2>{escape(arm)}: {len(found)} differing</h2>{shown}"


def _disagreement(each: Mapping[str, Any]) -> str:
    place = f"{each['trace']}.{each['step']}" if each["trace"] is not None else ""
    marks = ["another text" if each["outcome"] else "another outcome", each["error_class"], each["operation"] or "seed"]
    marks += [] if each["is_first"] else ["after another of its trace"]
    head = f"{place} <b>{escape(each['tool'])}</b> {escape(json.dumps(each['arguments'], ensure_ascii=False)[:500])}"
    sides = f"<pre>{escape(each['real'])}</pre><pre>{escape(each['arm'])}</pre>"
    kind = "text" if each["outcome"] else "outcome"
    where = f"real: {escape(each['real_around'])}<br>arm: {escape(each['arm_around'])}"
    return (
        f"<details class={kind}><summary>{head}<br><small>{escape(', '.join(marks))}</small></summary>"
        f"<p>{where}</p><div class=sides>{sides}</div></details>"
    )


def _format_figure(value: Any) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
