"""``/metrics``: metrics for Prometheus, for clients with the token. All others get 404."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder

from cardsite import metrics
from cardsite.server.server import match_server


@never_cache
def figures(request: HttpRequest) -> HttpResponse:
    """Return the metrics of this process. Raises Http404 without the token."""
    shown = request.headers.get("Authorization", "").encode(errors="replace")
    if not settings.METRICS_TOKEN or not constant_time_compare(shown, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return _figures(request)


@require_safe
def _figures(request: HttpRequest) -> HttpResponse:
    rooms = list(match_server.relay.rooms.values())
    seats = [socket.seat for room in rooms for socket in list(room.sockets)]  # copied
    metrics.rooms.set(len(rooms))
    metrics.sockets.labels("seated").set(sum(seat is not None for seat in seats))
    metrics.sockets.labels("watching").set(sum(seat is None for seat in seats))
    metrics.matches_running.set(len(match_server.scheduler.kept))
    encode, kind = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(REGISTRY), content_type=kind)
