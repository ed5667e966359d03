"""What a client must be told before it calls, as ``farm connect`` prints it."""

from __future__ import annotations

from farm.connect.clients import Server, _claude_code_advice


def test_claude_codes_prompt_comes_before_the_option_that_takes_all_words_after_it() -> None:
    address = "http://127.0.0.1:8700/mcp/default/lark"
    servers = [Server(f"{prefix}lark", address, None, (), {}) for prefix in ("", "a b")]

    said = _claude_code_advice(servers)[0]

    assert said.endswith("""claude -p "PROMPT" --allowed-tools 'mcp__lark,mcp__a blark'""")
