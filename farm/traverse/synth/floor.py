"""The floor of a comparison: an app without a model, which repeats recorded answers and refuses everything else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from farm.appkit.dialects import InvalidArgumentsError
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.synth.answer import Written
from farm.traverse.synth.app_files import Plan
from farm.traverse.synth.recognise import build

_ERRORS = '''"""What is not recorded is refused."""

from farm.appkit import ProtocolError, VendorError


class NotRecorded(VendorError):
    """This call was not recorded."""

    code = "not_recorded"


class RecordedRefusal(VendorError):
    """The recorded refusal."""

    code = "recorded"


class RecordedError(ProtocolError):
    """The recorded JSON-RPC error."""
'''
_HANDLER = '''

def {handler}(ep: Episode, /, **arguments: Any) -> Result:
    """Repeat the recorded answer."""
    return _answer({tool}, arguments)
'''
_RECORDED = '''"""Recorded answers, by tool and arguments."""

import json
from typing import Any

from farm.appkit import Answer, Content, Episode, Result

from . import errors

RECORDED: dict[str, Any] = json.loads({recorded})


def _answer(tool: str, arguments: dict[str, Any]) -> Result:
    found = RECORDED.get(f"{{tool}} {{json.dumps(arguments, sort_keys=True)}}")
    if found is None:
        raise errors.NotRecorded
    if "error" in found:
        problem = errors.RecordedError(found["error"]["message"], data=found["error"].get("data"))
        problem.code = found["error"]["code"]
        raise problem
    if "refused" in found:
        raise errors.RecordedRefusal(found["refused"])
    return Answer(Content(tuple(found["content"])), structured=found.get("structuredContent", False))
'''


def write_floor(plan: Plan) -> Written:
    """Return the app: argument errors come from the dialect, recorded calls from the train side."""
    checks = {tool: build(plan.dialect).compile(tool, schema) for tool, schema in plan.evidence.schemas.items()}
    recorded: dict[str, Any] = {}
    for call in plan.evidence.train:
        if call.is_duplicate or "silence" in call.result:
            continue
        try:
            cleaned = checks[call.tool](None if call.request.omits_arguments else call.request.arguments)
        except InvalidArgumentsError:
            continue
        key = f"{call.tool} {json.dumps(cleaned, sort_keys=True)}"
        recorded.setdefault(key, _kept(call, plan))
    text = _RECORDED.format(recorded=repr(json.dumps(recorded)))
    text += "".join(_HANDLER.format(handler=handler, tool=repr(tool)) for tool, handler in plan.handlers.items())
    return Written({"errors.py": _ERRORS, "recorded.py": text})


def _kept(call: Recorded, plan: Plan) -> Mapping[str, Any]:
    if "error" in call.result:
        return {"error": call.result["error"]}
    if call.verdict == "refused":
        around = plan.form.words.replace("{tool}", call.tool).partition("{message}")[0]
        return {"refused": text_of(call.result).removeprefix(around)}
    return {key: call.result[key] for key in ("content", "structuredContent") if key in call.result}
