"""Processors: what they are, and how busy they were in the last minute."""

from __future__ import annotations

from farm.appkit import Episode, Result, parse_json

from .machines import Machine, go_number, machine, running

# Clock ticks of one core in the minute that is measured, and how many of them the system may take on top.
_TICKS = 6000
_JITTER_TICKS = 150


def get_cpu_info(ep: Episode, *, per_cpu: object = False) -> Result:
    """Return the processors and their usage.

    Args:
        per_cpu: whether usage is told core by core; what is no boolean is false.

    The real server measures since its last call; a clock that stands still would make that nothing, so here it is the
    last minute.
    """
    on = machine(ep)
    chip = ep.reference.one("SELECT * FROM processors WHERE hostname = ?", on.name)
    assert chip is not None, f"{on.name} has a processor"
    cores = chip["cores"]
    busy = _busy_ticks(ep, on, cores)
    info = [
        {
            "cpu": core,
            "vendorId": chip["vendor"],
            "family": chip["family"],
            "model": chip["model"],
            "stepping": chip["stepping"],
            "physicalId": "0",
            "coreId": str(core),
            "cores": 1,
            "modelName": chip["model_name"],
            "mhz": go_number(chip["mhz"]),
            "cacheSize": chip["cache_kb"],
            "flags": parse_json(chip["flags"]),
            "microcode": chip["microcode"],
        }
        for core in range(cores)
    ]
    if per_cpu is True:
        usage = [go_number(ticks / _TICKS * 100) for ticks in busy]
    else:
        usage = [go_number(sum(busy) / (_TICKS * cores) * 100)]
    return {"core_count": cores, "info": info, "usage_percent": usage}


def _busy_ticks(ep: Episode, on: Machine, cores: int) -> list[int]:
    """Return the busy ticks of each core: what its processes took, and a little that changes by the minute."""
    busy = [0] * cores
    for process in sorted(running(ep, on), key=lambda each: (-each["cpu_percent"], each["pid"])):
        # As a scheduler would: each goes where least is done.
        busy[busy.index(min(busy))] += round(process["cpu_percent"] * _TICKS / 100)
    system = (ep.hash("busy", core, ep.now_ms // 60_000) % _JITTER_TICKS for core in range(cores))
    return [min(ticks + more, _TICKS) for ticks, more in zip(busy, system, strict=True)]
