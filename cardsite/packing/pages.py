"""Compression of pages and data, to about a quarter of their size.

An attacker who sees the length of responses, and can make a browser request them repeatedly with chosen words, can
guess secrets in them, because repeated words compress well (BREACH). So responses with lasting secrets are not
compressed: the administrators' pages (the key of a second factor, recovery codes) and, to be safe, responses to forms.
Data for scripts are compressed: their requests contain the token of the browser's own cookie, which other sites do not
know. Other secrets are safe: a form's token is masked differently in each response, a program's token is shown once,
and cards are sent through the socket. Django also pads each response with up to a hundred random bytes, and browsers
send none of our cookies with hidden requests from other sites.
"""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = re.compile(r"text/(?:html|css|plain|csv|javascript)|application/(?:manifest\+)?json|image/svg\+xml")
ALONE = frozenset({"admin"})  # apps with lasting secrets on their pages


class CompressedPages(GZipMiddleware):
    """Middleware that compresses text responses to reading requests, except pages with lasting secrets."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response, compressed if that is safe."""
        found = request.resolver_match
        kind = response.get("Content-Type", "")
        form = request.method not in ("GET", "HEAD") and not kind.startswith("application/json")
        secret = form or (found and not ALONE.isdisjoint(found.app_names))
        if secret or response.streaming or not TEXTS.match(kind):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
