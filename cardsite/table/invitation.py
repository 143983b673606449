"""The address by which friends reach a table or another page, for links and QR codes."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse


def address_for_friends(request: HttpRequest, code: str) -> str:
    """Return the address of a table for other people: see ``address_of_page``."""
    return address_of_page(request, reverse("table:page", args=[code]))


def address_of_page(request: HttpRequest, here: str) -> str:
    """Return the whole address of a page. If the site was opened by an address of this machine only, use the LAN's."""
    if settings.LAN_ADDRESS and _is_loopback(request):
        return settings.LAN_ADDRESS + here
    return request.build_absolute_uri(here)


def is_unreachable(request: HttpRequest) -> bool:
    """Return whether other devices cannot open the site by the address of the request, or by any other."""
    return _is_loopback(request) and not settings.LAN_ADDRESS


def _is_loopback(request: HttpRequest) -> bool:
    name = split_domain_port(request.get_host())[0].strip("[]")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
