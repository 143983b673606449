"""Sending notifications: by Web Push or, to people without a device for that, by e-mail.

With Web Push they are encrypted for a browser and sent to its push service (RFC 8030, 8291 and 8292).

A notification says what happened, at which table and in which game. It carries no cards and no chat: it is shown on a
locked screen. Sending takes a moment, and a push service may be slow, so two threads of each process do it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Full, Queue
from smtplib import SMTPException
from threading import Lock, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import http_ece
import structlog
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from py_vapid import Vapid02

from cardsite import metrics
from cardsite.people.mutes import muting
from cardsite.push.models import MailAddress, NotificationKind, Subscription
from cardsite.push.services import do_hold, do_remove_dead, from_base64url, token_of

THREADS = 2
WAITING = 1000  # notifications that wait to be sent; further ones are dropped
PATIENCE = 10.0  # seconds for which a push service may take to answer
KEPT = 24 * 3600  # seconds for which a push service keeps a notification for a device that is off
SIGNED = 12 * 3600  # seconds for which a signature is valid: at most a day (RFC 8292)
TOPIC = 32  # characters of a topic (RFC 8030)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256 (FIPS 186-4)
LASTING = (NotificationKind.TURN, NotificationKind.REMINDER)  # what they say is true for hours or days
GONE = (404, 410)  # the push service no longer knows the subscription

log = structlog.get_logger(__name__)


class Notice(NamedTuple):
    """A notification. Its words may be lazy: they are translated for each device."""

    kind: NotificationKind
    title: str | Promise
    body: str | Promise
    path: str  # of the page that it opens; a later notification with the same path replaces it
    by: int  # the person whom it is about, 0 for nobody else; people who have muted that person do not get it


class _Job(NamedTuple):
    endpoint: str
    key: str
    secret: str
    text: str
    topic: str  # a later notification with the same one replaces it at the push service


class _Mail(NamedTuple):
    subject: str
    body: str
    to: str
    stop: str  # the address of the page that ends e-mails


def send(people: Iterable[int], notice: Notice) -> None:
    """Send a notification to all devices of some people that want it now, or an e-mail to people without a device.

    People who have muted the person whom it is about get none. Returns at once.
    """
    people = set(people)
    if notice.by:
        people -= set(muting(notice.by))
    for one in Subscription.objects.filter(person__in=people):
        send_to(one, notice)
    if settings.EMAIL_HOST:
        addresses = MailAddress.objects.filter(person__in=people, confirmed=True, person__push_subscriptions=None)
        for address in addresses:
            if notice.kind not in address.off:
                _queue.put(_mail(address, notice))


def send_to(one: Subscription, notice: Notice) -> None:
    """Send a notification to a device if it wants it now. One that will still be true is held in quiet hours."""
    now = timezone.now()
    if one.wants(notice.kind, now):
        _queue.put(_job(one, notice))
    elif notice.kind in LASTING and notice.kind not in one.off:
        do_hold(one.pk, notice.path)


def send_confirmation(address: MailAddress) -> None:
    """Send the link that confirms an address there. Returns at once."""
    title = translation.gettext_lazy("Confirm your e-mail address")
    words = translation.gettext_lazy(
        "Follow this link to get e-mails from Hamsterdam. If you did not ask for them, ignore it."
    )
    path = reverse("push:confirm", args=[token_of(address)])
    _queue.put(_mail(address, Notice(NotificationKind.TURN, title, words, path, 0)))


def _mail(address: MailAddress, notice: Notice) -> _Mail:
    with translation.override(address.language or settings.LANGUAGE_CODE):
        stop = settings.SITE_URL + reverse("push:stop", args=[token_of(address)])
        end = translation.gettext("To get no more e-mails: %(address)s") % {"address": stop}
        body = f"{notice.title}\n{notice.body}\n\n{settings.SITE_URL}{notice.path}\n\n-- \n{end}\n"
        return _Mail(str(notice.title), body, address.address, stop)


def send_test(one: Subscription) -> None:
    """Send a notification that only shows that a device gets them."""
    notice = Notice(NotificationKind.TURN, translation.gettext_lazy("Notifications work"), "", "/people/me/", 0)
    _queue.put(_job(one, notice))


def _job(one: Subscription, notice: Notice) -> _Job:
    with translation.override(one.language or settings.LANGUAGE_CODE):
        about = {"title": str(notice.title), "body": str(notice.body), "path": notice.path}
        text = json.dumps({**about, "language": translation.get_language()})
    topic = base64.urlsafe_b64encode(hashlib.sha256(notice.path.encode()).digest())[:TOPIC].decode()
    return _Job(one.endpoint, one.key, one.secret, text, topic)


def public_key() -> str:
    """Return the public key of this site in base64url, which browsers need for a subscription."""
    point = _private_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _private_key() -> EllipticCurvePrivateKey:
    """Return the key by which push services and browsers know this site (RFC 8292).

    It is derived from the secret key, so that all processes have the same one and a backup needs no other file.
    """
    raw = HKDF(SHA256(), length=48, salt=None, info=b"web push").derive(settings.SECRET_KEY.encode())
    return derive_private_key(int.from_bytes(raw) % (ORDER - 1) + 1, SECP256R1())


def wait_until_sent() -> None:
    """Wait until every notification so far has been delivered or has failed."""
    _queue.jobs.join()


class _Queue:
    """Notifications that wait to be sent, and the threads that send them."""

    def __init__(self) -> None:
        self.jobs: Queue[_Job | _Mail] = Queue(WAITING)
        self._lock = Lock()
        self._started = False

    def put(self, job: _Job | _Mail) -> None:
        with self._lock:
            if not self._started:
                self._started = True
                for _ in range(THREADS):
                    Thread(target=self._work, name="push", daemon=True).start()
        try:
            self.jobs.put_nowait(job)
        except Full:
            metrics.pushes.labels("dropped").inc()

    def _work(self) -> None:
        while True:
            job = self.jobs.get()
            outcome = "failed"
            try:
                outcome = _deliver(job)
            except Exception:
                log.exception("notification was not sent")
            finally:
                metrics.pushes.labels(outcome).inc()
                connections.close_all()  # the next one may come after hours
                self.jobs.task_done()


_queue = _Queue()


def _deliver(job: _Job | _Mail) -> str:
    """Send a notification. Return what came of it, for the metrics."""
    if isinstance(job, _Mail):
        return _deliver_mail(job)
    try:
        status = _post(job)
    except (OSError, HTTPException) as error:
        log.warning("push service did not answer", error=type(error).__name__)
        return "unanswered"
    if status in GONE:
        do_remove_dead(job.endpoint)
        return "gone"
    if not 200 <= status < 300:  # a redirect is not followed: the address was checked, and another one was not
        log.warning("push service refused a notification", status=status)
        return "refused"
    return "sent"


def _deliver_mail(job: _Mail) -> str:
    try:
        EmailMessage(job.subject, job.body, to=[job.to], headers={"List-Unsubscribe": f"<{job.stop}>"}).send()
    except (OSError, SMTPException) as error:
        log.warning("e-mail was not sent", error=type(error).__name__)
        return "mail not sent"
    return "mail sent"


def _post(job: _Job) -> int:
    """Encrypt and post a notification. Return the status of the answer. Raises OSError, HTTPException."""
    scheme, host, path, query, _fragment = urlsplit(job.endpoint)
    body = http_ece.encrypt(
        job.text.encode(),
        private_key=generate_private_key(SECP256R1()),
        dh=from_base64url(job.key),
        auth_secret=from_base64url(job.secret),
        version="aes128gcm",
    )
    claims = {"sub": settings.PUSH_CONTACT, "aud": f"{scheme}://{host}", "exp": int(time.time()) + SIGNED}
    headers = {
        **Vapid02(_private_key()).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Topic": job.topic,
    }
    with closing((HTTPSConnection if scheme == "https" else HTTPConnection)(host, timeout=PATIENCE)) as connection:
        connection.request("POST", f"{path}?{query}" if query else path, body, headers)
        return connection.getresponse().status
