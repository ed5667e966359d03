"""What the real deepseek-mcp-server does."""

from farm.testing import Fact

_RUN = "npm deepseek-mcp-server 1.0.1, run in front of a stand-in for the API"
_CODE = "npm deepseek-mcp-server 1.0.1, its code"
_DOCS = "https://api-docs.deepseek.com/api/create-chat-completion"
_OLD = "https://github.com/DMontgomery40/deepseek-mcp-server at v0.2.1, its code"

FACTS = {
    "recorded": Fact(_RUN, "Text and structuredContent say the same; refusals of the API have both, too, with a suggestion."),
    "files-said": Fact(_CODE, "Custom checks have messages of their own: file ids, picture addresses, base64, one of two."),
    "conversation": Fact(_CODE, "What was said under an id goes in front; only an answer is remembered, the last 200 messages of it."),
    "clear": Fact(_CODE, "clear_conversation forgets before the call, also where the call fails then."),
    "texts": Fact(_RUN, "An answer is the text, reasoning and calls below it.", differs="No model answers; each text says so."),
    "fields": Fact("https://github.com/pig-mesh/deepseek4j/issues/41, https://github.com/browser-use/web-ui/issues/99",
                   "A message without content cannot be read; the refusal names the place in the body. A result names its call.",
                   differs="That null reads as a content of no known kind is inferred."),
    "silent": Fact("https://github.com/carlrobertoh/ProxyAI/issues/834", "An assistant has said or called something."),
    "tool-names": Fact("https://github.com/refly-ai/refly/issues/1794", "Names of functions have an alphabet and 64 characters."),
    "tool-count": Fact(_DOCS, "At most 128 functions may be offered.", differs="The words of the refusal are inferred."),
    "tool-choice-thinking": Fact("https://github.com/deepseek-ai/DeepSeek-V3/issues/1376, earendil-works/pi/issues/3636",
                                 "Thinking, which is the default, refuses to be forced to call, and calls that come back unreasoned.",
                                 differs="That the old name deepseek-chat does not think is as in its time."),
    "tool-choice-offered": Fact(_DOCS, "A forced function must be one of those offered.",
                                differs="That it is refused, and in which words, is inferred."),
    "reasoning-counts": Fact(_DOCS, "max_tokens counts reasoning, too; a call that does not fit is cut by 'length'.",
                             differs="That nothing of such a call is shown is inferred."),
    "raw-answer": Fact("https://github.com/carlrobertoh/ProxyAI/issues/830 and the server's code",
                       "The API tells details of usage, a fingerprint and logprobs; the server keeps less of a stream.",
                       differs="No prompt comes from a cache; the order of a completion's keys is inferred."),
    "logprobs": Fact(_DOCS, "Chances of each token of text and reasoning; of a completion as four lists.",
                     differs="Each token is certain and there is no other; offsets begin at what is shown (inferred)."),
    "prompt-counts": Fact("https://huggingface.co/deepseek-ai/DeepSeek-V3.1 (its chat template)",
                          "What stands between messages in the prompt counts.", differs="Tokens are characters by four."),
    "cut": Fact("https://api-docs.deepseek.com", "max_tokens ends an answer with 'length', stop sequences with 'stop'.",
                differs="Tokens are characters by four."),
    "functions": Fact("https://api-docs.deepseek.com", "tool_choice can force a call, which ends with 'tool_calls'.",
                      differs="No call is made that is not forced, and without arguments."),
    "demands": Fact("https://github.com/FoundationAgents/OpenManus/issues/23, TurixAI/TuriX-CUA/issues/15, "
                    "Canner/WrenAI/issues/1581, MoonshotAI/kimi-code/issues/2656",
                    "Results of functions follow their calls, JSON mode wants JSON named, max_tokens has a range.",
                    differs="The range is that of the models of 2026, for every model."),
    "balance": Fact("https://api-docs.deepseek.com", "Money is text with two digits; the granted part is spent first; nothing left is 402.",
                    differs="Prices are ours."),
    "responses": Fact(_CODE, "A response remembers nothing; where it is cut it is incomplete and says why."),
    "files": Fact(_CODE, "A picture is known by its first bytes; a data URL must say the same; files are listed by time.",
                  differs="What the API says of absent ones is inferred."),
    "prompt": Fact(_RUN, "deepseek_chat_starter makes a message of task, style and model; the task is no empty text."),
    "resources": Fact(_RUN, "Three resources tell endpoints, runtime and models, a template each conversation, which is listed.",
                      differs="The sentences about endpoints are ours."),
    "old-resources": Fact("https://github.com/DMontgomery40/deepseek-mcp-server at v0.2.1, built and run",
                          "Two templates list two models and five parameters; any parameter's address shows all five.",
                          differs="The sentences are ours; an unknown model has an empty text instead of none."),
    "old": Fact(_OLD, "Two tools, plain texts; a failed chat asks deepseek-chat and says so; one history for all.",
                differs="Their descriptions are ours."),
}  # fmt: skip
