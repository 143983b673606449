"""``manage.py doctor``: check an installation, and say what to do about each problem.

A check returns a ``CheckResult`` or raises an exception, which becomes one. Settings are checked with Django's
framework (``checks.py`` has ours); the checks here look at the machine and at what the site needs on it. None of them
changes anything.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib import metadata
from pathlib import Path
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

import django
import psycopg
import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.checks import CheckMessage, Error, Info, Warning, run_checks
from django.core.checks.messages import ERROR, WARNING
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from packaging.requirements import Requirement

from cardsite.database import IS_SQLITE
from cardsite.front.checks import is_public
from cardsite.packing.bundles import FOLDER as BUNDLED
from cardsite.push.sending import public_key
from cardsite.table.models import Move
from cardsite.table.services.chores import backed_up
from cardsite.table.services.processes import living_processes
from cardsite.version import VERSION
from games.jobs.confine import protections

LITTLE, TOO_LITTLE = 2 << 30, 256 << 20  # free bytes on a disk: for a warning, for an error
FEW_FILES = 10_000  # free inodes
DIFFERENT, TOO_DIFFERENT = 1.0, 15.0  # seconds between two clocks: for a warning, for an error
OLD_BACKUP = timedelta(days=7)
MOST_LISTED = 5  # packages that differ
RESERVE = 10  # database connections for administrators and backups
EXPIRES_SOON = 14  # days
OLDEST_REDIS = (6, 2)
PATIENCE = 10  # seconds for an answer of the network
NOT_READY = "Not checked: the database is not ready."
UPGRADE_KEY = b64encode(b"manage.py doctor").decode()


@dataclass(frozen=True)
class CheckResult:
    """What a check found: facts in a sentence, and problems, each with a hint that says what to do."""

    subject: str
    facts: str
    problems: tuple[CheckMessage, ...] = ()

    @property
    def status(self) -> str:
        """Return "ok", "warning" or "error"."""
        worst = max((problem.level for problem in self.problems), default=0)
        return "error" if worst >= ERROR else "warning" if worst >= WARNING else "ok"


def examine(url: str) -> Iterator[CheckResult]:
    """Yield what each check finds. ``url``: the public address of the site; "": do not ask it."""
    checks: list[tuple[str, Callable[[], CheckResult]]] = [
        ("Versions", versions),
        ("Settings", site_settings),
        ("Disk", disk),
        ("Database", database),
        ("Redis", redis_server),
        ("Processes", processes),
        ("Clock", clock),
        ("Static files", static_files),
        ("Administrators", administrators),
        ("Confinement", confinement),
        ("Backup", last_backup),
        ("Mail", mail),
        ("Push", push),
        ("HTTPS", lambda: https(url)),
    ]
    ready = reached = True  # whether the database can be used, and whether it answers at all
    for subject, check in checks:
        if not reached and check in (processes, clock, administrators, last_backup):
            yield CheckResult(subject, NOT_READY)  # each would wait for it
            continue
        try:
            finding = check()
            if check is database:
                ready, reached = finding.status != "error", bool(finding.facts)
            yield finding
        except Exception as error:
            if isinstance(error, DatabaseError) and not ready:
                yield CheckResult(subject, NOT_READY)
                continue
            hint = "Report this: the doctor itself failed."
            yield CheckResult(subject, "Not checked.", (Error(f"{type(error).__name__}: {_brief(error)}", hint=hint),))


def versions() -> CheckResult:
    """Compare the installed packages with requirements.lock."""
    lock = (settings.BASE_DIR / "requirements.lock").read_text()
    wanted = [Requirement(line) for line in re.findall(r"^([^\s#].*?)(?: \\)?$", lock, re.MULTILINE)]
    other = []
    for package in wanted:
        if package.marker and not package.marker.evaluate():
            continue
        try:
            found = metadata.version(package.name)
        except metadata.PackageNotFoundError:
            other.append(f"{package.name} is missing")
            continue
        if not package.specifier.contains(found, prereleases=True):
            other.append(f"{package.name} is {found}, not {package.specifier}")
    python = ".".join(map(str, sys.version_info[:3]))
    facts = f"Hamsterdam {VERSION}, Python {python}, Django {django.__version__}."
    if not other:
        return CheckResult("Versions", f"{facts} All packages are those of requirements.lock.")
    more = len(other) - MOST_LISTED
    shown = "; ".join(other[:MOST_LISTED]) + (f"; {more} more" if more > 0 else "")
    hint = "Run make setup, or pip install --require-hashes -r requirements.lock, with the site's Python."
    return CheckResult("Versions", facts, (Warning(f"Packages differ from requirements.lock: {shown}.", hint=hint),))


def site_settings() -> CheckResult:
    """Run Django's checks: those for deployment as well, unless the site is for this machine only."""
    found = [
        message for message in run_checks(include_deployment_checks=not settings.LOCAL) if not message.is_silenced()
    ]
    kind = "for this machine only, over plain HTTP" if settings.LOCAL else "for others, over HTTPS"
    return CheckResult("Settings", f"The site is {kind}. Names: {', '.join(settings.ALLOWED_HOSTS)}.", tuple(found))


def disk() -> CheckResult:
    """Check that there is room, and that the site may write."""
    folder = Path(settings.VAR_DIR)
    problems: list[CheckMessage] = []
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        hint = "Give the folder to the user that runs the site, and run the doctor as that user."
        problems.append(Error(f"Files cannot be written to {folder}: {error.strerror}.", hint=hint))
    usage, inodes = shutil.disk_usage(folder), os.statvfs(folder)
    hint = "Make room: remove old backups and logs, or enlarge the disk. On a full disk nobody can play."
    if usage.free < LITTLE:
        kind = Error if usage.free < TOO_LITTLE else Warning
        problems.append(kind("There is little free space.", hint=hint))
    if inodes.f_files and inodes.f_favail < FEW_FILES:
        problems.append(Warning(f"Only {inodes.f_favail} more files can be created.", hint=hint))
    facts = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.1f} GB are free at {folder}."
    return CheckResult("Disk", facts, tuple(problems))


def database() -> CheckResult:
    """Check the connection, the migrations, and the integrity (SQLite) or the durability settings (PostgreSQL)."""
    problems: list[CheckMessage] = []
    try:
        if not IS_SQLITE:  # without the pool, which would only say that it got no connection
            psycopg.connect(settings.DATABASE_URL, connect_timeout=PATIENCE).close()
        connection.ensure_connection()
        version = ".".join(map(str, connection.get_database_version()))
        facts = f"{connection.display_name} {version}."
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        unknown = sorted(set(executor.loader.applied_migrations) - set(executor.loader.graph.nodes))
        if IS_SQLITE:
            problems += _sqlite()
        elif not plan:  # it reads a table of the site
            problems += _postgresql()
    except Exception as error:  # also those of the drivers, and a version that Django refuses
        hint = "Check DATABASE_URL, that the server runs, and that this machine may connect to it."
        if IS_SQLITE:
            hint = f"Check {connection.settings_dict['NAME']}: it must be a database that the site's user may write to."
        return CheckResult("Database", "", (Error(f"The database cannot be used: {_brief(error)}", hint=hint),))
    if plan:
        hint = "Run manage.py open_house, then start the site again."
        problems.append(Error(f"Migrations that have not been applied: {len(plan)}.", hint=hint))
    if unknown:
        example = ".".join(unknown[-1])
        hint = "Install the newest code again. To go back, restore the backup that you made before the update."
        problems.append(
            Error(f"The database is of a newer version: it has for example the migration {example}.", hint=hint)
        )
    return CheckResult("Database", facts, tuple(problems))


def _sqlite() -> Iterator[CheckMessage]:
    [[verdict]] = _query("PRAGMA quick_check(1)")
    if verdict != "ok":
        yield Error(f"The database is damaged: {verdict}", hint="Stop the site and restore the last backup.")


def _postgresql() -> Iterator[CheckMessage]:
    names = "('fsync', 'max_connections', 'synchronous_commit')"
    values = dict(_query(f"SELECT name, setting FROM pg_settings WHERE name IN {names}"))  # noqa: S608
    if "off" in (values["fsync"], values["synchronous_commit"]):
        hint = "Set fsync = on and synchronous_commit = on in postgresql.conf."
        yield Warning("PostgreSQL confirms moves before they are on disk: a crash loses them.", hint=hint)
    needed = connection.settings_dict["OPTIONS"]["pool"]["max_size"] * max(1, len(living_processes()))
    if int(values["max_connections"]) < needed:
        hint = f"Set max_connections to {needed + RESERVE} in postgresql.conf, or run fewer processes."
        yield Warning(f"PostgreSQL allows {values['max_connections']} connections; {needed} may be used.", hint=hint)


def redis_server() -> CheckResult:
    """Check that Redis answers and is new enough."""
    if not settings.REDIS_URL:
        return CheckResult("Redis", "Not used: REDIS_URL is not set, so there may be one process only.")
    try:
        with _redis() as client:
            version = str(client.info("server")["redis_version"])
    except redis.RedisError as error:
        hint = (
            "Check REDIS_URL, that Redis runs, and that this machine may connect to it. People can play meanwhile, but "
            "changes made through other processes arrive up to five seconds late, and only CPU time is limited."
        )
        return CheckResult("Redis", "", (Error(f"Redis does not answer: {_brief(error)}", hint=hint),))
    if tuple(map(int, version.split(".")[:2])) < OLDEST_REDIS:
        oldest = ".".join(map(str, OLDEST_REDIS))
        return CheckResult("Redis", f"Redis {version}.", (Error("Redis is too old.", hint=f"Install Redis {oldest}."),))
    return CheckResult("Redis", f"Redis {version}.")


def processes() -> CheckResult:
    """Check that not more processes run than the settings allow."""
    running = len(living_processes())
    facts = f"{running} running." if running else "None is running."
    if running > 1 and (IS_SQLITE or not settings.REDIS_URL):
        hint = "Stop all but one, or set DATABASE_URL to PostgreSQL and REDIS_URL to Redis."
        return CheckResult("Processes", facts, (Error("Several processes need PostgreSQL and Redis.", hint=hint),))
    return CheckResult("Processes", facts)


def clock() -> CheckResult:
    """Compare this machine's clock with those of the servers that the site uses, and ask whether it is synchronized."""
    problems: list[CheckMessage] = []
    compared = []
    hint = "Synchronize the clocks of all machines: timedatectl set-ntp true, or install chrony."
    for name, read in (("PostgreSQL", _postgresql_time), ("Redis", _redis_time)):
        before = time.time()
        there = read()
        if there is None:
            continue
        apart = abs(there - (before + time.time()) / 2)
        compared.append(f"{apart:.1f} s from {name}'s clock")
        if apart > DIFFERENT:
            kind = Error if apart > TOO_DIFFERENT else Warning
            problems.append(kind(f"This clock differs by {apart:.0f} s from {name}'s clock.", hint=hint))
    synchronized = _synchronized()
    if synchronized is False:
        problems.append(Warning("The clock of this machine is not synchronized.", hint=hint))
    newest = Move.objects.order_by("-pk").values_list("at", flat=True).first()
    if newest and newest / 1000 > time.time() + TOO_DIFFERENT:
        problems.append(Error("The last move was made in the future: the clock was set back.", hint=hint))
    words = {True: "Synchronized.", False: "", None: "Whether it is synchronized is not known here."}[synchronized]
    facts = f"{timezone.now():%Y-%m-%d %H:%M:%S} UTC"
    return CheckResult(
        "Clock",
        " ".join([f"{facts}, {', '.join(compared)}." if compared else f"{facts}.", words]).strip(),
        tuple(problems),
    )


def _postgresql_time() -> float | None:
    if IS_SQLITE:
        return None
    [[seconds]] = _query("SELECT extract(epoch FROM clock_timestamp())")
    return float(seconds)


def _query(question: str) -> list[Any]:
    """Return the rows that a query of the database finds."""
    with connection.cursor() as cursor:
        cursor.execute(question)
        return list(cursor.fetchall())


def _redis_time() -> float | None:
    if not settings.REDIS_URL:
        return None
    try:
        with _redis() as client:
            seconds, micros = client.time()
    except redis.RedisError:
        return None  # the check of Redis reports it
    return float(seconds) + float(micros) / 1e6


def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


def _synchronized() -> bool | None:
    """Return what systemd says about the clock, None on a machine without it."""
    program = shutil.which("timedatectl")
    if program is None:
        return None
    command = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        done = subprocess.run(command, text=True, capture_output=True, timeout=PATIENCE)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip()) if done.returncode == 0 else None


def static_files() -> CheckResult:
    """Check that ``open_house`` has collected the scripts and styles of this code."""
    if settings.DEBUG:
        return CheckResult("Static files", "Read from their sources, because DEBUG is on.")
    hint = "Run manage.py open_house, then start the site again."
    if not staticfiles_storage.hashed_files:  # type: ignore[attr-defined]
        return CheckResult("Static files", "", (Error("Static files have not been collected.", hint=hint),))
    stored = Path(settings.STATIC_ROOT, BUNDLED.name)
    old = [file.name for file in sorted(BUNDLED.iterdir()) if file.is_file() and not _same(file, stored / file.name)]
    if old:
        problem = Error(f"{len(old)} collected scripts and styles are of another version: {old[0]}.", hint=hint)
        return CheckResult("Static files", "", (problem,))
    return CheckResult("Static files", "Collected from this code.")


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and one.read_bytes() == other.read_bytes()


def administrators() -> CheckResult:
    """Check that there is an administrator and, where others reach the site, that each has a second factor."""
    staff = list(User.objects.filter(is_staff=True, is_active=True))
    if not any(user.is_superuser for user in staff):
        hint = "Run manage.py createsuperuser, or make the account of an administrator active again."
        return CheckResult("Administrators", "", (Error("There is no administrator.", hint=hint),))
    without = [user.username for user in staff if not user.totpdevice_set.filter(confirmed=True).exists()]  # type: ignore[attr-defined]
    facts = f"{len(staff)}, {len(staff) - len(without)} with a second factor."
    if settings.LOCAL or not without:
        return CheckResult("Administrators", facts)
    hint = "Log in and switch it on under /admin/second-factor/."
    problem = Warning(f"A password alone opens the administrators' pages for {', '.join(without)}.", hint=hint)
    return CheckResult("Administrators", facts, (problem,))


def confinement() -> CheckResult:
    """Check what the system enforces for processes that run visitors' texts."""
    found = protections()
    if found.seccomp and found.landlock:
        return CheckResult("Confinement", found.sentence)
    hint = (
        "Use Linux 5.13 or newer, and a container runtime that allows seccomp and Landlock. docs/security.md says why."
    )
    problem = Info("Processes for visitors' texts are confined less than they could be.", hint=hint)
    return CheckResult("Confinement", found.sentence, (problem,))


def last_backup() -> CheckResult:
    """Check when ``manage.py backup`` last succeeded."""
    made = backed_up()
    hint = (
        "Run manage.py backup FILE every day, and copy the file to another machine. Ignore this if you back up in "
        "another way."
    )
    if made is None:
        return CheckResult("Backup", "", (Warning("No backup has been made with manage.py backup.", hint=hint),))
    facts = f"The last one was made on {made:%Y-%m-%d at %H:%M} UTC."
    if timezone.now() - made > OLD_BACKUP:
        return CheckResult("Backup", facts, (Warning(f"It is older than {OLD_BACKUP.days} days.", hint=hint),))
    return CheckResult("Backup", facts)


def mail() -> CheckResult:
    """Check that the mail server accepts the settings, and the sender and links of e-mails."""
    if not settings.EMAIL_HOST:
        return CheckResult("Mail", "Not used: EMAIL_HOST is not set, so the site sends no e-mails.")
    server, sender = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}", settings.DEFAULT_FROM_EMAIL
    facts = f"{server}, from {sender}. Links in e-mails begin with {settings.SITE_URL}."
    problems: list[CheckMessage] = []
    if settings.EMAIL_USE_TLS and settings.EMAIL_USE_SSL:
        hint = "Set only one of them: EMAIL_USE_SSL for port 465, EMAIL_USE_TLS for port 587."
        problems.append(Error("EMAIL_USE_TLS and EMAIL_USE_SSL are both on.", hint=hint))
    else:
        problems += _mail_server(server)
    if settings.EMAIL_HOST_PASSWORD and not (settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL):
        hint = "Set EMAIL_USE_TLS=1 and EMAIL_PORT=587, or EMAIL_USE_SSL=1 and EMAIL_PORT=465."
        problems.append(Warning("The password for the mail server travels unencrypted.", hint=hint))
    try:
        link = urlsplit(settings.SITE_URL)
        reachable = link.scheme == "https" and is_public(link.hostname or "")
    except ValueError:
        reachable = False
    if not reachable:
        hint = "Set SITE_URL to the public address of the site, for example https://cards.example."
        problems.append(Warning("Links in e-mails do not lead to a public https address.", hint=hint))
    if not is_public(sender.rpartition("@")[2].rstrip(">")):
        hint = "Set EMAIL_FROM to an address that your mail server may send from, for example hamsterdam@cards.example."
        problems.append(Warning("The sender of e-mails is not an address of the internet.", hint=hint))
    return CheckResult("Mail", facts, tuple(problems))


def _mail_server(server: str) -> Iterator[CheckMessage]:
    """Open a connection as for an e-mail, with TLS and login, and close it."""
    outgoing = get_connection(timeout=PATIENCE)
    try:
        outgoing.open()
    except (OSError, SMTPException, UnicodeError) as error:
        hint = "Check EMAIL_HOST, EMAIL_PORT, the name and password, and EMAIL_USE_TLS or EMAIL_USE_SSL."
        yield Error(f"The mail server {server} cannot be used: {_brief(error)}", hint=hint)
    finally:
        outgoing.close()


def push() -> CheckResult:
    """Check the contact and the key for notifications, and that browsers allow them here."""
    facts = f"The public key is {public_key()}."
    if settings.LOCAL:
        return CheckResult("Push", f"{facts} Over plain HTTP, only browsers on this machine get notifications.")
    contact = settings.PUSH_CONTACT
    hint = "Set PUSH_CONTACT to an address of yours, such as mailto:you@cards.example. Some push services need it."
    if not contact.startswith(("mailto:", "https:")):
        problem = Error(f"PUSH_CONTACT is {contact}, which does not begin with mailto: or https:.", hint=hint)
        return CheckResult("Push", facts, (problem,))
    if contact.endswith("@localhost"):
        return CheckResult("Push", facts, (Warning("PUSH_CONTACT is not an address of the internet.", hint=hint),))
    return CheckResult("Push", f"{facts} Push services write to {contact}.")


# -- the site as a browser reaches it


def https(url: str) -> CheckResult:
    """Check certificate, redirect, HSTS and WebSocket at the site's public address."""
    if not url:
        return CheckResult("HTTPS", "Not checked: give the site's address with --url https://...")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # such as the port 99999
        parts, port = urlsplit(""), None
    if parts.scheme != "https" or not parts.hostname:
        hint = "Give an address such as https://cards.example/."
        return CheckResult("HTTPS", "", (Error(f"{url} is not an https address.", hint=hint),))
    try:
        expires = _certificate(parts.hostname, port or 443)
        return CheckResult(
            "HTTPS",
            f"The certificate is valid until {expires:%Y-%m-%d}.",
            tuple(_through_proxy(parts.hostname, port, expires)),
        )
    except ssl.SSLCertVerificationError as error:
        hint = "Get a certificate for this name, with its intermediate certificates, and give it to the proxy."
        return CheckResult("HTTPS", "", (Error(f"The certificate is not valid: {error.verify_message}.", hint=hint),))
    except (OSError, UnicodeError) as error:
        hint = "Check the name's address, the firewall, and that the proxy runs."
        return CheckResult("HTTPS", "", (Error(f"{url} does not answer: {_brief(error)}", hint=hint),))
    except HTTPException as error:
        hint = "Check what else listens there: the answer must come from the proxy of this site."
        return CheckResult("HTTPS", "", (Error(f"{url} does not answer with HTTP: {_brief(error)}", hint=hint),))


def _certificate(host: str, port: int) -> datetime:
    """Return until when the certificate of a server is valid. Raises OSError, SSLCertVerificationError."""
    context = ssl.create_default_context()
    with socket.create_connection((host, port), PATIENCE) as raw, context.wrap_socket(raw, server_hostname=host) as tls:
        until = str(tls.getpeercert()["notAfter"])  # type: ignore[index]
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(until), tz=timezone.get_default_timezone())


def _through_proxy(host: str, port: int | None, expires: datetime) -> Iterator[CheckMessage]:
    days = (expires - timezone.now()).days
    if days < EXPIRES_SOON:
        yield Warning(f"The certificate expires in {days} days.", hint="Renew it, and have it renewed automatically.")
    name = host if port is None else f"{host}:{port}"
    pages = HTTPSConnection(host, port, timeout=PATIENCE)
    pages.request("GET", "/health", headers={"Host": name})
    answer = pages.getresponse()
    body = answer.read(1000)
    if answer.status != 200 or b'"ok"' not in body:
        hint = "Check that the site runs, that ALLOWED_HOSTS has this name, and BEHIND_PROXY=1."
        yield Error(f"/health answers {answer.status}.", hint=hint)
        return
    if date := answer.getheader("Date"):
        apart = abs((parsedate_to_datetime(date) - timezone.now()).total_seconds())
        if apart > TOO_DIFFERENT:
            yield Warning(
                f"The proxy's clock differs by {apart:.0f} s.", hint="Synchronize the clocks of all machines."
            )
    if not answer.getheader("Strict-Transport-Security"):
        hint = "Let the proxy pass on Strict-Transport-Security, and remove HAMSTERDAM_LOCAL from the settings."
        yield Warning(
            "The answer has no Strict-Transport-Security header: browsers may still use plain HTTP.", hint=hint
        )
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": UPGRADE_KEY,
        "Origin": f"https://{name}",
        "Host": name,
    }
    sockets = HTTPSConnection(host, port, timeout=PATIENCE)
    # No table has such a code. A site that gets the upgrade accepts it, to send the reason why it closes the socket.
    sockets.request("GET", "/ws/table/doctor/", headers=upgrade)
    status = sockets.getresponse().status
    if status != 101:
        hint = "Let the proxy pass on Upgrade, Connection and Host: docs/deployment/nginx-proxy.inc."
        yield Error(f"WebSockets do not get through: the answer is {status}, not 101.", hint=hint)
    if port is None:
        plain = HTTPConnection(host, 80, timeout=PATIENCE)
        try:
            plain.request("GET", "/", headers={"Host": host})
            redirect = plain.getresponse().getheader("Location") or ""
        except (OSError, HTTPException):
            return  # no web server listens there, which is safe
        if not redirect.startswith("https://"):
            hint = "Let the proxy redirect port 80 to HTTPS: docs/deployment/nginx.conf."
            yield Error("Plain HTTP is not redirected to HTTPS.", hint=hint)


def _brief(error: BaseException) -> str:
    """Return the first line of an error."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
