"""Rescores result files of MCPAgentBench: TFS and TEFS, overall and by category, weighted by expected calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from farm.benchmark.scoring.call_metrics import ToolUse, is_efficient, is_finished
from farm.errors import FarmError

# Tools whose parameters are free wording or code: the benchmark compares them by name only.
SKIP = frozenset(
    {
        "security_guidance",
        "search_news",
        "vector_search",
        "search_papers",
        "meshi_doko",
        "execute_bigquery",
        "search_academic_papers",
        "wolfram_query",
        "search_pubmed",
        "analyze_trends",
        "get_posts",
        "orchestrator_plan_task",
        "obtain_business_analysis",
        "generate_code",
        "system_architecture_designer",
        "UIUX_Expert",
        "generate_3d_assets",
        "strategy_guide",
        "create_ui",
        "dmagent_ask_narrative",
        "dmagent_ask_rule",
        "diceRoll",
        "Tester",
        "execute_python_code",
    }
)
_KINDS = ("1_tool", "2_sequential", "2_parallel", "3_tools")


def score_file(path: Path) -> dict[str, Any]:
    """Return ``{"tfs", "tefs", "by_category"}`` of one result file.

    Raises:
        FarmError: the file cannot be read, or is not a result file.
    """
    try:
        results = orjson.loads(path.read_bytes())["detailed_results"]
        scored = [(category_of(each["task_id"]), *_score(each)) for each in results]
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as problem:
        raise FarmError(
            f"{path} is no result file of MCPAgentBench ({type(problem).__name__}: {problem}); "
            "it has detailed_results with expected_tools, expected_inputs, tools_used and inputs_used"
        ) from None
    categories = sorted({category for category, *_ in scored})
    return {
        **_percent(scored),
        "tasks": len(scored),
        "by_category": {name: _percent([each for each in scored if each[0] == name]) for name in categories},
    }


def category_of(task_id: str) -> str:
    """Return a task's category, a part of its id (``daytask_2_parallel_tools_7``: ``daytask_2_parallel``)."""
    kind = next((kind for kind in _KINDS if f"_{kind}_" in task_id), None)
    return f"{task_id.partition('_')[0]}_{kind}" if kind else "other"


def _score(result: Mapping[str, Any]) -> tuple[int, bool, bool]:
    """Return weight, finished, and efficiently finished of one task."""
    expected = _steps(result["expected_tools"], result["expected_inputs"])
    used = _steps(result["tools_used"], result["inputs_used"])
    flat = [call for step in expected for call in step]
    finished = is_finished(flat, [call for step in used for call in step], skip=SKIP, nothing_else=True)
    return len(flat), finished, is_efficient(expected, used, skip=SKIP)


def _steps(tools: Sequence[Sequence[str]], inputs: Sequence[Sequence[Any]]) -> list[list[ToolUse]]:
    return [
        [(tool, given if isinstance(given, dict) else {}) for tool, given in zip(names, values, strict=True)]
        for names, values in zip(tools, inputs, strict=True)
    ]


def _percent(scored: Iterable[tuple[str, int, bool, bool]]) -> dict[str, Any]:
    known = list(scored)
    weight = sum(each[1] for each in known)
    tfs = sum(weight for _, weight, finished, _ in known if finished)
    tefs = sum(weight for _, weight, _, efficient in known if efficient)
    return {
        "tfs": round(100 * tfs / weight, 2) if weight else None,
        "tefs": round(100 * tefs / weight, 2) if weight else None,
    }
