"""The calls made to the real Context7 and to ours: successes, what the API refuses, and arguments that do not fit."""

from __future__ import annotations

from tests.upstream.real import call

_NAMES = (
    "React", "Next.js", "nextjs", "vue", "Nuxt", "k8s", "postgres", "kotlinx.serialization", "Gson", "logrotate",
    "MCUboot", "spring boot", "FastAPI 中文", "no such library at all", "", "  ", "React Native", "e",
)  # fmt: skip
_DOCS = (
    ("/reactjs/react.dev", "React useEffect cleanup function examples"),
    ("/reactjs/react.dev/v18.3.1", "submit a form with an action"),
    ("/vercel/next.js", "redirect visitors before a page is drawn"),
    ("/vercel/next.js/v15.5.6", "redirect visitors before a page is drawn"),
    ("/vercel/next.js@v15.5.6", "middleware"),
    ("/vercel/next.js/v14.3.0-canary.87", "middleware"),
    ("/kotlin/kotlinx.serialization", "How to write null values to JSON?"),
    ("/google/gson", "write null fields"),
    ("/espressif/esp-idf", "time zone of Shanghai"),
    ("/eclipse-mosquitto/mosquitto", "access by topic"),
    ("/logrotate/logrotate", "rotate at 200 MB"),
    ("/postgres/postgres", "zzz"),
    ("/pandas-dev/pandas", ""),
    ("/example-mirror/fastapi-zh", "跨域"),
    ("/mcu-tools/mcuboot", "swap"),
    ("/facebook/react", "hooks"),
    ("/example-mirror/withdrawn", "anything"),
    ("react", "hooks"),
    ("reactjs/react.dev", "hooks"),
    ("/reactjs/react.dev/v17", "hooks"),
    ("/nobody/nothing", "hooks"),
    ("", "hooks"),
)
_ODD = (None, 42, 1.5, True, ["React"], {"name": "React"})
_UNKNOWN = ("get_library_docs", "Query-Docs", "", "toString", "resolve_library_id", "search", "query-docs ")

LATEST = [
    *(call("resolve-library-id", query="hooks and state", libraryName=name) for name in _NAMES),
    *(call("query-docs", libraryId=library_id, query=query) for library_id, query in _DOCS),
    call("resolve-library-id", userQuery="hooks", libraryName="Vue"),
    call("resolve-library-id", question="hooks", userQuery="routing", libraryName="Vue", tokens=5000),
    call("query-docs", libraryName="/vuejs/docs", question="computed"),
    call("query-docs", context7CompatibleLibraryID="/vuejs/docs", libraryID="/nuxt/nuxt", query="watch"),
    call("query-docs", libraryId="/vuejs/docs", libraryName="/nuxt/nuxt", userQuery="watch"),
    call("resolve-library-id"),
    call("resolve-library-id", query="hooks"),
    call("resolve-library-id", libraryName="React"),
    *(call("resolve-library-id", query=odd, libraryName="React") for odd in _ODD),
    *(call("resolve-library-id", query="hooks", libraryName=odd) for odd in _ODD),
    call("query-docs"),
    call("query-docs", libraryId="/vuejs/docs"),
    call("query-docs", query="watch"),
    *(call("query-docs", libraryId=odd, query="hooks") for odd in _ODD),
    *(call("query-docs", libraryName=odd, question=odd) for odd in _ODD),
    *(call(name, query="hooks", libraryName="React") for name in _UNKNOWN),
    ("resolve-library-id", None),
    ("query-docs", ["/vuejs/docs"]),
]

OLDER = [
    *(call("resolve-library-id", libraryName=name) for name in _NAMES),
    *(call("get-library-docs", context7CompatibleLibraryID=library_id, topic=topic) for library_id, topic in _DOCS),
    call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs"),
    call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", mode="info"),
    call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", mode="info", topic="options", page=1),
    call("get-library-docs", context7CompatibleLibraryID="/example-mirror/fastapi-zh", mode="info"),
    call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", page=2),
    call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs/", page=10.0),
    *(
        call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", page=page)
        for page in (0, 11, 1.5, "2", None)
    ),
    *(call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", mode=mode) for mode in ("all", None, 1, "")),
    *(call("get-library-docs", context7CompatibleLibraryID=odd, topic="hooks") for odd in _ODD),
    *(call("get-library-docs", context7CompatibleLibraryID="/vuejs/docs", topic=odd) for odd in _ODD[:3]),
    *(call("resolve-library-id", libraryName=odd) for odd in _ODD),
    call("get-library-docs"),
    call("get-library-docs", context7CompatibleLibraryID=1, mode="x", page=99),
    call("resolve-library-id", query="hooks"),
    call("resolve-library-id", query="hooks", libraryName="Vue"),
    *(call(name, libraryName="React") for name in _UNKNOWN),
    ("resolve-library-id", None),
]
