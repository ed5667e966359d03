"""What ``farm run --help`` says of how your own agents are run; docs/agents.md says more."""

COMMAND = """\
command: is started once a trial, in an empty folder that is its HOME.
In its words and in its environment it finds:
- {config}, FARM_MCP_CONFIG: the file with the MCP configuration
- {instruction}, FARM_INSTRUCTION: what the user asks
- {prompt}, standard input: that after the system prompt
- {prompt_file}, FARM_PROMPT_FILE: a file with the prompt
- FARM_CALLS_MAX: how many calls it may make
- FARM_DEADLINE: until when (RFC 3339)
- FARM_TRIAL: an id of the trial
Of your variables it sees PATH, LANG, LC_ALL, TZ, SSL_CERT_FILE
and those named by --agent-env. Its answer is what it prints: plain
text, or the last message of JSON or JSON lines. Any exit status
but 0 is a crash. Whatever it has started ends with it.
"""

PYTHON = """\
python: is given a dict with system, instruction, mcp (app → URL),
token (the bearer for these), calls_max, time_s_max, deadline and
trial, and returns its answer, or a dict with answer and, where it
knows them, turns. An exception is a crash.

docs/agents.md says more; examples/agents has agents to start from.
"""
