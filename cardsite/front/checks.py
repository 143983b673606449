"""Checks of the settings, in Django's framework: ``manage.py check --deploy`` runs them, and ``manage.py doctor``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

from cardsite.database import IS_SQLITE

RENAMED = {"STAGE_PACE": "REVEAL_PACE"}  # variables that earlier versions read


@register()
def check_names(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:
    """Return a warning for each environment variable that has another name now."""
    return [
        Warning(f"{old} is not read any more.", hint=f"Call it {new}.", id="hamsterdam.W007")
        for old, new in RENAMED.items()
        if old in os.environ
    ]


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:
    """Return what is wrong with the settings of a site that others reach over HTTPS."""
    found: list[CheckMessage] = []
    if not any(is_public(host) for host in settings.ALLOWED_HOSTS):
        found.append(
            Warning(
                "ALLOWED_HOSTS has no name by which others reach this site.",
                hint="Set ALLOWED_HOSTS to the name in the site's address, for example cards.example.",
                id="hamsterdam.W001",
            )
        )
    if "*" in settings.ALLOWED_HOSTS:
        found.append(
            Warning(
                "ALLOWED_HOSTS allows every name, so pages of any site may open sockets here.",
                hint="Set ALLOWED_HOSTS to the names of this site.",
                id="hamsterdam.W002",
            )
        )
    if not settings.SECURE_PROXY_SSL_HEADER:
        found.append(
            Warning(
                "The site requires HTTPS, but BEHIND_PROXY is off.",
                hint="Set BEHIND_PROXY=1 if a proxy terminates TLS. Without it, every page redirects to itself.",
                id="hamsterdam.W003",
            )
        )
    if not settings.RATE_LIMITS:
        found.append(
            Warning(
                "RATE_LIMITS is off: one visitor can use all of this machine.",
                hint="Remove RATE_LIMITS from the settings.",
                id="hamsterdam.W004",
            )
        )
    if settings.REDIS_URL and IS_SQLITE:
        found.append(
            Warning(
                "REDIS_URL is set, but the database is SQLite, which only one process may use.",
                hint="Set DATABASE_URL to a PostgreSQL database, or remove REDIS_URL and run one process.",
                id="hamsterdam.W005",
            )
        )
    return found


@register(Tags.security)
def check_local(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:
    """Return a warning for a site that uses plain HTTP under a public name."""
    public = [host for host in settings.ALLOWED_HOSTS if is_public(host)]
    if not (settings.LOCAL and public):
        return []
    return [
        Warning(
            f"HAMSTERDAM_LOCAL or DEBUG is on, but ALLOWED_HOSTS has {public[0]}: passwords travel unencrypted.",
            hint="Remove HAMSTERDAM_LOCAL and DEBUG, and use HTTPS. For a home network, use serve --lan.",
            id="hamsterdam.W006",
        )
    ]


def is_public(host: str) -> bool:
    """Return whether a value of ALLOWED_HOSTS is a name or an address of the internet."""
    name = host.strip().strip("[]").lstrip(".").lower()
    try:
        return ip_address(name).is_global
    except ValueError:
        return "." in name and not name.endswith((".localhost", ".local", ".lan", ".internal", ".test"))
