"""What the real WeCom robot, behind mcp-wecombot-server, does."""

from farm.testing import Fact

_CODE = "https://github.com/gotoolkits/mcp-wecombot-server at b6d6415"
_RECORDED = "that commit, run in front of a stand-in webhook"
_WEBHOOK = "https://developer.work.weixin.qq.com/document/path/99110"
_PUBLISHED = "errmsg texts that people published with their code, 2020 to 2025"

FACTS = {
    "success": Fact(_RECORDED, "A success is one sentence, without isError."),
    "refusal": Fact(_RECORDED, "A refusal is 'Failed to …: WeCom API error: …' with isError; the number is not shown."),
    "tail": Fact(_PUBLISHED, "Behind an errmsg stand a hint of 25 digits that begins with the second, the IP and a page.",
                 differs="The IP is nobody's."),
    "panic": Fact(_RECORDED, "A missing or wrong argument is a Go panic.",
                  differs="The real process dies; ours answers -32603 with the panic's text."),
    "card": Fact(_RECORDED, "send_template_card always panics: it asserts a Go int, and JSON numbers are float64.",
                 differs="As for every panic."),
    "unknown": Fact(_RECORDED, "An unknown tool is -32602 'Tool not found: …'; unknown arguments are ignored."),
    "mentions": Fact(_RECORDED, "Mentions count when both lists are filled; they are split at commas and not trimmed."),
    "mention-alone": Fact(_RECORDED, "One list without the other is a panic; beside an empty one it is dropped."),
    "mention-text": Fact(_WEBHOOK, "<@userid> in a text or in Markdown mentions, too."),
    "text-length": Fact(_WEBHOOK, "A text has at most 2048 bytes and is not empty.",
                        differs="Somebody published a refusal that says 5120."),
    "markdown-length": Fact(_WEBHOOK, "Markdown has at most 4096 bytes and is not empty."),
    "rate": Fact(_WEBHOOK, "Twenty messages a minute.", differs="A minute of the episode's clock."),
    "key": Fact(_PUBLISHED, "A key that is no robot's is 'invalid webhook url'."),
    "image": Fact(_WEBHOOK, "A JPG or PNG of at most 2 MB with the md5 of its bytes.",
                  differs="What is said to other pictures is inferred."),
    "news": Fact(_WEBHOOK, "Long titles and descriptions are cut at 128 and 512 bytes; title and url are needed.",
                 differs="What is said to an empty one is inferred."),
    "upload": Fact(_WEBHOOK, "A file of 5 bytes to 20 MB gets a media id that lasts three days.",
                   differs="What is said to other sizes is inferred."),
    "files": Fact(_RECORDED, "A path that cannot be read is refused in Go's words.",
                  differs="Only what the world puts on the server's machine can be read."),
    "one server a person": Fact(_CODE, "The server is started with one key, by whoever runs it, and reads that machine's files.",
                                differs="Somebody without a key has no server; ours refuses as for a key that is nobody's."),
    "leak": Fact(_CODE, "A text right after an upload goes to the upload address; other messages turn it back.",
                 differs="What is said to that text is inferred."),
}  # fmt: skip
