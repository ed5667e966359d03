"""A model that answers from a script, behind the APIs that agents use: tests of agents without a real model.

``script`` parses scripts, ``conversation`` finds a request's turn and its answer, ``endpoint`` serves over HTTP. Each
API has one module that parses its requests and serializes its answers.
"""

from farm.testing.mock_model.endpoint import Endpoint, Play
from farm.testing.mock_model.script import ModelScriptError, Script, load_script, parse_script, read_script

__all__ = ["Endpoint", "ModelScriptError", "Play", "Script", "load_script", "parse_script", "read_script"]
