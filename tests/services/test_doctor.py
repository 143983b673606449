"""``manage.py doctor``: it finds what is wrong with a real installation, says what to do, and finds nothing else."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from cardsite.front import doctor
from cardsite.version import VERSION
from tests.running_postgres import new_database
from tests.running_site import ROOT, RunningSite
from tests.site.visitor import Visitor
from tests.test_deployment import self_signed
from tests.tiers import full

Place = Callable[..., RunningSite]


def run(site: RunningSite, *arguments: str, **environment: str) -> tuple[int, dict[str, Any]]:
    """Run the doctor. Return its exit code, and its findings by subject."""
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json", *arguments],
        cwd=ROOT,
        env={**site.environment, **environment},
        text=True,
        capture_output=True,
    )
    assert done.stdout.startswith("{"), done.stderr
    read = json.loads(done.stdout)
    assert read["version"] == VERSION
    assert read["ok"] == (done.returncode == 0)
    return done.returncode, {finding["subject"]: finding for finding in read["findings"]}


def problems(findings: dict[str, Any], subject: str) -> list[str]:
    """Return the messages of a finding, all of which must say what to do."""
    assert all(problem["hint"] for problem in findings[subject]["problems"])
    return [problem["message"] for problem in findings[subject]["problems"]]


def change(site: RunningSite, statement: str) -> None:
    """Change the database of a site on SQLite."""
    with closing(sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3")) as database, database:
        database.execute(statement)


@full
def test_a_new_site_has_no_errors_and_needs_a_backup(new_site: Place, tmp_path: Path) -> None:
    site = new_site()
    site.open()
    code, found = run(site)
    assert code == 0
    assert {name for name, finding in found.items() if finding["status"] != "ok"} == {"Backup"}
    assert problems(found, "Backup") == ["No backup has been made with manage.py backup."]
    assert run(site, "--fail-level", "WARNING")[0] == 1
    site.manage("backup", str(tmp_path / "copy.backup"))
    code, found = run(site, "--fail-level", "WARNING")
    assert (code, found["Backup"]["status"]) == (0, "ok")
    change(site, "UPDATE table_chore SET begun = '2026-01-01 00:00:00' WHERE name = 'backup'")
    assert problems(run(site)[1], "Backup") == ["It is older than 7 days."]
    printed = site.manage("doctor")
    assert printed.startswith(f"Hamsterdam {VERSION}\n")
    assert "-> Run manage.py backup FILE" in printed
    assert "14 checks: 0 with errors, 1 with warnings." in printed


@full
def test_a_site_that_was_not_opened_is_asked_to_run_open_house(new_site: Place) -> None:
    code, found = run(new_site())
    assert code == 1
    assert {name for name, finding in found.items() if finding["status"] == "error"} == {"Database", "Static files"}
    for subject in ("Database", "Static files"):
        assert "open_house" in found[subject]["problems"][0]["hint"]
    assert found["Backup"]["facts"] == "Not checked: the database is not ready."


@full
def test_a_new_postgresql_database_needs_its_migrations(new_site: Place, pg_server: str) -> None:
    _, found = run(new_site(DATABASE_URL=new_database(pg_server)))
    [problem] = problems(found, "Database")
    assert problem.startswith("Migrations that have not been applied: ")
    assert found["Database"]["facts"].startswith("PostgreSQL ")


@full
def test_a_file_that_is_no_database_is_named(new_site: Place) -> None:
    site = new_site()
    site.open()
    file = site.folder / "var" / "hamsterdam.sqlite3"
    file.write_bytes(b"garbage" * 1000)
    _, found = run(site)
    assert problems(found, "Database") == ["The database cannot be used: file is not a database"]
    assert str(file) in found["Database"]["problems"][0]["hint"]


@full
def test_a_database_of_another_version_is_named(new_site: Place) -> None:
    site = new_site()
    site.open()
    newest = "SELECT max(id) FROM django_migrations WHERE app = 'table'"
    change(site, f"DELETE FROM django_migrations WHERE id = ({newest})")
    change(site, "INSERT INTO django_migrations (app, name, applied) VALUES ('table', '9999_later', '2027-01-01')")
    code, found = run(site)
    assert code == 1
    assert problems(found, "Database") == [
        "Migrations that have not been applied: 1.",
        "The database is of a newer version: it has for example the migration table.9999_later.",
    ]


@full
def test_old_scripts_and_a_missing_administrator_are_found(new_site: Place) -> None:
    site = new_site()
    site.open()
    static = site.folder / "var" / "static"
    shared = static.resolve()  # with all sites of this run: see RunningSite.open
    static.unlink()
    shutil.copytree(shared, static)
    (static / "bundles" / "js-site.js").write_text("old();")
    change(site, "UPDATE auth_user SET is_active = 0")
    _, found = run(site)
    assert problems(found, "Static files") == ["1 collected scripts and styles are of another version: js-site.js."]
    assert problems(found, "Administrators") == ["There is no administrator."]


PROXY = ("HTTP_X_FORWARDED_PROTO", "https")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, {"hamsterdam.W001", "hamsterdam.W003"}),
        ({"ALLOWED_HOSTS": ["*"], "SECURE_PROXY_SSL_HEADER": PROXY}, {"hamsterdam.W001", "hamsterdam.W002"}),
        ({"ALLOWED_HOSTS": ["cards.example"], "SECURE_PROXY_SSL_HEADER": PROXY}, set()),
        ({"RATE_LIMITS": False}, {"hamsterdam.W001", "hamsterdam.W003", "hamsterdam.W004"}),
        ({"REDIS_URL": "redis://127.0.0.1"}, {"hamsterdam.W001", "hamsterdam.W003", "hamsterdam.W005"}),
        ({"SECRET_KEY": "short"}, {"hamsterdam.W001", "hamsterdam.W003", "security.W009"}),
        ({"LOCAL": True, "ALLOWED_HOSTS": ["cards.example"]}, {"hamsterdam.W006"}),
        ({"LOCAL": True, "ALLOWED_HOSTS": ["192.168.1.7", "cards.local", "[::1]"]}, set()),
    ],
)
def test_settings_that_endanger_a_site_are_named_by_django_s_checks_and_by_ours(
    settings: Settings, values: dict[str, object], expected: set[str]
) -> None:
    safe = {
        "LOCAL": False,
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost"],
        "SECRET_KEY": "qwertyuiopasdfghjklzxcvbnm" * 2,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 60,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_PROXY_SSL_HEADER": None,
        "RATE_LIMITS": True,
        "REDIS_URL": "",
    }
    for name, value in {**safe, **values}.items():
        setattr(settings, name, value)
    finding = doctor.site_settings()
    assert {problem.id for problem in finding.problems} == expected
    assert all(problem.hint or problem.id == "security.W009" for problem in finding.problems)


def test_a_variable_with_an_old_name_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAGE_PACE", "2")
    [problem] = doctor.site_settings().problems
    assert (problem.msg, problem.hint) == ("STAGE_PACE is not read any more.", "Call it REVEAL_PACE.")


@full
def test_servers_that_do_not_answer_are_errors_and_the_other_checks_go_on(new_site: Place) -> None:
    site = new_site(DATABASE_URL="postgresql://nobody@127.0.0.1:9/none", REDIS_URL="redis://127.0.0.1:9/0")
    code, found = run(site)
    assert code == 1
    [problem] = problems(found, "Database")
    assert problem.startswith("The database cannot be used: connection failed: ")
    assert "port 9" in problem
    assert found["Administrators"]["facts"] == doctor.NOT_READY
    assert problems(found, "Redis")[0].startswith("Redis does not answer: ")
    assert found["Confinement"]["status"] == "ok"


@full
def test_postgresql_and_redis_are_checked_and_their_clocks_compared(
    new_site: Place, pg_url: str, redis_url: str
) -> None:
    site = new_site(DATABASE_URL=pg_url, REDIS_URL=redis_url)
    site.open()
    code, found = run(site)
    assert (code, problems(found, "Database"), problems(found, "Redis")) == (0, [], [])
    assert found["Database"]["facts"].startswith("PostgreSQL ")
    assert "from PostgreSQL's clock" in found["Clock"]["facts"]
    assert "from Redis's clock" in found["Clock"]["facts"]


@full
def test_a_clock_that_differs_is_found(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    monkeypatch.setattr(doctor, "_redis_time", lambda: time.time() - 60)
    finding = doctor.clock()
    assert [problem.msg for problem in finding.problems][:1] == ["This clock differs by 60 s from Redis's clock."]
    assert finding.status == "error"


@full
def test_two_processes_on_sqlite_are_an_error(new_site: Place) -> None:
    site = new_site()
    site.open()
    for name in ("one", "two"):
        change(site, f"INSERT INTO table_serverprocess (name, seen) VALUES ('{name}', datetime('now', '+1 hour'))")
    code, found = run(site)
    assert (code, problems(found, "Processes")) == (1, ["Several processes need PostgreSQL and Redis."])


# -- mail and push


@contextmanager
def mail_server(greeting: bytes = b"220 ready") -> Iterator[int]:
    """Run a mail server that accepts connections without a login. Gives its port."""

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with client, client.makefile("rb") as lines:
                client.sendall(greeting + b"\r\n")
                for line in lines:
                    client.sendall(b"221 bye\r\n" if line.startswith(b"QUIT") else b"250 ok\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


MAIL = {
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "EMAIL_HOST": "127.0.0.1",
    "SITE_URL": "https://cards.example",
    "DEFAULT_FROM_EMAIL": "Hamsterdam <cards@cards.example>",
}
NO_LINK = "Links in e-mails do not lead to a public https address."


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, []),
        ({"EMAIL_USE_TLS": True}, ["The mail server 127.0.0.1:{} cannot be used: STARTTLS extension not supported"]),
        ({"EMAIL_USE_TLS": True, "EMAIL_USE_SSL": True}, ["EMAIL_USE_TLS and EMAIL_USE_SSL are both on."]),
        (
            {"EMAIL_HOST_USER": "me", "EMAIL_HOST_PASSWORD": "secret"},
            ["The mail server 127.0.0.1:{} cannot be used: SMTP AUTH", "The password for the mail server travels"],
        ),
        ({"SITE_URL": "https://localhost"}, [NO_LINK]),
        ({"SITE_URL": "http://cards.example"}, [NO_LINK]),
        ({"SITE_URL": "https://[cards"}, [NO_LINK]),
        ({"DEFAULT_FROM_EMAIL": "hamsterdam@localhost"}, ["The sender of e-mails is not an address of the internet."]),
    ],
)
def test_what_makes_e_mails_fail_is_named(settings: Settings, values: dict[str, object], expected: list[str]) -> None:
    with mail_server() as port:
        for name, value in {**MAIL, "EMAIL_PORT": port, **values}.items():
            setattr(settings, name, value)
        finding = doctor.mail()
    assert len(finding.problems) == len(expected), finding
    for problem, start in zip(finding.problems, expected, strict=True):
        assert problem.msg.startswith(start.format(port))
        assert problem.hint


@pytest.mark.parametrize("greeting", [None, b"554 go away"])
def test_a_mail_server_that_accepts_no_connections_is_an_error(settings: Settings, greeting: bytes | None) -> None:
    with mail_server(greeting or b"") as port:
        pass
    for name, value in {**MAIL, "EMAIL_PORT": port}.items():
        setattr(settings, name, value)
    if greeting is None:
        [problem] = doctor.mail().problems
    else:
        with mail_server(greeting) as settings.EMAIL_PORT:
            [problem] = doctor.mail().problems
    assert problem.msg.startswith(f"The mail server 127.0.0.1:{settings.EMAIL_PORT} cannot be used: ")


def test_without_a_mail_server_there_is_nothing_to_check(settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    assert doctor.mail().facts == "Not used: EMAIL_HOST is not set, so the site sends no e-mails."


@pytest.mark.parametrize(
    ("contact", "expected"),
    [
        ("mailto:boss@cards.example", []),
        ("https://cards.example/contact", []),
        ("mailto:webmaster@localhost", ["PUSH_CONTACT is not an address of the internet."]),
        ("boss@cards.example", ["PUSH_CONTACT is boss@cards.example, which does not begin with mailto: or https:."]),
    ],
)
def test_push_services_need_a_contact_where_others_reach_the_site(
    settings: Settings, contact: str, expected: list[str]
) -> None:
    settings.LOCAL, settings.PUSH_CONTACT = False, contact
    assert [problem.msg for problem in doctor.push().problems] == expected
    settings.LOCAL = True
    assert doctor.push().problems == ()


# -- HTTPS


@pytest.mark.parametrize("url", ["https://x:99999", "https://x:port", "https://[x", "http://cards.example", "cards"])
def test_an_address_that_is_none_is_an_error(url: str) -> None:
    [problem] = doctor.https(url).problems
    assert problem.msg == f"{url} is not an https address."


@full
def test_a_server_that_does_not_speak_http_is_an_error(tmp_path: Path) -> None:
    with mail_server() as mail, tls_proxy(tmp_path, mail) as port:
        url = f"https://localhost:{port}/"
        command = [sys.executable, "manage.py", "doctor", "--json", "--url", url]
        environment = {**os.environ, "SSL_CERT_FILE": str(tmp_path / "certificate.pem")}
        environment |= {"HAMSTERDAM_VAR": str(tmp_path / "var"), "HAMSTERDAM_LOCAL": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True)
    found = {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert problems(found, "HTTPS") == [f"{url} does not answer with HTTP: 220 ready"]


@contextmanager
def tls_proxy(folder: Path, upstream: int, days: int = 90, drop: bytes = b"") -> Iterator[int]:
    """Run a proxy that terminates TLS for ``localhost``. ``drop``: a header it does not pass on. Gives its port."""
    key, certificate = self_signed("localhost", days)
    (folder / "key.pem").write_bytes(key)
    (folder / "certificate.pem").write_bytes(certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")

    def copy(source: socket.socket, target: socket.socket) -> None:
        try:
            while some := source.recv(65536):
                target.sendall(some)
        except OSError:
            pass

    def pass_on(raw: socket.socket) -> None:
        try:
            with raw, context.wrap_socket(raw, server_side=True) as client:
                head = b""
                while b"\r\n\r\n" not in head and (some := client.recv(65536)):
                    head += some
                if not head:
                    return  # the check of the certificate sends nothing
                lines = [line for line in head.split(b"\r\n") if not (drop and line.startswith(drop))]
                lines[1:1] = [b"X-Forwarded-Proto: https", b"X-Forwarded-For: 192.0.2.7"]
                with socket.create_connection(("127.0.0.1", upstream)) as site:
                    site.sendall(b"\r\n".join(lines))
                    copy(site, client)
        except OSError:
            pass  # a client that does not trust the certificate

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=pass_on, args=(raw,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def public(new_site: Place) -> RunningSite:
    """A running site that requires HTTPS, behind a proxy."""
    site = new_site(HAMSTERDAM_LOCAL="", BEHIND_PROXY="1")
    site.open()
    site.start()
    return site


@full
def test_a_site_is_checked_as_browsers_reach_it(public: RunningSite, tmp_path: Path) -> None:
    with tls_proxy(tmp_path, public.port) as port:
        trusted = {"SSL_CERT_FILE": str(tmp_path / "certificate.pem")}
        code, found = run(public, "--url", f"https://localhost:{port}/", **trusted)
        assert (code, problems(found, "HTTPS")) == (0, [])
        assert found["HTTPS"]["facts"].startswith("The certificate is valid until 20")
        _, found = run(public, "--url", f"https://localhost:{port}/")
        assert problems(found, "HTTPS") == ["The certificate is not valid: self-signed certificate."]
    _, found = run(public, "--url", f"https://localhost:{port}/", **trusted)
    assert "does not answer: [Errno 111]" in problems(found, "HTTPS")[0]


@full
def test_a_proxy_without_websockets_and_an_old_certificate_are_found(public: RunningSite, tmp_path: Path) -> None:
    with tls_proxy(tmp_path, public.port, days=5, drop=b"Upgrade:") as port:
        trusted = {"SSL_CERT_FILE": str(tmp_path / "certificate.pem")}
        code, found = run(public, "--url", f"https://localhost:{port}/", **trusted)
    assert code == 1
    expires, sockets = problems(found, "HTTPS")
    assert expires == "The certificate expires in 4 days."
    assert sockets.startswith("WebSockets do not get through: the answer is 4")


@full
def test_the_footer_of_every_page_shows_the_version(site: RunningSite) -> None:
    assert f"<p>Version {VERSION}</p>" in Visitor(site).get("/").text
