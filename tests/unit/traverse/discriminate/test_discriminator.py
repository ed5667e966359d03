"""What an answer is: success, refusal or failure of something else. The kinds in CASES were written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.traverse.discriminate import Discriminator, Verdict, judge_recording, settle
from farm.traverse.discriminate.opinion import ModelOpinion

Answer = dict[str, Any]
S, R, I = "success", "refused", "infrastructure"  # noqa: E741  # one letter each keeps the table readable


def ok(text: str, **more: Any) -> Answer:
    return {"content": [{"type": "text", "text": text}], **more}


def er(text: str, **more: Any) -> Answer:
    return ok(text, **more, isError=True)


def pe(code: int, message: str) -> Answer:
    return {"error": {"code": code, "message": message}}


def line(tool: str, answer: Answer, error_class: str = "success", **arguments: Any) -> dict[str, Any]:
    return {"trace": 0, "tool": tool, "arguments": arguments, "result": answer, "error_class": error_class}


CASES: list[tuple[str, dict[str, Any], Answer, str]] = [
    (
        "get_issue",
        {"n": 429},
        er("failed to get issue: GET https://api.github.com/repos/a/b/issues/429: 404 Not Found []"),
        R,
    ),
    ("get_issue", {"n": 503}, er("GET https://api.github.com/repos/a/b/issues/503: 404 Not Found"), R),
    (
        "get_issue",
        {"n": 9},
        er("failed to get issue: GET https://api.github.com/repos/a/b/issues/9: 401 Bad credentials []"),
        I,
    ),
    (
        "get_issue",
        {"n": 9},
        er("failed to get issue: GET https://x.example/issues/9: 403 API rate limit exceeded for 1.2.3.4."),
        I,
    ),
    (
        "search_code",
        {"q": "x"},
        er("GET https://x.example/search: 422 Validation Failed [{Resource:Search Field:q Code:missing}]"),
        R,
    ),
    (
        "search_code",
        {"q": "x"},
        er('failed to search: Get "https://api.github.com/search": dial tcp: lookup api.github.com: no such host'),
        I,
    ),
    (
        "search_code",
        {"q": "x"},
        er('Get "https://x": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'),
        I,
    ),
    ("fetch", {"url": "http://x/503"}, er("Failed to fetch http://x/503 - status code 404"), R),
    ("fetch", {"url": "http://x/"}, er("Failed to fetch http://x/ - status code 503"), I),
    ("fetch", {"url": "http://x/"}, er("Failed to fetch robots.txt http://x/robots.txt due to a connection issue"), I),
    (
        "fetch",
        {"url": "http://x/"},
        ok("Contents of http://x/:\nService Unavailable handling in nginx is described below."),
        S,
    ),
    (
        "fetch",
        {"url": "http://x/"},
        ok("<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"),
        I,
    ),
    ("query", {"sql": "select 1"}, er('relation "timeouts" does not exist'), R),
    ("query", {"sql": "insert"}, er("cannot execute INSERT in a read-only transaction"), R),
    ("query", {"sql": "select 1"}, er("connect ECONNREFUSED 127.0.0.1:5432"), I),
    ("query", {"sql": "select 1"}, er("terminating connection due to administrator command"), I),
    ("query", {"sql": "select pg_sleep(100)"}, er("canceling statement due to statement timeout"), I),
    ("git_status", {}, er("fatal: not a git repository (or any of the parent directories): .git"), R),
    ("git_commit", {}, ok("nothing to commit, working tree clean"), S),
    ("navigate", {"url": "http://no"}, er("Navigation failed: net::ERR_NAME_NOT_RESOLVED at http://no"), I),
    ("click", {"selector": "#no"}, er("Timeout 30000ms exceeded.\nwaiting for locator('#no')"), I),
    (
        "read_text_file",
        {"path": "/a/ETIMEDOUT.txt"},
        er("ENOENT: no such file or directory, open '/a/ETIMEDOUT.txt'"),
        R,
    ),
    (
        "read_text_file",
        {"path": "/etc/x"},
        er("Access denied - path outside allowed directories: /etc/x not in /srv"),
        R,
    ),
    ("read_text_file", {"path": "/a"}, er("EISDIR: illegal operation on a directory, read"), R),
    ("read_text_file", {"path": "/a"}, ok("# Error handling\n\nHow to handle errors."), S),
    (
        "read_text_file",
        {"path": "/a"},
        ok("2026-01-01 ERROR connection refused\n2026-01-02 ERROR timeout after 3 s"),
        S,
    ),
    (
        "read_multiple_files",
        {"paths": ["a", "b"]},
        ok("a:\nhello\n\n---\nb: Error - ENOENT: no such file or directory, open 'b'"),
        S,
    ),
    ("tool", {}, pe(-32603, "Internal error"), I),
    ("tool", {}, pe(-32000, "Connection closed"), I),
    ("tool", {}, pe(-32001, "Request timed out"), I),
    ("tool", {}, pe(-32000, "Server overloaded"), I),
    ("tool", {}, pe(-32002, "Resource not found"), R),
    ("tool", {}, pe(-32000, "Bad Request: No valid session ID provided"), I),
    ("tool", {}, pe(429, "Too Many Requests"), I),
    ("tool", {}, pe(503, "x"), I),
    ("tool", {}, pe(-32603, "MCP error -32603: upstream returned 502"), I),
    ("tool", {}, pe(0, "Invalid request parameters"), R),
    ("tool", {}, {"silence": "x ended, status 1: Error"}, I),
    ("tool", {}, {}, I),
    ("tool", {}, {"content": []}, S),
    ("get_user", {"id": "x"}, ok('{"message":"Not Found","documentation_url":"https://x","status":"404"}'), R),
    ("get_user", {"id": "x"}, ok('{"message":"Bad credentials","documentation_url":"https://x","status":"401"}'), I),
    ("get_user", {"id": "x"}, ok('{"errcode":45009,"errmsg":"reach max api daily quota limit"}'), I),
    ("get_user", {"id": "x"}, ok('{"errcode":40003,"errmsg":"invalid openid"}'), R),
    ("get_user", {"id": "x"}, ok('{"code":99991663,"msg":"Invalid access token for authorization"}'), I),
    ("get_user", {"id": "x"}, ok('{"code":99991400,"msg":"request trigger frequency limit"}'), I),
    ("get_user", {"id": "x"}, ok('{"status":"error","message":"User not found"}'), R),
    ("get_user", {"id": "x"}, ok('{"id":1,"status":"failed","name":"job"}'), S),
    ("list_jobs", {}, ok('[{"id":1,"error":"boom"},{"id":2,"error":"bam"}]'), S),
    ("get_job", {}, ok('{"id":1,"status":"error","error":"boom","logs":["a"]}'), S),
    ("run", {}, ok('{"success":true,"error":null,"data":[]}'), S),
    ("run", {}, ok('{"stdout":"","stderr":"Error: x","exitCode":1}'), S),
    ("add", {}, ok("The sum of 2 and 3 is 5."), S),
    ("get-env", {}, ok('{"PATH":"/usr/bin","ERROR":"1"}'), S),
    ("echo", {"message": "Error: rate limit"}, ok("Echo: Error: rate limit"), S),
    ("echo", {"message": "Error: rate limit exceeded"}, ok("Error: rate limit exceeded"), S),
    ("create_task", {"title": "Fix timeout"}, ok("Task created: Fix timeout (id 5)"), S),
    ("delete_task", {"id": "9"}, ok("Task 9 not found"), R),
    ("delete_task", {"id": "9"}, ok("Task with ID 9 does not exist."), R),
    ("get_tasks", {}, ok("No tasks found."), S),
    ("get_tasks", {}, ok("You have no tasks."), S),
    ("write_query", {"query": "x"}, ok('Database error: near "x": syntax error'), R),
    ("write_query", {"query": "x"}, ok("[{'affected_rows': 0}]"), S),
    ("read_query", {"query": "x"}, ok("[{'error': 'failed', 'n': 1}]"), S),
    ("read_query", {"query": "x"}, ok("[]"), S),
    ("read_query", {"query": "x"}, ok("Error: Only SELECT queries are allowed for read_query"), R),
    ("read_query", {"query": "x"}, ok("Database error: database is locked"), I),
    ("weather", {"city": "X"}, ok("Unable to fetch forecast data for this location."), R),
    ("weather", {"city": "X"}, ok("Failed to retrieve alerts data"), R),
    ("weather", {"state": "X"}, ok("No active alerts for X"), S),
    ("maps", {"a": "b"}, ok('{"error": "地理编码失败: INVALID_USER_KEY"}'), I),
    (
        "maps",
        {"a": "b"},
        ok('{"error": "HTTPSConnectionPool(host=\'x.example\', port=443): Max retries exceeded with url"}'),
        I,
    ),
    ("search", {"q": "b"}, ok("搜索失败: 请求超时"), I),
    ("post", {"q": "b"}, er("发布失败: 未登录，请先登录"), I),
    ("post", {"q": "b"}, ok("操作过于频繁，请稍后再试"), I),
    ("post", {"q": "b"}, ok("发布成功"), S),
    ("post", {"q": "b"}, ok("标题不能为空"), R),
    (
        "convert_time",
        {"t": "25:00"},
        er("Error processing mcp-server-time query: Invalid time format. Expected HH:MM [24-hour format]"),
        R,
    ),
    ("tool", {}, er("Session expired. Please log in again."), I),
    ("tool", {}, er("Your session has expired"), I),
    ("tool", {}, er("HTTP error! status: 500"), I),
    ("tool", {}, er("Request failed with status code 500"), I),
    ("tool", {}, er("Request failed with status code 400"), R),
    ("tool", {}, er("API error: 503"), I),
    ("tool", {}, er("(503) Service Unavailable"), I),
    ("tool", {}, er("504 Gateway Time-out"), I),
    (
        "tool",
        {},
        er("upstream connect error or disconnect/reset before headers. reset reason: connection termination"),
        I,
    ),
    ("tool", {}, er("socket hang up"), I),
    ("tool", {}, er("Overloaded"), I),
    ("tool", {}, er("Too Many Requests: retry after 30"), I),
    ("tool", {}, er("You have exceeded your quota"), I),
    ("tool", {}, er("Rate limit reached, slow down"), I),
    ("tool", {}, er("Login required"), I),
    ("tool", {}, er("You must be logged in to do that"), I),
    ("tool", {}, er("403 Forbidden: you do not own this document"), R),
    ("tool", {}, er("Missing or invalid Authorization header"), I),
    ("tool", {}, er("TypeError: Cannot read properties of undefined (reading 'x')"), R),
    ("tool", {}, er("KeyError: 'x'"), R),
    ("tool", {}, er("end must be after start"), R),
    ("tool", {}, ok("Error: end must be after start"), R),
    ("set_timeout", {"s": -1}, er("timeout must be positive"), R),
    ("set_timeout", {"s": 30}, ok("Request timeout set to 30 s"), S),
    ("close", {}, ok("Connection closed."), S),
    ("long", {}, ok("Long running operation completed. Duration: 10 seconds, Steps: 5."), S),
    ("divide", {"b": 0}, ok("Cannot divide by zero"), R),
    ("divide", {"b": 0}, ok("Division by zero is not allowed"), R),
    ("get_balance", {}, ok("0"), S),
    ("is_open", {}, ok("false"), S),
    ("notes", {}, ok("⚠️ Note already exists"), R),
    ("notes", {}, ok("**Error:** note not found"), R),
    ("toggle", {}, ok("Started simulated logging"), S),
    ("x", {"k": "a"}, ok("I'm sorry, but I can't find that."), R),
    (
        "sequentialthinking",
        {"thought": "I failed to see the error"},
        ok('{\n  "thoughtNumber": 1,\n  "nextThoughtNeeded": true,\n  "branches": []\n}'),
        S,
    ),
    (
        "sequentialthinking",
        {"thought": 3},
        er('{\n  "error": "Invalid thought: must be a string",\n  "status": "failed"\n}'),
        R,
    ),
    ("brave_web_search", {"query": "x"}, er("Error: Rate limit exceeded"), I),
    (
        "brave_web_search",
        {"query": "x"},
        er('Error: Brave API error: 422 Unprocessable Entity\n{"type":"ErrorResponse"}'),
        R,
    ),
    (
        "brave_web_search",
        {"query": "x"},
        ok("Title: How to fix 'connection refused'\nDescription: When a server is down...\nURL: https://x"),
        S,
    ),
    ("puppeteer_click", {"selector": "#a"}, er("Failed to click #a: No element found for selector: #a"), R),
    ("puppeteer_navigate", {"url": "http://localhost:1"}, er("net::ERR_CONNECTION_REFUSED at http://localhost:1"), I),
    ("puppeteer_evaluate", {"script": "x"}, er("Script execution failed: x is not defined"), R),
    ("puppeteer_screenshot", {"name": "a"}, ok("Screenshot 'a' taken at 800x600"), S),
    (
        "browser_navigate",
        {"url": "x"},
        ok("### Ran Playwright code\n```js\nawait page.goto('x');\n```\n\n- Page Title: 404 Not Found"),
        S,
    ),
    (
        "browser_click",
        {"ref": "e9"},
        er("### Error\nError: Ref e9 not found in the current page snapshot. Try capturing new snapshot."),
        R,
    ),
    ("browser_click", {"ref": "e9"}, er("### Error\nTimeoutError: locator.click: Timeout 5000ms exceeded."), I),
    (
        "jira_get_issue",
        {"issue_key": "X-1"},
        er("Error calling tool 'get_issue': Issue does not exist or you do not have permission to see it."),
        R,
    ),
    (
        "jira_get_issue",
        {"issue_key": "X-1"},
        ok('{"success": false, "error": "Authentication failed for Jira API (401). Token may be expired or invalid."}'),
        I,
    ),
    ("jira_search", {"jql": "x ="}, ok('{"success": false, "error": "Error in the JQL Query: Expecting operator"}'), R),
    ("jira_search", {"jql": "x"}, ok('{"total": 0, "start_at": 0, "max_results": 10, "issues": []}'), S),
    ("create_charge", {"amount": -1}, er("Invalid positive integer"), R),
    ("create_customer", {}, er("Expired API Key provided: sk_test_***"), I),
    ("retrieve", {}, er("No such customer: 'cus_x'"), R),
    (
        "gdrive_search",
        {"query": "x"},
        ok("Found 2 files:\nError report.pdf (application/pdf)\nfailed.txt (text/plain)"),
        S,
    ),
    ("gdrive_search", {"query": "x"}, ok("Found 0 files:\n"), S),
    ("gdrive_read", {}, er("invalid_grant"), I),
    ("gdrive_read", {}, er("File not found: 1abc."), R),
    ("spotify_play", {}, ok("Error: No active device found"), R),
    ("get_forecast", {"lat": 1}, ok("Tonight:\nTemperature: 50°F\nWind: 5 mph\nForecast: Not a cloud"), S),
    ("get_alerts", {"state": "CA"}, ok("No active alerts for this state."), S),
    ("execute_sql", {"sql": "x"}, ok('Error: (1064, "You have an error in your SQL syntax")'), R),
    ("execute_sql", {"sql": "x"}, ok("Query executed successfully. Rows affected: 0"), S),
    ("execute_sql", {"sql": "x"}, ok("Error: (2003, \"Can't connect to MySQL server on 'db:3306' (111)\")"), I),
    ("execute_sql", {"sql": "x"}, ok("Error: (2013, 'Lost connection to MySQL server during query')"), I),
    ("redis_get", {"key": "x"}, ok("Key x does not exist"), R),
    (
        "redis_get",
        {"key": "x"},
        ok("Error connecting to Redis: Error 111 connecting to localhost:6379. Connection refused."),
        I,
    ),
    ("run_command", {"command": "false"}, ok("Command failed with exit code 1"), R),
    ("run_command", {"command": "ls"}, ok("a.txt\nerror.log"), S),
    ("run_command", {"command": "cat x"}, er("cat: x: No such file or directory"), R),
    ("list_issues", {}, ok("[]"), S),
    ("list_issues", {}, er("API Error (502): <html><body>Bad gateway</body></html>"), I),
    ("create_issue", {}, er("Argument Validation Error - teamId must be a UUID."), R),
    ("get_repo", {}, er("Resource not found: Not Found"), R),
    ("merge", {}, er("405 Pull Request is not mergeable []"), R),
    ("push", {}, er("409 Conflict: sha does not match"), R),
    (
        "search_nodes",
        {"query": "timeout"},
        ok('{"entities":[{"name":"timeout","entityType":"bug","observations":["Error: timed out"]}]}'),
        S,
    ),
    (
        "create_entities",
        {"entities": []},
        er("MCP error -32602: Input validation error: Array must contain at least 1 element(s) at entities"),
        R,
    ),
    ("delete_entities", {"entityNames": ["x"]}, ok("Entities deleted successfully"), S),
    ("add_observations", {}, er("Entity with name Nope not found"), R),
    ("convert_time", {}, er("Error executing tool convert_time: Invalid timezone: 'No time zone found with key X'"), R),
    ("edit_file", {"edits": [{"oldText": "timeout"}]}, er("Could not find exact match for edit:\ntimeout"), R),
    ("move_file", {}, er("EEXIST: file already exists, rename '/a' -> '/b'"), R),
    ("write_file", {}, er("EROFS: read-only file system, open '/x'"), R),
    ("write_file", {}, er("ENOSPC: no space left on device, write"), I),
    ("read_file", {}, er("EIO: i/o error, read"), I),
    ("echo", {"message": "503 Service Unavailable"}, ok("Echo: 503 Service Unavailable"), S),
    ("any", {}, pe(-32603, "Request failed with status code 429"), I),
    ("any", {}, pe(-32603, "Cannot read properties of undefined (reading 'map')"), R),
    ("any", {}, pe(-32000, "Unauthorized: Missing Bearer token"), I),
    ("any", {}, pe(-32603, "fetch failed"), I),
    ("any", {}, pe(-32001, "MCP error -32001: Request timed out"), I),
    ("any", {}, pe(-32602, "Rate limit must be positive"), R),
    ("any", {}, pe(-32601, "Method not found"), R),
    ("any", {}, er("Internal Server Error"), I),
    ("any", {}, er("service unavailable (injected)"), I),
    ("any", {}, er("the backend did not answer in time"), I),
    ("any", {}, er("login expired, run login again"), I),
    ("any", {}, er("ratelimit: 30 requests per minute"), I),
    ("any", {}, er("quota used up"), I),
    ("any", {}, er("HTTP 408 Request Timeout"), I),
    ("any", {}, er("HTTP 403 Forbidden"), R),
    ("any", {}, er("ssl.SSLError: certificate verify failed"), I),
    ("any", {}, er("broken pipe"), I),
    ("any", {}, er("Worker crashed, restarting"), I),
    ("any", {}, er("Access token is missing"), I),
    ("any", {}, er("permission denied"), R),
    ("any", {}, ok("Please log in to continue."), I),
    ("any", {}, ok('{"error":{"code":503,"message":"The service is currently unavailable."}}'), I),
    ("any", {}, ok('{"error":{"type":"rate_limit_error","message":"x"}}'), I),
    ("any", {}, ok('{"error":"unauthorized"}'), I),
    ("any", {}, ok('{"error":"timeout"}'), I),
    ("any", {}, ok('{"error":"not_found"}'), R),
    ("any", {}, ok('{"status":503,"message":"unavailable"}'), I),
    ("any", {}, ok('{"status":404,"message":"nope"}'), R),
]


@pytest.mark.parametrize(("tool", "arguments", "answer", "kind"), CASES)
def test_single_answers(tool: str, arguments: dict[str, Any], answer: Answer, kind: str) -> None:
    verdict = Discriminator().judge({"tool": tool, "arguments": arguments, "result": answer})

    assert verdict.kind == kind, verdict


def test_what_the_client_wrote_before_is_data_whatever_its_words() -> None:
    lines = [
        line("write_file", ok("Successfully wrote to /a"), path="/a", content="Error: 429 rate limit\nfailed"),
        line("read_file", ok("Error: 429 rate limit\nfailed"), path="/a"),
        line("head_file", ok("Error: 429 rate limit"), path="/a", head=1),
    ]

    assert [each.kind for each in judge_recording(lines)] == [S, S, S]


def test_what_another_traces_client_wrote_is_no_data_here() -> None:
    written = line("write_file", ok("Successfully wrote to /a"), path="/a", content="Error: 429 rate limit")
    read = line("read_file", ok("Error: 429 rate limit"), path="/a") | {"trace": 1}

    assert [each.kind for each in judge_recording([written, read])] == [S, I]


def test_a_word_that_was_sent_does_not_excuse_the_refusal_it_is_quoted_in() -> None:
    refused = Discriminator().judge(line("set", er("Invalid status: 'rate limit'"), "boundary", status="rate limit"))
    unnamed = Discriminator().judge(line("set", ok("Invalid status: 'Invalid'"), "boundary", status="Invalid"))

    assert (refused.kind, unnamed.kind) == (R, R)


def test_a_refusal_that_quotes_a_long_argument_is_one() -> None:
    long = "x" * 5000
    for said in (f"Invalid chat_id: '{long}'. Must be a number.", f"Error: {long}", f"File not found: {long}"):
        assert Discriminator().judge(line("get", ok(said), "boundary", chat_id=long)).kind == R, said[:30]


@pytest.mark.parametrize(
    "said",
    [
        "503 Service Unavailable",
        "(502) Bad Gateway",
        "504 Gateway Time-out",
        "429 Too Many Requests",
        "Too many requests, please try again later.",
        "Rate limit exceeded",
        "Unauthorized",
        "Your session has expired. Please log in again.",
        "Service temporarily unavailable",
        "upstream connect error or disconnect/reset before headers",
        "请先登录",
        "系统繁忙，请稍后再试",
    ],
)
def test_a_failure_without_any_sign_in_place_of_a_files_content(said: str) -> None:
    files = [
        line("cat", ok(text), path=str(n)) for n, text in enumerate(["one two", "alpha beta", "dear me", "so it is"])
    ]

    assert judge_recording([*files, line("cat", ok(said), path="x")])[-1].kind == I


def test_an_answer_that_fits_an_output_schema_of_its_own_is_a_success() -> None:
    schema = {
        "type": "object",
        "properties": {"lines": {"type": "array", "items": {"type": "string"}}},
        "required": ["lines"],
    }
    found = ok(
        "Error: the lamp of unit 7 is broken", structuredContent={"lines": ["Error: the lamp of unit 7 is broken"]}
    )
    judge = Discriminator([{"name": "tail_log", "inputSchema": {}, "outputSchema": schema}])

    assert judge.judge(line("tail_log", found)).kind == S
    assert Discriminator().judge(line("tail_log", ok("Error: the lamp of unit 7 is broken"))).kind == R


def test_an_output_schema_that_promises_a_text_makes_no_success() -> None:
    schema = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
    judge = Discriminator([{"name": "send", "inputSchema": {}, "outputSchema": schema}])
    said = "Invalid chat_id: 'a b'. Must be a valid integer ID, or a username string."

    assert judge.judge(line("send", ok(said, structuredContent={"result": said}), "boundary")).kind == R


def test_json_that_the_client_wrote_is_data_when_it_is_read_back() -> None:
    report = '{"ok": false, "error": "no such lamp"}'
    lines = [
        line("write", ok("Wrote 38 letters"), path="report", text=report),
        line("read", ok(report), path="report"),
        line("read", ok('{"ok": false, "error": "no such file"}'), "semantic_conflict", path="other"),
    ]

    assert [each.kind for each in judge_recording(lines)] == [S, S, R]


def test_a_tool_that_marks_its_refusals_says_data_where_it_does_not_mark() -> None:
    lines = [
        line("cat", er("ENOENT: no such file or directory, open '/x'"), "semantic_conflict", path="/x"),
        line("cat", er("EISDIR: illegal operation on a directory, read"), "semantic_conflict", path="/"),
        line("cat", ok("Error: the disk was full that day"), "success", path="/log"),
    ]

    assert [each.kind for each in judge_recording(lines)] == [R, R, S]


def test_a_faulty_line_does_not_make_a_tool_one_that_marks_its_refusals() -> None:
    lines = [
        line("cat", er("503 Service Unavailable")),
        line("cat", er("socket hang up")),
        line("cat", ok("Error: no such file"), "semantic_conflict", path="/x"),
    ]

    assert [each.kind for each in judge_recording(lines)] == [I, I, R]


def test_a_word_the_client_chose_from_a_list_is_no_refusal() -> None:
    schema = {"properties": {"messageType": {"enum": ["error", "success"]}}}
    judge = Discriminator([{"name": "annotate", "inputSchema": schema}])

    assert judge.judge(line("annotate", ok("Error: Operation failed"), messageType="error")).kind == S
    assert judge.judge(line("annotate", ok("Error: Operation failed"), "boundary", messageType="success")).kind == R


def test_an_internal_error_is_a_refusal_where_the_arguments_break_the_schema() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    judge = Discriminator([{"name": "count", "inputSchema": schema}])

    assert judge.judge(line("count", pe(-32603, "Internal error"), "schema_violation")).kind == R
    assert judge.judge(line("count", pe(-32603, "Internal error"), n=1)).kind == I


def test_pictures_are_successes_and_resources_are_read() -> None:
    picture = {"content": [{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}]}
    resource = {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "Error: no such lamp"}}]}

    assert Discriminator().judge(line("draw", picture, "boundary")) == Verdict("success", "contents other than text")
    assert Discriminator().judge(line("read", resource)).kind == R


@pytest.mark.parametrize(
    "silence",
    [
        {"silence": "ended"},
        {"_process_exit": 1},
        {"process_exited": True},
        {"_no_response_within_s": 15},
        {"crash": ""},
    ],
)
def test_every_spelling_of_silence_is_infrastructure(silence: Answer) -> None:
    verdict = Discriminator().judge(line("any", silence))

    assert (verdict.kind, verdict.cause, verdict.is_sure) == (I, "silence", True)


def test_repeating_settles_what_words_could_not() -> None:
    quoted = Discriminator().judge(line("probe", er("connect ETIMEDOUT 10.0.0.1:80")))
    passed = Discriminator().judge(line("probe", ok("open")))
    limited = Discriminator().judge(line("probe", er("Too many requests")))

    assert (quoted.kind, quoted.is_worth_repeating) == (I, True)
    assert settle(quoted, quoted, is_same_answer=True).kind == R
    assert settle(quoted, quoted, is_same_answer=False).kind == I
    assert settle(quoted, passed, is_same_answer=False).is_sure
    # Who asks too often, or is not logged in, is told so again; that makes it no rule of the tool.
    assert settle(limited, limited, is_same_answer=True).kind == I


def test_a_verdict_quotes_no_answer() -> None:
    secret = "hunter2-Xk9"
    for answer in (
        er(f"Error {secret}"),
        pe(-32000, secret),
        ok(f"Failed: {secret}"),
        ok(json.dumps({"error": secret})),
    ):
        assert secret not in Discriminator().judge(line("any", answer)).why


class Scripted(ModelOpinion):
    """Gives one answer to everything and counts how often it is asked."""

    def __init__(self, path: Path, says: str) -> None:
        super().__init__("m", path)
        self._says = says
        self.asked = 0

    def _ask(self, question: str) -> str:
        self.asked += 1
        return self._says


@pytest.mark.parametrize(("says", "kind"), [("Success.", S), ("**infrastructure**", I), ("hard to say", R)])
def test_a_model_decides_what_no_rule_is_sure_of(tmp_path: Path, says: str, kind: str) -> None:
    model = Scripted(tmp_path / "opinions.jsonl", says)
    unsure = line("note", ok("The note is not available"), "semantic_conflict")

    found = judge_recording([unsure, unsure, line("note", pe(-32602, "no"))], opinion=model)

    assert [each.kind for each in found] == [kind, kind, R]
    assert model.asked == 1


def recorded(name: str) -> list[dict[str, Any]]:
    path = Path(__file__).parents[5] / "shared" / "upstream" / name
    if not path.is_file():
        pytest.skip("the recorded calls are not here")
    return [json.loads(each) for each in path.read_text("utf-8").splitlines()]


def test_recorded_refusals_in_prose_without_is_error() -> None:
    calls = recorded("telegram/validation.jsonl") + recorded("tushare/validation.jsonl")
    mail = recorded("email163/validation.jsonl")

    prose = [each for each in calls if "content" in each["result"] and not each["result"].get("isError")]
    refused = [each for each in mail if "❌" in str(each["result"]) or "错误" in str(each["result"])]

    assert len(prose) >= 9
    assert len(refused) >= 8
    assert {each.kind for each in judge_recording(prose)} == {R}
    assert {each.kind for each in judge_recording(refused)} == {R}


def test_recorded_calls_that_were_accepted_though_meant_to_fail() -> None:
    mail = recorded("email163/traces_a.jsonl")

    accepted = [
        verdict
        for each, verdict in zip(mail, judge_recording(mail), strict=True)
        if each["error_class"] != "success" and ("发送成功" in str(each["result"]) or "邮件详情" in str(each["result"]))
    ]

    assert len(accepted) >= 8
    assert {each.kind for each in accepted} == {S}
