"""A farm used from another machine: two network namespaces with a cable between them, made and removed here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from farm.runtime.supervisor.state import FarmState
from tests.e2e.conftest import END_S_MAX, START_S_MAX, until

NAME = "farm.test"
ADDRESS, OTHER_ADDRESS = "10.213.7.1", "10.213.7.2"
CHANNELS = ("slack", "slack_list_channels", '{"limit": 1}')
ASK = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}\n'
TEAM = (Path(__file__).resolve().parents[2] / "docs" / "team.md").read_text("utf-8")
_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
IP, NGINX, OPENSSL = (shutil.which(name, path=_PATH) for name in ("ip", "nginx", "openssl"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("second_machine"),
    pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's"),
    pytest.mark.skipif(sys.platform == "linux" and os.geteuid() != 0, reason="only root may make network namespaces"),
    pytest.mark.skipif(IP is None, reason="needs the program ip, of Debian's iproute2"),
]


class Machine:
    """A network namespace; what runs in it sees its network, and the names in its own hosts file."""

    def __init__(self, namespace: str) -> None:
        self._inside = [str(IP), "netns", "exec", namespace]

    def run(self, *arguments: str | Path, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the farm's to its end."""
        return subprocess.run(
            [*self._inside, sys.executable, "-m", "farm", *map(str, arguments)],
            input=text,
            capture_output=True,
            text=True,
            timeout=START_S_MAX,
            env={**os.environ, **environment},
            check=False,
        )

    def start(self, log: Path, *command: str | Path) -> subprocess.Popen[bytes]:
        """Start a program that stays."""
        with log.open("w") as output:
            return subprocess.Popen(
                [*self._inside, *map(str, command)], stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )


def ip(*arguments: str) -> None:
    done = subprocess.run([str(IP), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no network namespaces here: ip {' '.join(arguments)}: {done.stderr.strip()}")


@pytest.fixture(scope="module")
def machines() -> Iterator[tuple[Machine, Machine]]:
    """The farm's machine, and another that knows it as ``farm.test``."""
    here, there = f"farm-{os.getpid()}-a", f"farm-{os.getpid()}-b"
    overlays = Path("/etc/netns")
    had_overlays = overlays.exists()
    try:
        for name in (here, there):
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
            # What stands in /etc/netns/NAME lies over /etc inside the namespace.
            (overlays / name).mkdir(parents=True)
            (overlays / name / "hosts").write_text(f"127.0.0.1 localhost\n{ADDRESS} {NAME}\n")
        ip("link", "add", "name", "cable", "netns", here, "type", "veth", "peer", "name", "cable", "netns", there)
        for name, address in ((here, ADDRESS), (there, OTHER_ADDRESS)):
            ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            ip("-n", name, "link", "set", "cable", "up")
        yield Machine(here), Machine(there)
    finally:
        for name in (here, there):
            subprocess.run([str(IP), "netns", "del", name], capture_output=True, check=False)
            shutil.rmtree(overlays / name, ignore_errors=True)
        if not had_overlays:
            with suppress(OSError):  # not there, or another worker's machines are in it
                overlays.rmdir()


class Setup:
    """The two machines with a farm on the first.

    Attributes:
        there: the other machine.
        token: the operator's token there, as a copied file.
    """

    def __init__(self, here: Machine, there: Machine, folder: Path) -> None:
        self._here = here
        self.there = there
        self.folder = folder
        self.token = folder / "copied.token"
        self._started: list[subprocess.Popen[bytes]] = []

    def farm(self, *options: str) -> str:
        """Start a farm on the first machine and return what it said."""
        log, data = self.folder / "farm.txt", self.folder / "data"
        command = [sys.executable, "-m", "farm", "up", "--data", str(data), "--apps=slack,lark", *options]
        process = self._here.start(log, *command)
        self._started.append(process)
        until(lambda: FarmState.load(data) is not None or process.poll() is not None, "a farm", START_S_MAX)
        assert process.poll() is None, log.read_text()
        until(lambda: "token " in log.read_text(), "the farm's words")
        shutil.copy(data / "operator.token", self.token)
        return log.read_text()

    def program(self, *command: str | Path) -> None:
        """Start another program on the first machine."""
        self._started.append(self._here.start(self.folder / "program.txt", *command))

    def said(self, *arguments: str, url: str, text: str = "", **environment: str) -> str:
        """Return what a command of the farm's prints on the other machine, where there is no farm."""
        done = self._asked(arguments, url, text, environment)
        assert done.returncode == 0, done
        return done.stdout

    def refused(self, *arguments: str, url: str, **environment: str) -> str:
        """Return the one line in which such a command is refused."""
        done = self._asked(arguments, url, "", environment)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done
        return done.stderr

    def _asked(
        self, arguments: tuple[str, ...], url: str, text: str, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        nothing = str(self.folder / "nothing")
        where = {"FARM_URL": url, "FARM_TOKEN_FILE": str(self.token), "FARM_DATA": nothing, "XDG_DATA_HOME": nothing}
        return self.there.run(*arguments, text=text, **where, **environment)

    def end(self) -> None:
        """End what was started."""
        for process in reversed(self._started):
            process.terminate()
        for process in self._started:
            process.wait(END_S_MAX)


@pytest.fixture
def setup(machines: tuple[Machine, Machine], tmp_path: Path) -> Iterator[Setup]:
    """Two machines; a farm that a test starts is ended after it."""
    made = Setup(*machines, tmp_path)
    yield made
    made.end()


def assert_all_works(setup: Setup, url: str, agents: str, **environment: str) -> None:
    """Use a farm from the other machine by every command that does; agents' URLs must begin as said."""

    def said(*arguments: str, text: str = "") -> str:
        return setup.said(*arguments, url=url, text=text, **environment)

    assert f"agents     {agents}\n" in said("status")
    assert json.loads(said("call", *CHANNELS))["ok"]
    config = json.loads(said("connect", "cursor", "--apps", "slack", "--tools", "all", "--json"))["config"]
    assert config["mcpServers"]["slack"]["url"] == f"{agents}/mcp/default/slack"
    assert len(json.loads(said("bridge", "slack", text=ASK))["result"]["tools"]) == 8
    run: dict[str, Any] = json.loads(said("run", "demo", "--agent", "oracle", "--tasks", "slack-boards-rate", "--json"))
    assert run["outcomes"]["pass"] == run["trials"] == 1


def test_a_farm_that_listens_for_others_serves_another_machine_under_the_name_it_uses(setup: Setup) -> None:
    printed = setup.farm("--host=0.0.0.0", f"--allow-host={NAME}")
    url = f"http://{NAME}:8701"

    assert f"others     --farm {url} --token-file" in printed
    assert_all_works(setup, url, f"http://{NAME}:8700")
    made = json.loads(setup.said("episode", "create", "--apps", "slack", "--json", url=url))
    answer = setup.said("bridge", made["direct"]["slack"], url=url, text=ASK, FARM_BEARER=made["token"])
    assert len(json.loads(answer)["result"]["tools"]) == 8


def test_another_name_is_told_the_option_and_default_wants_its_bearer(setup: Setup) -> None:
    setup.farm("--host=0.0.0.0", f"--allow-host={NAME}")

    told = setup.refused("status", url=f"http://{ADDRESS}:8701")
    answer = setup.said("bridge", f"http://{NAME}:8700/mcp/default/slack", url="http://nowhere", text=ASK)

    assert f"'{ADDRESS}:8701' in Host is not this farm; let it in with 'farm up --allow-host {ADDRESS}'" in told
    assert "needs its token" in json.loads(answer)["error"]["message"]


@pytest.mark.skipif(NGINX is None or OPENSSL is None, reason="needs nginx and openssl, Debian's nginx-light")
def test_the_file_for_nginx_puts_tls_in_front_of_both_ports(setup: Setup) -> None:
    folder = setup.folder
    (sites,) = re.findall(r"^```nginx\n(.*?)^```$", TEAM, re.DOTALL | re.MULTILINE)
    (make_key,) = re.findall(r"^(openssl .*?)\n```$", TEAM, re.DOTALL | re.MULTILINE)
    replaced = {"farm.example.org": NAME, "/etc/ssl/": f"{folder}/"}
    for old, new in replaced.items():
        assert old in sites
        sites, make_key = sites.replace(old, new), make_key.replace(old, new)
    subprocess.run(["sh", "-c", make_key], check=True, capture_output=True)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    around = f"pid {folder}/nginx.pid; error_log stderr; daemon off; user root; events {{}}"
    (folder / "nginx.conf").write_text(f"{around} http {{ access_log off; {paths}\n{sites} }}\n")
    setup.farm("--behind-proxy", f"--allow-host={NAME}")
    setup.program(str(NGINX), "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf")
    until((folder / "nginx.pid").exists, "nginx")

    url, trusted = f"https://{NAME}", {"SSL_CERT_FILE": str(folder / "farm.pem")}
    assert_all_works(setup, url, url, **trusted)
    assert "is not trusted here" in setup.refused("status", url=url)
    assert "Connection refused" in setup.refused("status", url=f"http://{NAME}:8701")


def test_the_page_on_teams_says_what_these_tests_start() -> None:
    for line in (
        "farm up --host 0.0.0.0 --allow-host farm.example.org --detach",
        "farm up --behind-proxy --allow-host farm.example.org --detach",
    ):
        assert f"\n{line}\n" in TEAM
