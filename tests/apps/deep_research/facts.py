"""What the real deep-research server does."""

from farm.testing import Fact

_CODE = "https://github.com/baranwang/mcp-deep-research at e6f4f3f6"
_RECORDED = "that commit, run without a network"

FACTS = {
    "prompt": Fact(_RECORDED, "The answer is a prompt of fixed words around question, rounds, time and what is known."),
    "key": Fact(_RECORDED, "A server without a key says so, whatever the arguments and the name of the tool."),
    "arguments": Fact(_RECORDED, "Bad arguments are -32603 with zod's issues as JSON."),
    "any-name": Fact(_RECORDED, "Any tool name runs the tool."),
    "rounds": Fact(_CODE, "A round may be any number; the next is one more."),
    "results": Fact(_CODE, "Results come keyword by keyword, five each, behind the reference without a break."),
    "topics": Fact("https://docs.tavily.com/documentation/api-reference/endpoint/search",
                   "News and finance leave out what is neither.", differs="The ranking is ours."),
    "dropped": Fact(_CODE, "A search that fails is left out and nobody is told.",
                    differs="Only refused queries fail."),
    "shared": Fact("NOTICE.md of the reference medicine", "An article says the same here and at medical."),
}  # fmt: skip
