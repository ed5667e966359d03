"""The section of ``farm run --help`` about your own agents; docs/agents.md has the details."""

COMMAND = """\
command: may name claude-code, codex, gemini-cli, openclaw or
opencode, and arguments to pass on; such a program gets its keys.
It starts once per trial, in an empty folder that is its HOME.
Its arguments may contain these placeholders, and its environment
has these variables:
- {config}, FARM_MCP_CONFIG: the file with the MCP configuration
- {instruction}, FARM_INSTRUCTION: the user's instruction
- {prompt}, standard input: the system prompt, then the instruction
- {prompt_file}, FARM_PROMPT_FILE: a file with the prompt
- FARM_CALLS_MAX: the maximum number of calls
- FARM_DEADLINE: the end of the trial's time (RFC 3339)
- FARM_TRIAL: an id of the trial
Of your own variables it gets PATH, LANG, LC_ALL, TZ, SSL_CERT_FILE
and those named by --agent-env. Its output is its answer: plain
text, or the last message of JSON or JSON lines. An exit status
other than 0 is a crash. All processes that it started are ended
when it ends.
"""

PYTHON = """\
python: the function receives a dict with system, instruction, mcp
(app → URL), token (the bearer for these URLs), calls_max,
time_s_max, deadline and trial. It returns its answer, or a dict
with answer and, if known, turns. An exception is a crash.

See docs/agents.md for details and examples/agents for agents to
start from.
"""
