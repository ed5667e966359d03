"""The server's cache: lookups are kept, also of nothing, and a repeated one says how old its answer is."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from farm.appkit import Episode, Result, compact_json
from farm.appkit.formats.javascript import js_length, js_number_text
from farm.appkit.formats.times import js_iso

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS
_ENTRIES_MAX = 1_000
_ENTRY_BYTES = 200  # what an entry is taken to weigh beside its data
# How long the answers of a source are kept.
LIFETIMES_MS = {
    "FDA": _DAY_MS,
    "PediatricDrugs": _DAY_MS,
    "PubMed": _HOUR_MS,
    "PediatricJournals": _HOUR_MS,
    "GoogleScholar": _HOUR_MS,
    "MedicalDatabases": _HOUR_MS,
    "MedicalJournals": _HOUR_MS,
    "WHO": 7 * _DAY_MS,
    "ChildHealth": 7 * _DAY_MS,
    "ClinicalGuidelines": 7 * _DAY_MS,
    "AAPPolicy": 7 * _DAY_MS,
    "AAPGuidelines": 7 * _DAY_MS,
    "RxNorm": 30 * _DAY_MS,
    "BrightFutures": 30 * _DAY_MS,
}


def look_up(ep: Episode, source: str, find: Callable[[], Any], **asked: Any) -> tuple[Any, str]:
    """Return what a lookup finds and the line that its answer ends in; the lookup is counted and kept.

    What is looked up never changes, so only that it was, when, and how large it is, is stored.
    """
    found = find()
    key = f"{source}:{sha256(compact_json(asked).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    ep.db.execute("DELETE FROM cache_entries WHERE expires_ms < ?", ep.now_ms)
    made_ms = ep.db.scalar("SELECT made_ms FROM cache_entries WHERE key = ?", key)
    _count(ep, is_hit=made_ms is not None)
    if made_ms is not None:
        ep.db.update("cache_entries", {"key": key}, accessed_ms=ep.now_ms)
        return found, f"\n\n*📦 Cached ({(ep.now_ms - made_ms) // 1000}s old)*"
    _evict_oldest(ep)
    ep.db.insert(
        "cache_entries",
        key=key,
        size_bytes=js_length(compact_json(found)) + _ENTRY_BYTES,
        made_ms=ep.now_ms,
        expires_ms=ep.now_ms + LIFETIMES_MS[source],
        accessed_ms=ep.now_ms,
    )
    return found, "\n\n*🔄 Fresh API response*"


def _count(ep: Episode, *, is_hit: bool) -> None:
    ep.db.execute(
        "INSERT INTO cache_counts (id, hits, misses) VALUES (1, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET hits = hits + excluded.hits, misses = misses + excluded.misses",
        int(is_hit),
        int(not is_hit),
    )


def _evict_oldest(ep: Episode) -> None:
    """Drop the tenth that was asked for longest ago when the cache is full."""
    count = ep.db.scalar("SELECT count(*) FROM cache_entries")
    if count >= _ENTRIES_MAX:
        oldest = "SELECT key FROM cache_entries ORDER BY accessed_ms, rowid LIMIT ?"
        ep.db.execute(f"DELETE FROM cache_entries WHERE key IN ({oldest})", -(-count // 10))


def get_cache_stats(ep: Episode) -> Result:
    """Return how many lookups were kept and how many of them were asked for again."""
    kept = ep.db.one(
        "SELECT count(*) AS entries, coalesce(sum(size_bytes), 0) AS size_bytes, min(made_ms) AS oldest_ms, "
        "max(made_ms) AS newest_ms FROM cache_entries WHERE expires_ms >= ?",
        ep.now_ms,
    )
    counts = ep.db.one("SELECT hits, misses FROM cache_counts") or {"hits": 0, "misses": 0}
    assert kept is not None, "a count without a row"
    asked = counts["hits"] + counts["misses"]
    text = (
        f"**Cache Statistics**\n\nTotal Entries: {kept['entries']}\n"
        f"Cache Hits: {counts['hits']}\nCache Misses: {counts['misses']}\n"
        f"Hit Rate: {_percent(counts['hits'], asked)}%\nMiss Rate: {_percent(counts['misses'], asked)}%\n"
        f"Memory Usage (estimate): {kept['size_bytes'] / 1024 / 1024:.2f} MB\n"
    )
    if kept["entries"]:
        text += f"Oldest Entry: {js_iso(kept['oldest_ms'])}\nNewest Entry: {js_iso(kept['newest_ms'])}\n"
    return text


def _percent(part: int, total: int) -> str:
    # As Math.round does: halves go up.
    return js_number_text(int(part / total * 100 * 100 + 0.5) / 100) if total else "0"
