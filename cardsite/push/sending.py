"""Sending notifications: by Web Push or, to people without a device for that, by e-mail.

With Web Push, a notification is encrypted for a browser and sent to its push service (RFC 8030, 8291 and 8292).

A notification says what happened, at which table and in which game. It contains no cards and no chat, because a locked
screen shows it. A push service may be slow, so two threads of each process send them.
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
MAX_QUEUED = 1000  # notifications; further ones are dropped
ANSWER_SECONDS = 10.0  # in which a push service has to answer
TTL_SECONDS = 24 * 3600  # for which a push service keeps a notification for a device that is off
SIGNATURE_SECONDS = 12 * 3600  # for which a signature is valid: at most a day (RFC 8292)
TOPIC_LENGTH = 32  # characters, at most (RFC 8030)
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256 (FIPS 186-4)
LASTING_KINDS = (NotificationKind.TURN, NotificationKind.REMINDER)  # true for hours, so held in quiet hours
GONE_STATUSES = (404, 410)  # the push service no longer knows the subscription

log = structlog.get_logger(__name__)


class Notification(NamedTuple):
    """A notification. Its words may be lazy: they are translated for each device."""

    kind: NotificationKind
    title: str | Promise
    body: str | Promise
    path: str  # of the page that it opens; a later notification with the same path replaces it
    by: int  # the number of the person whom it is about, 0 for nobody; people who have muted that person do not get it


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


def send(people: Iterable[int], notification: Notification) -> None:
    """Queue a notification for the devices of some people, and an e-mail for those of them without a device.

    A device gets it if it wants such notifications and is not in its quiet hours. People who have muted the person whom
    it is about get none. Returns at once.
    """
    people = set(people)
    if notification.by:
        people -= set(muting(notification.by))
    for subscription in Subscription.objects.filter(person__in=people):
        send_to(subscription, notification)
    if settings.EMAIL_HOST:
        addresses = MailAddress.objects.filter(person__in=people, confirmed=True, person__push_subscriptions=None)
        for address in addresses:
            if notification.kind not in address.off:
                _queue.put(_mail(address, notification))


def send_to(subscription: Subscription, notification: Notification) -> None:
    """Send a notification to a device if it wants it now. In its quiet hours, one of ``LASTING_KINDS`` is held."""
    now = timezone.now()
    if subscription.wants(notification.kind, now):
        _queue.put(_job(subscription, notification))
    elif notification.kind in LASTING_KINDS and notification.kind not in subscription.off:
        do_hold(subscription.pk, notification.path)


def send_confirmation(address: MailAddress) -> None:
    """Send the link that confirms an address there. Returns at once."""
    title = translation.gettext_lazy("Confirm your e-mail address")
    words = translation.gettext_lazy(
        "Follow this link to get e-mails from Hamsterdam. If you did not ask for them, ignore it."
    )
    path = reverse("push:confirm", args=[token_of(address)])
    _queue.put(_mail(address, Notification(NotificationKind.TURN, title, words, path, 0)))


def _mail(address: MailAddress, notification: Notification) -> _Mail:
    with translation.override(address.language or settings.LANGUAGE_CODE):
        stop = settings.SITE_URL + reverse("push:stop", args=[token_of(address)])
        end = translation.gettext("To get no more e-mails: %(address)s") % {"address": stop}
        body = f"{notification.title}\n{notification.body}\n\n{settings.SITE_URL}{notification.path}\n\n-- \n{end}\n"
        return _Mail(str(notification.title), body, address.address, stop)


def send_test(subscription: Subscription) -> None:
    """Send a notification that only shows that a device gets them."""
    title = translation.gettext_lazy("Notifications work")
    notification = Notification(NotificationKind.TURN, title, "", "/people/me/", by=0)
    _queue.put(_job(subscription, notification))


def _job(subscription: Subscription, notification: Notification) -> _Job:
    with translation.override(subscription.language or settings.LANGUAGE_CODE):
        content = {"title": str(notification.title), "body": str(notification.body), "path": notification.path}
        text = json.dumps({**content, "language": translation.get_language()})
    topic = base64.urlsafe_b64encode(hashlib.sha256(notification.path.encode()).digest())[:TOPIC_LENGTH].decode()
    return _Job(subscription.endpoint, subscription.key, subscription.secret, text, topic)


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
    return derive_private_key(int.from_bytes(raw) % (P256_ORDER - 1) + 1, SECP256R1())


def wait_until_sent() -> None:
    """Wait until every notification so far has been delivered or has failed."""
    _queue.jobs.join()


class _Queue:
    """Notifications that wait to be sent, and the threads that send them."""

    def __init__(self) -> None:
        self.jobs: Queue[_Job | _Mail] = Queue(MAX_QUEUED)
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
    if status in GONE_STATUSES:
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
    claims = {"sub": settings.PUSH_CONTACT, "aud": f"{scheme}://{host}", "exp": int(time.time()) + SIGNATURE_SECONDS}
    headers = {
        **Vapid02(_private_key()).sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_SECONDS),
        "Topic": job.topic,
    }
    connect = HTTPSConnection if scheme == "https" else HTTPConnection
    with closing(connect(host, timeout=ANSWER_SECONDS)) as connection:
        connection.request("POST", f"{path}?{query}" if query else path, body, headers)
        return connection.getresponse().status
