"""Apps and worlds inside a test's process: calls without a server, and real servers for agents that need a URL."""

from farm.benchmark.runner.in_process_farm import NOW
from farm.benchmark.runner.local_host import LocalHost
from farm.testing.facts import Fact
from farm.testing.local_app import EPISODE, LocalApp
from farm.testing.local_world import LocalWorld

__all__ = ["EPISODE", "NOW", "Fact", "LocalApp", "LocalHost", "LocalWorld"]
