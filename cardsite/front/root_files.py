"""Files that programs expect at the root of a site: robots.txt, icons, the manifest, the service worker."""

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

from cardsite.translations import language

# Search engines may index pages that are the same for everybody: the front page, games, rules, the workshop, the
# laboratory. People and matches must not be found by a search. Programs that draw previews of links obey this file,
# too; they may fetch what a person has shared, since they list nothing.
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
Disallow: /circles/
Disallow: /tournaments/

User-agent: *
Disallow: /t/
Disallow: /replay/
Disallow: /verify/
Disallow: /people/
Disallow: /circles/
Disallow: /tournaments/
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
Disallow: /workshop/tune/
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
    """Return robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@cache_control(public=True, max_age=86_400)
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Return the icon in three sizes, for programs that request it without having read a page."""
    icon = (settings.BASE_DIR / "static" / "art" / "favicon.ico").read_bytes()
    return HttpResponse(icon, content_type="image/x-icon")


ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable-192.png", 192, "maskable"),
         ("icon.png", 512, "maskable"))  # fmt: skip


@cache_control(max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest, for installing the site on a home screen."""
    pictures = [
        {"src": static(f"art/{file}"), "type": "image/png", "sizes": f"{size}x{size}", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    pictures.append({"src": static("art/logo.svg"), "type": "image/svg+xml", "sizes": "any", "purpose": "any"})
    home = reverse("front:home")
    contents = {
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
    return JsonResponse(contents, content_type="application/manifest+json")


OFFLINE_FILE = re.compile(r'(?:href|src)="(/static/[^"#]+\.(?:css|js|svg))')  # files that a page needs


@never_cache
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that browsers show while the site cannot be reached. It is cached, so it names no visitor."""
    return HttpResponse(_offline())


def _offline() -> str:
    return render_to_string("offline.html")  # without the request, so that it shows no visitor


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which caches the offline page. Its scope is the folder of its address: the root."""
    page, folder = _offline(), settings.BASE_DIR / "static"
    files = sorted(set(OFFLINE_FILE.findall(page)))
    script = (folder / "js" / "service-worker.js").read_text(encoding="utf-8")
    # Names of collected files contain a hash of their content; sources (with DEBUG) are read.
    below = f"/{settings.STATIC_URL.strip('/')}/"
    sources = (folder / file.removeprefix(below) for file in files)
    contents = [page.encode(), script.encode(), *(source.read_bytes() for source in sources if source.is_file())]
    edition = hashlib.sha256(b"\n".join(contents))
    cached = {"edition": f"offline-{edition.hexdigest()[:16]}", "page": reverse("front:offline"), "files": files}
    return HttpResponse(
        f"self.OFFLINE = {json.dumps(cached)};\n{script}", content_type="text/javascript; charset=utf-8"
    )
