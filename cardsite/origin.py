"""Which pages may open WebSockets: those of this site, by the rule that Django has for forms.

A browser sends its cookies with every handshake, and names the page that asked for it in ``Origin``. An origin is
scheme, host and port: a page at another port of the same machine is another site.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

PORTS = {"http": "80", "https": "443"}
Address = tuple[str, str]  # host and port


def is_ours(headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether a handshake comes from a page of this site or of a trusted origin.

    A page of this site has the host and port that the handshake names in ``Host``. The scheme is compared where it is
    known: a site that redirects to HTTPS has no page in plain HTTP. Elsewhere only the proxy knows the scheme.
    """
    origins = [value.decode("latin-1") for name, value in headers if name == b"origin"]
    hosts = [value.decode("latin-1") for name, value in headers if name == b"host"]
    if len(origins) != 1 or len(hosts) != 1:
        return False
    try:
        origin = urlsplit(origins[0])
        here = _address(origin.netloc, origin.scheme)
    except ValueError:  # brackets without an address in them
        return False
    if origin.scheme not in PORTS or origin.path or origin.query or origin.fragment:
        return False
    if any(_trusts(urlsplit(trusted), origin, here) for trusted in settings.CSRF_TRUSTED_ORIGINS):
        return True
    if settings.SECURE_SSL_REDIRECT and origin.scheme != "https":
        return False
    domain, _port = split_domain_port(hosts[0])
    return bool(here) and here == _address(hosts[0], origin.scheme) and validate_host(domain, settings.ALLOWED_HOSTS)


def _address(netloc: str, scheme: str) -> Address | None:
    """Return host and port (by default the scheme's own), None for an invalid address."""
    domain, port = split_domain_port(netloc)
    return (domain, port or PORTS.get(scheme, "")) if domain else None


def _trusts(trusted: SplitResult, origin: SplitResult, here: Address | None) -> bool:
    """Return whether an entry of CSRF_TRUSTED_ORIGINS, such as ``https://*.cards.example``, matches this origin."""
    there = _address(trusted.netloc.replace("*", "", 1), trusted.scheme)
    if not (here and there) or trusted.scheme != origin.scheme or there[1] != here[1]:
        return False
    return validate_host(here[0], [there[0]])
