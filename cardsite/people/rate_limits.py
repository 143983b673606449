"""Rate limits of pages: requests that write are counted, and those with a password by further limits.

``RateLimits`` is a middleware, so a new page is limited without any code of its own. Pages that compute for their
visitor do so inside ``charged``. The limits themselves stand in ``cardsite/limits.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from cardsite import costs
from cardsite.limits import account, address, require_allowance, spend_now
from cardsite.people.admin_site import is_administrator
from cardsite.people.models import Person
from cardsite.people.services import notify_logged_out, person_of_request
from cardsite.refusal import Refused

# The pages with a field for a password, or for the code of a second factor. A test finds them by their fields.
PASSWORD_PAGES = frozenset(
    {
        "people:login",
        "people:register",
        "admin:login",
        "admin:password_change",
        "admin:second_factor",
        "admin:auth_user_add",
        "admin:auth_user_password_change",
    }
)
WRITES = {"press": "write", "editor": "editors"}  # the limit of a person, and the one of their address
READING = ("GET", "HEAD", "OPTIONS", "TRACE")

Page = Callable[[HttpRequest], HttpResponseBase]


def takes_password(request: HttpRequest) -> bool:
    """Return whether answering this request may require hashing a password."""
    if request.method in READING:
        return False
    try:
        return resolve(request.path_info).view_name in PASSWORD_PAGES
    except Resolver404:
        return False


class RateLimits:
    """Middleware that refuses requests of a visitor who writes too often, before the page is called."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._page(request)
        notify_logged_out(request)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Count a request that writes. Return the refusal, None when it is allowed.

        A page that scripts request more often than people press buttons names its own limit as ``pressed_as``.
        """
        if request.method in READING:
            return None
        try:
            _count(request, getattr(view, "pressed_as", "press"))
        except Refused as refusal:
            return _refuse(request, view, refusal)
        return None


def _count(request: HttpRequest, press: str) -> None:
    spend_now(WRITES.get(press, "write"), request)
    page = request.resolver_match.view_name if request.resolver_match else ""
    if page in PASSWORD_PAGES:
        spend_now("login", request)
        if page == "people:register":
            spend_now("register", request)
        else:
            spend_now("account", request, account(request.POST.get("username") or request.user.get_username()))
    elif person := person_of_request(request):
        spend_now(press, request, f"person {person.pk}")


def _refuse(request: HttpRequest, view: Callable[..., HttpResponseBase], refusal: Refused) -> HttpResponse:
    if getattr(view, "answers_json", False):
        return refusal.in_json()
    return refusal.on_a_page()


# -- CPU time


def payers(request: HttpRequest) -> tuple[str, ...]:
    """Return to whom the cost of a request is booked: its person, if there is one, and its address."""
    person = person_of_request(request)
    return costs.payers(person.pk if person else None, address(request))


def require_cpu(request: HttpRequest) -> None:
    """Raise Refused if the visitor or their address has used up their CPU time. Administrators are not limited."""
    if not is_administrator(request.user):
        require_allowance("asked", payers(request))


@contextmanager
def charged(request: HttpRequest, kind: costs.CostKind, table: str = "") -> Iterator[None]:
    """Book the CPU time of the block to the visitor. Raises Refused if they have used up theirs."""
    require_cpu(request)
    with costs.charged(kind, payers(request), table):
        yield


def require_cpu_for_match(request: HttpRequest, person: Person) -> None:
    """Raise Refused if matches of a person, or of people at their address, have used up the CPU time for matches."""
    if not is_administrator(request.user):
        require_allowance("match", costs.payers(person.pk, address(request)))


def spend_table(request: HttpRequest, person: Person) -> None:
    """Count one more table that a person opens. Raises Refused, also when they may begin no match."""
    spend_now("table", request, f"person {person.pk}")
    require_cpu_for_match(request, person)
