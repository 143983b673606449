"""Compression of pages and data, to about a quarter of their size.

An attacker who sees the length of responses, and can make a browser request them repeatedly with chosen words, can
guess secrets in them, because repeated words compress well (BREACH). So responses with long-lived secrets are not
compressed: the administrators' pages (the key of a second factor, recovery codes) and, to be safe, responses to forms.
JSON for scripts is compressed even in response to a POST: such a request needs the CSRF token, which other sites do not
know. Other secrets are safe: the CSRF token of a form is masked differently in each response, an API token is shown
once, and cards are sent over the WebSocket. Django also pads each response with up to a hundred random bytes, and
browsers do not send our cookies (SameSite) with requests that other sites make in the background.
"""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = re.compile(r"text/(?:html|css|plain|csv|javascript)|application/(?:manifest\+)?json|image/svg\+xml")
UNCOMPRESSED_APPS = frozenset({"admin", "backroom"})  # apps with long-lived secrets on their pages


class CompressedPages(GZipMiddleware):
    """Middleware that compresses text responses to GET and HEAD, except pages with long-lived secrets."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response, compressed if that is safe."""
        match = request.resolver_match
        kind = response.get("Content-Type", "")
        form = request.method not in ("GET", "HEAD") and not kind.startswith("application/json")
        secret = form or (match and not UNCOMPRESSED_APPS.isdisjoint(match.app_names))
        if secret or response.streaming or not TEXTS.match(kind):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
