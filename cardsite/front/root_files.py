"""Files that programs look for at the root of a site, whatever its pages are called."""

from __future__ import annotations

import hashlib
import json
import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from cardsite.words import language

# Search engines may show what is the same for everybody and stays: the front page, games, rules, the workshop, the
# laboratory. Who plays with whom, and what was played, is nobody's to find by a search. Programs that draw the preview
# of a link read this file too: they fetch what somebody has sent on, and list nothing.
ROBOTS = """\
User-agent: Discordbot
User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: Slackbot
User-agent: TelegramBot
User-agent: Twitterbot
User-agent: WhatsApp
Disallow: /admin/
Disallow: /people/

User-agent: *
Disallow: /t/
Disallow: /replay/
Disallow: /verify/
Disallow: /people/
Disallow: /daily/
Disallow: /new/
Disallow: /play/
Disallow: /watch/
Disallow: /tables.json
Disallow: /admin/
Disallow: /lab/compare/
Disallow: /lab/leads/
Disallow: /lab/runs/
Disallow: /workshop/feel/
Disallow: /workshop/from/
Disallow: /workshop/look/
Disallow: /workshop/new/
Disallow: /offline/
Disallow: /health
Disallow: /metrics
"""


@cache_control(public=True, max_age=86_400)
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may fetch."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@cache_control(public=True, max_age=86_400)
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The sign of the house in three sizes, for programs that ask for this address without having read a page."""
    icon = (settings.BASE_DIR / "static" / "art" / "favicon.ico").read_bytes()
    return HttpResponse(icon, content_type="image/x-icon")


ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable-192.png", 192, "maskable"),
         ("icon.png", 512, "maskable"))  # fmt: skip


@cache_control(max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """What a browser wants to know of a site that it puts on the home screen."""
    pictures = [
        {"src": static(f"art/{file}"), "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    pictures.append({"src": static("art/logo.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "any"})
    home = reverse("front:home")
    told = {
        "name": _("Hamsterdam, a card room on the canal"),
        "short_name": "Hamsterdam",
        "description": _("A card room on the web where people and bots sit at the same tables."),
        "lang": language(),
        "id": home,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": "#f5ecd8",
        "theme_color": "#144a4b",
        "categories": ["games"],
        "icons": pictures,
    }
    return JsonResponse(told, content_type="application/manifest+json")


OFFLINE_FILE = re.compile(r'(?:href|src)="(/static/[^"#]+\.(?:css|js|svg))')  # that a page is made of


@never_cache
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What a browser shows where the house cannot be reached. It is kept, so nobody's name is on it."""
    return HttpResponse(_offline())


def _offline() -> str:
    return render_to_string("offline.html")  # without the request, so that it knows no visitor


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps the offline page; at the root, since it may answer for pages below its own address only."""
    page, folder = _offline(), settings.BASE_DIR / "static"
    files = sorted(set(OFFLINE_FILE.findall(page)))
    script = (folder / "js" / "service-worker.js").read_text(encoding="utf-8")
    # Collected files have names that say what is in them; sources, as with DEBUG, are read.
    below = f"/{settings.STATIC_URL.strip('/')}/"
    sources = (folder / file.removeprefix(below) for file in files)
    contents = [page.encode(), script.encode(), *(source.read_bytes() for source in sources if source.is_file())]
    edition = hashlib.sha256(b"\n".join(contents))
    kept = {"edition": f"offline-{edition.hexdigest()[:16]}", "page": reverse("front:offline"), "files": files}
    return HttpResponse(f"self.OFFLINE = {json.dumps(kept)};\n{script}", content_type="text/javascript; charset=utf-8")
