"""For operators: the health check, and metrics for Prometheus."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder

from cardsite import metrics
from cardsite.server.server import match_server
from cardsite.table.services.processes import this_process


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if pages, database and match server work, for load balancers and ``make play``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse(
        {
            "ok": True,
            "scheduler": this_process.row is not None,
            "rooms": len(match_server.relay.rooms),
            "process": match_server.name,
        }
    )


@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the metrics of this process. Raises Http404 without the token, for any method."""
    sent = request.headers.get("Authorization", "").encode(errors="replace")
    if not settings.METRICS_TOKEN or not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return _metrics(request)


@require_safe
def _metrics(request: HttpRequest) -> HttpResponse:
    rooms = list(match_server.relay.rooms.values())
    # Copied, because sockets come and go in the thread of the event loop.
    seats = [socket.seat for room in rooms for socket in list(room.sockets)]
    metrics.rooms.set(len(rooms))
    metrics.sockets.labels("seated").set(sum(seat is not None for seat in seats))
    metrics.sockets.labels("watching").set(sum(seat is None for seat in seats))
    metrics.matches_running.set(len(match_server.scheduler.running))
    encode, kind = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(REGISTRY), content_type=kind)
