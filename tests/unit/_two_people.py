"""The smallest world there is talk in: one organisation, and people made from a form."""

PERSON = """
[[people]]
key = "{key}"
name_zh = "{name}"
name_en = "Wan Lin"
email = "{key}@harborlight.example"
phone = "+86 155 5550 0101"
organisation = "home"
title_en = "PM"
title_zh = "产品经理"
department = "Product"
manager = ""
city = "Shanghai"
time_zone = "Asia/Shanghai"
language = "zh"
"""
WORLD = """
title = "Two people"
starts_at = "2026-03-09T09:00:00+08:00"
time_zone = "Asia/Shanghai"
protagonist = "lin.wan"
seed = 1

[departments]
Product = "产品部"

[[organisations]]
key = "home"
name_en = "Home"
domain = "home.example"
"""
