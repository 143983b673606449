"""The rule for every door: whatever writes is counted, and whatever takes a password twice over.

``Doors`` is a middleware, so a page that is added later is limited without doing anything for it. Pages that compute
for their visitor do so under ``charged``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from cardsite import costs
from cardsite.limits import account, address, require_allowance, spend_now
from cardsite.people.backroom import is_administrator
from cardsite.people.models import Person
from cardsite.people.services import person_of_request, tell_logged_out
from cardsite.refusal import Refused

# The pages with a field for a password, or for the code of a second factor. A test finds them by their fields.
PASSWORD_DOORS = frozenset(
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
WRITES = {"press": "write", "bench": "benches"}  # by what a person is limited, and an address
READING = ("GET", "HEAD", "OPTIONS", "TRACE")
BUSY = "busy"  # attribute of a request that comes when too many passwords wait to be checked

Page = Callable[[HttpRequest], HttpResponseBase]


def takes_password(request: HttpRequest) -> bool:
    """Whether answering this request may mean to hash a password."""
    if request.method in READING:
        return False
    try:
        return resolve(request.path_info).view_name in PASSWORD_DOORS
    except Resolver404:
        return False


class Doors:
    """Middleware that refuses a request which writes too often, before its page is asked."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._page(request)
        tell_logged_out(request)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Count a request that writes. Return the refusal, None when it may go on.

        A page that is asked more often than buttons are pressed names a limit of its own as ``pressed_as``.
        """
        if request.method in READING:
            return None
        try:
            _count(request, getattr(view, "pressed_as", "press"))
        except Refused as refusal:
            return _refuse(request, view, refusal)
        return None


def _count(request: HttpRequest, press: str) -> None:
    if hasattr(request, BUSY):
        raise Refused("busy", _("Many people are logging in at this moment. Wait a few seconds, then try again."))
    spend_now(WRITES.get(press, "write"), request)
    door = request.resolver_match.view_name if request.resolver_match else ""
    if door in PASSWORD_DOORS:
        spend_now("login", request)
        if door == "people:register":
            spend_now("register", request)
        else:
            spend_now("account", request, account(request.POST.get("username") or request.user.get_username()))
    elif person := person_of_request(request):
        spend_now(press, request, f"person {person.pk}")


def _refuse(request: HttpRequest, view: Callable[..., HttpResponseBase], refusal: Refused) -> HttpResponse:
    if getattr(view, "answers_json", False):
        return refusal.in_json()
    return refusal.on_a_page(request)


# -- CPU time


def payers(request: HttpRequest) -> tuple[str, ...]:
    """Return to whom the cost of a request is booked: who asks, if they have a name, and their address."""
    person = person_of_request(request)
    return costs.payers(person.pk if person else None, address(request))


def require_cpu(request: HttpRequest) -> None:
    """Raise Refused if who asks, or their address, has used up their CPU time. Administrators never have."""
    if not is_administrator(request.user):
        require_allowance("asked", payers(request))


@contextmanager
def charged(request: HttpRequest, kind: costs.Kind, table: str = "") -> Iterator[None]:
    """Book the CPU time of what is done in here to who asks. Raises Refused if they have used up theirs."""
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
