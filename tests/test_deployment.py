"""The files under docs/deployment/: the programs they are for accept them, and they agree with the site."""

from __future__ import annotations

import datetime
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware
from django.test import RequestFactory, override_settings
from prometheus_client import REGISTRY

from cardsite import metrics
from cardsite.front.management.commands.serve import PING_SECONDS
from cardsite.server.protocol import Decider
from tests.patience import wait_for
from tests.running_site import ROOT, RunningSite, free_port
from tests.site.visitor import Visitor, begin

FILES = ROOT / "docs/deployment"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
SYSTEMD = shutil.which("systemd-analyze")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is not here")
PORTS = re.compile(r"server (?:127\.0\.0\.1|site\d):(\d+);")


def text(name: str) -> str:
    """Return a file of docs/deployment/."""
    return (FILES / name).read_text()


class RecordingEnvironment(dict[str, str]):
    """Environment variables that record which of them are read."""

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)


@pytest.mark.parametrize(
    ("environment", "header"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_INCLUDE_SUBDOMAINS": "1"}, "max-age=31536000; includeSubDomains"),
        ({"HSTS_INCLUDE_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "max-age=31536000; includeSubDomains; preload"),
        ({"HAMSTERDAM_LOCAL": "1", "HSTS_INCLUDE_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, None),
    ],
)
def test_the_hsts_header_follows_the_settings(
    environment: dict[str, str], header: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rf: RequestFactory
) -> None:
    monkeypatch.setattr(os, "environ", {"HAMSTERDAM_VAR": str(tmp_path), **environment})
    read = runpy.run_path(str(ROOT / "cardsite/settings.py"))
    with override_settings(**{name: value for name, value in read.items() if name.startswith("SECURE_HSTS_")}):
        answer = SecurityMiddleware(lambda _: HttpResponse())(rf.get("/", secure=True))
    assert isinstance(answer, HttpResponse)
    assert answer.headers.get("Strict-Transport-Security") == header


def test_preloading_without_the_subdomains_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {"HAMSTERDAM_VAR": str(tmp_path), "HSTS_PRELOAD": "1"})
    with pytest.raises(ImproperlyConfigured, match="HSTS_PRELOAD needs HSTS_INCLUDE_SUBDOMAINS=1"):
        runpy.run_path(str(ROOT / "cardsite/settings.py"))


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("EMAIL_PORT", "smtp", "EMAIL_PORT must be a whole number such as 25, not 'smtp'."),
        ("BOT_PACE", "fast", "BOT_PACE must be a number such as 1.0, not 'fast'."),
        ("DATABASE_URL", "mysql://db/cards", "DATABASE_URL must begin with postgres:// or sqlite:///."),
        ("REDIS_URL", "localhost", "REDIS_URL must begin with redis://, rediss:// or unix://."),
    ],
)
def test_a_variable_that_cannot_be_used_is_named_by_every_command_in_one_line(
    name: str, value: str, reason: str, tmp_path: Path
) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "cardsite.settings", "HAMSTERDAM_VAR": str(tmp_path), name: value}
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"], cwd=ROOT, env=os.environ | settings, text=True, capture_output=True
    )
    assert (done.returncode, done.stderr) == (1, f"The settings cannot be used: {reason}\n")


@pytest.fixture
def settings_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of all variables that the settings read."""
    noted = RecordingEnvironment({"HAMSTERDAM_VAR": str(tmp_path)})
    monkeypatch.setattr(os, "environ", noted)
    runpy.run_path(str(ROOT / "cardsite/settings.py"))
    return noted.asked


def test_the_deployment_page_lists_every_variable_that_the_settings_read(settings_read: set[str]) -> None:
    listed = re.findall(r"^- `([A-Z_]+)` \(", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(settings_read)


# -- nginx


def nginx_folder(folder: Path, site_file: str, upstream: int, port: int) -> Path:
    """Write the configuration of nginx: our files, changed only in addresses, ports and paths."""
    conf = folder / "conf.d"
    conf.mkdir()
    key, certificate = self_signed("cards.example")
    (folder / "key.pem").write_bytes(key)
    (folder / "certificate.pem").write_bytes(certificate)
    (conf / "nginx-proxy.inc").write_text(text("nginx-proxy.inc"))
    config = PORTS.sub(f"server 127.0.0.1:{upstream};", text(site_file))
    config = config.replace("/etc/ssl/cards.example.pem", str(folder / "certificate.pem"))
    config = config.replace("/etc/ssl/cards.example.key", str(folder / "key.pem"))
    config = re.sub(r"listen \[::\]:.*", "", config)
    for listening, instead in ((80, free_port()), (443, free_port()), (8080, port)):
        config = re.sub(rf"listen {listening}\b", f"listen 127.0.0.1:{instead}", config)
    (conf / "site.conf").write_text(config)
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} include conf.d/*.conf; }}\n"
    )
    return folder / "nginx.conf"


def self_signed(name: str, days: int = 1) -> tuple[bytes, bytes]:
    """Return a key and a certificate for a name, valid for some days."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return secret, certificate.public_bytes(pem)


@contextmanager
def running_nginx(folder: Path, site: RunningSite) -> Iterator[int]:
    """Run nginx with compose-nginx.conf in front of a site. Gives its port."""
    port = free_port()
    conf = nginx_folder(folder, "compose-nginx.conf", site.port, port)
    command = [str(NGINX), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(conf)]
    with subprocess.Popen(command) as nginx:
        try:
            yield port
        finally:
            nginx.terminate()


@needs_nginx
@pytest.mark.parametrize("site_file", ["nginx.conf", "compose-nginx.conf"])
def test_nginx_accepts_our_files(site_file: str, tmp_path: Path) -> None:
    conf = nginx_folder(tmp_path, site_file, 8000, free_port())
    command = [str(NGINX), "-t", "-p", str(tmp_path), "-e", str(tmp_path / "error.log"), "-c", str(conf)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


class BehindProxy(RunningSite):
    """A running site, addressed through its proxy."""

    def __init__(self, site: RunningSite, port: int) -> None:
        self.__dict__.update(site.__dict__)
        self.port, self.url = port, f"http://127.0.0.1:{port}"


@needs_nginx
def test_people_play_through_nginx_and_private_pages_stay_inside(
    new_site: Callable[..., RunningSite], tmp_path: Path
) -> None:
    token = "a token of twenty characters"
    inside = new_site(BEHIND_PROXY="1", METRICS_TOKEN=token)
    inside.open()
    inside.start()
    (tmp_path / "nginx").mkdir()
    with running_nginx(tmp_path / "nginx", inside) as port:
        site = BehindProxy(inside, port)
        wait_for(site.healthy, "nginx")
        ann = Visitor(site, "Ann")
        code = ann.open_table("me", "house", "house")
        with ann.connect(code) as a:  # with an Origin that names the proxy's port
            begin(code, ann, a)
            a.until(a.my_turn)
            assert a.decide()["t"] == "ack"
        prometheus = Visitor(site)
        prometheus.headers = {"Authorization": f"Bearer {token}"}
        assert prometheus.get("/metrics").status == 404
        prometheus.site = inside
        assert prometheus.get("/metrics").status == 200
        too_much = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        assert ann.post(f"/t/{code}/name/", name=too_much).status == 413


def test_nginx_agrees_with_the_site() -> None:
    proxy = text("nginx-proxy.inc")
    [limit] = re.findall(r"client_max_body_size (\d+)k;", proxy)
    assert int(limit) * 1024 == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    [silence] = re.findall(r"proxy_read_timeout (\d+)s;", proxy)
    assert int(silence) > 2 * PING_SECONDS
    [connections] = re.findall(r"limit_conn addresses (\d+);", proxy)
    assert int(connections) == settings.SOCKETS_AN_ADDRESS
    for header in ("Host $http_host", "X-Forwarded-Proto $scheme", "X-Forwarded-For $remote_addr"):
        assert f"proxy_set_header {header};" in proxy
    for site_file in ("nginx.conf", "compose-nginx.conf"):
        assert "include conf.d/nginx-proxy.inc;" in text(site_file)
        assert re.search(r"map \$http_upgrade \$connection_upgrade", text(site_file))


# -- systemd


def unit() -> dict[str, str]:
    """Return the contents of the unit."""
    lines = [line.partition("=") for line in text("hamsterdam@.service").splitlines() if re.match(r"\w+=", line)]
    return {name: value for name, _, value in lines}


@pytest.mark.skipif(SYSTEMD is None, reason="systemd-analyze is not here")
def test_systemd_accepts_our_unit(tmp_path: Path) -> None:
    installed = tmp_path / "hamsterdam@8000.service"
    # systemd-analyze checks that the program exists, and /srv/hamsterdam does not exist here.
    installed.write_text(text("hamsterdam@.service").replace("/srv/hamsterdam/.venv/bin/python", "/bin/sh"))
    done = subprocess.run(
        [str(SYSTEMD), "verify", "--man=no", "--recursive-errors=no", str(installed)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    assert "hamsterdam@" not in done.stdout  # warnings do not change the exit code


def test_the_unit_starts_the_ports_of_nginx_with_existing_settings(settings_read: set[str]) -> None:
    service = unit()
    program, manage, command, option, port = service["ExecStart"].split()
    assert program.startswith(service["WorkingDirectory"])
    assert (ROOT / manage).exists()
    assert (ROOT / f"cardsite/front/management/commands/{command}.py").exists()
    assert (option, port) == ("--port", "%i")
    started = re.findall(
        r"hamsterdam@(\d+)", next(line for line in text("hamsterdam@.service").splitlines() if "enable" in line)
    )
    assert started == PORTS.findall(text("nginx.conf"))
    variables = dict(re.findall(r"^([A-Z_]+)=(.*)$", text("hamsterdam.env"), re.MULTILINE))
    assert set(variables) <= settings_read
    assert variables["HAMSTERDAM_VAR"] == f"/var/lib/{service['StateDirectory']}"
    assert variables["BEHIND_PROXY"] == "1"


# -- containers


def compose() -> Any:
    """Return compose.yaml, read."""
    return yaml.safe_load(text("compose.yaml"))


def test_compose_starts_two_processes_with_existing_settings_and_files(
    settings_read: set[str],
) -> None:
    services = compose()["services"]
    processes = {
        name: config
        for name, config in services.items()
        if config.get("image") == "hamsterdam" and "command" not in config
    }
    assert len(processes) == 2
    for config in processes.values():
        assert set(config["environment"]) <= settings_read
        assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BEHIND_PROXY"} <= set(config["environment"])
        assert (FILES / config["build"]["context"] / config["build"]["dockerfile"]).exists()
    [port] = re.findall(r'"--port", "(\d+)"', text("Containerfile"))
    upstream = re.findall(r"server (site\d):(\d+);", text("compose-nginx.conf"))
    assert upstream == [(name, port) for name in processes]
    for mounted in services["proxy"]["volumes"]:
        assert (FILES / mounted.split(":")[0]).exists()
    [published] = services["proxy"]["ports"]
    assert f"listen {published.rsplit(':', 1)[1]};" in text("compose-nginx.conf")
    command = services["open"]["command"][0]
    assert (ROOT / f"cardsite/front/management/commands/{command}.py").exists()


class Checked(RunningSite):
    """A running site that is healthy if the health check of compose.yaml says so."""

    def __init__(self, site: RunningSite) -> None:
        self.__dict__.update(site.__dict__)

    def healthy(self) -> bool:
        _, _, *command = compose()["services"]["site1"]["healthcheck"]["test"]
        command = [part.replace(":8000/", f":{self.port}/") for part in command]
        return (
            subprocess.run([sys.executable, *command], env=self.environment, stderr=subprocess.DEVNULL).returncode == 0
        )


@pytest.mark.parametrize("local", ["1", ""])
def test_the_health_check_of_compose_finds_a_site_for_others_and_one_for_this_machine_well(
    new_site: Callable[..., RunningSite], local: str
) -> None:
    names = compose()["services"]["site1"]["environment"]["ALLOWED_HOSTS"]
    default = names.partition(":-")[2].rstrip("}")
    site = Checked(
        new_site(
            HAMSTERDAM_LOCAL=local, ALLOWED_HOSTS=default if local else "cards.example,www.example", BEHIND_PROXY="1"
        )
    )
    site.open()
    site.start()  # waits until it is healthy
    site.close()


def test_the_container_has_all_parts_of_the_site() -> None:
    copied = {
        name for line in re.findall(r"^COPY (.*)$", text("Containerfile"), re.MULTILINE) for name in line.split()[:-1]
    }
    assert all((ROOT / name).exists() for name in copied)
    # The code, and what the settings and the pages read besides it.
    assert {"manage.py", "requirements.lock", "cardsite", "games", "templates", "static"} <= copied


# -- Prometheus


def alerts() -> list[dict[str, Any]]:
    """Return the alerts that come with the site."""
    return [rule for group in yaml.safe_load(text("alerts.yaml"))["groups"] for rule in group["rules"]]


def test_alerts_use_existing_figures() -> None:
    assert metrics.moves  # imported, so that its metrics are in the registry
    existing = {
        name
        for family in REGISTRY.collect()
        for name in (family.name, *(f"{family.name}{end}" for end in ("_total", "_bucket", "_sum", "_count")))
    }
    rules = alerts()
    asked = {name for rule in rules for name in re.findall(r"\b(?:hamsterdam|process)_\w+", rule["expr"])}
    assert {name for name in asked if name.startswith("hamsterdam")}
    assert asked <= existing | {"process_max_fds", "process_open_fds", "process_resident_memory_bytes"}
    assert all({"alert", "expr", "annotations"} <= set(rule) for rule in rules)
    shown = re.findall(r"^- `(\w+)`: ", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE)
    assert {rule["alert"] for rule in rules} <= set(shown)


def test_both_sides_of_a_comparison_of_different_labels_are_sums() -> None:
    """Prometheus compares series with the same labels only: sums leave out the labels that differ."""
    for rule in alerts():
        selectors = re.findall(r"\w+(\{[^}]*\})", rule["expr"])
        if len(set(selectors)) > 1:
            assert rule["expr"].count("sum by (instance)") == len(selectors), rule["alert"]


def test_every_figure_of_the_site_is_explained() -> None:
    page = (ROOT / "docs/deployment.md").read_text()
    for family in REGISTRY.collect():
        if family.name.startswith("hamsterdam_"):
            assert f"`{family.name}" in page, family.name


def test_labels_of_alerts_are_words_that_the_site_uses() -> None:
    assert set(re.findall(r'by="(\w+)"', text("alerts.yaml"))) <= set(get_args(Decider))
