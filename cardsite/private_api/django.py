"""Undocumented parts of Django: how a query becomes SQL, and a few methods to override."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.exceptions import BadRequest
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.db.models import query as queries
from django.db.models.sql.compiler import SQLCompiler
from django.forms.models import BaseModelForm
from django.http import HttpRequest
from django.http.request import MediaType
from django.utils.functional import cached_property

from cardsite.private_api import PrivateUse, Release

RELEASE = Release("Django", "5.2")
USES = (
    PrivateUse(
        HttpRequest,
        ("_load_post_and_files", "_mark_post_parse_error", "accepted_types"),
        "overridden: an invalid form or header must not count as a server error",
    ),
    PrivateUse(
        SessionBase,
        ("_validate_session_key", "_session_key"),
        "overridden and set: a key that the site cannot have created is never looked up",
    ),
    PrivateUse(SessionStore, ("_get_session_from_db",), "overridden: a session is read by a prepared query"),
    PrivateUse(BaseModelForm, ("_post_clean",), "overridden: whether a user name is taken is checked last"),
    PrivateUse(
        SQLCompiler,
        ("as_sql", "pre_sql_setup", "compile", "get_converters", "select", "klass_info"),
        "SQL, columns and converters of a query, compiled once (cardsite/prepared.py)",
    ),
    PrivateUse(queries, ("get_related_populators",), "creates the objects of select_related from a row"),
    PrivateUse(
        ASGIHandler,
        (
            "handle",
            "load_middleware",
            "create_request",
            "run_get_response",
            "get_response",
            "get_response_async",
            "send_response",
            "request_class",
        ),
        "overridden and called (cardsite/asgi.py): a page is computed in one of our threads",
    ),
    PrivateUse(
        ManifestStaticFilesStorage,
        ("post_process", "hashed_files", "stored_name", "support_js_module_import_aggregation"),
        "overridden and read (cardsite/packing/storage.py): bundles replace their sources",
    ),
)


class CheckedRequest(ASGIRequest):
    """A request with invalid headers or an invalid form causes no server error.

    An invalid ``Accept`` header accepts everything. An invalid form raises BadRequest, whatever Django raises.
    """

    @cached_property
    def accepted_types(self) -> list[MediaType]:
        """The media types of ``Accept``, preferred ones first."""
        try:
            return super().accepted_types
        except ValueError:  # from Django's parsing of parameters (RFC 2231)
            return [MediaType("*/*")]

    def _load_post_and_files(self) -> None:
        try:
            super()._load_post_and_files()
        except (LookupError, ValueError) as error:
            self._mark_post_parse_error()  # type: ignore[attr-defined]
            raise BadRequest("The form cannot be parsed.") from error


class CheckedSessionStore(SessionStore):
    """Django's sessions in the database. A subclass decides which keys are possible, and how sessions are found."""

    def is_key(self, key: str) -> bool:
        """Return whether a session may have this key."""
        raise NotImplementedError

    def find(self, key: str) -> AbstractBaseSession | None:
        """Return the stored session with this key, None if there is none or it has expired."""
        raise NotImplementedError

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and self.is_key(str(key))

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        session = self.find(self.session_key) if self.session_key else None
        if session is None:
            self._session_key = None  # as Django does, so that a new session can be created
        return session


class LateChecks:
    """A mixin for model forms: a check after all of Django's."""

    def check_at_the_end(self) -> None:
        """Add errors to those that Django has found. Always called."""
        raise NotImplementedError

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        self.check_at_the_end()


class Select(NamedTuple):
    """A SELECT as compiled by Django."""

    sql: str
    parameters: list[Any]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]  # by column: convert values of the database to Python
    model: Any
    names: list[str]
    columns: slice  # of the model itself; the others belong to related models
    related: list[Any]  # each with a method ``populate(row, instance)``


def select(query: QuerySet[Any]) -> Select:
    """Return a query as compiled by Django. It may use ``select_related`` and an order."""
    populators: Any = queries.get_related_populators  # the type stubs are for another version
    compiler = query.query.get_compiler(DEFAULT_DB_ALIAS)
    sql, parameters = compiler.as_sql()
    fields = compiler.klass_info["select_fields"]
    columns = slice(fields[0], fields[-1] + 1)
    converters = compiler.get_converters([column[0] for column in compiler.select])
    return Select(
        sql,
        list(parameters),
        [(index, list(convert), column) for index, (convert, column) in converters.items()],
        query.model,
        [column[0].target.attname for column in compiler.select[columns]],
        columns,
        populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS),
    )


def where(query: QuerySet[Any]) -> tuple[str, list[Any]]:
    """Return the condition of a query as SQL, and its parameters."""
    compiler = query.query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.pre_sql_setup()
    sql, parameters = compiler.compile(query.query.where)
    return sql, list(parameters)
