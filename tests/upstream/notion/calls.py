"""The calls made to both: every tool, with what succeeds, what the server refuses, and what the API refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.upstream.real import call

Calls = list[tuple[str, Any]]
Find = Callable[[str, str], str]

ABSENT = "11111111-2222-4333-8444-555555555555"
_MARKDOWN = (
    "# 一\r\n## 二\n### 三 \n#### 四\n- a\n* b\n1. c\n2) d\n- [x] e\n- [ ] f\n> q\n"
    "***\n同一\n段\n\n```python\nx = 1\n```\n```\n"
)
_TYPES = ("paragraph", "heading_1", "bulleted_list_item", "numbered_list_item", "to_do", "quote", "callout", "code")


def text(words: str, **more: Any) -> dict[str, Any]:
    """Return a piece of rich text."""
    return {"type": "text", "text": {"content": words}, **more}


def paragraph(words: str) -> dict[str, Any]:
    """Return a block."""
    return {"object": "block", "type": "paragraph", "paragraph": {"rich_text": [text(words)]}}


def in_addresses(find: Find) -> Calls:
    """Return calls with ids of which the parser of a URL makes something."""
    forms = (
        *("{} ", "{}\x00 ", " {}", "{}\n", "\t{}", "./{}", "../users/{}", "..\\users/{}", "a/%2e%2E/{}", "{}?x "),
        *("../../v1/users/{}", "../users", "me ", "./me", "..", "{}/.", "{}/", "../nowhere/{}"),
    )
    return [call("notion_retrieve_user", user_id=form.format(find("users", "林晚"))) for form in forms]


def latest(find: Find) -> Calls:
    """Return the calls to version 2."""
    return [*_reading(find), *_querying(find), *_wrong(find), *_writing(find)]


def _reading(find: Find) -> Calls:
    home, wedding, tianmu = (find("pages", title) for title in ("小屋", "苏晴 & 许诺 · 婚礼", "天目山七尖"))
    cupping, toast = find("pages", "杯测笔记"), find("pages", "伴娘致辞草稿")
    wan = find("users", "林晚")
    return [
        call("notion_open_data_source_app"),
        call("notion_open_data_source_app", data_source_id="any"),
        call("notion_open_page_workbench", page_id=home),
        call("notion_open_page_workbench"),
        *(call("notion_retrieve_page", page_id=page) for page in (home, wedding, home.replace("-", ""), toast)),
        *(call("notion_read_page", page_id=page) for page in (home, wedding, tianmu)),
        *(
            call("notion_read_page", page_id=page, content_format="markdown")
            for page in (home, wedding, cupping, toast)
        ),
        call("notion_read_page", page_id=wedding, max_depth=1, include_properties=True),
        call("notion_read_page", page_id=wedding, max_blocks=12, content_format="json"),
        call("notion_read_page", page_id=cupping, max_depth=0, max_blocks=2.5, page_size=3),
        call("notion_read_page", page_id=find("pages", "夜航"), include_properties=True, content_format="markdown"),
        call("notion_read_page", page_id=find("pages", "书桌改造"), max_depth=3, content_format="markdown"),
        call("notion_retrieve_block", block_id=home),
        call("notion_retrieve_block", block_id=find("databases", "徒步")),
        call("notion_retrieve_block_children", block_id=home),
        call("notion_retrieve_block_children", block_id=home, response_mode="full"),
        call("notion_retrieve_block_children", block_id=home, page_size=3),
        call("notion_retrieve_block_children", block_id=toast, response_mode="compact"),
        call("notion_retrieve_block_children", block_id=find("databases", "徒步")),
        call("notion_list_all_users"),
        call("notion_list_all_users", page_size=2),
        call("notion_list_all_users", response_mode="compact"),
        call("notion_retrieve_user", user_id=wan),
        call("notion_retrieve_user", user_id=find("users", "Raindrop 同步")),
        call("notion_retrieve_bot_user"),
        call("notion_retrieve_database", database_id=find("databases", "婚礼清单")),
        call("notion_retrieve_comments", block_id=wedding),
        call("notion_retrieve_comments", block_id=wedding, page_size=1, response_mode="compact"),
        call("notion_retrieve_comments", block_id=home),
        call("notion_search"),
        call("notion_search", query="婚礼"),
        call("notion_search", query="山", filter={"property": "object", "value": "page"}),
        call("notion_search", filter={"property": "object", "value": "data_source"}, response_mode="full"),
        call("notion_search", sort={"direction": "ascending", "timestamp": "last_edited_time"}, page_size=2),
        call("notion_search", query="nothing at all"),
        call("notion_find", query="徒步"),
        call("notion_find", object_type="data_source"),
        call("notion_find", query="婚礼", object_type="page", page_size=1),
        *(
            call("notion_inspect_data_source", data_source_id=find("data_sources", title))
            for title in ("徒步", "婚礼清单", "装备")
        ),
        call("notion_retrieve_data_source", data_source_id=find("data_sources", "豆子")),
        call("notion_retrieve_data_source", data_source_id=find("data_sources", "徒步")),
    ]


def _querying(find: Find) -> Calls:
    tasks, hikes = find("data_sources", "婚礼清单"), find("data_sources", "徒步")
    beans, books = find("data_sources", "豆子"), find("data_sources", "阅读")

    def by(source: str, *filters: dict[str, Any], **more: Any) -> tuple[str, Any]:
        given = {"filters": list(filters)} if filters else {}
        return call("notion_query_data_source_by_values", data_source_id=source, **given, **more)

    def one(name: str, operator: str | None = None, value: Any = None) -> dict[str, Any]:
        chosen = {} if operator is None else {"operator": operator}
        return {"property": name, **chosen, **({} if value is None else {"value": value})}

    def raw(source: str, **more: Any) -> tuple[str, Any]:
        return call("notion_query_data_source", data_source_id=source, **more)

    return [
        raw(tasks),
        raw(hikes, response_mode="full", page_size=2),
        raw(beans, sorts=[{"property": "评分", "direction": "descending"}]),
        raw(
            beans,
            filter={
                "and": [
                    {"property": "喝完", "checkbox": {"equals": True}},
                    {"property": "评分", "number": {"greater_than": 6}},
                ]
            },
        ),
        raw(tasks, filter={"property": "截止", "date": {"on_or_before": "2026-03-20"}}, response_mode="full"),
        raw(tasks, filter={"timestamp": "last_edited_time", "last_edited_time": {"past_week": {}}}),
        raw(hikes, filter={"property": "强度", "formula": {"number": {"greater_than": 30}}}),
        raw(hikes, sorts=[{"timestamp": "last_edited_time", "direction": "ascending"}], response_mode="compact"),
        by(tasks, one("状态", value="未开始"), sorts=[{"property": "截止"}]),
        by(tasks, one("事项", value="戒"), one("类别", value="交通"), match="any"),
        by(tasks, one("谁", value=find("users", "林晚")), one("状态", "does_not_equal", "完成")),
        by(hikes, one("日期", "after", "2026-03-09")),
        by(hikes, one("评分", "is_empty")),
        by(hikes, one("装备", value=find("pages", "头灯"))),
        by(beans, one("产地", value="肯尼亚"), sorts=[{"property": "价格", "direction": "descending"}]),
        by(beans, one("喝完", value=False)),
        by(books, one("进度", value="在读"), response_mode="full"),
        by(books, page_size=2),
        by(books, one("标签", "does_not_contain", "光"), response_mode="compact"),
        by(beans, one("每克", value=1)),
        by(beans, one("nichts", value="x")),
        by(beans, one("烘焙", value="小舟")),
        by(beans, one("价格", value="98")),
        by(beans, one("价格", "contains", 5)),
        by(beans, one("喝完", "contains", True)),
        by(beans, one("喝完")),
        by(tasks, one("谁", "equals", "x")),
        by(tasks, one("截止", "contains", "x")),
        by(tasks, one("")),
        by(tasks, sorts=[{"property": ""}]),
        by(tasks, sorts=[{"property": "nichts"}]),
        by(ABSENT, one("x", value="y")),
    ]


def _wrong(find: Find) -> Calls:
    home = find("pages", "小屋")
    return [
        call("notion_retrieve_page", page_id=ABSENT),
        call("notion_retrieve_page", page_id="abc"),
        call("notion_retrieve_page", page_id=""),
        call("notion_retrieve_page", page_id="a/b"),
        call("notion_retrieve_page", page_id=find("pages", "日记")),
        call("notion_read_page", page_id=find("databases", "徒步")),
        call("notion_retrieve_block", block_id=ABSENT),
        call("notion_retrieve_block_children", block_id=home, start_cursor="abc"),
        call("notion_retrieve_block_children", block_id=home, page_size=101),
        call("notion_retrieve_user", user_id=ABSENT),
        *in_addresses(find),
        call("notion_retrieve_page", page_id=f"{home} "),
        call("notion_retrieve_block_children", block_id=f"{home} "),
        call("notion_retrieve_block_children", block_id=f"x/../{home}"),
        call("notion_query_data_source", data_source_id=f"{find('data_sources', '豆子')} "),
        call("notion_retrieve_database", database_id=home),
        call("notion_retrieve_data_source", data_source_id=find("databases", "徒步")),
        call(
            "notion_query_data_source",
            data_source_id=find("data_sources", "豆子"),
            filter={"property": "评分", "select": {"equals": "9"}},
        ),
        call(
            "notion_query_data_source",
            data_source_id=find("data_sources", "豆子"),
            sorts=[{"property": "x", "direction": "ascending"}],
        ),
        call("notion_create_comment", rich_text=[text("x")]),
        call("notion_create_comment", rich_text=[text("x")], parent={"page_id": ABSENT}),
        call("notion_create_comment", rich_text=[text("x")], parent={"page_id": home}, discussion_id=ABSENT),
        call("notion_append_content", block_id=home, items=[]),
        call("notion_append_content", block_id=home, items=[{"type": "paragraph"}]),
        call("notion_append_content", block_id=home, items=[{"type": "divider", "text": "x"}]),
        call("notion_append_content", block_id=home, items=[{"type": "code", "text": "x", "language": "none"}]),
        call("notion_append_content", block_id=home, items=[{"type": "paragraph", "text": "x" * 2001}]),
        call("notion_append_content", block_id=home, items=[{"type": "divider"}], position={"type": "after_block"}),
        call("notion_append_markdown", block_id=home, markdown=" \n\n"),
        call("notion_append_block_children", block_id=home, children=[{"object": "block", "type": "embed"}]),
        call("notion_append_block_children", block_id=home, children=[paragraph("x")] * 101),
        call("notion_update_content", block_id=home, item={"type": "paragraph", "text": "x"}),
        call("notion_update_content_batch", updates=[]),
        call("notion_update_content_batch", updates=[{"block_id": "", "item": {"type": "paragraph", "text": "x"}}]),
        call("notion_update_page_properties", page_id=home, properties={"nichts": {"number": 1}}),
        call("notion_update_page_properties", page_id=home, properties={"title": {"number": 1}}),
        call("notion_create_data_source_item", data_source_id=ABSENT, properties={}),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=find("data_sources", "豆子"),
            values={"每克": 1},
        ),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=find("data_sources", "豆子"),
            values={"购入": 5},
        ),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=find("data_sources", "豆子"),
            values={"购入": {}},
        ),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=find("data_sources", "豆子"),
            values={"产地": [1]},
        ),
        call("notion_create_database", parent={"page_id": home}, initial_data_source={"properties": {}}),
        call("notion_create_page"),
        call("notion_delete_block"),
        call("notion_search", filter={"value": "database"}),
        call("notion_find", page_size="5", query=3),
        call("notion_retrieve_block_children", block_id=None, response_mode="all"),
        call("notion_update_content", block_id=home, item={"type": "divider"}),
        call("notion_append_content", block_id=home, items=[{"type": "to_do", "text": 5, "checked": "yes"}, "x", None]),
        call("notion_create_database", parent=[], title="x", initial_data_source={}),
        call("notion_update_content_batch", updates=[{"block_id": home}, 5]),
        call("notion_query_data_source_by_values", data_source_id=home, filters=[{"operator": "is"}], match="some"),
        call("notion_create_comment", rich_text=[{"type": "texts", "text": {"content": 5}}, {}], parent="x"),
        call("notion_append_block_children", block_id=home, children=[{"type": 5, "paragraph": {"color": "pinkish"}}]),
        call("notion_append_block_children", block_id=home, children={}, position={"type": "before"}),
    ]


def _writing(find: Find) -> Calls:
    wedding, tianmu, desk = (find("pages", title) for title in ("苏晴 & 许诺 · 婚礼", "天目山七尖", "书桌改造"))
    tasks, beans = find("data_sources", "婚礼清单"), find("data_sources", "豆子")
    lamp, socks = find("blocks", "头灯，换电池"), find("blocks", "备用袜子")
    row = find("pages", "桌卡")
    return [
        call("notion_append_content", block_id=tianmu, items=[{"type": kind, "text": f"{kind} 行"} for kind in _TYPES]),
        call(
            "notion_append_content",
            block_id=desk,
            items=[{"type": "heading_2", "text": "h", "is_toggleable": True}, {"type": "divider"}],
        ),
        call(
            "notion_append_content",
            block_id=tianmu,
            items=[{"type": "to_do", "text": "雨衣", "checked": True}],
            position={"type": "after_block", "after_block": {"id": lamp}},
        ),
        call(
            "notion_append_content",
            block_id=tianmu,
            items=[{"type": "quote", "text": "早睡"}],
            position={"type": "start"},
        ),
        call("notion_append_markdown", block_id=desk, markdown=_MARKDOWN),
        call("notion_retrieve_block_children", block_id=desk, response_mode="full"),
        call("notion_append_block_children", block_id=desk, children=[paragraph("x")], position={"type": "end"}),
        call("notion_read_page", page_id=tianmu, content_format="markdown"),
        call(
            "notion_update_content", block_id=lamp, item={"type": "to_do", "text": "头灯，电池换好了", "checked": True}
        ),
        call("notion_update_content", block_id=socks, item={"type": "paragraph", "text": "x"}),
        call("notion_update_block", block_id=socks, block={"to_do": {"checked": True}}),
        call("notion_update_block", block_id=socks, block={"paragraph": {"rich_text": []}}),
        call("notion_delete_block", block_id=socks),
        call("notion_delete_block", block_id=socks),
        call("notion_update_block", block_id=socks, block={"in_trash": False}),
        call(
            "notion_update_page_properties",
            page_id=row,
            properties={"状态": {"status": {"name": "完成"}}, "预算": {"number": 300.0}},
        ),
        call(
            "notion_update_page_properties",
            page_id=row,
            properties={"类别": {"select": {"name": "新的"}}, "谁": {"people": []}},
        ),
        call("notion_update_page_properties", page_id=row, properties={"状态": {"status": {"name": "没有"}}}),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=tasks,
            values={
                "事项": "头纱",
                "状态": "未开始",
                "截止": {"start": "2026-03-20", "end": "2026-03-21"},
                "谁": find("users", "苏晴"),
                "预算": 99.5,
            },
        ),
        call(
            "notion_create_data_source_item_from_values",
            data_source_id=beans,
            values={"豆名": "浅烘", "产地": ["云南", "巴拿马"], "喝完": False, "店家": None, "克数": 200, "价格": 60},
        ),
        call(
            "notion_create_data_source_item",
            data_source_id=beans,
            properties={
                "豆名": {"title": [{"text": {"content": "深烘"}}]},
                "产地": {"multi_select": [{"name": "印尼"}]},
            },
        ),
        call("notion_query_data_source", data_source_id=beans, response_mode="full", page_size=3),
        call(
            "notion_create_comment", parent={"page_id": wedding}, rich_text=[text("收到", annotations={"bold": True})]
        ),
        call("notion_create_comment", parent={"page_id": desk}, rich_text=[text("第一句")]),
        call("notion_create_comment", discussion_id=find("discussions", "盐丸我有一瓶，别买"), rich_text=[text("好")]),
        call("notion_retrieve_comments", block_id=wedding, response_mode="full"),
        call(
            "notion_create_database",
            parent={"type": "page_id", "page_id": desk},
            title=[text("小票")],
            initial_data_source={
                "properties": {
                    "名": {"title": {}},
                    "价": {"number": {"format": "yuan"}},
                    "类": {"select": {"options": [{"name": "木", "color": "brown"}]}},
                }
            },
        ),
        call(
            "notion_create_data_source",
            parent={"database_id": find("databases", "阅读")},
            properties={"n": {"title": {}}},
            title=[text("另一张")],
        ),
        call(
            "notion_update_data_source",
            data_source_id=tasks,
            properties={"备注": {"name": "说明"}, "类别": {"select": {"options": [{"name": "其他"}]}}},
        ),
        call("notion_update_data_source", data_source_id=tasks, title=[text("婚礼总表")], properties={"预算": None}),
        call("notion_inspect_data_source", data_source_id=tasks),
        call("notion_search", query="小票"),
        call("notion_delete_block", block_id=find("pages", "给夏夏的书单和饭")),
        call("notion_retrieve_page", page_id=find("pages", "给夏夏的书单和饭")),
        # The server writes one after the other, so ids that come after it would differ from ours.
        call(
            "notion_update_content_batch",
            updates=[
                {"block_id": lamp, "item": {"type": "to_do", "text": "一"}},
                {"block_id": socks, "item": {"type": "to_do", "text": "二"}},
            ],
        ),
        call(
            "notion_update_content_batch",
            updates=[
                {"block_id": lamp, "item": {"type": "to_do", "text": "三"}},
                {"block_id": socks, "item": {"type": "quote", "text": "四"}},
            ],
        ),
    ]


def older(find: Find) -> Calls:
    """Return the calls to version 1."""
    home, wedding, desk = (find("pages", title) for title in ("小屋", "苏晴 & 许诺 · 婚礼", "书桌改造"))
    beans, tasks = find("databases", "豆子"), find("databases", "婚礼清单")
    socks = find("blocks", "备用袜子")
    return [
        call("notion_retrieve_page", page_id=home),
        call("notion_retrieve_page", page_id=find("pages", "夜航"), format="markdown"),
        call("notion_retrieve_page"),
        call("notion_retrieve_page", page_id=5),
        call("notion_retrieve_page", page_id=ABSENT),
        call("notion_retrieve_block", block_id=socks),
        call("notion_retrieve_block", block_id=""),
        call("notion_retrieve_block_children", block_id=wedding),
        call("notion_retrieve_block_children", block_id=wedding, page_size=2),
        call("notion_retrieve_block_children", block_id="x"),
        call("notion_list_all_users"),
        call("notion_list_all_users", page_size=2),
        *(call("notion_list_all_users", page_size=each) for each in ("2", "two", {"a": 1}, True, "", 101)),
        call("notion_retrieve_block_children", block_id=wedding, page_size="1"),
        call("notion_retrieve_database", database_id=None),
        call("notion_retrieve_user", user_id=find("users", "林晚")),
        call("notion_retrieve_user", user_id=ABSENT),
        *in_addresses(find),
        call("notion_retrieve_user"),
        call("notion_retrieve_bot_user", random_string="x"),
        call("notion_retrieve_bot_user"),
        call("notion_retrieve_database", database_id=beans),
        call("notion_retrieve_database", database_id=tasks),
        call("notion_retrieve_database"),
        call("notion_retrieve_database", database_id=ABSENT),
        call("notion_query_database", database_id=beans),
        call("notion_query_database", database_id=beans, page_size=2),
        call("notion_query_database", database_id=beans, filter={"property": "喝完", "checkbox": {"equals": False}}),
        call("notion_query_database", database_id=beans, sorts=[{"property": "价格", "direction": "descending"}]),
        call("notion_query_database", database_id=beans, filter={"property": "喝完", "number": {"equals": 1}}),
        call("notion_query_database", database_id=tasks, filter={"property": "nichts", "number": {"equals": 1}}),
        call("notion_query_database"),
        call("notion_search", query="婚礼"),
        call("notion_search", query="婚礼", filter={"property": "object", "value": "database"}),
        call("notion_search", page_size=1),
        call("notion_search", query="none"),
        call("notion_retrieve_comments", block_id=wedding),
        call("notion_retrieve_comments", block_id=ABSENT),
        call("notion_retrieve_comments"),
        call("notion_create_comment", parent={"page_id": wedding}, rich_text=[text("v1")]),
        call("notion_create_comment", rich_text=[]),
        call("notion_create_comment", rich_text=[text("x")], parent={"page_id": ABSENT}),
        call("notion_append_block_children", block_id=desk, children=[paragraph("一"), paragraph("二")]),
        call("notion_append_block_children", block_id=desk, children=[paragraph("三")], after=socks),
        call("notion_append_block_children", block_id=desk),
        call("notion_append_block_children", block_id=desk, children=[{"paragraph": {}}]),
        call("notion_update_block", block_id=socks, block={"to_do": {"rich_text": [text("袜子")], "checked": True}}),
        call("notion_update_block", block_id=socks),
        call("notion_update_block", block_id=socks, block={"archived": True}),
        call("notion_update_block", block_id=socks, block={"archived": False}),
        call("notion_delete_block", block_id=socks),
        call("notion_delete_block", block_id=socks),
        call("notion_delete_block"),
        call("notion_update_page_properties", page_id=find("pages", "夜航"), properties={"评分": {"number": 10}}),
        call("notion_update_page_properties", page_id=find("pages", "夜航"), properties={"评分": {"checkbox": True}}),
        call("notion_update_page_properties", page_id=home),
        call("notion_create_database_item", database_id=beans, properties={"豆名": {"title": [text("v1 豆")]}}),
        call("notion_create_database_item", database_id=beans, properties={"没有": {"number": 1}}),
        call(
            "notion_create_database", parent={"page_id": desk}, title=[text("老表")], properties={"Name": {"title": {}}}
        ),
        call("notion_create_database", parent={"page_id": desk}, properties={}),
        call(
            "notion_update_database", database_id=beans, title=[text("咖啡豆")], properties={"店家": {"name": "链接"}}
        ),
        call("notion_retrieve_database", database_id=beans),
        call("notion_create_page"),
        call("notion_search", query="老表"),
    ]
