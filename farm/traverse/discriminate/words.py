"""The words by which servers say no, that they broke, or that there is nothing: English and Chinese."""

from __future__ import annotations

import re

from farm.traverse.discriminate.verdict import Cause


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in patterns), re.IGNORECASE)


# A checker of arguments speaks.
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

UNKNOWN_TOOL = _any(
    r"\bunknown tool\b", r"\btool ['\"`]?[\w./-]+['\"`]? (?:was |is )?not found\b", r"\bno such tool\b", r"未知的?工具"
)

# Before the number of an HTTP status: words that name it, and nothing else between.
_STATUS = (
    r"\b(?:http(?:/\d(?:\.\d)?)?|status|statuscode|code|error|returned|received|responded with)"
    r"(?:[\W_]|code|status|http|error){0,8}?\b"
)

# What broke, where it is not the call. The order is that of the question: "401 after time-out" is a login.
FAILURES: tuple[tuple[Cause, re.Pattern[str]], ...] = (
    (
        "rate",
        _any(
            r"(?<![a-z])rate[\s_-]?limit(?:s|ed|ing)?(?![a-z])",
            r"too[\s_]many[\s_](?:\w+[\s_])?requests",
            r"\b(?:api|usage|requests?|daily|hourly|monthly) (?:call )?limit (?:was |is )?(?:reached|exceeded|hit)\b",
            r"\bfrequency limit\b",
            _STATUS + r"429\b",
            r"^\W{0,3}429\b",
            r"\b429 (?:client error|too)",
            r"\bquota\b[^.\n]{0,20}\b(?:limit|exceeded|exhausted|reached|used up)\b",
            r"\bexceeded (?:your |the )?(?:\w+ )?quota\b",
            r"\bthrottl(?:ed|ing)\b",
            r"\bretry[\s_-]after\b",
            r"请求(?:过于|太)频繁",
            r"访问(?:过于|太)频繁",
            r"操作(?:过于|太)频繁",
            r"频率限制|限流|超过(?:每日|每分钟|调用)?(?:限额|配额|频次)",
        ),
    ),
    (
        "login",
        _any(
            _STATUS + r"401\b",
            r"^\W{0,3}401\b",
            r"\b401 (?:client error|unauthori[sz]ed)",
            r"\bunauthori[sz]ed\b",
            r"\bunauthenticated\b",
            r"\bnot (?:authenticated|authori[sz]ed yet|logged[\s-]in|signed[\s-]in)\b",
            r"\b(?:log|sign)[\s-]?in (?:is |was )?required\b",
            r"\bplease (?:re-?)?(?:log|sign|authenticate)[\s-]?(?:in)?\b",
            r"\b(?:must|need to|have to) (?:be )?(?:log|sign)(?:ged|ned)?[\s-]?in\b",
            r"\bauthenti(?:cation|cate) (?:has |have )?(?:failed|required|error|needed|expired)\b",
            r"\bauthorization (?:is )?required\b|\bauthorization header\b",
            r"\bbad credentials\b|\bapi key not valid\b|\blogin (?:has |is )?(?:expired|invalid)\b",
            r"\bexpired (?:api[\s_-]?key|\w* ?token|session|credentials?|login|cookies?)\b",
            r"\b(?:access|auth|bearer|session)[\s_-]token (?:is )?(?:missing|required|not (?:found|provided))\b",
            r"\b(?:missing|no) (?:access|auth|bearer|session)[\s_-]token\b",
            r"\binvalid (?:login|credentials?|(?:access|auth|api|bearer|session|refresh|bot)[\s_-]?(?:token|key))\b",
            r"\b(?:token|session|credentials?|cookies?)\b (?:has |have |is |was |are )?(?:expired|invalid|revoked)\b",
            r"\bapi[\s_-]?(?:key|token) (?:is )?(?:invalid|expired|revoked)\b",
            r"\b(?:invalid_auth|not_authed|token_expired|token_revoked|account_inactive|invalid_token|invalid_grant)\b",
            r"(?:请先|尚未|未|需要|需|请)(?:重新)?登[录陆]",
            r"登[录陆](?:状态)?(?:已)?(?:失效|过期)|鉴权失败|认证失败|身份验证失败|授权(?:已)?(?:失败|失效|过期)",
        ),
    ),
    (
        "time",
        _any(
            r"\btimed[\s-]?out\b",
            r"\bE(?:SOCKET)?TIMEDOUT\b",
            r"\bdeadline exceeded\b",
            r"\btime-?out (?:of|after|exceeded|error|waiting|expired|while|reached)\b",
            r"\b(?:request|read|connect(?:ion)?|gateway|socket|operation|navigation|server|query) time-?out\b",
            r"\w*Timeout(?:Error|Exception)\b",
            r"^\W*time-?out\W*$",
            r"\btime-?out (?:of )?\d+ ?(?:m?s|seconds?)?\b[^.\n]{0,12}exceeded|\bstatement timeout\b",
            r"\btook too long\b|\b(?:did not|didn't) (?:answer|respond|reply)\b",
            r"\bno (?:answer|response|reply) (?:from|within)\b",
            r"超时",
        ),
    ),
    (
        "server",
        _any(
            _STATUS + r"50[0-4]\b",
            r"^\W{0,3}50[0-4]\b\s*(?:$|\D)",
            r"\b50[0-4] (?:server error|internal|bad gateway|service|gateway)",
            r"\binternal (?:server )?error\b",
            r"\bbad gateway\b",
            r"\bservice (?:is )?(?:temporarily |currently )?(?:unavailable|overloaded)\b",
            r"\bserver (?:is )?(?:temporarily |currently )?(?:unavailable|overloaded|busy)\b",
            r"\btemporarily unavailable\b",
            r"\bupstream (?:connect )?error\b",
            r"\bin maintenance\b|\bunder maintenance\b|\boverloaded(?:_error)?(?![a-z])|\bat capacity\b",
            r"\b(?:try|retry) again (?:later|shortly|in (?:a|\d+))",
            r"\b(?:worker|process|backend|service|daemon|database) (?:has |was |is )?(?:crashed|died|killed|down)\b",
            r"\bEIO\b|\bENOSPC\b|\bE[MN]FILE\b|\bno space left\b|\btoo many open files\b",
            r"\bdatabase is locked\b",
            r"\bserver (?:process )?(?:has |was )?(?:exited|crashed|died|ended|closed)\b",
            r"^panic:|\bsegmentation fault\b|\bcore dumped\b|\bout of memory\b|\bheap limit\b",
            r"invalid character '<' looking for|Unexpected token '?<|JSONDecodeError",
            r"服务(?:器)?(?:内部错误|繁忙|不可用|暂不可用|异常)|系统(?:繁忙|异常)|内部(?:服务)?错误|维护中",
        ),
    ),
    (
        "network",
        _any(
            r"\bE(?:CONN(?:REFUSED|RESET|ABORTED)|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND|PIPE)\b",
            r"\bENOTFOUND\b|\bUND_ERR_\w+",
            r"\bsocket hang up\b|\bbroken pipe\b|\blost (?:the )?connection\b|\bconnection (?:timed out|terminated)\b",
            r"\bfetch failed\b",
            r"\bnetwork (?:error|is unreachable|failure|request failed)\b",
            r"\bconnection (?:was |has been |is )?(?:refused|reset|closed|aborted|lost|failed|dropped)\b",
            r"\bconnection (?:error|issue|problem)\b",
            r"\b\w*Connect(?:ion)?Error\b|\bRemoteProtocolError\b",
            r"\b(?:getaddrinfo|name or service not known|temporary failure in name resolution)\b",
            r"\b(?:could not|cannot|can't|unable to|failed to) (?:connect|reach|resolve host)\b",
            r"\bno route to host\b|\bno such host\b|\bdial tcp\b|\bnet::ERR_\w+",
            r"\bmax retries exceeded\b|\b(?:terminating|closing) connection\b",
            r"\bserver disconnected\b|\bnot connected\b|\bclient (?:is )?not (?:ready|connected|initiali[sz]ed)\b",
            r"\bcertificate verify failed\b",
            r"网络(?:错误|异常|连接失败)|连接(?:失败|被拒绝|中断|已断开)|无法连接",
        ),
    ),
)

# How an ordinary answer begins that says no. These leave little doubt.
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
    r"(?:sorry|apologies)\b",
    r"(?:错误|失败|无效|非法|异常|出错|缺少|未知|不支持|无法|不能|请先|请提供|请输入|必须|参数|抱歉|对不起|拒绝|禁止)",
    r"没有权限|权限不足|无权",
    r"[\w\s一-鿿]{1,16}(?:失败|错误|出错|异常)\s*[:：]",
)
# Signs at the start that say no whatever follows.
NO_SIGNS = ("❌", "⛔", "🚫", "✗", "✘", "🛑")
YES_SIGNS = ("✅", "✓", "✔", "🎉")

# What the first sentence of a short answer says where it says no further on.
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
    r"不存在|未找到|找不到|没有找到|不能为空|已存在|无效|不合法|未配置|未设置|不支持|失败|无权|必须|请先",
)

# There is nothing, said in an ordinary way: what a search finds where nothing matches.
NOTHING = _any(
    r"^(?:sorry, )?(?:no|zero|0)\b(?! (?:such|permission|access|valid|api|argument|recipient|value|token))",
    r"^\(?(?:nothing|none|empty)\b",
    r"^there (?:is|are) (?:currently )?(?:no|nothing)\b|\b(?:you|has|have|contains?) (?:\w+ )?no \w+",
    r"^(?:found|retrieved|returned|got|listed|showing) (?:0|no|zero)\b|共\s*0\s*[个条封项]",
    r"^(?:未|没有|没)(?:能)?(?:找到|查询到|搜索到|查到|检索到|发现)",
    r"内没有(?:找到)?",
    r"^暂无|^无(?:结果|数据|匹配)",
)
# One thing was asked for by its id or name, and is not there.
NOT_THERE = _any(
    r"^no (?:\w+ ){0,3}\w*[^\Ws] (?:was |is )?(?:found|exists?)\b[^.\n]{0,10}\b(?:with|by|for|named|called|at|in)\b",
    r"^没有找到(?:该|此|这个|指定)",
)
# Tools whose ordinary answer is that there is nothing, by their names.
SEEKS = re.compile(r"search|list|find|query|browse|recent|scan|look_?up|resolve|filter|match|read_graph|all", re.I)

# Beside words of a failure, in a text that does not begin with a refusal: without one of these they are news.
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
NOT_YES = _any(r"\bunsuccess|\bnot successful|\bno success|(?:未|不|没有)成功|\bfailed to\b|\bcould not be\b")
