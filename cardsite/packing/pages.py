"""Pages and data over the wire in a quarter of their length.

Who can see how long an answer is, and have a browser ask for it again and again with words of theirs in it, can guess
what else is in there: what compresses well is like what they wrote (BREACH). So nothing is compressed that says a
lasting secret. Of ours only the administrators' pages do (the key of a second factor, its recovery codes), and pages
that answer forms are left alone, too; data that answers scripts is not, for those show the token of this browser's own
cookie, which another site does not know. What else is secret is no prey: the token of a form is masked anew in each
answer, a program's token is shown once, cards come by the socket. Django pads each answer by up to a hundred bytes at
random, and browsers send no cookie of ours when another site has them ask for a page behind somebody's back.
"""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = re.compile(r"text/(?:html|css|plain|csv|javascript)|application/(?:manifest\+)?json|image/svg\+xml")
ALONE = frozenset({"admin"})  # names of apps whose pages say lasting secrets


class CompressedPages(GZipMiddleware):
    """Middleware that compresses what is read, where it is text and says no lasting secret."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed if it may be."""
        found = request.resolver_match
        kind = response.get("Content-Type", "")
        form = request.method not in ("GET", "HEAD") and not kind.startswith("application/json")
        secret = form or (found and not ALONE.isdisjoint(found.app_names))
        if secret or response.streaming or not TEXTS.match(kind):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
