"""What Obsidian stores of a world: a vault for each account, its settings, and its files with their times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, ScheduledRow, WorldError, check_keys, identities_of, require

from .files import SCHEDULED, VAULT

_PERIODS = ("daily", "weekly", "monthly", "quarterly", "yearly")


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every vault with what is in it; an account's ``name`` is its vault's."""
    for key, account in spec.accounts.items():
        vault = _vault_id(spec, key)
        facts = spec.read(VAULT, f"{key}.toml")
        person = require("person with a vault", key, spec.members, spec.where("accounts.toml"))
        own = {"name": account.name or person.name, "time_zone": person.time_zone}
        yield {"table": "vaults", "vault_id": vault, "person": key, **own}
        yield from _periods(spec, vault, facts.get("periods", {}), f"{spec.where(key)}.toml")
        yield from _files(spec, vault, key, facts["files"])


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the files that come in the week after the start: what was jotted down on a telephone."""
    seqs = dict.fromkeys(spec.accounts, 10_000)
    for number, said in enumerate(spec.read(SCHEDULED)["files"], start=1):
        where = f"{spec.where(SCHEDULED.path)}: file {number}"
        require("vault", said["vault"], spec.accounts, where)
        at = spec.at(said["at"], where)
        if not spec.world.starts_at <= at < spec.world.week_ends_at:
            raise WorldError(f"{where}: at {said['at']}, and scheduled/ is the week from the start on")
        seqs[said["vault"]] += 1
        at_ms = int(at.timestamp()) * 1000 + spec.number(0, 59_999, said["vault"], said["path"], "scheduled")
        times = {"seq": seqs[said["vault"]], "made_ms": at_ms, "changed_ms": at_ms}
        yield ScheduledRow(
            datetime.fromtimestamp(at_ms // 1000, UTC),
            {**_file(spec, _vault_id(spec, said["vault"]), said, where), **times},
        )


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name of their vault."""
    return identities_of(made, "vaults", name="name")


def _vault_id(spec: AppSpec, key: str) -> str:
    # As Obsidian names a vault in its list of vaults.
    return spec.id("{hex:16}", "vault", key)


def _periods(spec: AppSpec, vault: str, periods: dict[str, Any], where: str) -> Iterator[Row]:
    for period, setting in periods.items():
        if period not in _PERIODS:
            raise WorldError(f"{where}: no period '{period}'; have {', '.join(_PERIODS)}")
        check_keys(setting, "folder format?", f"{where}: {period}")
        own = {"folder": setting["folder"], "format": setting.get("format", "")}
        yield {"table": "periods", "vault_id": vault, "period": period, **own}


def _files(spec: AppSpec, vault: str, key: str, files: list[dict[str, Any]]) -> Iterator[Row]:
    seen: set[str] = set()
    ordered = sorted(files, key=lambda file: str(file.get("path", "")).split("/"))
    for seq, said in enumerate(ordered, start=1):
        where = f"{spec.where(key)}.toml: file '{said.get('path', '')}'"
        if said["path"] in seen:
            raise WorldError(f"{where}: it is there twice")
        seen.add(said["path"])
        made, changed = (spec.at(said.get(when, said["made"]), where) for when in ("made", "changed"))
        if not made <= changed < spec.world.starts_at:
            raise WorldError(f"{where}: made at {said['made']}, and changed before that or after the world's start")
        # Nobody saves on the full minute.
        times = {
            name: int(when.timestamp()) * 1000 + spec.number(1, 59_999, key, said["path"], name)
            for name, when in (("made_ms", made), ("changed_ms", changed))
        }
        times["changed_ms"] = times["changed_ms"] if "changed" in said else times["made_ms"]
        yield {**_file(spec, vault, said, where), "seq": seq, **times}


def _file(spec: AppSpec, vault: str, said: dict[str, Any], where: str) -> Row:
    references = {"doc": lambda key: spec.link(key).address}
    path, content = spec.text(said["path"], {}, where), spec.text(said["text"], references, where)
    return {"table": "files", "vault_id": vault, "path": path, "content": content}
