"""A checkout in the form of MCPAgentBench, with mocks and tasks of our own."""

from __future__ import annotations

import json
from pathlib import Path

_HEAD = """from mcp.server.fastmcp import FastMCP
{imports}mcp = FastMCP('{name}')

@mcp.tool()
"""
_FOOT = """
if __name__ == '__main__':
    mcp.run(transport='stdio')
"""

MOCKS = {
    "find_ferry": (
        "",
        '''def find_ferry(city, day, seats=1) -> str:
    """Find a ferry. It needs the name of a city."""
    known = {'Bergen': [{'ship': 'Tern', 'price': 12.5, 'days': ['Monday', 'Friday']}], 'Oban': []}
    if not city or not isinstance(city, str):
        raise ValueError("Parameter 'city' must be a text.")
    found = [each for each in known.get(city.strip(), []) if day in each['days']]
    if not found:
        return f'No ferry from {city} on {day}.'
    return '\\\\n'.join(f"{each['ship']}: {each['price'] * seats:.2f}" for each in found)
''',
    ),
    "book_ferry": (
        "from typing import List, Literal, Optional\n",
        '''def book_ferry(
    ship: str, names: List[str], seat: Literal['deck', 'cabin']='deck', note: Optional[str]=None
) -> str:
    """Book a ferry."""
    total: int = 0
    for name in names:
        total += len(name)
    return f'Booked {ship} ({seat}) for {len(names)}, {total} letters.'
''',
    ),
    "add_stop": (
        "",
        '''def add_stop(stops: list) -> str:
    """Add stops to a route."""
    if not hasattr(add_stop, 'route'):
        add_stop.route = ['Oban']
    for stop in stops:
        add_stop.route.append(stop)
    return ', '.join(add_stop.route)
''',
    ),
    "cast_lot": (
        "import random\nimport os\nfrom datetime import datetime\n",
        '''def cast_lot(sides: int, path: str) -> str:
    """Cast a lot."""
    import uuid
    drawn = [random.randint(1, sides) for _ in range(3)]
    name = os.path.splitext(os.path.basename(path))[0]
    when = __import__('datetime').datetime.now().strftime('%Y-%m-%d')
    return f"{drawn} {name} {when} {datetime.now().year} {uuid.uuid4()} {hash(path) % 7} {eval('[1, 2]')} {2 ** 3}"
''',
    ),
    "two_answers": (
        "",
        '''def two_answers(question: str) -> str:
    """Answer twice."""
    return ('yes', 'no')
''',
    ),
}

TASKS = [
    {
        "id": "daytask_1_tool_1",
        "content": 'Which ferry leaves "Bergen" on Monday?\nFor one.',
        "tools": [["find_ferry"]],
        "inputs": [[{"city": "Bergen", "day": "Monday"}]],
    },
    {
        "id": "daytask_2_sequential_tools_1",
        "content": "Find Friday's ferry from Bergen and book it for Ada.",
        "tools": [["find_ferry"], ["book_ferry"]],
        "inputs": [[{"city": "Bergen", "day": "Friday"}], [{"ship": "Tern", "names": ["Ada"]}]],
    },
    {
        "id": "protask_2_parallel_tools_1",
        "content": "Add Mull to the route, and cast a lot with 6 sides for notes/a.txt.",
        "tools": [["add_stop", "cast_lot"]],
        "inputs": [[{"stops": ["Mull"]}, {"sides": 6, "path": "notes/a.txt"}]],
    },
    {
        "id": "protask_3_tools_1",
        "content": "Its reference has an argument that the mock does not know.",
        "tools": [["find_ferry", "add_stop"], ["book_ferry"]],
        "inputs": [[{"town": "Bergen", "day": "Friday"}, {"stops": []}], [{"ship": "Tern", "names": []}]],
    },
    {
        "id": "protask_1_tool_1",
        "content": "Its mock returns two texts.",
        "tools": [["two_answers"]],
        "inputs": [[{"question": "Shall we?"}]],
    },
    {
        "id": "protask_1_tool_2",
        "content": "It has no mock.",
        "tools": [["fly"]],
        "inputs": [[{}]],
    },
]


def source(name: str, imports: str, function: str) -> str:
    """Return the file of a mock."""
    return _HEAD.format(name=name, imports=imports) + function + _FOOT


def write_checkout(folder: Path, mocks: dict[str, tuple[str, str]] = MOCKS) -> Path:
    """Write a checkout, and return its folder."""
    for each in ("data", "configs", "servers"):
        (folder / each).mkdir(parents=True)
    (folder / "data" / "tasks.json").write_text(json.dumps(TASKS), "utf-8")
    (folder / "configs" / "evaluation_config.json").write_text(json.dumps({"skip_input_tools": ["cast_lot", "other"]}))
    for name, (imports, function) in mocks.items():
        (folder / "servers" / f"{name}.py").write_text(source(name, imports, function), "utf-8")
    return folder
