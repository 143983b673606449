"""Queries that are compiled to SQL once, for frequent reads: sessions, people, tables and their matches.

Django takes five to ten times as long to compile such a query as the database takes to answer it, with the same result
each time. A query is written as any other; the key is the one value that differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet

from cardsite.private_api.django import Select, select, where

M = TypeVar("M", bound=Model)
Key = int | str
NO_NUMBER = -1  # examples of keys that no row has
NO_CODE = "?"


class _Made(NamedTuple):
    """The SQL that Django compiled for a query, and the positions of the key among its parameters."""

    select: Select
    key_at: list[int]  # among the parameters


class Prepared(Generic[M]):
    """The rows of a model for a key. ``ask`` returns the query for a key; ``example`` is a key that no row has.

    The query may use ``select_related`` and an order, but nothing that takes a second query.
    """

    def __init__(self, ask: Callable[[Any], QuerySet[M]], example: Key) -> None:
        self._ask = ask
        self._example = example
        self._made: _Made | None = None

    def all(self, key: Key) -> list[M]:
        """Return the rows, in the order of the query."""
        made = self._made
        if made is None:
            made = self._made = self._make()
        parameters = made.select.parameters.copy()
        for index in made.key_at:
            parameters[index] = key
        with connection.cursor() as cursor:
            cursor.execute(made.select.sql, parameters)
            rows = cursor.fetchall()
        return [self._instance(made.select, list(row)) for row in rows]

    def first(self, key: Key) -> M | None:
        """Return the first row, None where there is none."""
        rows = self.all(key)
        return rows[0] if rows else None

    def _make(self) -> _Made:
        query = select(self._ask(self._example))
        key_at = [index for index, value in enumerate(query.parameters) if value == self._example]
        if not key_at:
            raise ValueError(f"The key is no parameter of {query.sql}")
        return _Made(query, key_at)

    @staticmethod
    def _instance(made: Select, row: list[Any]) -> Any:
        for index, convert, column in made.converters:
            for step in convert:
                row[index] = step(row[index], column, connection)
        instance = made.model.from_db(DEFAULT_DB_ALIAS, made.names, row[made.columns])
        for other in made.related:
            other.populate(row, instance)
        return instance


class PreparedUpdate:
    """An UPDATE of some fields of the rows that ``ask`` finds for a key: see ``Prepared``. Only for services."""

    def __init__(self, ask: Callable[[Any], QuerySet[Any]], example: Key, *fields: str) -> None:
        self._ask = ask
        self._example = example
        self._names = fields
        self._made: tuple[str, list[Any], list[Any]] | None = None  # SQL, fields, parameters that say which rows

    def rewrite(self, key: Key, *values: Any) -> int:
        """Write a value for each field (the primary key for a relation). Return the number of rows changed."""
        made = self._made
        if made is None:
            made = self._made = self._make()
        sql, fields, which = made
        new = [field.get_db_prep_save(value, connection) for field, value in zip(fields, values, strict=True)]
        with connection.cursor() as cursor:
            cursor.execute(sql, [*new, *(key if value == self._example else value for value in which)])
            return int(cursor.rowcount)

    def _make(self) -> tuple[str, list[Any], list[Any]]:
        query = self._ask(self._example)
        condition, which = where(query)
        if self._example not in which:
            raise ValueError(f"The key is no parameter of {condition}")
        fields: list[Any] = [query.model._meta.get_field(name) for name in self._names]
        quote = connection.ops.quote_name
        columns = ", ".join(f"{quote(field.column)} = %s" for field in fields)
        return f"UPDATE {quote(query.model._meta.db_table)} SET {columns} WHERE {condition}", fields, which  # noqa: S608
