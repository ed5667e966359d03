"""A client's own SQLite database, kept as a text between calls."""

from __future__ import annotations

import pytest

from farm.appkit.formats.sqlite import ClientDatabase, Executed, SqlError


def test_a_database_is_restored_from_its_text() -> None:
    database = ClientDatabase()
    database.run("CREATE TABLE city (name TEXT, size REAL)")
    assert database.run("INSERT INTO city VALUES (?, ?), ('Lund', NULL)", ("Oslo", 0.7)).rowcount == 2

    restored = ClientDatabase(database.dump())

    assert restored.run("SELECT * FROM city") == Executed(("name", "size"), (("Oslo", 0.7), ("Lund", None)), -1)


def test_equal_statements_give_equal_texts() -> None:
    texts = set()
    for _ in range(2):
        database = ClientDatabase()
        database.run("CREATE TABLE a (x)")
        texts.add(database.dump())

    assert len(texts) == 1


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELEC 1", 'near "SELEC": syntax error'),
        ("SELECT 1; SELECT 2", "You can only execute one statement at a time."),
        ("SELECT * FROM nowhere", "no such table: nowhere"),
        ("ATTACH '/tmp/other.db' AS other", "not authorized"),
        ("VACUUM INTO '/tmp/other.db'", "authorization denied"),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c", "interrupted"),
    ],
)
def test_what_sqlite_rejects_is_told_in_its_words(sql: str, why: str) -> None:
    with pytest.raises(SqlError) as rejected:
        ClientDatabase().run(sql)

    assert str(rejected.value) == why
