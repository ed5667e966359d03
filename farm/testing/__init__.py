"""Apps and worlds in the process of a test: calls without a server, and servers where an agent wants a URL."""

from farm.runner.local import NOW
from farm.testing.facts import Fact
from farm.testing.local_app import EPISODE, LocalApp
from farm.testing.local_world import LocalHost, LocalWorld

__all__ = ["EPISODE", "NOW", "Fact", "LocalApp", "LocalHost", "LocalWorld"]
