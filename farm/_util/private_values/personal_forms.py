"""Detect what people write about themselves in running text: accounts of messengers, plates, doors, ids and names.

These forms need words around them or are wide, so they suit texts that people wrote, not columns of ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from farm._util.private_values.detectors import PUBLIC_DOMAINS


@dataclass(frozen=True)
class PersonalValue:
    """The position of a value in a text; ``kind`` says what it is, for messages."""

    kind: str
    start: int
    end: int


_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
# Mail providers, without .com: who spells an address out writes it in many ways.
_PROVIDERS = "|".join(sorted(each.removesuffix(".com") for each in PUBLIC_DOMAINS if each.endswith(".com")))
_SAYS = r"\s{0,2}(?:号码|号|账号|帐号|id|ID)?\s{0,2}(?:是|为|[:：])?\s{0,2}"
_NO_MORE = r"(?![A-Za-z0-9_-])"
# Kind → a pattern whose group is the value.
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("WeChat id", re.compile(r"(?<![A-Za-z0-9])(wxid_[a-z0-9]{6,})")),
    (
        "WeChat id",
        re.compile(
            rf"(?i:微信|薇信|威信|加我?v|wechat|weixin|(?<![a-z])(?:vx|wx|v信)){_SAYS}((?=[A-Za-z0-9-]*[\d_-])[A-Za-z][\w-]{{5,19}}){_NO_MORE}",
            re.ASCII,
        ),
    ),
    (
        "WeChat id",
        re.compile(
            rf"(?i:微信|薇信|wechat|weixin|(?<![a-z])(?:vx|wx))\s?(?:(?:号码?|账号|(?i:id))\s?[:：是]?|[:：])\s?"
            rf"([A-Za-z][A-Za-z]{{5,19}}){_NO_MORE}"
        ),
    ),
    ("QQ number", re.compile(rf"(?i:(?<![a-z])qq|扣扣|企鹅)\s?群?{_SAYS}([1-9]\d{{4,10}})(?![\d@.])")),
    ("national id", re.compile(rf"(?:身份证|社保)(?:号码|号)?{_SAYS}(\d{{15}}|\d{{17}}[\dXx]){_NO_MORE}")),
    ("travel permit", re.compile(r"(?<![\w-])([HM]\d{8})(?![\w-])")),
    (
        "password",
        re.compile(
            r"(?i:密码|口令|passcode|\bpin code|\bpwd)(?:是|为|[:：])?\s{0,2}"
            r"((?=[A-Za-z0-9!@#$%^&*_.-]*\d)[A-Za-z0-9!@#$%^&*_.-]{4,})"
        ),
    ),
    (
        "date of birth",
        re.compile(
            r"((?:19|20)\d\d[-年./]\d{1,2}[-月./]\d{1,2}日?)\s?(?:出生|生的)"
            r"|(?i:生日|出生日期|\bborn(?: on)?\b|\bdob\b)\W{0,3}((?:19|20)\d\d[-年./]\d{1,2}[-月./]\d{1,2}日?)"
        ),
    ),
    ("phone number", re.compile(r"(?<![\w(])(\(0\d{2,3}\)\s?\d{7,8})(?!\d)")),
    (
        "street address",
        re.compile(r"(?<![\w.])(\d{1,4}[A-Z]?(?: [A-Z][a-z]+){1,4},? #\d{2}-\d{2,4})"),
    ),
    ("plate", re.compile(rf"([{_PROVINCES}][A-HJ-NP-Z][·•.\s]?[A-HJ-NP-Z0-9]{{5,6}}){_NO_MORE}")),
    (
        "street address",
        re.compile(
            r"([\u4e00-\u9fff]{1,8}(?:路|街|道|弄|巷|里|村|苑|园|小区|花园|公寓|大厦)\s?\d{1,4}\s?[号弄]?\s?(?:院\s?)?"
            r"(?:\d{1,3}\s?(?:号楼|栋|幢|座|楼)\s?)?(?:[A-Da-d一二三四1-9]\s?单元\s?)?(?:\d{1,2}\s?[楼层]\s?)?\d{3,4}\s?[室户房])"
        ),
    ),
    (
        "street address",
        re.compile(
            r"([\u4e00-\u9fff]{0,8}\s?\d{1,3}\s?(?:栋|幢|号楼)\s?(?:[A-D\d]\s?单元\s?)?(?:\d{1,2}\s?[楼层]\s?)?\d{3,4})(?![\d.])"
        ),
    ),
    (
        "street address",
        re.compile(r"([\u4e00-\u9fff]{1,8}(?:路|街|大道|弄|巷)\s?\d{1,4}\s?号)(?![线楼店])"),
    ),
    (
        "street address",
        re.compile(
            r"(?<![\w.])(\d{1,5}[A-Z]? (?:[A-Z][a-z]+ ){1,3}"
            r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Close)(?![A-Za-z])"
            r"(?:\.?,? (?:Apt|Apartment|Flat|Unit|Suite|#)\.? ?#?\w{1,5})?)"
        ),
    ),
    ("street address", re.compile(r"([A-ZÄÖÜ][a-zäöüß]+(?:straße|strasse|str\.|weg|platz|allee) \d{1,3}[a-z]?)(?!\w)")),
    (
        "phone number",
        re.compile(
            r"(?:电话|座机|手机|致电|拨打|(?i:\btel\b|\bphone\b|\bcall\b))\W{0,3}(\d(?:[ -]?\d){6,12})(?![\d%])"
        ),
    ),
    (
        "mail address",
        re.compile(
            r"(?<![\w.])([\w.+-]+\s?(?:\[at\]|\(at\)|#|＠|\sat\s)\s?"
            rf"(?:{_PROVIDERS})\s?(?:\.|\[dot\]|\sdot\s|点)\s?com)",
            re.IGNORECASE,
        ),
    ),
    ("identity card", re.compile(r"(?<![\w-])([STFGM]\d{7}[A-Z]|[A-Z]{1,2}\d{6}\([0-9A]\)|[A-Z][12]\d{8})(?![\w-])")),
    (
        "bank card",
        re.compile(r"(?<![\d.-])((?:62\d{2}|4\d{3}|5[1-5]\d{2})(?: \d{4}){3}(?: \d{1,3})?|62\d{14,17})(?![\d-])"),
    ),
    (
        "key",
        re.compile(
            r"(?i:api[ _-]?key|access key|token|secret|密钥|令牌)(?:\s?(?:is|是|为|[:：=])\s?|\s)"
            r"((?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,})",
            re.ASCII,
        ),
    ),
    ("tax id", re.compile(r"(?<![A-Za-z0-9])(9[1-3]\d{6}[0-9A-Z]{10})(?![A-Za-z0-9])")),
    ("tax id", re.compile(rf"(?:税号|识别号|信用代码){_SAYS}([0-9A-Z]{{15,20}}){_NO_MORE}")),
    ("passport", re.compile(rf"(?i:护照|passport|通行证)(?i: no\.?| number)?{_SAYS}([A-Z]{{1,2}}\d{{7,8}}){_NO_MORE}")),
    (
        "bank card",
        re.compile(
            rf"(?i:卡号|银行卡|储蓄卡|信用卡|账号|帐号|户头|card(?: no\.?| number)?|account)"
            rf"[^\d\n]{{0,12}}(\d{{4}}(?:[ -]?\d{{4}}){{2,3}}[ -]?\d{{0,3}}){_NO_MORE}"
        ),
    ),
    (
        # Landlines as in Germany and China, "040 2284 7391", "(040) 22847391", "040/2284-7391", "021 6482 5508".
        "phone number",
        re.compile(
            r"(?<![\w.+/:-])((?:\(0[1-9]\d{1,4}\) ?|0[1-9]\d{1,4} ?[ /-] ?)(?:\d{6,8}|\d{2,4}(?:[ -]\d{2,5}){1,3}))"
            r"(?![\w/:-]|\.\d)"
        ),
    ),
    ("phone number", re.compile(r"(?<![\w.+/:-])(01[5-7]\d(?:[ /-]?\d){7,8})(?![\w/:-]|\.\d)")),
    (
        "passport",
        re.compile(
            r"(?i:passport|reisepass|personalausweis)(?i: ?(?:no\.?|nr\.?|number|nummer))?(?: is| ist)?[: ]{1,3}"
            r"([CFGHJKLMNPRTVWXYZ](?=\w*\d)[0-9CFGHJKLMNPRTVWXYZ]{8})(?!\w)"
        ),
    ),
    ("WeChat id", re.compile(r"(?i:wechat me(?: at)?)[: ]{1,3}([A-Za-z][\w-]{5,19})(?![\w-])", re.ASCII)),
    ("plate", re.compile(r"(?<![\w-])([A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{3,4}[EH]?)(?![\w-])")),
    ("login", re.compile(r"(?<![\w.-])([A-Za-z_][\w.-]*@\d{1,3}(?:\.\d{1,3}){3})(?![\w.])", re.ASCII)),
    ("tax id", re.compile(r"(?<!\w)(DE ?\d{9})(?!\w)")),
    (
        "tax id",
        re.compile(
            r"(?i:steuer-?id(?:nr)?|identifikationsnummer|tax id|\bidnr)\W{1,3}(\d{2} ?\d{3} ?\d{3} ?\d{3})(?!\d)"
        ),
    ),
    ("tax id", re.compile(r"(?i:steuernummer|steuernr|\bst\.?-?nr)\W{1,3}(\d{2,3}/\d{3}/\d{4,5})(?!\d)")),
    ("position", re.compile(r"(?<![\d.])(-?\d{1,2}\.\d{5,7}, ?-?\d{1,3}\.\d{5,7})(?![\d.])")),
    ("device id", re.compile(r"(?i:\bimei)\W{1,3}(\d{15})(?!\d)")),
    (
        "date of birth",
        re.compile(
            r"(?i:\bborn(?: on)?|\bdob|\bgeboren(?: am)?|geburtstag|birthday|geburtsdatum)\W{1,3}"
            r"(\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d)"
        ),
    ),
    (
        "verification code",
        re.compile(rf"(?i:验证码|动态码|校验码|verification code|otp)(?: is)?{_SAYS}(\d{{4,8}})(?!\d)"),
    ),
)
_NATIONAL_ID = re.compile(r"(?<![A-Za-z0-9])([1-8]\d{5}(\d{4})(\d{2})(\d{2})\d{3}[\dXx])(?![A-Za-z0-9])")

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付"
    "方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常"
)
# Common in given names; a surname and two of them are a name, without a label.
_GIVEN = (
    "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂志建国华文辉力浩宇轩梓涵欣怡子佳俊雪梅玲婷鹏飞龙海波斌凯琳颖倩丹萍红玉春燕莉莹宁宏永"
    "庆福祥贵荣胜利新民生峰亮东林世昌德良山云嘉思晓雅诗梦瑶璐琪彤悦睿泽铭博晨阳旭晖坤毅诚坚振兴家豪"
)
_SURNAMES_THAT_ARE_WORDS = "段金石白于常向万方任高江海马毛"
_TITLES = "先生|女士|小姐|老师|医生|大夫|律师|经理|总监|主任|师傅|同学|阿姨|叔叔|教授|护士"
_CHINESE_NAMES = (
    re.compile(rf"(?<![感谢多致答])(?!谢[谢{_SURNAMES}])([{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?:{_TITLES})"),
    re.compile(
        rf"(?:姓名|联系人|收件人|收货人|户名|开户人|法人|名叫|本名|真名|全名|寄给)(?:是|叫|为)?[:：]?\s?"
        rf"([{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?![\u4e00-\u9fff])"
    ),
    re.compile(rf"([{''.join(sorted(set(_SURNAMES) - set(_SURNAMES_THAT_ARE_WORDS)))}][{_GIVEN}]{{2}})"),
)
_FIRST_NAMES = (
    "James|John|Robert|Michael|William|David|Richard|Joseph|Thomas|Charles|Daniel|Matthew|Anthony|Steven|Paul|Andrew|Joshua|Kevin|Brian|George|"
    "Edward|Ronald|Timothy|Jason|Jeffrey|Ryan|Jacob|Gary|Nicholas|Eric|Jonathan|Stephen|Scott|Benjamin|Samuel|Gregory|Alexander|Patrick|Peter|"
    "Mary|Patricia|Jennifer|Linda|Elizabeth|Barbara|Susan|Jessica|Sarah|Karen|Lisa|Nancy|Betty|Sandra|Margaret|Ashley|Kimberly|Emily|Donna|"
    "Michelle|Carol|Amanda|Melissa|Deborah|Stephanie|Rebecca|Laura|Helen|Sharon|Cynthia|Kathleen|Amy|Angela|Anna|Ruth|Nicole|Katherine|Emma|"
    "Hans|Klaus|Wolfgang|Stefan|Andreas|Thomas|Markus|Juergen|Jürgen|Sabine|Petra|Monika|Maria|Julia|Pierre|Jean|Marie|Carlos|José|Luis|Ana"
)
_ENGLISH_NAMES = (
    re.compile(r"(?<![A-Za-z])(?:Mr|Mrs|Ms|Dr|Prof)\.? ([A-Z][a-z]+ [A-Z][a-z]+)(?![a-z])"),
    re.compile(
        r"(?i:full name|real name|account holder|ship to|deliver to|contact)(?: is)?[: ] ?([A-Z][a-z]+ [A-Z][a-z]+)"
    ),
    re.compile(rf"(?<![A-Za-z])((?:{_FIRST_NAMES}) [A-Z][a-zäöüé]+(?:-[A-Z][a-z]+)?)(?![a-z])"),
)


def find_personal(text: str) -> Iterator[PersonalValue]:
    """Yield what a text says about a person, by form and by the words before it; values may overlap."""
    for kind, pattern in _FORMS:
        for found in pattern.finditer(text):
            yield PersonalValue(kind, *found.span(found.lastindex or 0))
    for found in _NATIONAL_ID.finditer(text):
        if _is_birthday(found):
            yield PersonalValue("national id", *found.span(1))


def find_names(text: str) -> Iterator[PersonalValue]:
    """Yield full names of people that a title or a label marks as such."""
    for pattern in (*_CHINESE_NAMES, *_ENGLISH_NAMES):
        for found in pattern.finditer(text):
            yield PersonalValue("name", *found.span(1))


def _is_birthday(found: re.Match[str]) -> bool:
    """Return whether a resident number has a date of birth; the last character may be invented."""
    try:
        return 1900 <= date(int(found[2]), int(found[3]), int(found[4])).year <= 2100
    except ValueError:
        return False
