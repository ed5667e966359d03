"""``docker-compose.yml``: one cell as containers, for both Compose v2 and docker-compose 1.29."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from farm.runtime.containers.plan import (
    AGENTS_PORT,
    APP_MEMORY,
    DATA,
    FRONT,
    FRONT_IMAGE,
    GATEWAY,
    GATEWAY_MEMORY,
    IMAGE,
    OPERATORS_PORT,
    PROCESSES_MAX,
    front_command,
    gateway_command,
    one_cell,
    serve_command,
)

_HEADER = """\
# Made by `farm compose`; a test says whether it is current. docs/containers.md is its page.
#
#   docker compose up --detach        (docker-compose 1.29 works as well)
#   until docker compose exec -T gateway test -s /data/operator.token; do sleep 1; done
#   docker compose exec -T gateway cat /data/operator.token > operator.token
#   farm status --farm http://127.0.0.1:8701 --token-file operator.token
"""

# Every part of the farm accepts the host names by which agents reach it.
_NAMES = {"FARM_ALLOW_HOST": "${FARM_ALLOW_HOST:-}", "FARM_PUBLIC_URL": "${FARM_PUBLIC_URL:-}"}


def compose_file(apps: Sequence[str]) -> str:
    """Return the file for these apps."""
    cell = one_cell(apps)
    gateway = {
        **_service("farm", gateway_command(cell.apps), memory=GATEWAY_MEMORY, outside=True, data=True),
        "environment": {
            **_NAMES,
            "FARM_BEHIND_PROXY": "${FARM_BEHIND_PROXY:-}",
            "FARM_PORT": "${FARM_PORT:-8700}",
        },
        "ports": [f"127.0.0.1:${{FARM_OPERATOR_PORT:-8701}}:{OPERATORS_PORT}"],
    }
    front = {
        **_service("front", front_command([cell]), memory=APP_MEMORY, outside=True),
        "ports": [f"${{FARM_BIND:-127.0.0.1}}:${{FARM_PORT:-8700}}:{AGENTS_PORT}"],
    }
    services: dict[str, Any] = {FRONT: front, GATEWAY: gateway}
    for app, place in cell.apps:
        services[app] = {
            **_service("farm", serve_command(app, place), memory=f"${{FARM_APP_MEMORY:-{APP_MEMORY}}}", data=True),
            "environment": _NAMES,
        }
    # Containers cannot reach beyond the network `farm`; only those with a published port are also on the other network.
    document = {
        "services": services,
        "networks": {"farm": {"internal": True}, "outside": {}},
        "volumes": {"data": {}},
    }
    return _HEADER + "\n" + dump(document)


def _service(
    target: str, command: Sequence[str], *, memory: str, outside: bool = False, data: bool = False
) -> dict[str, Any]:
    image = f"${{FARM_IMAGE:-{IMAGE}}}" if target == "farm" else f"${{FARM_FRONT_IMAGE:-{FRONT_IMAGE}}}"
    found: dict[str, Any] = {
        "image": image,
        "build": {
            "context": ".",
            "target": target,
            "args": {"BASE_IMAGE": "${FARM_BASE_IMAGE:-python:3.12-slim}"},
        },
        "command": list(command),
        "networks": ["farm", "outside"] if outside else ["farm"],
        "restart": "unless-stopped",
        "init": True,
        "read_only": True,
        "tmpfs": ["/tmp"],
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "mem_limit": memory,
        "pids_limit": PROCESSES_MAX,
        "logging": {"driver": "json-file", "options": {"max-size": "10m", "max-file": "3"}},
    }
    if data:
        found["volumes"] = [f"data:{DATA}"]
    return found


class _Dumper(yaml.SafeDumper):
    """Writes equal parts twice instead of as anchors, so that each service can be read alone."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        return super().increase_indent(flow, False)


def dump(document: Any) -> str:
    """Return a document as YAML, with keys in the order of creation."""
    return str(yaml.dump(document, Dumper=_Dumper, sort_keys=False, width=120, allow_unicode=True))
