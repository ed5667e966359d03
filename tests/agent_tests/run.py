"""``make agent-tests``: examples/agent-tests as a project of somebody's, from the wheels, beside three frameworks.

Each framework has an environment of its own. LangChain's adapters want ``mcp`` below 2, which is not the farm's:
there the farm is in an environment elsewhere, and its command starts it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tests.environments import ROOT, Failed, build_wheel, make_environment, run

PROJECT = ROOT / "examples" / "agent-tests"
# What an environment has, for the report and to see that it is what it is meant to be.
SHOW = """
import importlib.metadata, importlib.util, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
farm = importlib.util.find_spec("farm")
print(json.dumps([farm.origin if farm else None, [version(name) for name in sys.argv[1:]]]))
"""


@dataclass(frozen=True)
class Framework:
    """An environment.

    Attributes:
        name: as in ``requirements-<name>.txt`` and in the tests' names.
        distribution: whose version is told.
        beside: whether the farm is installed there too.
    """

    name: str
    distribution: str
    beside: bool


FRAMEWORKS = (
    Framework("langchain", "langchain-mcp-adapters", beside=False),
    Framework("openai-agents", "openai-agents", beside=True),
    Framework("pydantic-ai", "pydantic-ai-slim", beside=True),
)


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(f"agent-tests: {text}\n")
    sys.stdout.flush()


def build(folder: Path) -> tuple[Path, Path]:
    """Build both wheels and return them: the farm's and the plugin's."""
    return build_wheel(".", folder / "farm-wheel"), build_wheel("plugins/pytest", folder / "plugin-wheel")


def passed(framework: Framework, farm: Path, plugin: Path, elsewhere: Path | None, folder: Path) -> set[str]:
    """Run the project's tests beside a framework and return the names of those that passed, without the framework's."""
    began = time.monotonic()
    project = folder / f"project-{framework.name}"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    requirements = ["--requirement", str(project / f"requirements-{framework.name}.txt")]
    wheels = [str(plugin), *([str(farm)] if framework.beside else [])]
    commands = make_environment(folder / framework.name, [*wheels, *requirements])
    python = str(commands / "python")
    there, (version, mcp) = json.loads(
        run([python, "-c", SHOW, framework.distribution, "mcp"], framework.name, project)
    )
    if framework.beside != (there is not None) or (there and not Path(there).is_relative_to(folder)):
        raise Failed(f"{framework.name}: the farm there is {there}")
    installed = time.monotonic()
    more = {} if elsewhere is None else {"MCP_FARM_COMMAND": str(elsewhere / "farm")}
    results = folder / f"{framework.name}.xml"
    run([python, "-m", "pytest", "--junitxml", str(results)], f"the tests beside {framework.name}", project, **more)
    cases = ElementTree.parse(results).getroot().iter("testcase")
    names = {f"{each.get('classname')}.{each.get('name')}" for each in cases if len(each.findall("skipped")) == 0}
    if not any(framework.name in name for name in names):
        raise Failed(f"{framework.name}: no test is named after it, of {len(names)}")
    say(
        f"{len(names)} passed beside {framework.distribution} {version} and mcp {mcp}, "
        f"the farm {'beside them' if framework.beside else 'in another environment'} "
        f"({installed - began:.0f} s to install, {time.monotonic() - installed:.0f} s for the tests)"
    )
    return {name.replace(framework.name, "") for name in names}


def all_pass(frameworks: Sequence[Framework], folder: Path) -> None:
    """Run the tests beside each framework, two at a time; the same tests must pass everywhere."""
    farm, plugin = build(folder)
    say(f"built {farm.name} and {plugin.name}")
    with ThreadPoolExecutor(2) as pool:
        # Those that wait for another environment come after it.
        apart = any(not each.beside for each in frameworks)
        elsewhere = pool.submit(make_environment, folder / "farm", [str(farm)]) if apart else None

        def run_one(framework: Framework) -> set[str]:
            there = None if framework.beside or elsewhere is None else elsewhere.result()
            return passed(framework, farm, plugin, there, folder)

        runs = {each.name: pool.submit(run_one, each) for each in sorted(frameworks, key=lambda each: not each.beside)}
    first, *others = ((name, each.result()) for name, each in runs.items())
    for name, names in others:
        if names != first[1]:
            raise Failed(f"{name} and {first[0]} differ in {', '.join(sorted(names ^ first[1]))}")


def main() -> int:
    """Run beside all frameworks, or those that are named; return the exit status."""
    began = time.monotonic()
    frameworks = [each for each in FRAMEWORKS if each.name in sys.argv[1:] or not sys.argv[1:]]
    if not frameworks:
        say(f"no framework {' '.join(sys.argv[1:])}; have {', '.join(each.name for each in FRAMEWORKS)}")
        return 2
    with tempfile.TemporaryDirectory(prefix="farm-agent-tests-") as folder:
        try:
            all_pass(frameworks, Path(folder))
        except Failed as failed:
            say(f"FAILED: {failed}")
            return 1
    say(f"all is well, after {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
