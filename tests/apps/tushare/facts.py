"""What the real Tushare server does."""

from farm.testing import Fact

_CODE = "https://github.com/zhewenzhang/tushare_MCP at ba9c0200, its code and runs in front of a stand-in"
_PANDAS = "that server on pandas 3.1 and tushare 1.4.29, run in front of a stand-in"
_API = "https://tushare.pro/document/2"

FACTS = {
    "prompts": Fact(_CODE, "Two prompts without arguments ask for a token, and for share, period and kind of report.",
                    differs="Their texts are ours."),
    "set": Fact(_CODE, "Any token is stored, and never asked about when it is."),
    "kept": Fact(_PANDAS, "The process asks with the first token that it read; a later one counts from its next start.",
                 differs="There is no next start within an episode."),
    "unset": Fact(_CODE, "Without a token, or with an empty one, every query is one sentence."),
    "wrong": Fact(_API, "A token that Tushare does not know is refused behind 查询失败 or 搜索失败.",
                  differs="The words are inferred."),
    "basic": Fact(_CODE, "Code and name are whole; empty ones do not count; what is not known has no line."),
    "listed": Fact(_API, "Only stocks that are listed are found unless others are asked for, which no tool does."),
    "regex": Fact(_CODE, "A keyword is a regular expression over codes and names, whatever the case."),
    "income": Fact(_CODE, "Statements stand from the oldest to the newest, in hundreds of millions, centred."),
    "announced": Fact(_API, "The two dates are compared with the day of announcement.",
                      differs="What else than eight digits is taken for is inferred: texts are compared."),
    "title": Fact(_CODE, "report_type changes the title and nothing else."),
    "change": Fact(_CODE, "Both changes are those from the column before; a single period has none."),
    "missing": Fact(_PANDAS, "A figure that is missing is a line in the table, and Python's error in the analysis."),
    "no-code": Fact("own judgement", "An empty code is refused.", differs="The words are inferred."),
    "recorded": Fact(_CODE, "The recorded successes of the running server."),
    "canned-responses": Fact(_CODE, "What Tushare answers is shown as it stands; its refusals stand behind 查询失败 or 搜索失败."),
    "shipped": Fact("own judgement", "At least twenty-five companies; their figures are made up and add up."),
}  # fmt: skip
