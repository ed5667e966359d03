"""The words of failures that the call did not cause: of HTTP libraries, resolvers, gateways, limiters and databases.

The table is ordered by cause and then by source, so that new words have a place. English and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from farm.traverse.discriminate.codes import CODE_WORDS
from farm.traverse.discriminate.verdict import Cause

# Words that name an HTTP status, directly before its number.
_STATUS = (
    r"(?<![a-z])(?:http(?:/\d(?:\.\d)?)?|status|statuscode|code|error|errors|returned|received|responded with|"
    r"response|failed with|"
    r"api|server|failed|got|answered|状态码|错误码|返回|响应|状态)"
    r"(?:[\W_]|code|status|http|error|api|response|an?\b|is\b|was\b|of\b|with\b|returned\b|状态码?|错误码?|"
    r"响应码?|返回|为|是){0,8}?(?<![A-Za-z\d.:/])"
)
# The end of the number: not part of a larger number, a time or a version.
_ENDS = r"(?![A-Za-z\d_]|[.:]\d)"
# A status at the start or end of the text, in brackets, or before its own phrase.
_ALONE = (
    r"(?:^\W{0,3}|[(\[]|(?:fail\w*|error|cannot|could not|unable)[^\n]{0,120}: ){status}"
    r"(?:[)\]]|\s*$|\s*[:：-]|,? message=| status code)"
)

_BROKEN = r"(?:500|50[2-46-8]|509|51[01]|52[0-79]|530|59[89])"


def _status(status: str, phrases: str) -> tuple[str, ...]:
    return (
        _STATUS + status + _ENDS,
        _ALONE.replace("{status}", status),
        status + r"[\s\W]{1,3}(?:client error|server error|" + phrases + ")",
        rf"\b(?:{phrases})\W{{1,3}}{status}\b",
    )


# Words that are unambiguous anywhere in a refusal.
_TABLE: Mapping[Cause, Mapping[str, tuple[str, ...]]] = {
    "rate": {
        "HTTP": (*_status("(?:429|420)", "too many requests|enhance your calm"),),
        "limiters of web frameworks": (
            # express-rate-limit, slowapi, DRF, Laravel, NestJS, bucket4j, Kong, API gateways
            r"(?<![a-z])rate[\s_-]?limit(?:s|ed|er|ing)?(?![a-z])",
            r"too[\s_]many[\s_](?:\w+[\s_]){0,3}(?:requests|attempts|calls|connections from|login attempts|queries)",
            r"\bthrottl(?:ed|ing|er|erexception)\b",
            r"\bretry[\s_-]after\b",
            r"\b(?:rate|limit) exceeded\b",
            r"\b(?:limit\w*|max\w*|exceed\w*|only|allowed|detected|over|up to)\b[^.\n]{0,40}"
            r"\b(?:requests?|calls?|queries|searches|tokens) (?:per|/) ?(?:second|minute|hour|day|month)\b",
            r"\bcode = ResourceExhausted\b",
            r"\bslow ?down\b|\bback ?off\b|\btoo (?:fast|frequent(?:ly)?|quickly)\b|\bflood (?:wait|control)\b",
            r"\bwait (?:of |for )?\d+ ?s(?:ec(?:ond)?s?)? (?:is )?(?:required|before)",
        ),
        "quotas and plans": (
            r"\b(?:api|usage|requests?|query|queries|search(?:es)?|call|calls|daily|hourly|weekly|monthly|annual|"
            r"free|plan|credits?|"
            r"tokens?|concurrency|subscription|trial)[\s_](?:\w+ )?(?:limits?|allowance|cap)\b[^.\n]{0,20}"
            r"\b(?:reached|exceeded|hit|exhausted|used|passed)\b",
            r"\b(?:reached|exceeded|hit|exhausted|over|used up|used all) (?:of )?(?:your |the |its |my |our )?"
            r"(?:\w+[\s-]){0,3}(?:quota|(?:api|usage|request|query|call|daily|hourly|monthly|free|plan|credit|"
            r"search|rate)[\w -]{0,12}limits?)\b",
            r"\bfrequency limit\b|\bdaily quota\b|\bquota\b[^.\n]{0,30}\b(?:exceeded|exhausted|reached|used up|"
            r"exceed|depleted|ran out)\b",
            r"\bquota (?:is )?(?:limit|exceeded|exhausted)\b|\bquota limit\b",
            r"\b(?:out of|no (?:more )?|insufficient|run out of|ran out of|not enough)[\s_]?(?:api )?"
            r"(?:credits?|quota|searches|requests|calls)(?: left| remaining| available)?\b",
            r"\b(?:credits?|searches|quota|calls) (?:have |has |are |is )?(?:been )?(?:used up|exhausted|depleted)\b",
            r"\bcredit balance is too low\b|\b402 payment required\b|\bpayment required\b|\bexceeds your plan\b|"
            r"\bupgrade your plan\b",
            r"\bstandard api (?:rate limit|call frequency)\b|\bpull rate limit\b|\bexceeded your current quota\b",
        ),
        "Chinese": (
            r"(?:请求|访问|操作|调用|查询|发送|登录)(?:次数)?(?:过于|太|过)?(?:频繁|快|多)(?!的)",
            r"(?:频率|频次|速率|流量|并发|QPS|配额|额度|次数|调用量|用量)(?:\w{0,6})?(?:限制|超限|超出|超过|不足|"
            r"已?用[完尽]|耗尽|达到?上限|已达)",
            r"限流|超过(?:了)?(?:每[日天分月小]\w{0,4}|最大|调用|访问|请求)?\w{0,4}(?:限额|配额|频次|频率|上限|"
            r"限制次数|次数)",
            r"每[分天日小][钟时]?\w{0,4}最多(?:访问|调用|请求)",
            r"天配额|余量不足|套餐(?:已)?(?:用完|到期|过期)",
        ),
    },
    "login": {
        "HTTP": (
            *_status("(?:401|407)", "unauthori[sz]ed|proxy authentication required"),
            r"\bunauthori[sz]ed\b(?! (?:to|for|path|domain|directory|operation|attempt))",
            r"\bunauthenticated\b|\bwww-authenticate\b",
        ),
        "middlewares": (
            # FastAPI, DRF, simplejwt, Laravel, Spring, jsonwebtoken, PyJWT, passport
            r"\bnot (?:authenticated|authori[sz]ed yet|logged[\s-]in|signed[\s-]in)\b",
            r"\b(?:log|sign)[\s-]?in (?:is |was )?(?:required|needed|first)\b|\blog in (?:first|again)\b",
            r"\bplease (?:re-?)?(?:log|sign|authenticate|authori[sz]e|reconnect)[\s-]?(?:in|your)?\b(?! (?:the|"
            r"file|both|off))",
            r"\b(?:must|need to|have to) (?:be )?(?:log|sign)(?:ged|ned)?[\s-]?in\b|\b(?:must|need to|"
            r"have to) (?:re-?)?authenticate\b",
            r"\bre-?authenti(?:cate|cation)\b|\bre-?login\b|\brun\b[^.\n]{0,30}\b(?:auth )?login\b",
            r"\bauthenti(?:cation|cate)(?: credentials)? (?:has |have |is |was |were )?(?:failed|failure|required|"
            r"error|needed|"
            r"expired|not provided|missing|invalid|unsuccessful)\b",
            r"\b(?:failed|unable|could not|cannot|can't) (?:to )?authenticate\b|"
            r"\bauth(?:entication)?[\s_]?fail(?:ed|ure)\b|\bauth error\b",
            r"\bfull authentication is required\b|\bcould not validate credentials\b",
            r"\bauthorization (?:is )?(?:required|failed|expired)\b|\bauthorization header\b|\bmissing authorization\b",
            r"\bjwt (?:is )?(?:expired|malformed|invalid|must be provided|not active)\b|\bsignature has expired\b",
            r"\b(?:token|request) signature (?:is )?(?:invalid|mismatch)\b|"
            r"\bsignature (?:we calculated )?does not match\b",
            r"\b(?:login|sign[\s-]?in) (?:has |is )?(?:failed|expired|invalid)\b|\blogin failed for user\b",
        ),
        "keys": (
            r"\bbad credentials\b|\b(?:api|access|auth|subscription|secret|license)[\s_-]?key\b[^.\n]{0,25}"
            r"\b(?:not valid|invalid|expired|revoked|missing|disabled|deactivated|incorrect|not found|"
            r"does not exist|suspended|"
            r"not (?:set|configured|provided|defined|authori[sz]ed|recogni[sz]ed)|required|unauthori[sz]ed|blocked)\b",
            r"\b(?:invalid|incorrect|wrong|bad|missing|expired|unknown|no|revoked|unrecogni[sz]ed|provide (?:an?|"
            r"your|the|a valid)|"
            r"set (?:the|your)|valid)[\s_](?:\w+ ){0,2}(?:api|access|subscription|secret|app|user)[\s_-]?(?:key|"
            r"token|id/secret)\b",
            r"\b[A-Z][A-Z0-9]*_(?:API_KEY|KEY|TOKEN|SECRET|PASSWORD|ACCESS_TOKEN)\b[^.\n]{0,40}"
            r"\b(?:not (?:set|found|configured|provided|defined)|required|missing|must be set|invalid|unset|"
            r"is empty|expired)\b",
            r"\b(?:missing|no|set(?: the)?|provide|configure)\b[^.\n]{0,20}\b[A-Z][A-Z0-9]*_(?:API_KEY|TOKEN|"
            r"SECRET|ACCESS_TOKEN)\b",
            r"\binvalid x-api-key\b|\binvalid appid\b|\binvalid (?:consumer|client) (?:key|secret|credentials)\b",
        ),
        "tokens and sessions": (
            r"\bexpired (?:api[\s_-]?key|(?:\w+ )?token|session|credentials?|login|cookies?|authenti\w+)\b",
            r"\b(?:access|auth|bearer|session|refresh|bot|oauth|id|personal access|security|csrf|app|user|"
            r"tenant)[\s_-]?token\b[^.\n]{0,25}"
            r"\b(?:missing|required|not (?:found|provided|valid|active|set)|invalid|expired|revoked|malformed|"
            r"rejected|incorrect)\b",
            r"\b(?:missing|no|invalid|bad|wrong|expired|revoked|malformed)[\s_](?:\w+ )?(?:access|auth|bearer|"
            r"session|refresh|bot|oauth|"
            r"authentication|authorization|security|personal access|app)[\s_-]?(?:token|credentials?|header|details)\b",
            r"\b(?:invalid|bad|wrong|missing|no valid|no|incorrect) (?:login|(?:\w+ )?credentials?)\b|"
            r"\bno token provided\b",
            r"\b(?:session|credentials?|cookies?|token) (?:has |have |is |was |are |were )?(?:been )?(?:expired|"
            r"invalid|revoked|"
            r"incorrect|rejected|not valid|no longer valid|stale)\b",
            r"\b(?:your|the) (?:\w+ )?(?:session|token|login|authori[sz]ation|subscription|account) (?:has |is |"
            r"was )?(?:been )?"
            r"(?:expired|invalid|revoked|timed out|suspended|deactivated|locked|logged out|terminated)\b",
            r"\btoken (?:refresh|exchange) failed\b|\bfailed to refresh\b[^.\n]{0,20}\btoken\b",
            r"\b(?:load|locate|find|get|obtain|retrieve)\b[^.\n]{0,25}\bcredentials\b|"
            r"\bsecurity token included in the request is\b",
            r"\binvalid (?:session|crumb|cookie)\b|\bmissing required authentication\b|\binvalid authentication\b",
        ),
        "databases, mail, git": (
            r"\b(?:password )?authentication failed for\b|\baccess denied for user\b.{0,80}\busing password\b",
            r"\busername and password not accepted\b|\binvalid (?:user(?:name)?|login) (?:or|and|/) password\b|"
            r"\b(?:incorrect|wrong) (?:username|password|login)\b",
            r"\b535[ -]|\b530[ -]5\.7|\bunsafe login\b|\blogin (?:failed|denied|failure)\b",
            r"\bcode = Unauthenticated\b|\bpermission denied \(publickey|\bcould not read (?:username|"
            r"password) for\b|\bterminal prompts disabled\b",
            r"\bno pg_hba\.conf entry\b|\bSASL authentication\b",
        ),
        "pages in the place of an answer": (
            r"\bjust a moment\.\.\.|\battention required! \|? ?cloudflare|\bchecking your browser\b|"
            r"\bverify (?:that )?you are (?:a )?human\b",
            r"\bcaptcha\b|\bunusual traffic\b|\bare you a robot\b|\bbot detection\b|\benable javascript and cookies\b",
            r"\bredirected to (?:the |a )?(?:login|sign[\s-]?in)\b|\b(?:login|sign[\s-]?in) page\b",
        ),
        "Chinese": (
            r"(?:请先|尚未|未|需要|需|请|重新|没有)(?:扫码|重新)?登[录陆入]|登[录陆](?:状态|态|信息|"
            r"凭证)?(?:已)?(?:失败|失效|过期|超时|异常)",
            r"(?:鉴权|认证|身份验证|身份认证|授权|验签|签名|校验token)(?:信息)?(?:已)?(?:失败|失效|过期|错误|无效|"
            r"不通过|不正确)",
            r"(?:token|令牌|密钥|秘钥|api[ _-]?key|key|ak|sk|cookie|凭证|会话|access_token|appid|授权码|"
            r"session)\s*(?:已|已经|不|无|错|失|为|是)?"
            r"(?:过期|失效|无效|不对|不正确|错误|不合法|缺失|不存在|为空|被禁用|到期|被删除)",
            r"(?:无效|错误|非法|不合法|过期|缺少|未配置|未设置|请设置|请配置|没有)(?:的)?\s*(?:token|令牌|密钥|"
            r"秘钥|api[ _-]?key|access_token|cookie|凭证|会话|授权码)",
            r"用户未(?:登录|授权|认证)|账号(?:已)?(?:在其他|被封|被冻结|异常|已停用)|未授权(?:的)?(?:访问|请求|"
            r"调用)?$|请(?:完成)?(?:安全|滑块|人机)?验证码?后",
        ),
    },
    "time": {
        "HTTP": (*_status("(?:408|504|524|598|599)", "request time-?out|gateway time-?out"),),
        "libraries": (
            r"\btimed[\s-]?out\b",
            r"\bdeadline[\s_]?exceeded\b|\bcode = DeadlineExceeded\b",
            r"\btime-?out (?:of|after|exceeded|error|waiting|expired|while|reached|awaiting|was reached|occurred|"
            r"connecting|reading|on|for|during|to|from|in|trying)\b",
            r"\b(?:request|read|write|connect(?:ion)?|gateway|socket|operation|navigation|server|query|service|"
            r"upstream|network|lookup|"
            r"response|handshake|headers|body|i/o|idle|execution|function|pool|api|lock wait|selection|login|"
            r"dns) time-?out\b",
            r"\w*Timeout(?:Error|Exception|Expired)?\b(?=[:(\s]|$)(?<=Error|ption|pired)",
            r"\b(?:Connect|Read|Write|Pool|Gateway|Socket)Timeout\b",
            r"^\W*time-?out\W*$|[:：-] ?time-?out\W*$|\btime-?out\W*$",
            r"\btime-?out (?:of )?\d+ ?(?:m?s|seconds?)?\b[^.\n]{0,12}exceeded|\bstatement timeout\b|"
            r"\bnetwork timeout at\b",
            r"\btook too long\b|\btaking too long\b|\b(?:did not|didn't|not) (?:answer|respond|reply)(?:ing)?\b|"
            r"\btiming out\b",
            r"\bno (?:answer|response|reply)(?: was)? (?:from|within|received|in time)\b|"
            r"\bexceeded (?:the )?(?:time ?limit|maximum execution time)\b",
            r"\bmaximum execution time\b|\bexecution expired\b|\boperation was aborted due to\b",
        ),
        "Chinese": (r"超时(?!时间)|响应时间过长|等待过久",),
    },
    "server": {
        "HTTP": (
            *_status(
                _BROKEN,
                "internal(?: server)?(?: error)?|bad gateway|service(?: temporarily)? unavailable|gateway|server "
                "error|origin|"
                "web server is down|site is overloaded|bandwidth limit",
            ),
            r"\binternal[\s_](?:server[\s_])?error\b",
            r"\bbad gateway\b|\binvalid gateway\b|\bproxy error\b|\bhttp server error\b|\bserver error\b(?! codes?)",
        ),
        "words of services": (
            r"\b(?:service|server|api|site|system|website|backend|application|database|upstream|resource|host|"
            r"endpoint|page|model|cluster|"
            r"gateway|daemon|engine)s? (?:is |are |was |currently |temporarily |being ){0,3}(?:unavailable|"
            r"overloaded|busy|down|offline|"
            r"not available at|not responding|unhealthy|unresponsive|misbehaving|under heavy load|in maintenance|"
            r"closed for)\b",
            r"\btemporar(?:il)?y (?:unavailable|overloaded|down|error|failure|out of service|disabled for)\b|"
            r"\btemporary (?:error|failure|issue|problem)\b",
            r"\b(?:in|under|for|scheduled|undergoing|down for|system) (?:\w+ )?maintenance\b|"
            r"\bbe (?:right )?back (?:soon|shortly)\b",
            r"\boverloaded(?:_error)?(?![a-z])|\bat capacity\b|\bno capacity\b|\bhigh (?:load|demand)\b",
            r"\b(?:try|retry)(?: again| your request| this)?(?: request)? (?:later|shortly|soon|in (?:a|an|\d+|"
            r"some|few)|after (?:a|some|\d+))\b",
            r"\b(?:encountered|experiencing) (?:a |an |some )?(?:temporary|unexpected|internal|technical|server) "
            r"(?:\w+ )?(?:error|condition|issues?|difficulties|problems?)\b|\btechnical difficulties\b",
            r"\bsomething went wrong on our\b|\bour (?:end|side|servers)\b",
        ),
        "gateways and clouds": (
            r"\bupstream (?:connect )?(?:error|server|failed|prematurely|sent|service)\b|"
            r"\binvalid response (?:was )?received from\b|"
            r"\binvalid response from (?:the |an )?upstream\b",
            r"\bno healthy upstream\b|\bno (?:server|backend|live upstreams|available server) (?:is )?available\b|"
            r"\bno live upstreams\b",
            r"\b(?:backend|first byte) fetch failed\b|\bguru meditation\b|\brequest could not be satisfied\b|"
            r"\bapplication error\b",
            r"\bweb server (?:is down|reported)|\borigin (?:is )?(?:unreachable|dns error|error)|"
            r"\berror code: (?:10(?:00|1[5-9]|2\d)|5[23]\d)\b",
            r"\bcurrently unable to handle\b|\bserver closed the (?:connection|stream)\b|\bendpoint request timed\b",
            r"\bfunction (?:invocation )?(?:has )?(?:crashed|failed)\b|\bcircuit[ -]?breaker (?:is )?open\b|"
            r"\bcircuit open\b",
        ),
        "crashes and resources": (
            r"\b(?:worker|process|backend|service|daemon|database|browser|page|kernel|instance|container|job runner) "
            r"(?:has |was |is |had )?(?:unexpectedly )?(?:crashed|died|killed|exited|disconnected|gone|"
            r"shutting down|been closed|restarting)\b",
            r"\bno space left\b|\btoo many open files\b|\bdisk (?:is )?full\b|\bdisk quota exceeded\b|"
            r"\bdisk i/o error\b|\binput/output error\b",
            r"\bdatabase (?:is|was|table is) locked\b|\bdatabase disk image is malformed\b|"
            r"\bcould not set lock on file\b|\bdeadlock (?:found|detected)\b",
            r"\bserver (?:process )?(?:has |was |is )?(?:exited|crashed|died|ended|closed|shut(?:ting)? down|"
            r"starting up|gone away)\b",
            r"^panic:|\bpanic: runtime error\b|\bsegmentation fault\b|\bcore dumped\b|\bout of memory\b|"
            r"\bheap limit\b|\bcannot allocate memory\b|"
            r"\bMemoryError\b|\bOutOfMemoryError\b|\bSIGKILL\b|\bSIGSEGV\b",
            r"\bdatabase system is (?:starting up|shutting down|in recovery)\b|\btoo many (?:clients|"
            r"connections)\b|\bconnection slots are reserved\b|"
            r"\bmax number of clients\b|\bconnection pool (?:is )?(?:exhausted|timeout|cleared|limit)\b|"
            r"\bQueuePool limit\b",
            r"\bfailed to launch (?:the )?browser\b|\bexecutable doesn't exist\b|"
            r"\btarget (?:page, context or browser has been )?closed\b|"
            r"\bpage crashed\b|\bbrowser (?:has )?disconnected\b|\bbrowser has been closed\b|"
            r"\bexecution context was destroyed\b",
            r"\bfailed to (?:download|load|install|autoload) (?:the )?extension\b(?=.{0,400}\b(?:establish|"
            r"connect|network|http|host|download)\b)",
        ),
        "Chinese": (
            r"(?:服务|服务器|系统|接口|网关|平台|引擎|后端|数据库|站点)(?:端)?(?:内部|暂时|正在|当前|目前|出现|"
            r"发生)?(?:内部)?(?:错误|繁忙|忙|不可用|暂不可用|异常|维护|故障|升级|过载|无响应|崩溃)",
            r"内部(?:服务|服务器|系统)?(?:错误|异常)|维护中|系统维护|(?:请)?(?:稍后|稍候|过会儿|等一会)(?:再试|"
            r"重试|再来|尝试)|网络繁忙|服务暂停",
        ),
    },
    "network": {
        "sockets and DNS": (
            r"\b(?:connection|connections|stream|socket|transport|websocket|session|channel|peer|pipe|"
            r"tunnel)s?(?: was| has been| is| has| had| were| "
            r"attempt)? (?:unexpectedly |abruptly |prematurely |forcibly |been )*(?:refused|reset|closed|aborted|"
            r"lost|failed|dropped|terminated|broken|"
            r"interrupted|disconnected|hang up|destroyed|hung up)\b(?! by (?:the )?user\b)",
            r"\bconnection (?:error|issue|problem|failure|timed out|termination|not established)s?\b",
            r"\bsocket hang up\b|\bbroken pipe\b|\bsocket disconnected\b|\bother side closed\b|"
            r"\bpremature close\b|\bhung up unexpectedly\b|"
            r"\bclosed (?:connection|network connection)\b|\bbad file descriptor\b",
            r"\blost (?:the )?connection\b|\bdisconnected from\b|\b(?:server|remote|peer|client|"
            r"host) (?:end )?(?:has )?(?:disconnected|closed)\b|"
            r"\bconnection is not available\b|\bgone away\b|\bempty reply from server\b|\brecv failure\b",
            r"\bgetaddrinfo\b|\bname (?:or service|resolution)\b|\b(?:temporary|failure in) name resolution\b|"
            r"\bnodename nor servname\b|"
            r"\bno such host\b|\bno address associated\b|\bdns (?:error|lookup|resolution|probe|failure|query)\b|"
            r"\bserver misbehaving\b|"
            r"\bfailed to lookup address\b|\bNXDOMAIN\b|\bSERVFAIL\b|\bUnknownHostException\b|\bunknown host\b",
            r"\b(?:could not|couldn't|cannot|can't|unable to|failed to|failure to) (?:be )?(?:connect|reach|"
            r"resolve (?:host|domain|dns|the host|proxy)|"
            r"establish|contact|open (?:a )?(?:connection|socket)|communicate|access the (?:server|network|"
            r"internet))(?:ed)?\b",
            r"\b(?:could not be|cannot be|can't be|not be) (?:reached|resolved|contacted|established)\b|"
            r"\bunreachable\b|\bno route to host\b",
            r"\bnetwork (?:error|is unreachable|failure|request failed|is down|issue|problem|connection|changed|"
            r"timeout|disconnected|unavailable)s?\b|"
            r"\bno internet\b|\byou are offline\b|\bcheck your (?:internet|network|connection)\b",
            r"\bdial (?:tcp|udp|unix)\b|\bconnect call failed\b|\bconnect(?:ion)? attempts? failed\b|"
            r"\bactively refused\b|\bos error 1(?:04|1[013])\b|"
            r"\berrno (?:-[235]|32|10[134]|11[0123]|10054|10060|10061|110\d{2})\b",
            r"\bfailed to (?:establish|open|create) (?:a )?(?:new )?(?:secure )?connection\b|"
            r"\bconnect to\b[^.\n]{0,60}\bfailed\b|\btunnel connection failed\b",
            r"\bmax retries exceeded\b|\b(?:terminating|closing) connection\b|\bremote end closed\b|"
            r"\bconnection closed before\b",
        ),
        "libraries": (
            # undici and node-fetch, requests and httpx and aiohttp, Go, Rust, Java, .NET, curl
            r"\bfetch failed\b|\bfailed to fetch$|\bfailed to fetch\W*$|\bload failed\W*$|"
            r"^\W*(?:error: ?)?terminated\W*$|"
            r"[:：]\s*(?:terminated|aborted|socket error)\W*$|^\W*(?:error: ?)?(?:the )?(?:request|operation|"
            r"stream)? ?(?:was |has been )?aborted\W*$",
            r"\b(?:request|operation|stream) (?:was |has been )?(?:aborted|canceled by the server|"
            r"interrupted)\b(?! by)",
            r"\binvalid response body\b|\bincomplete (?:read|chunked read|message|body)\b|\bIncompleteRead\b|"
            r"\bresponse ended prematurely\b|"
            r"\bpeer closed connection\b|\bpayload is not completed\b|\bunexpected end of (?:file|stream)\b|"
            r"\bunexpected eof\b|\bEOF occurred\b|"
            r"(?:^|: )EOF\W*$|\bincorrect header check\b|\bnot enough data for content length\b|\bConnection broken\b",
            r"\b\w*(?:Connect(?:ion)?|RemoteProtocol|Protocol|Proxy|SSL|Network|ClientOS|ClientPayload|"
            r"ServerDisconnected|ChunkedEncoding|NameResolution|"
            r"NewConnection|TransferEncoding|Read|RemoteDisconnected|TLS|Socket|URL|Transport|"
            r"FetchErr)Error\b(?!\w)(?<!AttributeError)(?=[:(\s'\"]|$)",
            r"\b(?:SSLHandshake|NoRouteToHost|Connect|Socket|Connection|UnresolvedAddress|ClosedChannel|"
            r"EOF)Exception\b|\bI/O error on\b|\bRemoteDisconnected\b",
            r"\brequest to \S+ failed, reason\b|\bcode = Unavailable\b",
            r"\berror (?:sending|trying to) (?:request|connect)\b|\bconnection to [^.\n]{1,80} (?:failed|refused|"
            r"was refused)\b|\bnetwork socket\b",
            r"\bhttp2: (?:server|client|stream)\b|\bgoaway\b|\bmalformed http response\b|"
            r"\bserver gave http response\b|\bprotocol error\b(?=.{0,40}\b(?:session|target) closed)",
            r"\bno connection could be made\b|\bno such host is known\b|\bunable to connect\b|\bcurl: \((?:5|6|7|"
            r"28|35|52|55|56|60)\)",
            r"\bnet::ERR_(?!(?:ABORTED|INVALID_URL|FILE_NOT_FOUND|UNSAFE_PORT|UNKNOWN_URL_SCHEME|BLOCKED_BY)\b)\w+",
            r"\bcould not read from remote repository\b|\bunable to access 'https?:|\bearly EOF\b|\bRPC failed\b|"
            r"\bkex_exchange_identification\b",
            r"\bcannot connect to the docker daemon\b|\berror during connect\b|\bno living connections\b|"
            r"\bno listener\b|\bnot connected\b|"
            r"\bclient (?:is )?(?:not (?:ready|connected|initiali[sz]ed|started)|closed)\b|"
            r"\bwebsocket is not open\b|\bnot yet connected\b",
        ),
        "TLS": (
            r"\bcertificate[ _](?:verify failed|has expired|is not trusted|is not yet valid|signed by unknown|"
            r"verification|problem|error|invalid|expired|"
            r"required|unknown|key too weak|validation failed)",
            r"\bx509:|\bself[ -]signed certificate\b|\bverify the first certificate\b|"
            r"\bunable to get local issuer\b|\bPKIX path\b|\bCERTIFICATE_VERIFY_FAILED\b",
            r"\b(?:tls|ssl)[\s_:]+(?:\w+[\s_:]+){0,3}(?:handshake|error|alert|failure|failed|wrong version|"
            r"internal|connection|certificate)\b|"
            r"\bhandshake (?:failure|failed|error)\b|\bwrong version number\b|\bbad handshake\b|"
            r"\bssl connection could not\b",
        ),
        "Chinese": (
            r"网络(?:错误|异常|连接|请求失败|不可用|中断|故障|不稳定|波动|问题|不通|出错|超时)|"
            r"连接(?:\w{0,8})?(?:失败|被拒绝|中断|已断开|断开|被重置|异常|错误|关闭)",
            r"(?:无法|不能|未能)(?:\w{0,4})?(?:连接|访问(?:服务|网络|接口)|解析域名|建立连接)|域名解析失败|"
            r"DNS解析|代理(?:错误|连接失败)|证书(?:错误|验证失败|过期)",
        ),
    },
}

# The first match decides: "401 after a time-out" is a login failure.
_ORDER: tuple[Cause, ...] = ("rate", "login", "time", "server", "network")


def _compiled(cause: Cause) -> re.Pattern[str]:
    words = "|".join(f"(?:{each})" for family in _TABLE[cause].values() for each in family)
    return re.compile(rf"(?i:{words})|{CODE_WORDS[cause].pattern}")


FAILURES: tuple[tuple[Cause, re.Pattern[str]], ...] = tuple((cause, _compiled(cause)) for cause in _ORDER)

# A rule of the tool that contains words of a failure: "timeout must be", "127.0.0.1 is not a public address".
RULE = re.compile(
    r"\bmust (?:be|not|have|match|contain|start|end|specify|provide|include|use)\b|\bshould (?:be|not)\b|"
    r"\bcannot be (?:empty|null|negative|used|set|zero|"
    r"combined|changed|longer|more|less)\b|\bnot a (?:valid|public|number|positive)\b|"
    r"\b(?:is|are) not (?:allowed|permitted|supported|a valid|valid|public|accessible from|in the allow)|"
    r"\bnot in (?:the )?(?:allow|white|list)|"
    r"\bonly (?:\S+ ){1,5}(?:is |are )?(?:allowed|supported|permitted)\b|\b(?:private|internal|reserved|loopback|"
    r"link-local|local)(?: network| ip)? "
    r"address(?:es)?\b|\bprivate (?:ip|network|host)s?\b|\bSSRF\b|\bblock(?:ed|s|ing)?\b[^.\n]{0,30}\b(?:by|"
    r"address|request|host|domain|policy|url|local)\b|"
    r"\bsecurity (?:policy|reasons|rule)\b|\ballow(?:ed )?-?(?:list|hosts|domains|origins)\b|"
    r"\binvalid (?:time-?out|port|url|host\w*|interval|retry\w*|"
    r"rate|limit|delay|argument|parameter|value|proxy|protocol|status)\b|\bunsupported (?:protocol|url|scheme|"
    r"status)\b|\bunknown (?:status|error code|option)\b|"
    r"(?<!seconds )\bis required\b|\bdoes not exist\b|\balready exists\b|\bno such (?:table|column|file|key|tool|"
    r"server|service|function|connection|session|option)\b|"
    r"\bnot (?:been )?(?:finali[sz]ed|indexed|processed|published|ready|started|completed) yet\b|"
    r"\bnot yet (?!connected)\w+|"
    r"(?:必须|不能为空|不能小于|不能大于|不允许|不支持|应为|不合法的(?:参数|地址))",
    re.IGNORECASE,
)

# A parser that received something unexpected: a page, half an answer or none.
UNREADABLE = re.compile(
    r"\bunexpected (?:token|end of|character|non-whitespace|identifier|number|string)\b.{0,80}\bJSON\b|"
    r"\bunexpected token '?<|\bin JSON at position\b|"
    r"\bunexpected end of JSON\b|\bis not valid JSON\b|\bJSON ?Parse ?error\b|\bJSON\.parse\b|\bJSONDecodeError\b|"
    r"\bJsonParseException\b|\bJSON::ParserError\b|"
    r"\bexpecting (?:value|',' delimiter|property name|':' delimiter)\b.{0,30}\bline \d+ column \d+|"
    r"\bextra data: line \d+|\bunterminated string starting at\b|"
    r"\binvalid character .{1,6} (?:looking for|after|in)\b|\bexpected (?:value|ident|"
    r"`,` or `[}\]]`) at line \d+ column \d+|\bEOF while parsing\b|"
    r"\binvalid start of a value\b|\binvalid json response\b|\binvalid JSON\b|\bunexpected (?:mimetype|"
    r"content[ -]type)\b|\berror decoding response\b|"
    r"\b(?:failed|unable|could not|cannot|error) (?:to )?(?:pars|decod|deserializ)\w* (?:\w+ ){0,3}(?:response|"
    r"reply|json|body|answer)\b|"
    r"\bunrecognized token '<|\bunexpected character \('<'|\bMalformedJson|\bExpected BEGIN_(?:OBJECT|ARRAY)\b|"
    r"\bnot well-formed \(invalid token\)|"
    r"\bno element found: line|\bmismatched tag: line|\bstart tag expected, '<'|\b(?:invalid|malformed|unexpected|"
    r"empty|unreadable|no) (?:\w+ )?response\b(?! code)|"
    r"\bgot HTML\b|\breceived HTML\b|\bHTML (?:page|response|instead)\b|(?:响应|返回)(?:数据|内容|"
    r"结果)?(?:解析失败|不是|格式错误|为空|异常)|JSON\s*解析(?:失败|错误)",
    re.IGNORECASE,
)
# A page, or nothing at all, in place of an answer.
PAGE_QUOTED = re.compile(
    r"\(char 0\)|\bunexpected end of JSON\b|\bEOF while parsing\b|\bat line 1 column 1\b|\bunexpected (?:mimetype|"
    r"content[ -]type)\b|\binvalid json response\b|"
    r"\berror decoding response\b|['\"`(]?<\s*(?:!doctype|html|head|body|\?xml|h1)|token '?<|character '<'|"
    r"'<' is an invalid|\btoken '<",
    re.IGNORECASE,
)

# A server's code that crashed on its input, from its vendor or its client.
STUMBLE = re.compile(
    r"\bcannot read propert(?:y|ies) of (?:undefined|null)\b|\b(?:undefined|null) is not an? (?:object|"
    r"function)\b|\bis not iterable\b|\bis not a function\b|"
    r"'NoneType' object\b|\bobject is not subscriptable\b|\bhas no attribute\b|\bKeyError\b|\bIndexError\b|"
    r"\blist index out of range\b|"
    r"\bstring indices must be\b|\bNullPointerException\b|\bnil pointer dereference\b|\bcannot destructure\b|^'\w+'$",
    re.IGNORECASE,
)

# A statement about the past or in general, not about this call.
NARRATIVE = re.compile(
    r"\bwhat happened\b|\bhow to\b|\bhow we\b|\b(?:on|since|until|by) (?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day\b|\byesterday\b|\blast (?:week|night|month|year)\b|"
    r"\bthis (?:article|section|guide|chapter)\b|\bpost-?mortem\b|\bincidents? (?:report|of|on|summary|page|#)|"
    r"\bwas (?:fixed|resolved|rolled back)\b|"
    r"\bfor (?:an hour|\d+ (?:hours|minutes|days))\b|\bwe (?:saw|had|fixed|found|moved|learned|restarted|added|"
    r"are going)\b|"
    r"\b(?:means|explained|described|stands for|is returned when|are returned|indicates|occurs when|happens when|"
    r"is sent when)\b|"
    r"\b(?:chapter|lesson|faq|glossary|changelog|release notes|todo|runbook|checklist|minutes)\b|说明|复盘|昨天|"
    r"上周|教程|怎么办",
    re.IGNORECASE,
)
