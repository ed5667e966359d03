"""A model that says what a script says, behind the APIs that agents ask models by: tests of agents without a model.

``script`` says what is written, ``conversation`` which turn a request is at and what comes next, one module an API how
that is asked and answered, ``endpoint`` serves it.
"""

from farm.model.endpoint import Endpoint, Play
from farm.model.script import Script, ScriptError, load_script, parse_script, read_script

__all__ = ["Endpoint", "Play", "Script", "ScriptError", "load_script", "parse_script", "read_script"]
