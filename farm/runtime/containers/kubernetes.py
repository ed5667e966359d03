"""``deploy/kubernetes``: N cells for Kubernetes as a kustomize base, from the same plan as the Compose file.

A cell is one pod of a StatefulSet with its own volume: the gateway and a container per app, which reach each other on
the pod's loopback. The front is a Deployment that routes each request to its cell. An Ingress cannot do that: its
prefixes match whole path elements, but an id's cell is only the beginning of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from farm.runtime.containers.compose import dump
from farm.runtime.containers.plan import (
    AGENTS_PORT,
    DATA,
    FRONT,
    FRONT_IMAGE,
    GATEWAY,
    IMAGE,
    OPERATORS_PORT,
    USER_ID,
    Cell,
    ContainerAddress,
    front_command,
    gateway_command,
    serve_command,
)

_HEADER = "# Made by `farm compose --kubernetes`; a test says whether it is current. docs/containers.md is its page.\n"
_CELLS = "cells"
_STATEFUL_SET = "cell"
_PUBLIC = "farm.example.org"
_FIRST_PORT, _FIRST_CONTROL_PORT = 9000, 9500
_INDEX = "apps.kubernetes.io/pod-index"
_LABEL = "app.kubernetes.io/name"
_OPERATOR = {"mcp-farm/role": "operator"}
_APP_RESOURCES = {"requests": {"cpu": "50m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}}
_GATEWAY_RESOURCES = {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "1Gi"}}
_DATA_SIZE = "20Gi"

Document = dict[str, Any]


def kubernetes_files(apps: Sequence[str], *, cells: int, namespace: str) -> dict[str, str]:
    """Return file name → text of the kustomize base."""
    # A pod's containers share one loopback, so each app has its own ports there.
    places = [
        (app, ContainerAddress("127.0.0.1", _FIRST_PORT + number, _FIRST_CONTROL_PORT + number))
        for number, app in enumerate(apps)
    ]
    files = {
        "settings.yaml": [_settings(cells, namespace)],
        "cells.yaml": [_cells_service(), _stateful_set(places, cells), _budget(_STATEFUL_SET, {"maxUnavailable": 1})],
        "front.yaml": [*_front(places, cells, namespace), _budget(FRONT, {"minAvailable": 1})],
        "ingress.yaml": [_ingress()],
        "network.yaml": _policies(places),
    }
    kustomization = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": namespace,
        "resources": sorted(files),
        "images": [{"name": name, "newTag": "latest"} for name in (IMAGE, FRONT_IMAGE)],
    }
    texts = {name: "---\n".join(map(dump, documents)) for name, documents in files.items()}
    return {name: _HEADER + text for name, text in {**texts, "kustomization.yaml": dump(kustomization)}.items()}


def _pod_host(number: int, namespace: str) -> str:
    # Fully qualified, as HAProxy resolves names without a search list.
    return f"{_STATEFUL_SET}-{number}.{_CELLS}.{namespace}.svc.cluster.local"


def _named(kind: str, version: str, name: str, of: str, **rest: Any) -> Document:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "labels": {_LABEL: of}}, **rest}


def _settings(cells: int, namespace: str) -> Document:
    names = " ".join([_PUBLIC, *(_pod_host(number, namespace) for number in range(cells))])
    data = {"FARM_PUBLIC_URL": f"https://{_PUBLIC}", "FARM_ALLOW_HOST": names, "FARM_BEHIND_PROXY": ""}
    return _named("ConfigMap", "v1", "farm", "farm", data=data)


def _cells_service() -> Document:
    spec = {
        "clusterIP": "None",
        # A cell whose apps are not all ready keeps its name: the front waits, as it does during a restart.
        "publishNotReadyAddresses": True,
        "selector": {_LABEL: _STATEFUL_SET},
        "ports": [{"name": "agents", "port": AGENTS_PORT}, {"name": "operators", "port": OPERATORS_PORT}],
    }
    return _named("Service", "v1", _CELLS, _STATEFUL_SET, spec=spec)


def _stateful_set(places: Sequence[tuple[str, ContainerAddress]], cells: int) -> Document:
    index = {"name": "FARM_CELL_INDEX", "valueFrom": {"fieldRef": {"fieldPath": f"metadata.labels['{_INDEX}']"}}}
    gateway = {
        **_container(GATEWAY, IMAGE, gateway_command(places), {"agents": AGENTS_PORT, "operators": OPERATORS_PORT}),
        "env": [index, {"name": "FARM_CELL", "value": "c$(FARM_CELL_INDEX)"}],
        # Ready when every app is; alive as long as it listens.
        "readinessProbe": {**_healthz(AGENTS_PORT), "periodSeconds": 5, "failureThreshold": 2},
        "livenessProbe": {"tcpSocket": {"port": AGENTS_PORT}, "initialDelaySeconds": 30, "periodSeconds": 10},
        "resources": _GATEWAY_RESOURCES,
    }
    containers = [gateway]
    for app, place in places:
        command = serve_command(app, place, control_host="127.0.0.1")
        containers.append(
            {
                **_container(app, IMAGE, command, {}),
                "startupProbe": {**_healthz(place.port), "periodSeconds": 2, "failureThreshold": 60},
                "livenessProbe": {**_healthz(place.port), "periodSeconds": 10, "failureThreshold": 3},
                "resources": _APP_RESOURCES,
            }
        )
    for each in containers:
        each["volumeMounts"] = [{"name": "data", "mountPath": DATA}, {"name": "tmp", "mountPath": "/tmp"}]
    claim = {
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": _DATA_SIZE}}},
    }
    spec = {
        "serviceName": _CELLS,
        "replicas": cells,
        "podManagementPolicy": "Parallel",
        "selector": {"matchLabels": {_LABEL: _STATEFUL_SET}},
        "template": _pod(_STATEFUL_SET, containers),
        "volumeClaimTemplates": [claim],
    }
    return _named("StatefulSet", "apps/v1", _STATEFUL_SET, _STATEFUL_SET, spec=spec)


def _front(places: Sequence[tuple[str, ContainerAddress]], cells: int, namespace: str) -> list[Document]:
    known = [
        Cell(
            f"c{number}",
            ContainerAddress(_pod_host(number, namespace)),
            tuple((app, ContainerAddress(_pod_host(number, namespace), place.port)) for app, place in places),
        )
        for number in range(cells)
    ]
    alive = {"httpGet": {"path": "/livez", "port": AGENTS_PORT}, "timeoutSeconds": 3}
    container = {
        **_container(FRONT, FRONT_IMAGE, front_command(known), {"agents": AGENTS_PORT}),
        "readinessProbe": {**alive, "periodSeconds": 5},
        "livenessProbe": {**alive, "periodSeconds": 10},
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "256Mi"}},
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    }
    deployment = {
        "replicas": 2,
        "selector": {"matchLabels": {_LABEL: FRONT}},
        "template": _pod(FRONT, [container]),
    }
    service = {"selector": {_LABEL: FRONT}, "ports": [{"name": "agents", "port": AGENTS_PORT}]}
    return [
        _named("Deployment", "apps/v1", FRONT, FRONT, spec=deployment),
        _named("Service", "v1", FRONT, FRONT, spec=service),
    ]


def _pod(name: str, containers: Sequence[Document]) -> Document:
    spec = {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER_ID,
            "runAsGroup": USER_ID,
            "fsGroup": USER_ID,
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": list(containers),
        "volumes": [{"name": "tmp", "emptyDir": {"sizeLimit": "256Mi"}}],
    }
    return {"metadata": {"labels": {_LABEL: name}}, "spec": spec}


def _container(name: str, image: str, command: Sequence[str], ports: dict[str, int]) -> Document:
    return {
        "name": name,
        "image": image,
        "args": list(command),
        **({"ports": [{"name": name, "containerPort": port} for name, port in ports.items()]} if ports else {}),
        "envFrom": [{"configMapRef": {"name": "farm"}}],
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
    }


def _healthz(port: int) -> Document:
    return {"httpGet": {"path": "/healthz", "port": port}, "timeoutSeconds": 3}


def _budget(name: str, bound: dict[str, int]) -> Document:
    spec = {**bound, "selector": {"matchLabels": {_LABEL: name}}}
    return _named("PodDisruptionBudget", "policy/v1", name, name, spec=spec)


def _ingress() -> Document:
    backend = {"service": {"name": FRONT, "port": {"name": "agents"}}}
    paths = [{"path": "/mcp", "pathType": "Prefix", "backend": backend}]
    spec = {"rules": [{"host": _PUBLIC, "http": {"paths": paths}}]}
    return _named("Ingress", "networking.k8s.io/v1", "agents", FRONT, spec=spec)


def _policies(places: Sequence[tuple[str, ContainerAddress]]) -> list[Document]:
    """Return the network policies: agents → front → the agents' ports, operators → their port; cells reach nothing."""
    to_agents = [AGENTS_PORT, *(place.port for _, place in places)]
    cells = {
        "podSelector": {"matchLabels": {_LABEL: _STATEFUL_SET}},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [
            {"from": [{"podSelector": {"matchLabels": {_LABEL: FRONT}}}], "ports": _tcp(to_agents)},
            {"from": [{"podSelector": {"matchLabels": _OPERATOR}}], "ports": _tcp([OPERATORS_PORT])},
        ],
        "egress": [],
    }
    names = {"ports": [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]}
    front = {
        "podSelector": {"matchLabels": {_LABEL: FRONT}},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"ports": _tcp([AGENTS_PORT])}],
        "egress": [
            {"to": [{"podSelector": {"matchLabels": {_LABEL: _STATEFUL_SET}}}], "ports": _tcp(to_agents)},
            names,
        ],
    }
    return [
        _named("NetworkPolicy", "networking.k8s.io/v1", _CELLS, _STATEFUL_SET, spec=cells),
        _named("NetworkPolicy", "networking.k8s.io/v1", FRONT, FRONT, spec=front),
    ]


def _tcp(ports: Sequence[int]) -> list[Document]:
    return [{"protocol": "TCP", "port": port} for port in ports]
