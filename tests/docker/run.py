"""``make docker-test``: the farm in containers on a real engine, from build to tear-down; needs nothing but the engine.

The engine is the one that the docker command speaks to; ``FARM_BASE_IMAGE`` names the base of the images
(python:3.12-slim). ``.ci/docker-engine`` brings both to a Debian machine that has neither.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from pytest_mcp_farm import McpFarmError

from farm import content
from farm.client import FarmClient, mcp_call
from farm.runtime.containers.kubernetes import kubernetes_files
from farm.runtime.supervisor.docker import label_of
from tests.docker import checks
from tests.docker.engine import (
    FRONT_IMAGE,
    IMAGE,
    Failed,
    build,
    compose_command,
    docker,
    expect,
    has_engine,
    left,
    remove_images,
    run,
    say,
    until,
)
from tests.ports import free_ports


def is_ready(port: int) -> bool:
    """Say whether a farm's port for agents answers that every app is ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def compose_works(folder: Path) -> None:
    """Start docker-compose.yml, ask all of it, take it down again."""
    project = f"farmtest{os.getpid()}"
    agents, operators = free_ports(2)
    environment = {
        "COMPOSE_PROJECT_NAME": project,
        "FARM_IMAGE": IMAGE,
        "FARM_FRONT_IMAGE": FRONT_IMAGE,
        "FARM_PORT": str(agents),
        "FARM_OPERATOR_PORT": str(operators),
    }
    compose = compose_command()
    say(f"starting docker-compose.yml with {' '.join(compose)}")

    def containers() -> dict[str, str]:
        shown = docker(
            "ps",
            "--filter",
            f"label=com.docker.compose.project={project}",
            "--format",
            '{{.Label "com.docker.compose.service"}} {{.ID}}',
        )
        return dict(line.split() for line in shown.splitlines())

    try:
        began = time.monotonic()
        run([*compose, "up", "--detach"], environment)
        until(lambda: is_ready(agents), "compose is ready")
        say(f"ready {time.monotonic() - began:.1f} s after 'up'")
        token = folder / "operator.token"
        token.write_text(run([*compose, "exec", "-T", "gateway", "cat", "/data/operator.token"], environment))
        farm = checks.Farm(f"http://127.0.0.1:{operators}", token, containers)
        users = {docker("exec", each, "id", "-u") for each in containers().values()}
        expect(users == {"10001"}, f"containers run as {users}")
        checks.containers_are_locked_in(farm)
        checks.the_commands_work(farm)
        checks.the_oracle_is_perfect(farm, folder / "compose")
        checks.the_limit_holds(farm)
        checks.people_answer_alike(farm)
        checks.nothing_is_lost(farm, (checks.APP, checks.APP))
        checks.nothing_is_lost(farm, ("gateway", "front"))
    except Failed:
        shown = subprocess.run(
            [*compose, "logs", "--tail", "20"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        sys.stderr.write(shown.stdout[-8000:])
        raise
    finally:
        run([*compose, "down", "--volumes", "--timeout", "5"], environment)
    leftovers = left(f"com.docker.compose.project={project}")
    expect(not leftovers, f"'down --volumes' leaves {', '.join(leftovers)}")
    say("compose is down and has left nothing")


def launcher_works(folder: Path) -> None:
    """Start ``farm up --launcher docker``, ask all of it, end it; then kill the supervisor and have it swept."""
    data = folder / "data"
    label = f"mcp-farm.data={label_of(data)}"
    environment = {"FARM_DATA": str(data), "FARM_IMAGE": IMAGE, "FARM_FRONT_IMAGE": FRONT_IMAGE}

    def farm(*arguments: str) -> str:
        return run([sys.executable, "-m", "farm", *arguments], environment)

    def containers() -> dict[str, str]:
        shown = docker("ps", "--filter", f"label={label}", "--format", '{{.Label "mcp-farm.service"}} {{.ID}}')
        return dict(line.split() for line in shown.splitlines())

    up = ("up", "--launcher", "docker", "--detach", "--port", "0", "--operator-port", "0")
    began = time.monotonic()
    farm(*up)
    say(f"farm up --launcher docker is ready after {time.monotonic() - began:.1f} s")
    try:
        state = json.loads(farm("status", "--json"))
        asked = checks.Farm(state["operators_url"], Path(state["token_file"]), containers)
        expect(all(each["ready"] for each in state["apps"]), f"not every app is ready: {state}")
        checks.containers_are_locked_in(asked)
        checks.the_commands_work(asked)
        checks.the_oracle_is_perfect(asked, folder / "launcher")
        checks.the_limit_holds(asked)
        checks.nothing_is_lost(asked, (checks.APP, checks.APP))
        ended = {each["app"]: each["ended"] for each in json.loads(farm("status", "--json"))["apps"]}
        expect(ended[checks.APP] == 2, f"status tells of {ended}")
        farm("down")
        expect(not left(label), f"farm down leaves {left(label)}")
        say("farm down has left nothing")
        farm(*up)
        os.kill(json.loads(farm("status", "--json"))["pid"], signal.SIGKILL)
        expect(containers() != {}, "nothing is left of a killed farm: nothing was to be swept")
        farm(*up)
        expect(len(containers()) == len(state["apps"]) + 2, f"a farm after a killed one has {containers()}")
        os.kill(json.loads(farm("status", "--json"))["pid"], signal.SIGKILL)
        said = farm("down")
        expect("the farm was killed" in said and not left(label), f"{said}; left: {left(label)}")
        say("what a killed supervisor leaves is swept by the next farm up, and by farm down")
    except Failed:
        sys.stderr.write((data / "farm.log").read_text()[-8000:])
        raise
    finally:
        subprocess.run(
            [sys.executable, "-m", "farm", "down"], env={**os.environ, **environment}, capture_output=True, check=False
        )


def pods_work(folder: Path) -> None:
    """Run the pods of the kustomize base as Kubernetes would: containers with one loopback and volume, and no init."""
    label, cells = f"farm-pods={os.getpid()}", 2
    (agents,) = free_ports(1)
    files = kubernetes_files(content.app_names(), cells=cells, namespace="pods")
    documents = {each["kind"]: each for text in files.values() for each in yaml.safe_load_all(text) if each}
    names = documents["ConfigMap"]["data"]["FARM_ALLOW_HOST"]
    locked = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--label", label]
    told = ["--env", f"FARM_ALLOW_HOST={names}", "--env", f"FARM_PUBLIC_URL=http://127.0.0.1:{agents}"]
    network = f"farm-pods-{os.getpid()}"

    def start(container: dict[str, Any], image: str, *options: str) -> str:
        return docker("run", "--detach", *locked, *told, *options, image, *container["args"])

    gateways: list[tuple[str, int]] = []
    try:
        docker("network", "create", "--label", label, network)
        for number in range(cells):
            gateway, *apps = documents["StatefulSet"]["spec"]["template"]["spec"]["containers"]
            volume = docker("volume", "create", "--label", label)
            (operators,) = free_ports(1)
            name = f"cell-{number}.cells.pods.svc.cluster.local"
            seen = ["--network", network, "--network-alias", name, "--publish", f"127.0.0.1:{operators}:8701"]
            data = ["--volume", f"{volume}:/data"]
            first = start(gateway, IMAGE, *seen, *data, "--env", f"FARM_CELL=c{number}")
            gateways.append((first, operators))
            for app in apps:
                start(app, IMAGE, "--network", f"container:{first}", *data)
        front = documents["Deployment"]["spec"]["template"]["spec"]["containers"][0]
        start(front, FRONT_IMAGE, "--network", network, "--publish", f"127.0.0.1:{agents}:8700")
        until(lambda: is_ready(agents), "the first cell is ready behind the front")
        for number, (first, operators) in enumerate(gateways):
            token = folder / f"{number}.token"
            until(lambda port=operators: is_ready(port), f"cell {number} is ready")  # type: ignore[misc]
            token.write_text(docker("exec", first, "cat", "/data/operator.token"))
            with FarmClient(f"http://127.0.0.1:{operators}", token.read_text()) as client:
                made = client.create(apps=[checks.APP])
                expect(made["id"].startswith(f"c{number}-"), f"cell {number} made {made['id']}")
                joint = f"{checks.APP}__{checks.LIST}"
                for url, tool in ((made["mcp"][checks.APP], checks.LIST), (made["mcp_all"], joint)):
                    answer = mcp_call(url, tool, {"limit": 1}, made["token"])
                    expect('"ok":true' in json.dumps(answer).replace("\\", ""), f"{url} answers {answer}")
                expect(len(client.calls(made["id"])) == 2, f"cell {number} has not seen the calls")
        say(f"{cells} pods of the kustomize base behind its front: each cell gets the calls of its episodes")
    finally:
        left_ids = docker("ps", "--all", "--quiet", "--filter", f"label={label}").split()
        if left_ids:
            docker("rm", "--force", *left_ids)
        for kind in ("volume", "network"):
            if found := docker(kind, "ls", "--quiet", "--filter", f"label={label}").split():
                docker(kind, "rm", *found)
    expect(not left(label), f"left: {left(label)}")


def agents_are_sealed_off(folder: Path) -> None:
    """Run an agent in an image; it finds its episode and nothing else, and its containers go with its trial."""
    wish = f"command:python3 {Path(__file__).with_name('probe.py')}"
    out = folder / "run"
    environment = {"FARM_FRONT_IMAGE": FRONT_IMAGE, "PROBE_KEY": "secret", "PROBE_OTHER": "secret"}
    began = time.monotonic()
    options = ["--tasks", "slack-boards-rate", "--agent-image", IMAGE, "--agent-env", "PROBE_KEY", "--out", str(out)]
    run([sys.executable, "-m", "farm", "run", "demo", "--agent", wish, *options], environment)
    trial = json.loads((out / "trials.jsonl").read_text().splitlines()[0])
    expect(json.loads((out / "run.json").read_text())["sealed"] is True, "the run is not called sealed")
    found = json.loads(trial["answer"])
    expect(found["own"].startswith("200 "), f"the agent's own episode answers {found['own']}")
    expect(found["others"] == ["404"] * 3, f"beside its episode it gets {found['others']}")
    expect(set(found["interfaces"]) <= {"lo"} | {each for each in found["interfaces"] if each in TUNNELS}, str(found))
    expect("PROBE_KEY" in found["environment"] and "PROBE_OTHER" not in found["environment"], str(found))
    expect("DOCKER_HOST" not in found["environment"], str(found))
    expect(found["home"] == ["/agent/home", "/agent/home", []] and found["prompt"] and not found["outside"], str(found))
    expect(not left("mcp-farm.scratch"), f"a trial leaves {left('mcp-farm.scratch')}")
    say(f"an agent in a container finds its episode and nothing else ({time.monotonic() - began:.1f} s a run of one)")
    sleeping = ["--agent", "command:sleep 600", "--tasks", "slack-boards-rate", "--agent-image", IMAGE]
    killed = subprocess.Popen(
        [sys.executable, "-m", "farm", "run", "demo", *sleeping, "--out", str(folder / "killed")],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(left("mcp-farm.scratch")) == 2, "the agent and its door")
    killed.kill()
    killed.wait()
    run(
        [sys.executable, "-m", "farm", "run", "demo", "--agent", wish, *options[:-1], str(folder / "next")], environment
    )
    expect(not left("mcp-farm.scratch"), f"a killed run leaves {left('mcp-farm.scratch')}")
    say("what a killed run leaves is removed by the next")


def testcontainers_work(_: Path) -> None:
    """Start the image by its module for testcontainers, test in it, and have it removed."""
    # Its container that removes what a killed test leaves is an image of its own, which would have to be fetched.
    os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"
    from pytest_mcp_farm.testcontainers import FarmContainer

    began = time.monotonic()
    with FarmContainer(IMAGE, apps=["slack", "gmail"]) as farm:
        say(f"FarmContainer is ready after {time.monotonic() - began:.1f} s")
        world = farm.world("mini", apps=["slack"], files=None)
        connection = world.connection("slack")
        answer = mcp_call(connection["url"], checks.POST, {"channel_id": "#general", "text": "hello"}, world.token)
        expect('"ok":true' in json.dumps(answer).replace("\\", ""), f"a call answers {answer}")
        world.assert_changed("slack.messages", after={"text": "hello"})
        world.assert_only("slack.messages")
        mail = farm.world("mini", apps=["gmail"], files={"gmail": {"/tmp/menu.pdf": b"%PDF"}})
        sent = {"to": ["ben@plum.example"], "subject": "Menu", "body": "Here.", "attachments": ["/tmp/menu.pdf"]}
        mail.call("gmail", "send_email", sent)
        # One in each mailbox: Ada's, who sent it, and Ben's.
        mail.assert_changed("gmail.attachments", after={"filename": "menu.pdf"}, count=2)
        name = str(farm.get_wrapped_container().id)
    expect(name not in docker("ps", "--all", "--quiet", "--no-trunc"), "the container is still there")
    try:
        FarmContainer(IMAGE, apps=["slak"]).start()
    except McpFarmError as problem:
        expect("no app 'slak'" in str(problem), f"a farm that does not start says {problem}")
    else:
        raise Failed("a farm with a misspelled app starts")
    try:
        FarmContainer("mcp-farm:nowhere").start()
    except McpFarmError as problem:
        expect("docker build --target farm" in str(problem), f"an image that is not there says {problem}")
    say("FarmContainer tests in a container and leaves nothing")


# What the kernel puts into every network namespace where its modules are loaded; all of them are down.
TUNNELS = ("tunl0", "sit0", "ip6tnl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6gre0", "ifb0", "ifb1")
TESTS: dict[str, Callable[[Path], None]] = {
    "compose": compose_works,
    "launcher": launcher_works,
    "pods": pods_work,
    "agents": agents_are_sealed_off,
    "testcontainers": testcontainers_work,
}


def main() -> int:
    """Run everything, or what is named; return the exit status."""
    if not has_engine():
        say("NOTHING WAS TESTED: no Docker engine answers; start one, or set DOCKER_HOST")
        return 2
    began = time.monotonic()
    try:
        build()
        for name in sys.argv[1:] or TESTS:
            with tempfile.TemporaryDirectory(prefix="farm-docker-test-") as folder:
                TESTS[name](Path(folder))
    except Failed as failed:
        say(f"FAILED: {failed}")
        return 1
    finally:
        remove_images()
    say(f"all is well, after {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
