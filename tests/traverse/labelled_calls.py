"""The calls that record_labelled.py makes, each with what its answer is: S success, R refused, I infrastructure, blank for context.

The letter after it says what the call was meant to be where that is no seed: t type mismatch, s schema violation, b boundary,
c semantic conflict. Labels were settled by reading the answers, not by the intention alone (labelled/README.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.traverse.faulty import CLOUDFLARE, PAGES, STDIO, draw

BACKEND_PORT = 8931
HOST = f"http://127.0.0.1:{BACKEND_PORT}"
FILES = "/tmp/traverse/files"
ENDINGS = ("kill", "oom", "half")
AFTER_END_MAX = 2  # calls made after a server has ended: all are the same silence


@dataclass(frozen=True)
class Call:
    """One call. ``fault`` befalls its answer on the way, ``behind`` befalls the API behind the server."""

    tool: str
    arguments: Any
    label: str
    reason: str = ""
    fault: str | None = None
    behind: str | None = None
    is_short: bool = False


def faulted(seed: int, calls: Sequence[Call], share: float = 0.5) -> list[Call]:
    """Return the calls with faults drawn for some; the others are context, and after an end two more are silence."""
    drawn = draw(seed, STDIO, calls=len(calls), share=share)
    found: list[Call] = []
    ended, after = None, 0
    for number, call in enumerate(calls):
        fault = drawn.get(number)
        kind = call.label[1:]
        if ended:
            after += 1
            if after > AFTER_END_MAX:
                break
            found.append(replace(call, label="I" + kind, reason=f"the server had ended ({ended})", is_short=True))
        elif fault:
            found.append(replace(call, label="I" + kind, reason=f"injected on the way: {fault}", fault=fault))
            ended = fault if fault in ENDINGS else None
        else:
            found.append(replace(call, label=" " + kind))
    return found


def entity(name: str, kind: str = "person", *observations: str) -> dict[str, Any]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


# One call, one line.
# fmt: off
MEMORY = [
    Call("read_graph", {}, "S", "an empty graph is an answer"),
    Call("read_graph", None, "S"),
    Call("create_entities", {"entities": [entity("Ada", "person", "writes the timetable"), entity("Harbour", "place")]}, "S"),
    Call("create_entities", {"entities": [entity("Ada", "person")]}, "Sc", "nothing was created, said by an empty list: the tool's way of success"),
    Call("create_entities", {"entities": [entity("Failed", "note", "Error: 503 Service Unavailable", "login expired, see ticket")]}, "S", "contents that look like an error"),
    Call("create_entities", {"entities": [entity("系统繁忙", "状态", "请稍后再试")]}, "S", "contents that look like an error"),
    Call("search_nodes", {"query": "503"}, "S", "contents that look like an error"),
    Call("search_nodes", {"query": "nothing at all like this"}, "S", "an empty result"),
    Call("open_nodes", {"names": ["Failed"]}, "S", "contents that look like an error"),
    Call("open_nodes", {"names": ["Nobody"]}, "Sc", "an empty result"),
    Call("create_relations", {"relations": [{"from": "Ada", "to": "Harbour", "relationType": "works at"}]}, "S"),
    Call("create_relations", {"relations": [{"from": "Ada", "to": "Nobody", "relationType": "knows"}]}, "Sc"),
    Call("add_observations", {"observations": [{"entityName": "Ada", "contents": ["timeout of the ferry on Monday"]}]}, "S"),
    Call("add_observations", {"observations": [{"entityName": "Nobody", "contents": ["x"]}]}, "Rc"),
    Call("delete_entities", {"entityNames": ["Nobody"]}, "Sc", "the tool says success although there was nothing"),
    Call("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["no such"]}]}, "Sc"),
    Call("delete_relations", {"relations": [{"from": "Ada", "to": "Harbour", "relationType": "works at"}]}, "S"),
    Call("create_entities", {"entities": "Ada"}, "Rt"),
    Call("create_entities", {}, "Rs"),
    Call("create_entities", {"entities": [{"name": "x"}]}, "Rs"),
    Call("create_entities", {"entities": []}, "Sb"),
    Call("search_nodes", {"query": 7}, "Rt"),
    Call("search_nodes", {"query": ""}, "Sb"),
    Call("open_nodes", {"names": None}, "Rs"),
    Call("no_such_tool", {}, "Rs"),
    Call("create_entities", ["Ada"], "Rt", "a protocol error about the arguments"),
    Call("read_graph", {"limit": 3}, "Ss"),
]

SQLITE = [
    Call("list_tables", {}, "S", "an empty result"),
    Call("create_table", {"query": "CREATE TABLE errors (code INTEGER PRIMARY KEY, text TEXT NOT NULL)"}, "S"),
    Call("create_table", {"query": "CREATE TABLE errors (code INTEGER)"}, "Rc", "prose without isError"),
    Call("create_table", {"query": "DROP TABLE errors"}, "Rc"),
    Call("write_query", {"query": "INSERT INTO errors VALUES (429, 'Too Many Requests'), (503, 'Service Unavailable'), (504, 'Gateway Timeout')"}, "S"),
    Call("write_query", {"query": "INSERT INTO errors VALUES (429, 'again')"}, "Rc", "a constraint, in prose without isError"),
    Call("write_query", {"query": "INSERT INTO errors VALUES (1, NULL)"}, "Rc"),
    Call("read_query", {"query": "SELECT * FROM errors"}, "S", "rows that name HTTP errors"),
    Call("read_query", {"query": "SELECT text FROM errors WHERE code = 503"}, "S", "a row that names an HTTP error"),
    Call("read_query", {"query": "SELECT * FROM errors WHERE code = 1"}, "S", "an empty result"),
    Call("read_query", {"query": "SELECT 'Database error: connection timed out' AS message"}, "S", "a value that looks like an error"),
    Call("read_query", {"query": "SELECT * FROM nobody"}, "Rc", "prose without isError"),
    Call("read_query", {"query": "SELEKT 1"}, "Rc"),
    Call("read_query", {"query": "DELETE FROM errors"}, "Rc", "prose without isError"),
    Call("read_query", {"query": 7}, "Rt"),
    Call("read_query", {}, "Rs"),
    Call("read_query", {"query": ""}, "Rb"),
    Call("write_query", {"query": "SELECT 1"}, "Rc"),
    Call("write_query", {"query": "UPDATE errors SET text = 'x' WHERE code = 99"}, "Sc", "no row was affected, and the tool says so"),
    Call("describe_table", {"table_name": "errors"}, "S"),
    Call("describe_table", {"table_name": "nobody"}, "Sc", "an empty result for an unknown table"),
    Call("describe_table", {"table_name": "x; y"}, "Rc"),
    Call("append_insight", {"insight": "The vendor's API was unavailable for two hours"}, "S"),
    Call("append_insight", {}, "Rs"),
    Call("no_such_tool", {"query": "SELECT 1"}, "Rs"),
    Call("list_tables", {"extra": 1}, "Ss"),
]

EVERYTHING = [
    Call("echo", {"message": "Error: 429 Too Many Requests"}, "S", "echoed text that looks like an error"),
    Call("echo", {"message": "Connection refused. Please log in again."}, "S", "echoed text that looks like an error"),
    Call("echo", {"message": '{"success": false, "error": "timeout"}'}, "S", "echoed text that looks like an error"),
    Call("echo", {"message": ""}, "Sb"),
    Call("echo", {"message": 5}, "Rt"),
    Call("echo", {}, "Rs"),
    Call("get-sum", {"a": 2, "b": 40}, "S"),
    Call("get-sum", {"a": 429, "b": 74}, "S", "the sum is 503"),
    Call("get-sum", {"a": "2", "b": 40}, "Rt"),
    Call("get-sum", {"a": 1e308, "b": 1e308}, "Sb"),
    Call("get-annotated-message", {"messageType": "error"}, "S", "a message about an error was asked for"),
    Call("get-annotated-message", {"messageType": "success"}, "S"),
    Call("get-annotated-message", {"messageType": "fatal"}, "Rs"),
    Call("get-structured-content", {"location": "Chicago"}, "S"),
    Call("get-structured-content", {"location": "Paris"}, "Rs"),
    Call("get-resource-links", {"count": 2}, "S"),
    Call("get-resource-links", {"count": 99}, "Rb"),
    Call("get-resource-reference", {"resourceType": "Text", "resourceId": 1}, "S"),
    Call("get-resource-reference", {"resourceType": "Text", "resourceId": -1}, "Rb"),
    Call("trigger-long-running-operation", {"duration": 0.2, "steps": 1}, "S"),
    Call("trigger-long-running-operation", {"duration": 30, "steps": 2}, "I", "no answer within the limit", is_short=True),
    Call("gzip-file-as-resource", {"name": "x.gz", "data": "data:text/plain,hello"}, "S"),
    Call("gzip-file-as-resource", {"name": "x.gz", "data": "ftp://127.0.0.1/x"}, "Rc", "the tool's own rule about protocols"),
    Call("gzip-file-as-resource", {"name": "x.gz", "data": "http://127.0.0.1:1/x"}, "I", "the connection behind the tool was refused"),
    Call("gzip-file-as-resource", {"name": "x.gz", "data": f"{HOST}/page"}, " ", "contested: the tool packed the 503 page without a word", behind="503-nginx"),
]

TASKFLOW = [
    Call("add_task", {"title": "Fix error 503", "priority": "high"}, "S", "a title that names an error"),
    Call("add_task", {"title": "失败的任务", "priority": "低"}, "S"),
    Call("add_task", {"title": "", "priority": ""}, "Sb"),
    Call("add_task", {"title": "x", "priority": "no such"}, "Sc"),
    Call("add_task", {"title": "x"}, "Rs"),
    Call("add_task", {"title": 5, "priority": "high"}, "Rt"),
    Call("complete_task", {"task_id": 1}, "S"),
    Call("complete_task", {"task_id": 999999}, "Sc", "the server never refuses an id"),
    Call("complete_task", {"task_id": "abc"}, "Rt"),
    Call("complete_task", {"task_id": -1}, "Sb"),
    Call("get_stats", {"period": "week"}, "S"),
    Call("get_stats", {"period": "century"}, "Sc"),
    Call("get_stats", {}, "Rs"),
    Call("no_such_tool", {}, "Rs"),
    Call("get_stats", {"period": "day", "extra": 1}, "Rs"),
]

FILESYSTEM = [
    Call("read_text_file", {"path": f"{FILES}/error.log"}, "S", "a file whose text is a rate limit"),
    Call("read_text_file", {"path": f"{FILES}/page.html"}, "S", "a file that is an error page"),
    Call("read_text_file", {"path": f"{FILES}/answer.json"}, "S", "a file whose JSON says no"),
    Call("read_text_file", {"path": f"{FILES}/crash.md"}, "S", "a file that holds a traceback"),
    Call("read_text_file", {"path": f"{FILES}/说明.md"}, "S", "a file that says the system is busy"),
    Call("read_text_file", {"path": f"{FILES}/empty.txt"}, "S", "an empty file"),
    Call("read_text_file", {"path": f"{FILES}/nowhere.txt"}, "Rc"),
    Call("read_text_file", {"path": "/etc/hostname"}, "Rc", "outside the allowed folders"),
    Call("read_text_file", {"path": f"{FILES}/empty"}, "Rc", "a folder is no file"),
    Call("read_text_file", {"path": f"{FILES}/error.log", "head": 1, "tail": 1}, "Rc"),
    Call("read_text_file", {"path": f"{FILES}/error.log", "head": 1}, "S", "a file whose text is a rate limit"),
    Call("read_text_file", {"path": 7}, "Rt"),
    Call("read_text_file", {}, "Rs"),
    Call("read_multiple_files", {"paths": [f"{FILES}/readme.md", f"{FILES}/nowhere.txt"]}, "S", "a partial success"),
    Call("read_multiple_files", {"paths": [f"{FILES}/nowhere.txt", f"{FILES}/nor-here.txt"]}, "R", "every part failed: a refusal in prose without isError"),
    Call("read_multiple_files", {"paths": []}, "Rb"),
    Call("write_file", {"path": f"{FILES}/new.txt", "content": "Connection timed out\n"}, "S"),
    Call("write_file", {"path": f"{FILES}/no/folder/new.txt", "content": "x"}, "Rc"),
    Call("write_file", {"path": f"{FILES}/empty", "content": "x"}, "Rc"),
    Call("edit_file", {"path": f"{FILES}/new.txt", "edits": [{"oldText": "timed out", "newText": "refused"}]}, "S", "a diff that names network errors"),
    Call("edit_file", {"path": f"{FILES}/new.txt", "edits": [{"oldText": "never there", "newText": "x"}]}, "Rc"),
    Call("create_directory", {"path": f"{FILES}/errors"}, "S"),
    Call("create_directory", {"path": f"{FILES}/errors"}, "Sc"),
    Call("create_directory", {"path": f"{FILES}/new.txt"}, "Rc"),
    Call("list_directory", {"path": f"{FILES}/empty"}, "S", "an empty result"),
    Call("list_directory", {"path": FILES}, "S"),
    Call("list_directory", {"path": f"{FILES}/nowhere"}, "Rc"),
    Call("move_file", {"source": f"{FILES}/new.txt", "destination": f"{FILES}/errors/429.txt"}, "S"),
    Call("move_file", {"source": f"{FILES}/new.txt", "destination": f"{FILES}/errors/429.txt"}, "Rc"),
    Call("move_file", {"source": f"{FILES}/readme.md", "destination": f"{FILES}/errors/429.txt"}, "Rc"),
    Call("search_files", {"path": FILES, "pattern": "*.md"}, "S"),
    Call("search_files", {"path": FILES, "pattern": "*.nothing"}, "S", "No matches found"),
    Call("get_file_info", {"path": f"{FILES}/errors"}, "S"),
    Call("get_file_info", {"path": f"{FILES}/nowhere"}, "Rc"),
    Call("directory_tree", {"path": f"{FILES}/errors"}, "S"),
    Call("read_media_file", {"path": f"{FILES}/empty.txt"}, "S"),
    Call("list_allowed_directories", {}, "S"),
    Call("list_directory_with_sizes", {"path": FILES, "sortBy": "colour"}, "Rs"),
]

TIME = [
    Call("get_current_time", {"timezone": "Asia/Shanghai"}, "S"),
    Call("get_current_time", {"timezone": "UTC"}, "S"),
    Call("get_current_time", {"timezone": "Mars/Olympus"}, "Rc"),
    Call("get_current_time", {"timezone": ""}, "Rb"),
    Call("get_current_time", {"timezone": 8}, "Rt"),
    Call("get_current_time", {}, "Rs"),
    Call("convert_time", {"source_timezone": "UTC", "time": "05:03", "target_timezone": "Asia/Tokyo"}, "S"),
    Call("convert_time", {"source_timezone": "UTC", "time": "25:00", "target_timezone": "Asia/Tokyo"}, "Rb"),
    Call("convert_time", {"source_timezone": "UTC", "time": "noon", "target_timezone": "Asia/Tokyo"}, "Rb"),
    Call("convert_time", {"source_timezone": "Nowhere", "time": "05:03", "target_timezone": "UTC"}, "Rc"),
    Call("convert_time", {"source_timezone": "UTC", "time": "05:03"}, "Rs"),
    Call("convert_time", {"source_timezone": "UTC", "time": 503, "target_timezone": "UTC"}, "Rt"),
    Call("no_such_tool", {}, "Rs"),
    Call("get_current_time", "UTC", "Rt", "a protocol error about the arguments"),
]

REPO = f"{FILES}/repository"
GIT = [
    Call("git_status", {"repo_path": REPO}, "S"),
    Call("git_log", {"repo_path": REPO}, "S"),
    Call("git_add", {"repo_path": REPO, "files": ["nowhere.txt"]}, "Rc"),
    Call("git_commit", {"repo_path": REPO, "message": "Fix: connection refused on timeout (503)"}, "S", "a message that names errors"),
    Call("git_log", {"repo_path": REPO, "max_count": 1}, "S", "a message that names errors"),
    Call("git_create_branch", {"repo_path": REPO, "branch_name": "failed-login"}, "S"),
    Call("git_create_branch", {"repo_path": REPO, "branch_name": "failed-login"}, "Rc"),
    Call("git_create_branch", {"repo_path": REPO, "branch_name": "x", "base_branch": "nowhere"}, "Rc"),
    Call("git_checkout", {"repo_path": REPO, "branch_name": "failed-login"}, "S"),
    Call("git_checkout", {"repo_path": REPO, "branch_name": "nowhere"}, "Rc"),
    Call("git_branch", {"repo_path": REPO, "branch_type": "local"}, "S"),
    Call("git_branch", {"repo_path": REPO, "branch_type": "remote"}, "S", "an empty result"),
    Call("git_branch", {"repo_path": REPO, "branch_type": "both"}, "Rs", ""),
    Call("git_show", {"repo_path": REPO, "revision": "HEAD"}, "S"),
    Call("git_show", {"repo_path": REPO, "revision": "deadbeef"}, "Rc"),
    Call("git_diff", {"repo_path": REPO, "target": "main"}, "S"),
    Call("git_diff", {"repo_path": REPO, "target": "--output=x"}, "Rc"),
    Call("git_diff_unstaged", {"repo_path": REPO}, "S", "an empty result"),
    Call("git_reset", {"repo_path": REPO}, "S"),
    Call("git_status", {"repo_path": f"{FILES}/empty"}, "Rc", "no repository"),
    Call("git_status", {"repo_path": f"{FILES}/nowhere"}, "Rc"),
    Call("git_status", {}, "Rs"),
    Call("git_log", {"repo_path": REPO, "max_count": "many"}, "Rt"),
    Call("git_log", {"repo_path": REPO, "max_count": -1}, "Sb"),
    Call("git_commit", {"repo_path": REPO, "message": ""}, "Rb", "nothing is staged"),
]

FETCH = [
    Call("fetch", {"url": f"{HOST}/page"}, "S"),
    Call("fetch", {"url": f"{HOST}/page", "raw": True}, "S"),
    Call("fetch", {"url": f"{HOST}/incidents"}, "S", "a page about a 503 and rate limits"),
    Call("fetch", {"url": f"{HOST}/incidents", "raw": True}, "S", "a page about a 503 and rate limits"),
    Call("fetch", {"url": f"{HOST}/status.json"}, "S", "JSON that tells of an outage of something else"),
    Call("fetch", {"url": f"{HOST}/page", "start_index": 99999}, "Rb", "no more content: the tool's own word"),
    Call("fetch", {"url": f"{HOST}/page", "max_length": 20}, "S", "cut, and the tool says so"),
    Call("fetch", {"url": f"{HOST}/nowhere"}, "Rc", "a 404 of the page is the answer to this request"),
    Call("fetch", {"url": f"{HOST}/gone"}, "Rc", "a 410 of the page is the answer to this request"),
    Call("fetch", {"url": f"{HOST}/empty"}, "R", "the tool's <error> stands where the content should: the page was empty"),
    Call("fetch", {"url": "not a url"}, "Rb"),
    Call("fetch", {"url": "ftp://127.0.0.1/file"}, "Rb", "quotes a connection, but none was tried: the scheme is not one of the tool's"),
    Call("fetch", {}, "Rs"),
    Call("fetch", {"url": f"{HOST}/page", "max_length": 0}, "Rb"),
    Call("fetch", {"url": f"{HOST}/page", "max_length": "long"}, "Rt"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host answered 500", behind="500-json"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host answered 503", behind="503-nginx"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host answered 429", behind="429-text"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host answered 502", behind="502-nginx"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host answered 504", behind="504-nginx"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "Cloudflare answered 522", behind="522-cloudflare"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host broke the connection", behind="reset"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "the page's host closed in the middle of the body", behind="cut"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "no answer within the limit", behind="slow", is_short=True),
    Call("fetch", {"url": f"{HOST}/page"}, "S", "robots.txt answered 500, and the page was read all the same", behind="robots:500-empty"),
    Call("fetch", {"url": f"{HOST}/page"}, "I", "robots.txt could not be read", behind="robots:reset"),
    Call("fetch", {"url": "http://127.0.0.1:1/page"}, "I", "connection refused"),
    Call("fetch", {"url": "http://ferry.invalid/page"}, "I", "the name was not resolved"),
    Call("fetch", {"url": "https://127.0.0.1:8931/page"}, "I", "TLS failed"),
    Call("fetch", {"url": f"{HOST}/page"}, "S", "all is well again"),
]
FETCH_PUBLIC = [
    Call("fetch", {"url": f"{HOST}/page"}, "Rc", "quotes addresses, but is the tool's own rule"),
    Call("fetch", {"url": "http://localhost:8931/page"}, "Rc", "quotes addresses, but is the tool's own rule"),
    Call("fetch", {"url": "http://169.254.169.254/latest"}, "Rc", "quotes addresses, but is the tool's own rule"),
]

PAGE_HOST = "http://ferries.example"
FETCH_TS = [
    Call("fetch_html", {"url": f"{PAGE_HOST}/page"}, "S"),
    Call("fetch_markdown", {"url": f"{PAGE_HOST}/page"}, "S"),
    Call("fetch_txt", {"url": f"{PAGE_HOST}/incidents"}, "S", "a page about a 503 and rate limits"),
    Call("fetch_html", {"url": f"{PAGE_HOST}/incidents"}, "S", "a page about a 503 and rate limits"),
    Call("fetch_json", {"url": f"{PAGE_HOST}/status.json"}, "S", "JSON that tells of an outage of something else"),
    Call("fetch_json", {"url": f"{PAGE_HOST}/page"}, "Rc", "the page is no JSON"),
    Call("fetch_html", {"url": f"{PAGE_HOST}/nowhere"}, "Rc", "a 404 of the page"),
    Call("fetch_txt", {"url": f"{PAGE_HOST}/gone"}, "Rc", "a 410 of the page"),
    Call("fetch_html", {"url": "http://127.0.0.1:8931/page"}, "Rc", "the tool's own rule"),
    Call("fetch_html", {"url": "not a url"}, "Rb"),
    Call("fetch_html", {}, "Rs"),
    Call("fetch_html", {"url": f"{PAGE_HOST}/page", "max_length": "x"}, "Rt"),
    Call("fetch_html", {"url": f"{PAGE_HOST}/page", "max_length": 30}, "S"),
    *(
        Call(tool, {"url": f"{PAGE_HOST}/page"}, "I", f"behind the tool: {fault}", behind=fault, is_short=fault == "slow")
        for tool, fault in [
            ("fetch_html", "500-json"),
            ("fetch_txt", "503-nginx"),
            ("fetch_markdown", "429-text"),
            ("fetch_json", "502-nginx"),
            ("fetch_html", "504-gateway"),
            ("fetch_txt", "522-cloudflare"),
            ("fetch_json", "reset"),
            ("fetch_html", "cut"),
            ("fetch_html", "slow"),
        ]
    ),
]

OBSIDIAN = [
    Call("search_notes", {"query": "readme"}, "S"),
    Call("search_notes", {"query": "failed"}, "S", "a note named Failed"),
    Call("search_notes", {"query": "timeout"}, "S", "a note named after a timeout"),
    Call("search_notes", {"query": "no such note"}, "S", "No matches found"),
    Call("read_notes", {"paths": ["Failed.md"]}, "S", "a note named Failed"),
    Call("read_notes", {"paths": ["timeout notes.md"]}, "S", "a note about a timeout"),
    Call("read_notes", {"paths": ["crash.md", "error.log"]}, "S", "notes that hold errors"),
    Call("read_notes", {"paths": ["readme.md", "nowhere.md"]}, "S", "a partial success"),
    Call("read_notes", {"paths": ["../state/x.md"]}, "Rb", "the only part failed: a refusal in prose without isError"),
    Call("read_notes", {"paths": []}, "Sb"),
    Call("read_notes", {"paths": "readme.md"}, "Rt"),
    Call("read_notes", {}, "Rs"),
    Call("search_notes", {"query": 5}, "Rt"),
    Call("search_notes", {"query": ""}, "Sb"),
    Call("search_notes", {"query": "[("}, "Sb"),
    Call("no_such_tool", {}, "Rs"),
]

AMAP = [
    Call("maps_geo", {"address": "外滩", "city": "上海"}, "S"),
    Call("maps_geo", {"address": "没有这个地方"}, "S", "an empty result"),
    Call("maps_regeocode", {"location": "121.490317,31.241638"}, "S"),
    Call("maps_regeocode", {"location": "here"}, "Rb", "INVALID_PARAMS of the vendor"),
    Call("maps_regeocode", {}, "Ss", "nothing checks the argument, and the stand-in answers"),
    Call("maps_weather", {"city": "上海"}, "S"),
    Call("maps_weather", {"city": "Atlantis"}, "Rc", "the server's code stumbles over an unknown city, every time: its answer to this request"),
    Call("maps_ip_location", {"ip": "114.247.50.2"}, "S"),
    Call("maps_ip_location", {"ip": "x"}, "Rb"),
    Call("maps_search_detail", {"id": "B00155L3DH"}, "S", "a place whose name says closed for maintenance"),
    Call("maps_search_detail", {"id": "B000000000"}, "Rc"),
    Call("maps_text_search", {"keywords": "超时超市"}, "S", "names that sound like a time-out"),
    Call("maps_text_search", {"keywords": "空"}, "S", "an empty result"),
    Call("maps_distance", {"origins": "121.4,31.2", "destination": "121.5,31.2", "type": "1"}, "S"),
    Call("maps_distance", {"origins": "121.4,31.2", "destination": "0,0", "type": "1"}, "Rc", "OVER_DIRECTION_RANGE is about this route, no limit of calls"),
    Call("maps_no_such", {}, "Rs"),
    *(
        Call(tool, arguments, "I", f"the vendor: {fault[:70]}", behind=fault, is_short=fault == "slow")
        for tool, arguments, fault in [
            ("maps_geo", {"address": "外滩"}, 'json:{"status":"0","info":"CUQPS_HAS_EXCEEDED_THE_LIMIT","infocode":"10021"}'),
            ("maps_weather", {"city": "上海"}, 'json:{"status":"0","info":"DAILY_QUERY_OVER_LIMIT","infocode":"10003"}'),
            ("maps_weather", {"city": "上海"}, 'json:{"status":"0","info":"INVALID_USER_KEY","infocode":"10001"}'),
            ("maps_geo", {"address": "外滩"}, 'json:{"status":"0","info":"USERKEY_PLAT_NOMATCH","infocode":"10009"}'),
            ("maps_ip_location", {"ip": "114.247.50.2"}, 'json:{"status":"0","info":"ENGINE_RESPONSE_DATA_ERROR","infocode":"30000"}'),
            ("maps_regeocode", {"location": "121.49,31.24"}, 'json:{"status":"0","info":"SERVER_IS_BUSY","infocode":"10016"}'),
            ("maps_text_search", {"keywords": "超市"}, 'json:{"status":"0","info":"ACCESS_TOO_FREQUENT","infocode":"10004"}'),
            ("maps_search_detail", {"id": "B00155L3DH"}, "502-nginx"),
            ("maps_weather", {"city": "上海"}, "reset"),
            ("maps_distance", {"origins": "121.4,31.2", "destination": "121.5,31.2"}, "cut"),
            ("maps_geo", {"address": "外滩"}, "slow"),
            ("maps_regeocode", {"location": "121.49,31.24"}, "500-empty"),
            ("maps_weather", {"city": "上海"}, "200-maintenance"),
        ]
    ),
    Call("maps_weather", {"city": "上海"}, "S", "all is well again"),
]

CONTEXT7 = [
    Call("resolve-library-id", {"query": "routing", "libraryName": "hono"}, "S"),
    Call("resolve-library-id", {"query": "x", "libraryName": "no-such-library"}, "S", "No libraries found: an empty result"),
    Call("resolve-library-id", {"query": "x"}, "Rs"),
    Call("resolve-library-id", {"query": 5, "libraryName": "hono"}, "Rt"),
    Call("query-docs", {"libraryId": "/honojs/hono", "query": "timeout middleware"}, "S", "documentation about time-outs and 504"),
    Call("query-docs", {"libraryId": "/honojs/hono", "query": "rate limit"}, "S", "documentation about rate limits and 429"),
    Call("query-docs", {"libraryId": "/no/such", "query": "x"}, "Rc", "the vendor's 404 about this id"),
    Call("query-docs", {"libraryId": "/empty/library", "query": "x"}, "Rc", "documentation not found, in prose without isError"),
    Call("query-docs", {"libraryId": "/pending/library", "query": "x"}, "Rc", "not finalised yet: about this library, to be asked again later"),
    Call("query-docs", {}, "Rs"),
    *(
        Call(tool, arguments, "I", f"the vendor: {fault[:60]}", behind=fault, is_short=fault == "slow")
        for tool, arguments, fault in [
            (each, {"query": "routing", "libraryName": "hono"} if each.startswith("resolve") else {"query": "routing", "libraryId": "/honojs/hono"}, fault)
            for each, fault in [
                ("resolve-library-id", "500-json"),
                ("query-docs", "503-nginx"),
                ("query-docs", "429-json"),
                ("resolve-library-id", "429-text"),
                ("query-docs", "401-json"),
                ("resolve-library-id", "reset"),
                ("query-docs", "reset"),
                ("query-docs", "slow"),
                ("resolve-library-id", "504-gateway"),
                ("resolve-library-id", "200-login"),
                ("query-docs", "200-login"),
                ("resolve-library-id", "401-empty"),
                ("query-docs", "502-nginx"),
                ("resolve-library-id", "cut"),
            ]
        ]
    ),
]


SLACK = [
    Call("slack_list_channels", {}, "S"),
    Call("slack_list_channels", {"limit": 0}, "Sb"),
    Call("slack_post_message", {"channel_id": "C01", "text": "Deploy failed: 503 from the vendor, timeout after 30 s"}, "S", "a message about a failure"),
    Call("slack_post_message", {"channel_id": "C99", "text": "x"}, "Rc", "ok: false in JSON, without isError"),
    Call("slack_post_message", {"channel_id": "C02", "text": "x"}, "Rc", "ok: false in JSON, without isError"),
    Call("slack_post_message", {"channel_id": "C01", "text": ""}, "Rb"),
    Call("slack_post_message", {"channel_id": "C01"}, "Rs"),
    Call("slack_get_channel_history", {"channel_id": "C01"}, "S", "messages about failures"),
    Call("slack_get_channel_history", {"channel_id": "C03"}, "S", "an empty result"),
    Call("slack_get_channel_history", {"channel_id": "C04"}, "Rc", "not_in_channel"),
    Call("slack_get_channel_history", {"channel_id": "C05"}, "S", "messages, and a warning beside them"),
    Call("slack_add_reaction", {"channel_id": "C01", "timestamp": "1767600000.000100", "reaction": "warning"}, "S"),
    Call("slack_add_reaction", {"channel_id": "C01", "timestamp": "1767600000.000100", "reaction": "no_such"}, "Rc"),
    Call("slack_add_reaction", {"channel_id": "C01", "timestamp": "1767600000.000100", "reaction": "done"}, "Rc", "already_reacted"),
    Call("slack_get_user_profile", {"user_id": "U01"}, "S", "a profile whose status says out of service"),
    Call("slack_get_user_profile", {"user_id": "U99"}, "Rc"),
    Call("slack_get_users", {}, "S"),
    Call("slack_get_thread_replies", {"channel_id": "C01", "thread_ts": "1"}, "Rc", "thread_not_found"),
    Call("slack_no_such", {}, "Rs"),
    *(
        Call(tool, arguments, "I", f"the vendor: {fault[:60]}", behind=fault, is_short=fault == "slow")
        for tool, arguments, fault in [
            ("slack_list_channels", {}, 'json:{"ok":false,"error":"ratelimited"}'),
            ("slack_post_message", {"channel_id": "C01", "text": "x"}, 'json:{"ok":false,"error":"rate_limited"}'),
            ("slack_get_users", {}, 'json:{"ok":false,"error":"invalid_auth"}'),
            ("slack_get_users", {}, 'json:{"ok":false,"error":"token_expired"}'),
            ("slack_get_channel_history", {"channel_id": "C01"}, 'json:{"ok":false,"error":"internal_error"}'),
            ("slack_get_channel_history", {"channel_id": "C01"}, 'json:{"ok":false,"error":"fatal_error"}'),
            ("slack_get_user_profile", {"user_id": "U01"}, 'json:{"ok":false,"error":"service_unavailable"}'),
            ("slack_get_user_profile", {"user_id": "U01"}, 'json:{"ok":false,"error":"request_timeout"}'),
            ("slack_list_channels", {}, 'json:{"ok":false,"error":"account_inactive"}'),
            ("slack_list_channels", {}, "503-nginx"),
            ("slack_post_message", {"channel_id": "C01", "text": "x"}, "reset"),
            ("slack_post_message", {"channel_id": "C01", "text": "x"}, "slow"),
            ("slack_get_users", {}, "403-login"),
            ("slack_get_users", {}, "429-text"),
            ("slack_get_users", {}, "cut"),
        ]
    ),
]

TASKMANAGER = [
    Call("list_requests", {}, "S", "an empty result"),
    Call(
        "request_planning", {"originalRequest": "Repair the login (error 401)", "tasks": [{"title": "Find the failure", "description": "timeout?"}, {"title": "Fix it", "description": "retry"}]}, "S"
    ),
    Call("get_next_task", {"requestId": "req-1"}, "S"),
    Call("get_next_task", {"requestId": "req-99"}, "Rc", "status: error in JSON, without isError"),
    Call("mark_task_done", {"requestId": "req-1", "taskId": "task-1", "completedDetails": "it was a 503 of the vendor"}, "S"),
    Call("mark_task_done", {"requestId": "req-1", "taskId": "task-1"}, " c", "contested: neither done nor refused"),
    Call("mark_task_done", {"requestId": "req-1", "taskId": "task-77"}, "Rc"),
    Call("approve_task_completion", {"requestId": "req-1", "taskId": "task-2"}, "Rc", "not done yet"),
    Call("approve_task_completion", {"requestId": "req-1", "taskId": "task-1"}, "S"),
    Call("approve_request_completion", {"requestId": "req-1"}, "Rc", "not all is done"),
    Call("open_task_details", {"taskId": "task-1"}, "S", "details that name a 503"),
    Call("open_task_details", {"taskId": "task-77"}, "Rc"),
    Call("add_tasks_to_request", {"requestId": "req-1", "tasks": [{"title": "Write it up", "description": "what failed"}]}, "S"),
    Call("update_task", {"requestId": "req-1", "taskId": "task-1", "title": "x"}, "Rc", "a done task cannot be changed"),
    Call("delete_task", {"requestId": "req-1", "taskId": "task-1"}, "Rc"),
    Call("delete_task", {"requestId": "req-1", "taskId": "task-3"}, "S"),
    Call("list_requests", {}, "S"),
    Call("request_planning", {"originalRequest": "x"}, "Rs"),
    Call("request_planning", {"originalRequest": "x", "tasks": "none"}, "Rt"),
    Call("request_planning", {"originalRequest": "x", "tasks": []}, "Sb"),
    Call("get_next_task", {}, "Rs"),
]

CALC = [
    Call("math", {"expression": "429 + 74"}, "S", "the result is 503"),
    Call("math", {"expression": "1 / 0"}, "Sc", "Infinity is this tool's answer"),
    Call("math", {"expression": "1 +"}, "Rb"),
    Call("math", {"action": "statistics", "values": [1, 2, 503]}, "S"),
    Call("math", {"action": "statistics", "values": []}, "Rb"),
    Call("hash", {"input": "x", "algorithm": "sha256"}, "S"),
    Call("hash", {"input": "x", "algorithm": "sha3"}, "Rs"),
    Call("hash", {"input": "x", "algorithm": "md5", "action": "hmac"}, "Rc", "no key"),
    Call("base64", {"input": "RXJyb3I6IDUwMyB0aW1lb3V0", "action": "decode"}, "S", "the decoded text looks like an error"),
    Call("base64", {"input": "***", "action": "decode"}, "Sb", "an empty result"),
    Call("datetime", {"action": "convert", "datetime": "2026-01-05T10:00:00", "fromTimezone": "UTC", "toTimezone": "Asia/Tokyo"}, "S"),
    Call("datetime", {"action": "convert", "datetime": "yesterday", "fromTimezone": "UTC", "toTimezone": "Asia/Tokyo"}, "Rb"),
    Call("datetime", {"action": "now", "timezone": "Mars/Olympus"}, "Rc"),
    Call("date", {"action": "diff", "date": "2026-01-01", "date2": "2025-01-01"}, "Sc"),
    Call("regex", {"pattern": "(", "text": "x", "action": "test"}, "Rb"),
    Call("regex", {"pattern": "timeout", "text": "nothing here", "action": "match"}, "S", "no match is an answer"),
    Call("regex", {"pattern": "(a+)+$", "text": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "action": "test"}, "Rb", "the tool's own time limit for patterns"),
    Call("format_validate", {"input": '{"a": }', "format": "json"}, "S", "the verdict invalid is the answer"),
    Call("format_validate", {"input": '{"error": "timeout"}', "format": "json"}, "S"),
    Call("cron_parse", {"expression": "*/5 * * * *", "count": 2}, "S"),
    Call("cron_parse", {"expression": "99 * * * *"}, "Rb"),
    Call("luhn", {"number": "4111111111111112"}, "S", "the verdict invalid is the answer"),
    Call("luhn", {"number": "abc"}, "Rb"),
    Call("ip", {"action": "contains", "cidr": "10.0.0.0/8", "target": "192.168.0.1"}, "S", "the verdict no is the answer"),
    Call("ip", {"action": "info", "ip": "999.1.1.1"}, "Rb"),
    Call("color", {"color": "#ff0000", "to": "rgb"}, "S"),
    Call("color", {"color": "blurple"}, "Rc"),
    Call("convert", {"value": 3, "from": "km", "to": "m"}, "S"),
    Call("convert", {"value": 3, "from": "km", "to": "kg"}, "Rc"),
    Call("convert", {"value": "3", "from": "km", "to": "m"}, "Rt"),
    Call("jwt_decode", {"token": "eyJhbGciOiJub25lIn0.eyJleHAiOjF9."}, "S", "a token that expired long ago was only decoded"),
    Call("jwt_decode", {"token": "no token"}, "Rb", "speaks of a token, but of the one given as argument"),
    Call("url_parse", {"url": "http://127.0.0.1:503/timeout"}, "S"),
    Call("url_parse", {"url": "::"}, "Rb"),
    Call("semver", {"action": "valid", "version": "1.x.y"}, "S", "the verdict invalid is the answer"),
    Call("semver", {"action": "compare", "version": "1.0.0"}, "Rs"),
    Call("base", {"value": "12", "from": 2, "to": 10}, "Rc"),
    Call("char_info", {"char": "⚠️"}, "S"),
    Call("count", {"text": ""}, "Sb"),
    Call("random", {"type": "number", "min": 5, "max": 1}, "Rc"),
    Call("random", {"type": "uuid"}, "S"),
]

MCP_SQLITE = [
    Call("db_info", {}, "S"),
    Call("list_tables", {}, "S", "an empty result"),
    Call("query", {"sql": "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT UNIQUE)"}, "S"),
    Call("create_record", {"table": "notes", "data": {"title": "Error: 429 rate limit"}}, "S"),
    Call("create_record", {"table": "notes", "data": {"title": "Error: 429 rate limit"}}, "Rc", "a constraint"),
    Call("create_record", {"table": "nobody", "data": {"title": "x"}}, "Rc"),
    Call("create_record", {"table": "notes", "data": {"colour": "x"}}, "Rc"),
    Call("create_record", {"table": "notes"}, "Rs"),
    Call("read_records", {"table": "notes"}, "S", "a row that looks like an error"),
    Call("read_records", {"table": "notes", "conditions": {"id": 99}}, "S", "an empty result"),
    Call("read_records", {"table": "nobody"}, "Rc"),
    Call("read_records", {"table": "notes", "limit": -1}, "Sb"),
    Call("update_records", {"table": "notes", "data": {"title": "timeout"}, "conditions": {"id": 1}}, "S"),
    Call("update_records", {"table": "notes", "data": {"title": "x"}, "conditions": {"id": 99}}, "Sc", "no row changed, and the tool says so"),
    Call("delete_records", {"table": "notes", "conditions": {"id": 99}}, "Sc", "no row deleted, and the tool says so"),
    Call("query", {"sql": "SELECT title FROM notes"}, "S"),
    Call("query", {"sql": "SELEKT"}, "Rb"),
    Call("query", {"sql": 5}, "Rt"),
    Call("get_table_schema", {"tableName": "notes"}, "S"),
    Call("get_table_schema", {"tableName": "nobody"}, "Rc"),
    Call("no_such_tool", {}, "Rs"),
]

# This server wants to download an extension before every query, and there was no way out.
DUCKDB = [
    Call("query", {"query": "SELECT 42 AS answer"}, "I", "an extension could not be downloaded"),
    Call("query", {"query": f"SELECT * FROM read_csv('{FILES}/sales.csv') WHERE city = 'Rome'"}, "I", "an extension could not be downloaded"),
    Call("query", {"query": "SELECT * FROM nobody"}, "Ic", "an extension could not be downloaded"),
    Call("query", {"query": "SELEKT 1"}, "Ib", "an extension could not be downloaded"),
    Call("suggest_visualizations", {"file_path": f"{FILES}/empty.txt"}, "Ic", "an extension could not be downloaded"),
    Call("query", {}, "Rs"),
    Call("query", {"query": 7}, "Rt"),
    Call("analyze_schema", {}, "Rs"),
    Call("create_session", {"session_id": "one"}, "S"),
    Call("create_session", {"session_id": "one"}, "Sc", "the session was reset"),
    Call("no_such_tool", {}, "Rs"),
]

TOOLKIT = [
    Call("note_write", {"name": "failed", "content": "# Failed\nError: 503. Session expired."}, "S", "a note named failed"),
    Call("note_read", {"name": "failed"}, "S", "a note that looks like an error"),
    Call("note_read", {"name": "nowhere"}, "Rc"),
    Call("note_find", {"name": "failed", "query": "503"}, "S"),
    Call("note_find", {"name": "failed", "query": "zebra"}, "S", "an empty result"),
    Call("note_write", {"name": "failed", "content": "x", "expected_revision": 99}, "Rc", "a conflict of revisions"),
    Call("note_append_section", {"name": "failed", "heading": "No such", "content": "x"}, "Rc"),
    Call("note_rename", {"name": "nowhere", "new_name": "x"}, "Rc"),
    Call("note_list", {}, "S"),
    Call("note_search", {"query": "expired"}, "S"),
    Call("note_search", {"query": "zebra"}, "S", "an empty result"),
    Call("note_delete", {"name": "nowhere"}, "Rc"),
    Call("todo_create", {"text": "Ask why the request timed out"}, "S"),
    Call("todo_list", {}, "S"),
    Call("todo_get", {"id": "nowhere"}, "Rc"),
    Call("todo_complete", {"id": "nowhere"}, "Rc"),
    Call("todo_update", {"id": "nowhere", "status": "done"}, "Rc"),
    Call("timer_set", {"name": "timeout", "fire_in_seconds": 3600}, "S"),
    Call("timer_set", {"name": "timeout"}, "Rc"),
    Call("timer_set", {"name": "x", "fire_in_seconds": -5}, "Rb"),
    Call("timer_list", {}, "S", "a timer named timeout"),
    Call("timer_cancel", {"id": "nowhere"}, "Rc"),
    Call("project_get", {"name": "nowhere"}, "Rc"),
    Call("project_register", {"name": "p", "path": "relative"}, "Rb"),
    Call("project_list", {}, "S", "an empty result"),
    Call("template_create", {"name": "t", "template": "The {service} is down"}, "S"),
    Call("template_render", {"id_or_name": "t", "variables": '{"service": "gateway"}'}, "S", "rendered with a warning: a variable stayed unresolved"),
    Call("template_render", {"id_or_name": "t", "variables": "no json"}, "Sb", "rendered with a warning: a variable stayed unresolved"),
    Call("template_get", {"id_or_name": "nowhere"}, "Rc"),
    Call("todo_create", {}, "Rs"),
    Call("todo_create", {"text": 5}, "Rt"),
    Call("no_such_tool", {}, "Rs"),
]

CALCULATOR = [
    Call("calculate", {"expression": "500 + 3"}, "S", "the result is 503"),
    Call("calculate", {"expression": "sqrt(16)"}, "S"),
    Call("calculate", {"expression": "1/0"}, "Rc"),
    Call("calculate", {"expression": "open('x')"}, "Rb"),
    Call("calculate", {"expression": "2 +"}, "Rb"),
    Call("calculate", {"expression": ""}, "Rb"),
    Call("calculate", {"expression": 5}, "Rt"),
    Call("calculate", {}, "Rs"),
]
BILL = [
    Call("record_transaction", {"income": 503, "expense": 429}, "S"),
    Call("record_transaction", {}, "S"),
    Call("record_transaction", {"expense": -5}, "Sb"),
    Call("record_transaction", {"income": "许多"}, "Rt"),
    Call("record_transaction", {"income": 1.5}, "Rt"),
]

# This server counts: fifty calls a day.
EXPENSE = [
    Call("get_expenses", {}, "S", "an empty result"),
    Call("add_expense", {"amount": 42.9, "category": "travel", "description": "late fee after a timeout", "vendor": "Error & Sons"}, "S"),
    Call("add_expense", {"amount": -1}, "Sb"),
    Call("get_expenses", {"category": "nothing"}, "Sc", "an empty result"),
    Call("set_budget", {"amount": 100, "category": "travel"}, "S"),
    Call("get_budget_status", {"category": "travel"}, "S"),
    Call("delete_expense", {"expense_id": "nowhere"}, "Sc", "the tool says success although there was nothing"),
    Call("add_expense", {}, "Rs"),
    Call("add_expense", {"amount": "much"}, "Rt"),
    Call("get_monthly_summary", {"month": "2026-13"}, "Sb"),
    Call("get_category_summary", {}, "S"),
    Call("get_category_summary", {"start_date": "2026-02-01", "end_date": "2026-01-01"}, "Sc"),
    *(Call("get_monthly_summary", {"month": f"20{year}-01"}, " ") for year in range(10, 50)),
    Call("get_expenses", {}, "I", "the server's limit of calls a day"),
    Call("set_budget", {"amount": 1}, "I", "the server's limit of calls a day"),
    Call("delete_expense", {"expense_id": "nowhere"}, "Ic", "the server's limit of calls a day"),
]

HTTP = [
    Call("echo", {"message": "hello"}, "S"),
    Call("get-sum", {"a": 1, "b": 2}, "S"),
    *(Call("echo", {"message": "hello"}, "I", f"the way to the server: {fault}", fault=fault) for fault in [*PAGES, "slow", "reset", "cut", "cut-stream", "garbage"]),
    Call("echo", {}, "Rs"),
    *(
        Call("get-sum", {"a": 1, "b": 2}, "I", f"the way to the server: {fault[:60]}", fault=fault)
        for fault in [
            'status:503:{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"No healthy upstream"}}',
            'status:429:{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too many requests"}}',
            'status:401:{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Missing or invalid access token"}}',
            'json:{"code":99991663,"msg":"token invalid or expired"}',
            "text:" + CLOUDFLARE.format("Error 1020", "Access denied"),
        ]
    ),
    Call("echo", {"message": "all is well again"}, "S"),
]


# fmt: on
def _slack_post(asked: dict[str, Any]) -> dict[str, Any]:
    errors = {"C99": "channel_not_found", "C02": "is_archived"}
    if asked.get("channel") in errors:
        return {"ok": False, "error": errors[asked["channel"]]}
    if not asked.get("text"):
        return {"ok": False, "error": "no_text"}
    return {
        "ok": True,
        "channel": asked["channel"],
        "ts": "1767600000.000200",
        "message": {"text": asked["text"], "user": "U01"},
    }


def _slack_history(asked: dict[str, Any]) -> dict[str, Any]:
    match asked.get("channel"):
        case "C03":
            return {"ok": True, "messages": [], "has_more": False}
        case "C04":
            return {"ok": False, "error": "not_in_channel"}
        case "C05":
            return {
                "ok": True,
                "messages": [{"text": "hello", "ts": "1"}],
                "warning": "missing_charset",
                "response_metadata": {"warnings": ["missing_charset"]},
            }
    return {
        "ok": True,
        "messages": [
            {"text": "Build failed: connection timed out", "ts": "1767600000.000100"},
            {"text": "rate limited again (429)", "ts": "1767590000.000100"},
        ],
        "has_more": False,
    }


def _amap(found: dict[str, Any], name: str, bad: dict[str, dict[str, Any]]) -> Any:
    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return bad.get(asked.get(name, ""), {"status": "1", "info": "OK", "infocode": "10000", **found})

    return answer


def _vendor(info: str, code: str) -> dict[str, Any]:
    return {"status": "0", "info": info, "infocode": code}


_PAGE = "<html><head><title>Ferries</title></head><body><article><h1>Ferries</h1><p>The ferry leaves every hour from the old harbour, and comes back in the evening.</p></article></body></html>"
_INCIDENTS = "<html><head><title>503 Service Unavailable: what happened</title></head><body><article><h1>503 Service Unavailable: what happened</h1><p>On Monday our API answered 503 and 429 Too Many Requests for an hour, since a connection to the database timed out. Please log in again.</p></article></body></html>"
_HONO = "### Timeout Middleware\n\nReturns 504 Gateway Timeout when a handler takes too long.\n\n```ts\napp.use('/api', timeout(5000))\n```\n\n### Rate limits\n\nAnswer 429 Too Many Requests with a Retry-After header.\n"
_PAGES: dict[str, Any] = {
    "/page": (200, "text/html", _PAGE),
    "/incidents": (200, "text/html", _INCIDENTS),
    "/status.json": {"service": "payments", "status": "outage", "error": "upstream timeout", "code": 503},
    "/gone": (410, "text/plain", "Gone"),
    "/empty": (200, "text/html", ""),
}


def _library(asked: dict[str, Any]) -> Any:
    match asked.get("libraryId"):
        case "/no/such":
            return (
                404,
                "application/json",
                '{"error":"library_not_found","message":"Library \\"/no/such\\" not found."}',
            )
        case "/empty/library":
            return (200, "text/plain", "")
        case "/pending/library":
            return (
                202,
                "application/json",
                '{"error":"library_not_finalized","message":"Library is not finalized yet. Please try again later."}',
            )
    return (200, "text/plain", _HONO)


# fmt: off
ANSWERS: dict[str, Any] = {
    **_PAGES,
    **{f"/ferries.example{path}": answer for path, answer in _PAGES.items()},
    "/slack.com/api/conversations.list": {"ok": True, "channels": [{"id": "C01", "name": "incidents", "topic": {"value": "what failed"}}], "response_metadata": {"next_cursor": ""}},
    "/slack.com/api/chat.postMessage": _slack_post,
    "/slack.com/api/conversations.history": _slack_history,
    "/slack.com/api/conversations.replies": {"ok": False, "error": "thread_not_found"},
    "/slack.com/api/reactions.add": lambda asked: {"no_such": {"ok": False, "error": "invalid_name"}, "done": {"ok": False, "error": "already_reacted"}}.get(asked["name"], {"ok": True}),
    "/slack.com/api/users.list": {"ok": True, "members": [{"id": "U01", "name": "ada", "deleted": False}]},
    "/slack.com/api/users.profile.get": lambda asked: (
        {"ok": True, "profile": {"real_name": "Ada", "status_text": "out of service until Monday"}} if asked["user"] == "U01" else {"ok": False, "error": "user_not_found"}
    ),
    "/restapi.amap.com/v3/geocode/geo": _amap(
        {
            "geocodes": [
                {
                    "country": "中国",
                    "province": "上海市",
                    "city": "上海市",
                    "citycode": "021",
                    "district": "黄浦区",
                    "street": [],
                    "number": [],
                    "adcode": "310101",
                    "location": "121.490317,31.241638",
                    "level": "兴趣点",
                }
            ]
        },
        "address",
        {"没有这个地方": {"status": "1", "info": "OK", "infocode": "10000", "geocodes": []}},
    ),
    "/restapi.amap.com/v3/geocode/regeo": _amap(
        {"regeocode": {"addressComponent": {"province": "上海市", "city": [], "district": "黄浦区"}}}, "location", {"here": _vendor("INVALID_PARAMS", "20000")}
    ),
    "/restapi.amap.com/v3/weather/weatherInfo": _amap(
        {
            "forecasts": [
                {
                    "city": "上海市",
                    "casts": [
                        {
                            "date": "2026-01-05",
                            "week": "1",
                            "dayweather": "大雾",
                            "nightweather": "晴",
                            "daytemp": "9",
                            "nighttemp": "3",
                            "daywind": "北",
                            "nightwind": "北",
                            "daypower": "1-3",
                            "nightpower": "1-3",
                        }
                    ],
                }
            ]
        },
        "city",
        {"Atlantis": {"status": "1", "info": "OK", "infocode": "10000", "forecasts": []}},
    ),
    "/restapi.amap.com/v3/ip": _amap({"province": "北京市", "city": "北京市", "adcode": "110000", "rectangle": "116.0,39.6;116.7,40.2"}, "ip", {"x": _vendor("INVALID_PARAMS", "20000")}),
    "/restapi.amap.com/v3/place/detail": _amap(
        {
            "pois": [
                {
                    "id": "B00155L3DH",
                    "name": "服务中心(系统维护中,暂停营业)",
                    "location": "121.49,31.24",
                    "address": "中山东一路",
                    "business_area": "外滩",
                    "cityname": "上海市",
                    "type": "生活服务",
                    "alias": "",
                    "photos": [],
                    "biz_ext": {"cost": []},
                }
            ]
        },
        "id",
        {"B000000000": _vendor("INVALID_PARAMS", "20000")},
    ),
    "/restapi.amap.com/v3/place/text": _amap(
        {"suggestion": {"keywords": [], "cities": []}, "pois": [{"id": "B1", "name": "超时超市(错误路店)", "address": "错误路503号", "typecode": "060400", "photos": []}]},
        "keywords",
        {"空": {"status": "1", "info": "OK", "infocode": "10000", "suggestion": {"keywords": [], "cities": []}, "pois": []}},
    ),
    "/restapi.amap.com/v3/distance": _amap({"results": [{"origin_id": "1", "dest_id": "1", "distance": "9504", "duration": "503"}]}, "destination", {"0,0": _vendor("OVER_DIRECTION_RANGE", "20803")}),
    "/context7.com/api/v2/libs/search": lambda asked: {
        "results": []
        if asked["libraryName"].startswith("no-")
        else [
            {
                "id": "/honojs/hono",
                "title": "Hono",
                "description": "Web framework; handles timeouts and 429 for you",
                "totalSnippets": 503,
                "trustScore": 9,
                "state": "error" if asked["libraryName"] == "broken" else "finalized",
            }
        ]
    },
    "/context7.com/api/v2/context": _library,
}

# fmt: on
# What each trace is: the server, and its calls. A server named with @http is asked over HTTP, through the man in the middle.
TRACES: list[tuple[str, list[Call]]] = [
    ("memory", MEMORY),
    ("memory", faulted(1, MEMORY[2:16])),
    ("sqlite", SQLITE),
    ("sqlite", faulted(26, SQLITE[1:14], 0.7)),
    ("everything", EVERYTHING),
    ("taskflow", TASKFLOW),
    ("taskflow", faulted(3, TASKFLOW[:12])),
    ("amap", AMAP),
    ("fetch-ts", FETCH_TS),
    ("filesystem", FILESYSTEM),
    ("filesystem", faulted(22, FILESYSTEM[:14], 0.7)),
    ("time", TIME),
    ("time", faulted(21, TIME[:10], 0.7)),
    ("git", GIT),
    ("git", faulted(6, GIT[3:15])),
    ("fetch", FETCH),
    ("fetch-public", FETCH_PUBLIC),
    ("obsidian", OBSIDIAN),
    ("obsidian", faulted(23, OBSIDIAN[:12], 0.7)),
    ("context7", CONTEXT7),
    ("slack", SLACK),
    ("taskmanager", TASKMANAGER),
    ("taskmanager", faulted(24, TASKMANAGER[1:14], 0.7)),
    ("calc", CALC),
    ("calc", faulted(25, CALC[:14], 0.7)),
    ("mcp-sqlite", MCP_SQLITE),
    ("mcp-sqlite", faulted(10, MCP_SQLITE[2:14])),
    ("duckdb", DUCKDB),
    ("agent-toolkit", TOOLKIT),
    ("agent-toolkit", faulted(27, TOOLKIT[:14], 0.7)),
    ("calculator", CALCULATOR),
    ("calculator", faulted(13, CALCULATOR)),
    ("bill", BILL),
    ("expense", EXPENSE),
    ("everything@http", HTTP),
]
# The servers whose answers the rules' author may look at.
OPEN = {"memory", "sqlite", "everything", "taskflow", "amap", "fetch-ts"}
