"""``farm traverse pool``: turns recordings into the data for writing and measuring a kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from farm.traverse.discriminate import Opinion
    from farm.traverse.pool.pool import Part


def pool(
    recordings: Annotated[
        list[Path], typer.Argument(help="Folders of recordings of one server.", parser=given_path, metavar="RECORDING")
    ],
    out: Annotated[Path, typer.Option(help="The pool's folder.", parser=given_path, metavar="<path>")],
    seed: Annotated[int, typer.Option(help="Seed of the choice of traces to hold back and of calls that count.")] = 0,
    redact: Annotated[
        Path | None,
        typer.Option(
            help="Replace private values; the file, outside of the pool, keeps the mapping.",
            parser=given_path,
            metavar="<path>",
        ),
    ] = None,
    private: Annotated[
        Path | None,
        typer.Option(help="TOML with further private names, values and more.", parser=given_path, metavar="<path>"),
    ] = None,
    held: Annotated[
        bool, typer.Option("--held", help="Hold every trace back: a pool that only measures, recorded after writing.")
    ] = False,
    seen: Annotated[
        Path | None,
        typer.Option(
            help="With --held: the pool that was written from; calls in it do not count again.",
            parser=given_path,
            metavar="<path>",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(help="Model asked about answers that no rule can classify (OPENAI_API_KEY, OPENAI_BASE_URL)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Classify recorded calls, set aside those without evidence about the server, and hold whole traces back.

    Half of the traces are for writing a kernel, a fifth for checking it; the rest is held back for one final figure.

    Example: farm traverse pool recorded provoked --out pool --redact ~/redacted.json
    """
    from farm.traverse.discriminate import judge_recording
    from farm.traverse.pool.pool import MASKS, Hold, make_pool, read_lines, read_parts, write_pool

    if private is not None and redact is None:
        raise FarmError("--private says what --redact replaces; give --redact FILE, too")
    if seen is not None and not held:
        raise FarmError("--seen belongs to --held; a pool to write from has no calls that were seen")
    parts = read_parts(recordings)
    opinion = _opinion(judge, recordings[0])
    judged = [judge_recording(part.lines, (part.tools or {}).get("tools", ()), opinion) for part in parts]
    replaced: dict[str, int] = {}
    if redact is not None:
        parts, replaced = _redacted(parts, redact, private, out)
    hold = None if not held else Hold(read_lines(seen) if seen is not None else ())
    made = make_pool(parts, [[(each.kind, each.why) for each in verdicts] for verdicts in judged], seed=seed, hold=hold)
    if redact is not None:
        made = replace(made, manifest={**made.manifest, "redacted": replaced})
    write_pool(made, out)
    if as_json:
        print_json(made.manifest)
        return
    manifest = made.manifest
    print_text(f"{pluralize(manifest['lines'], 'call')} in {out}, {manifest['duplicates']} of them seen before")
    rows = [(side, *(str(figure) for figure in counts.values())) for side, counts in manifest["sides"].items()]
    print_table(("side", *next(iter(manifest["sides"].values()))), rows)
    _show_classes(manifest)
    for kind, count in replaced.items():
        print_text(f"replaced by stand-ins: {kind}, {pluralize(count, 'value')}")
    for why, count in manifest["rejected"].items():
        print_text(f"{count} kept apart: {why}")
    for each in manifest["volatile_candidates"]:
        first = each["seen"][0]
        print_text(
            f"{each['tool']} answered the same call otherwise ({pluralize(each['calls'], 'time')}), "
            f"as in {first['call']}:"
        )
        print_text(first["first"], begin="  ", indent=4)
        print_text(first["then"], begin="  ", indent=4)
    if manifest["volatile_candidates"]:
        print_text(f"what is drawn anew in each run may be declared in {out / MASKS}")
    if manifest["never_called"]:
        print_text(f"never called: {', '.join(manifest['never_called'])}")


def _opinion(model: str | None, recording: Path) -> Opinion | None:
    from farm.traverse.discriminate.opinion import ModelOpinion

    # Beside the recording: another pool of it repeats no question.
    return None if model is None else ModelOpinion(model, recording / "opinions.jsonl")


def _redacted(parts: list[Part], file: Path, listed: Path | None, pool: Path) -> tuple[list[Part], dict[str, int]]:
    from farm.traverse.redact import (
        Private,
        Redactor,
        add_machine_values,
        read_mapping,
        read_private,
        redact_recordings,
        write_mapping,
    )

    mapping = read_mapping(file)
    redactor = Redactor(
        mapping.key, add_machine_values(read_private(listed) if listed else Private()), mapping.replaced
    )
    parts = redact_recordings(parts, redactor)
    mapping.replaced = redactor.mapping
    write_mapping(file, mapping, pool=pool)
    return parts, redactor.used()


def _show_classes(manifest: Mapping[str, Any]) -> None:
    rows = [
        (name, str(sum(verdicts.values())), _share(verdicts.get("refused", 0), sum(verdicts.values())))
        for name, verdicts in manifest["by_class"].items()
    ]
    print_table(("meant as", "calls", "refused"), rows)


def _share(part: int, total: int) -> str:
    return f"{part / total:.0%}" if total else "-"
