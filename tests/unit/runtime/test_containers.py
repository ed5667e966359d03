"""What the containers of a farm are told: by the Compose file, the front's configuration and the commands in both."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import kubernetes.client
import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from farm import content
from farm.cli import containers, main
from farm.errors import FarmError
from farm.runtime.containers.compose import compose_file
from farm.runtime.containers.haproxy import haproxy_config
from farm.runtime.containers.kubernetes import kubernetes_files
from farm.runtime.containers.plan import Cell, ContainerAddress
from gateway.addresses import Addresses
from gateway.config import GatewayConfig

ROOT = Path(__file__).resolve().parents[3]


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(compose_file(["red", "blue"]))
    return found


def test_the_committed_compose_file_is_current() -> None:
    written = (ROOT / "docker-compose.yml").read_text("utf-8")

    assert written == compose_file(content.app_names()), "run 'farm compose'"


def test_every_app_is_a_container_that_gateway_and_front_know() -> None:
    services = compose()["services"]

    assert list(services) == ["front", "gateway", "red", "blue"]
    assert services["red"]["command"][:4] == ["farm", "serve", "red", "--member"]
    assert {"--app=red=red:8700:8702", "--app=blue=blue:8700:8702"} <= set(services["gateway"]["command"])
    assert {"--cell=c0=gateway:8700", "--app=c0/red=red:8700"} <= set(services["front"]["command"])


def test_no_container_may_write_outside_its_data_or_become_more() -> None:
    for name, service in compose()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"] == 64, name
        assert service.get("volumes", []) == ([] if name == "front" else ["data:/data"]), name


def test_only_two_ports_are_published_and_apps_reach_nothing_outside() -> None:
    document = compose()
    services = document["services"]

    assert {name: each["ports"] for name, each in services.items() if "ports" in each} == {
        "front": ["${FARM_BIND:-127.0.0.1}:${FARM_PORT:-8700}:8700"],
        "gateway": ["127.0.0.1:${FARM_OPERATOR_PORT:-8701}:8701"],
    }
    assert document["networks"]["farm"] == {"internal": True}
    assert [name for name, each in services.items() if each["networks"] != ["farm"]] == ["front", "gateway"]


def test_a_proxy_in_front_is_believed_only_where_a_variable_says_so() -> None:
    (settings,) = (each for each in rendered() if each["kind"] == "ConfigMap")

    assert compose()["services"]["gateway"]["environment"]["FARM_BEHIND_PROXY"] == "${FARM_BEHIND_PROXY:-}"
    assert settings["data"]["FARM_BEHIND_PROXY"] == ""


@pytest.mark.parametrize(("said", "believed"), [("", False), ("1", True)])
def test_the_gateway_in_a_container_takes_the_variable(
    said: str, believed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[dict[str, Any]] = []

    def run(config: dict[str, Any]) -> int:
        told.append(config)
        return 0

    monkeypatch.setattr("farm._content.gateway.__main__.run", run)
    monkeypatch.setenv("FARM_BEHIND_PROXY", said)

    with pytest.raises(SystemExit):
        main(["gateway", "--app", "slack=here:1:2", "--port=0", "--operator-port=0", "--data", str(tmp_path)])

    assert [each["behind_proxy"] for each in told] == [believed]
    for name in ("agents_fd", "operators_fd"):
        os.close(told[0][name])


def test_the_front_leads_a_call_to_the_app_of_its_cell_and_the_rest_to_the_gateway() -> None:
    cells = [
        Cell("c0", ContainerAddress("one", 1), (("red", ContainerAddress("one", 2)),)),
        Cell("c1", ContainerAddress("two", 1), (("red", ContainerAddress("two", 2)),)),
    ]

    text = haproxy_config(cells, 8700)
    backends = {block.split("\n")[0]: block for block in text.split("\nbackend ")[1:]}

    assert {name: block.split("server one ")[1].split()[0] for name, block in backends.items()} == {
        "c0": "one:1",
        "c0.red": "one:2",
        "c1": "two:1",
        "c1.red": "two:2",
    }
    assert ["replace-path" in block for block in backends.values()] == [False, True, False, True]
    assert "str(c0) unless { var(txn.cell) -m str c0 c1 }" in text


def test_an_app_behind_a_front_is_reached_at_the_front() -> None:
    ports = {"red": ((8700, 8702),), "blue": ((7, 8),)}
    config = GatewayConfig(Path("/data"), "http://a:1", "", None, "", "", "", ports, hosts={"red": "red"})

    urls = Addresses(config).urls({"headers": [(b"host", b"127.0.0.1:1")]}, "e", ("red", "blue"))
    assert urls["direct"] == {"red": "http://127.0.0.1:1/mcp/e/red", "blue": "http://127.0.0.1:7/mcp/e"}
    assert (config.host_of("red"), config.control_host_of("red")) == ("red", "red")
    assert (config.host_of("blue"), config.control_host_of("blue")) == ("127.0.0.1", "127.0.0.1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gateway", "--app", "slack"], "--app looks like APP=HOST:8700:8702, not 'slack'"),
        (["gateway", "--app", "slack=here"], "--app needs HOST:PORT, not 'slack=here'"),
        (["gateway", "--app", "slack=here:1:x"], "'x' in 'slack=here:1:x' is no port"),
        (["gateway", "--app", "slack=here:1:70000"], "'70000' in 'slack=here:1:70000' is no port"),
        (["gateway", "--app", "slak=here:1:2"], "no app 'slak'"),
        (["gateway", "--app", "slack=here:1:2", "--cell", "c-0"], "'c-0' is no name of a cell"),
        (["compose", "--kubernetes", "--namespace", "Here"], "'Here' is no namespace"),
        (["front", "--cell", "c0=here", "--app", "c0/slack=here:1"], "--cell needs HOST:PORT, not 'c0=here'"),
        (["front", "--cell", "c0=here:1", "--app", "c1/slack=here:1"], "--app c1/slack=here:1 names no cell of --cell"),
        (["front", "--cell", "c0=here:1", "--app", "slack=here:1"], "--app slack=here:1 names no cell of --cell"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, *(["--data", str(tmp_path)] if arguments[0] == "gateway" else [])])

    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith(f"farm: {said}")


def test_a_front_without_haproxy_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)

    with pytest.raises(FarmError, match="needs the program 'haproxy'"):
        containers.front(["c0=here:1"], ["c0/slack=here:2"], port=1, show=False)


def test_compose_goes_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["compose", "--apps", "slack", "--out", str(tmp_path / "compose.yml")])

    assert ended.value.code in (0, None)
    assert list(yaml.safe_load((tmp_path / "compose.yml").read_text())["services"]) == ["front", "gateway", "slack"]


# -- Kubernetes --------------------------------------------------------------------------------------------------------


def rendered(cells: int = 3) -> list[dict[str, Any]]:
    files = kubernetes_files(["red", "blue"], cells=cells, namespace="here")
    return [each for name, text in files.items() if name != "kustomization.yaml" for each in yaml.safe_load_all(text)]


def of_kind(kind: str, name: str) -> dict[str, Any]:
    (found,) = (each for each in rendered() if each["kind"] == kind and each["metadata"]["name"] == name)
    spec: dict[str, Any] = found["spec"]
    return spec


def test_the_committed_kustomize_base_is_current() -> None:
    folder = ROOT / "deploy" / "kubernetes"
    made = kubernetes_files(content.app_names(), cells=2, namespace="mcp-farm")

    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == made, "run 'farm compose --kubernetes'"


def test_the_kustomization_names_every_file() -> None:
    files = kubernetes_files(["red"], cells=1, namespace="here")
    kustomization = yaml.safe_load(files["kustomization.yaml"])

    assert {*kustomization["resources"], "kustomization.yaml"} == files.keys()
    assert kustomization["namespace"] == "here"


def test_every_document_fits_the_schema_of_its_kind() -> None:
    for each in rendered():
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)


def test_the_official_client_reads_every_document_and_loses_nothing() -> None:
    api = kubernetes.client.ApiClient()
    for each in rendered():
        read = api.deserialize(json.dumps(each), f"V1{each['kind']}", "application/json")

        written = api.sanitize_for_serialization(read)  # type: ignore[no-untyped-call]
        assert written == each, each["kind"]


def test_a_pod_is_a_cell_named_by_its_index() -> None:
    stateful_set = of_kind("StatefulSet", "cell")
    gateway, *apps = stateful_set["template"]["spec"]["containers"]

    assert stateful_set["replicas"] == 3
    assert [each["name"] for each in apps] == ["red", "blue"]
    assert {"name": "FARM_CELL", "value": "c$(FARM_CELL_INDEX)"} in gateway["env"]
    assert {"--app=red=127.0.0.1:9000:9500", "--app=blue=127.0.0.1:9001:9501"} <= set(gateway["args"])
    assert {"--port=9001", "--control-port=9501", "--control-host=127.0.0.1"} <= set(apps[1]["args"])
    assert stateful_set["volumeClaimTemplates"][0]["metadata"]["name"] == "data"


def test_the_front_knows_every_cell() -> None:
    arguments = of_kind("Deployment", "front")["template"]["spec"]["containers"][0]["args"]

    assert [each for each in arguments if "--cell=" in each] == [
        f"--cell=c{number}=cell-{number}.cells.here.svc.cluster.local:8700" for number in range(3)
    ]
    assert "--app=c2/blue=cell-2.cells.here.svc.cluster.local:9001" in arguments


def test_agents_reach_no_operators_port_and_cells_reach_nobody() -> None:
    cells, front = of_kind("NetworkPolicy", "cells"), of_kind("NetworkPolicy", "front")
    reached = {
        next(iter(each["from"][0]["podSelector"]["matchLabels"].items())): {port["port"] for port in each["ports"]}
        for each in cells["ingress"]
    }

    assert reached == {
        ("app.kubernetes.io/name", "front"): {8700, 9000, 9001},
        ("mcp-farm/role", "operator"): {8701},
    }
    assert cells["egress"] == []
    assert {port["port"] for rule in front["egress"] for port in rule["ports"]} == {8700, 9000, 9001, 53}


def test_every_container_of_a_pod_is_locked_in_and_probed() -> None:
    for kind, name in (("StatefulSet", "cell"), ("Deployment", "front")):
        pod = of_kind(kind, name)["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for each in pod["containers"]:
            assert each["securityContext"]["readOnlyRootFilesystem"] is True
            assert each["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert "livenessProbe" in each, each["name"]
            assert each["resources"]["limits"]["memory"], each["name"]


def test_a_budget_keeps_cells_and_fronts_from_going_at_once() -> None:
    assert of_kind("PodDisruptionBudget", "cell")["maxUnavailable"] == 1
    assert of_kind("PodDisruptionBudget", "front")["minAvailable"] == 1


def test_compose_writes_the_base_where_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["compose", "--kubernetes", "--apps", "slack", "--cells", "4", "--out", str(tmp_path / "base")])

    read = yaml.safe_load_all((tmp_path / "base" / "cells.yaml").read_text())
    assert [each["spec"]["replicas"] for each in read if each["kind"] == "StatefulSet"] == [4]
