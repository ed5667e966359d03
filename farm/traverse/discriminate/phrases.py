"""The words with which servers refuse, report failures, or report an empty result: English and Chinese."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in patterns), re.IGNORECASE)


# Words of an argument check.
CHECKER = _any(
    r"validation errors?\b",
    r"validation failed",
    r"invalid (?:\w+ )?(?:arguments?|params?|parameters?|input|request data|request parameters?)\b",
    r"input should be",
    r"is a required property",
    r"is not (?:of type|one of|valid under)\b",
    r"unexpected (?:keyword )?(?:argument|property|parameter|field)",
    r"missing \d+ required",
    r"(?:missing|following) (?:required )?(?:fields?|arguments?|parameters?|properties|property)\b",
    r"required (?:arguments?|parameters?|property|properties|fields?)\b",
    r"field required",
    r"additional propert",
    r"\b(?:invalid_type|invalid_enum_value|invalid_value|invalid_string|too_big|too_small|unrecognized_keys)\b",
    r"expected \w+, (?:received|got)\b",
    r"does not match (?:the )?(?:schema|pattern|format)",
    r"invalid literal for",
    r"is (?:less|greater) than the (?:minimum|maximum)",
    r"cannot unmarshal",
    r"参数(?:错误|无效|不合法|校验)",
    r"缺少(?:必填|必要|必须)?(?:的)?参数",
)

# Beginnings of ordinary answers that refuse. They are nearly certain.
NO_AT_START = _any(
    r"errors?(?:\s+\w+){0,6}\s*[:：\-–(\[]",
    r"errors?\s*(?:$|\n)",
    r"error (?:executing|calling|running|in|while|during|getting|fetching|creating|reading|searching|parsing)\b",
    r"(?:fatal|critical)(?: error)?\s*:",
    r"(?:[\w.]+ ){0,3}[\w.]*(?:error|exception|failure)\s*[:：]",
    r"(?:an? )?(?:unexpected )?(?:error|exception) (?:occurred|happened|was|has)",
    r"exception\b|traceback \(most recent",
    r"failed\b|failure\b",
    r"invalid\b|illegal\b|malformed\b",
    r"missing (?:\w+ ){0,3}\w+",
    r"unable to\b|could not\b|couldn't\b|cannot\b|can't\b|can not\b",
    r"(?:access|permission|request) (?:is |was )?(?:denied|forbidden|rejected|refused)",
    r"(?:forbidden|denied|refused|rejected|bad request|not (?:found|allowed|permitted|supported|implemented))\b",
    r"no such\b",
    r"unknown (?:\w+ )?(?:tool|command|action|argument|parameter|operation|method|type|id|user|channel|key|option)\b",
    r"unsupported\b|unrecogni[sz]ed\b",
    r"(?:sorry|apologies)\b(?! for\b)",
    r"(?:not authori[sz]ed|no permission|operation not|unauthori[sz]ed|conflict|timed out|usage error|access to)\b",
    r"(?:client|server) error '|blocked\s*[:：]|not an? (?:directory|file|valid|git|member|number|public|supported)\b",
    r"\W?4\d\d\W{0,2}\s(?:client error|bad request|forbidden|not found|conflict|method not allowed|gone|"
    r"unprocessable|payload|precondition|not acceptable)\b",
    r"\d{1,2} (?:NOT_FOUND|INVALID_ARGUMENT|ALREADY_EXISTS|PERMISSION_DENIED|FAILED_PRECONDITION|OUT_OF_RANGE|"
    r"ABORTED|UNIMPLEMENTED)\b",
    r"(?:\w+_not_found|not_\w+|\w+_denied|invalid_\w+|missing_\w+|restricted_\w+|already_\w+|\w+_invalid|"
    r"\w+_required|too_\w+|can(?:no)?t_\w+)\W*$",
    r"division by zero|duplicate (?:key|entry|name|id)\b|please (?:provide|specify|enter|supply)\b",
    r"(?:success|ok)\s*[:=]\s*false\b|status\s*[:=]\s*(?:error|fail|failed)\b",
    r"warning: (?:could not|cannot|failed|no|invalid|unable)\b",
    r"(?:错误|失败|无效|非法|异常|出错|缺少|未知|不支持|无法|不能|请先|请提供|请输入|必须|参数|抱歉|对不起|拒绝|禁止)",
    r"没有权限|权限不足|无权",
    r"[\w\s一-鿿]{1,16}(?:失败|错误|出错|异常)\s*[:：]",
)
# Signs at the start that mark a refusal whatever follows.
NO_SIGNS = ("❌", "⛔", "🚫", "✗", "✘", "🛑")
YES_SIGNS = ("✅", "✓", "✔", "🎉")

# Words of a refusal in the first sentence of a short answer, after its beginning.
NO_INSIDE = _any(
    r"\b(?:was |were |is |are )?not found\b",
    r"\b(?:does|do|did)(?: not|n't) exist\b",
    r"\bno such\b",
    r"\balready (?:exists?|been|taken|in use|running|a member)\b",
    r"\b(?:is|are) (?:required|missing|invalid|forbidden|unavailable|disabled|read-?only)\b",
    r"\bmust (?:be|have|not|match|contain|start|end|provide|specify)\b",
    r"\b(?:is|are) not (?:allowed|permitted|supported|(?:a )?valid|available|enabled|recogni[sz]ed|configured)\b",
    r"\b(?:cannot|can't|can not|could not|couldn't) (?:be )?\w+",
    r"\b(?:out of|exceeds?|outside) (?:the )?(?:\w+ ){0,2}(?:range|limit|bounds|maximum|length)",
    r"\b(?:not|isn't) (?:installed|configured|set|initiali[sz]ed|provided|specified)\b",
    r"\bhas(?: not|n't) been (?:set|configured|initiali[sz]ed)\b",
    r"\b(?:permission|access) denied\b|\binsufficient (?:permissions?|privileges|scope|funds|balance)\b",
    r"\bdenied\b|\bnot permitted\b|\bfailed (?:to|because|due|with)\b|\bfailed:",
    r"\bunsuccessful(?:ly)?\b|\bnot successful\b",
    r"\b(?:do|does|did)(?: not|n't) (?:have (?:the )?(?:\w+ )?(?:permissions?|access|rights?)|match|support|allow|"
    r"belong|contain)\b",
    r"\b(?:not|never) (?:authori[sz]ed|allowed|permitted) to\b|\bno (?:permission|access|rights?) (?:to|for|on)\b|"
    r"\bnot an? (?:valid|member|owner|admin)\b",
    r"^(?:please|you (?:must|need to|have to)) (?:provide|specify|give|enter|supply|choose|select|use|pass|set|"
    r"include|check|call|create|first)\b",
    r"\b(?:cannot|must not|may not|should not|needs to|has to|should) be\b|\bexpected\b.{1,60}\b(?:but )?(?:got|"
    r"received|found)\b",
    r"\bonly (?:\S+ ){1,5}(?:is |are )?(?:allowed|supported|permitted|accepted)\b|\btoo (?:long|short|large|big|"
    r"small|many|few|old)\b",
    r"\bnot (?:supported|allowed|permitted|implemented|accessible|empty)\b|\boutside (?:of )?(?:the )?allowed\b|"
    r"\bsomething went wrong\b",
    r"\bthere was (?:a problem|an error|an issue)\b|\b(?:an|unexpected|unknown) error (?:occurred|happened)\b|"
    r"\bwas (?:rejected|refused|blocked|denied)\b",
    r"\bsyntax error\b|\bno longer (?:exists|available|valid)\b|\bread-?only\b.{0,20}\b(?:mode|database|"
    r"file system|transaction)\b",
    r"\bduplicate (?:key|entry|name|id)\b|\bviolates\b|\bconstraint failed\b|\bdivision by zero\b",
    r"\bnot (?:been )?(?:finali[sz]ed|indexed|processed|published|ready|started) yet\b|\bnot yet (?:finali[sz]ed|"
    r"indexed|processed|published|ready|started)\b",
    r"\b(?:0|none) (?:\w+ ){0,2}(?:succeeded|successful)\b|\ball (?:\w+ ){0,4}failed\b",
    r"不存在|未找到|找不到|没有找到|不能为空|已存在|无效|不合法|未配置|未设置|不支持|失败|无权|必须|请先",
)

# An empty result in ordinary words, such as a search without matches.
NOTHING = _any(
    r"^(?:sorry, )?(?:no|zero|0)\b(?! (?:such|permission|access|valid|api|argument|recipient|value|token))",
    r"^\(?(?:nothing|none|empty)\b",
    r"^there (?:is|are) (?:currently )?(?:no|nothing)\b|\b(?:you|has|have|contains?) (?:\w+ )?no \w+",
    r"^(?:found|retrieved|returned|got|listed|showing) (?:0|no|zero)\b|共\s*0\s*[个条封项]",
    r"^(?:未|没有|没)(?:能)?(?:找到|查询到|搜索到|查到|检索到|发现)",
    r"内没有(?:找到)?",
    r"^暂无|^无(?:结果|数据|匹配)",
)
# A single object was requested by its id or name and does not exist.
NOT_THERE = _any(
    r"^no (?:\w+ ){0,3}\w*[^\Ws] (?:was |is )?(?:found|exists?)\b[^.\n]{0,10}\b(?:with|by|for|named|called|at|in)\b",
    r"^no (?:\w+ ){1,3}(?:with|named|called) (?!any)",
    r"^没有找到(?:该|此|这个|指定)",
)
# Names of tools for which an empty result is ordinary.
SEEKS = re.compile(
    r"search|list|find|query|browse|recent|scan|look_?up|resolve|filter|match|read_graph|(?<![a-z])all(?![a-z])", re.I
)

# Names of tools that return other people's texts.
READS = re.compile(
    r"read|(?<![a-z])cat(?![a-z])|head|tail|view|open|fetch|show|log|diff|content|file|note|page|scrape|crawl", re.I
)

# Words that must accompany a failure's words if a text does not begin with a refusal; without them, it is news.
NOT_DONE = _any(
    r"\berror|\bfail|\bunable\b|\bunavailable\b|\bunreachable\b|\bexceeded\b|\btry again\b|\bretry\b",
    r"^\W?\d{3}\b|\bgateway\b|\brefused\b|\btimed out\b|\bnot\b|\bcannot\b|\bcan't\b|\bcould\b",
    r"超时|失败|错误|异常|繁忙|不可用|稍后|无法",
)

YES_INSIDE = _any(
    r"(?<!un)\bsuccess(?:ful(?:ly)?)?\b",
    r"\b(?:created|updated|deleted|removed|added|saved|sent|written|wrote|uploaded|moved|completed|done)\b",
    r"成功|已(?:创建|更新|删除|添加|保存|发送|完成)",
)
# A heading or a subject that begins like a refusal but is not one.
HEADING = _any(
    r"(?:errors?|fail(?:ed|ures?|ing)|exceptions?|invalid|missing|unknown|rejected|denied|refused)"
    r" (?:handling|codes?|logs?|rates?(?! limit)|counts?|reports?|messages?|budgets?|types?|pages?|analysis|"
    r"tests?|jobs?|tasks?|builds?|logins?|"
    r"lists?|summary|statistics|stats|classes|history|orders?|payments?|deliver(?:y|ies)|entries|rows|items|cases|"
    r"recovery|modes?|"
    r"tracking|boundar(?:y|ies)|persons?|pieces?|values|dates|deployments?|backups?|runs|checks|transactions?|"
    r"requests|attempts|imports?|exports?)\b"
    r"(?! (?:is|are|was|were|not|failed|must|cannot|could|does|do|exceeded)\b)(?!\W*(?:found|given|"
    r"expected)\b)(?!['\"`]| ['\"`])",
    r"(?:failed|failures|errors|invalid|missing|passed|skipped)(?:: ?| ?= ?| )\d+\b(?!\.\d)",
    r"(?:错误|失败|异常|参数|无效|非法)(?:码|列表|日志|处理|记录|报告|统计|说明|率|次数|数|原因分析|类型|订单|"
    r"任务|用例)",
    r"(?:缺少|必须|禁止|无法|不能|拒绝)(?:的)(?!参数|字段)",
)

# A failed call without the reason.
GENERIC = _any(
    r"\bfailed(?: to \w+)?\b|\bfailure\b|\bunsuccessful(?:ly)?\b|\bnot successful\b",
    r"\bsomething went wrong\b|\bthere was (?:a problem|an error|an issue)\b|\b(?:(?:an|unexpected|unknown|"
    r"internal) )+error(?: (?:has )?(?:occurred|happened))?\b",
    r"\b(?:could not|couldn't|cannot|can't|unable to) (?:be )?(?:get|fetch\w*|load\w*|retriev\w*|complet\w*|"
    r"process\w*|execut\w*|perform\w*|search)\b",
    r"\bno (?:data|response|result|answer)(?: (?:was )?(?:received|returned|available))?\b|\bunknown error\b|失败|"
    r"错误|异常|出错|未知",
)
# A line that begins with a field name: a record, not a sentence.
FIELD = re.compile(
    r"[-*\s]*(?!error|status|message|reason|detail|code|exception|失败|错误)[^\W\d_][\w -]{0,24}[:：]\s", re.IGNORECASE
)
BEGINS_WITH_YES = _any(
    r"(?:successfully|created|updated|deleted|removed|added|saved|sent|wrote|uploaded|moved|completed|done|"
    r"ok)\b(?! (?:failed|timed|not))",
    r"(?:已(?:创建|更新|删除|添加|保存|发送|完成)|成功|(?:发送|创建|更新|删除|添加|保存|发布|上传)成功)",
)
