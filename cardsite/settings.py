"""Settings. Everything that differs between machines comes from the environment; docs/deployment.md lists it all.

With nothing set the site is safe to expose behind TLS: DEBUG is off, cookies are secure, nothing is written outside
``var/``. ``HAMSTERDAM_LOCAL=1`` (``make play``) allows plain HTTP on this machine.
"""

import os
from pathlib import Path
from typing import Any, TypeVar

import dj_database_url
import structlog
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured

from cardsite.private import private_database, private_folder, secret_key
from games.core.words import languages

Number = TypeVar("Number", int, float)

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = private_folder(Path(os.environ.get("HAMSTERDAM_VAR", BASE_DIR / "var")))


def _switch(name: str, default: bool = False) -> bool:
    return os.environ.get(name, "1" if default else "0").lower() in ("1", "true", "yes", "on")


def _number(name: str, default: Number) -> Number:
    given = os.environ.get(name, "")
    try:
        return type(default)(given) if given else default
    except ValueError:
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise ImproperlyConfigured(f"{name} must be {kind} such as {default}, not {given!r}.") from None


DEBUG = _switch("DEBUG")
LOCAL = DEBUG or _switch("HAMSTERDAM_LOCAL")
SECRET_KEY = secret_key(os.environ.get("SECRET_KEY", ""), VAR_DIR / "secret.key")

# Web Push: whom push services write to if this site sends too much.
PUSH_CONTACT = os.environ.get("PUSH_CONTACT", "mailto:webmaster@localhost")
# The push services that requests are sent to, a dot in front for all hosts below. Others are refused.
PUSH_SERVICES = os.environ.get(
    "PUSH_SERVICES",
    "fcm.googleapis.com,updates.push.services.mozilla.com,.push.apple.com,.notify.windows.com",
).split(",")
PUSH_SCHEME = "https"  # the push service of the tests has no certificate

# E-mail: off without a host. Links in e-mails begin with SITE_URL.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = _number("EMAIL_PORT", 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _switch("EMAIL_USE_TLS")
EMAIL_USE_SSL = _switch("EMAIL_USE_SSL")
EMAIL_TIMEOUT = 20  # seconds

LAN_ADDRESS = ""  # set by ``serve --lan``: the site's address in the local network, without a slash at the end
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", f"hamsterdam@{ALLOWED_HOSTS[0]}")
SITE_URL = os.environ.get("SITE_URL", f"https://{ALLOWED_HOSTS[0]}").rstrip("/")
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]

INSTALLED_APPS = [
    "daphne",
    "cardsite.people.apps.AdministratorsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "cardsite.people",
    "cardsite.push",
    "cardsite.lobby",
    "cardsite.table",
    "cardsite.lab",
    "cardsite.workshop",
    "cardsite.playtests",
    "cardsite.circles",
    "cardsite.tournaments",
    "cardsite.front",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "cardsite.packing.pages.CompressedPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "cardsite.people.rate_limits.RateLimits",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "cardsite.urls"
ASGI_APPLICATION = "cardsite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cardsite.front.context.page",
            ]
        },
    }
]

# -- storage: SQLite and memory, or PostgreSQL and Redis, by two variables alone

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'hamsterdam.sqlite3'}"
if not DATABASE_URL.startswith(("postgres://", "postgresql://", "sqlite://")):
    raise ImproperlyConfigured("DATABASE_URL must begin with postgres:// or sqlite:///.")
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=600)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    if not str(DATABASES["default"]["NAME"]).startswith((":memory:", "file:")):
        private_database(Path(DATABASES["default"]["NAME"]))
    # WAL lets pages be read while a move is written; FULL makes a commit survive a power cut, not only a crash.
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    # A pool limits the connections, however many threads want one.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 2, "max_size": 20, "timeout": 10}

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
    raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# -- people

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "cardsite.people.passwords.UnlikeTheName"},
    {"NAME": "cardsite.people.passwords.LongEnough"},
    {"NAME": "cardsite.people.passwords.Uncommon"},
]
LOGIN_URL = "people:login"
LOGIN_REDIRECT_URL = "people:me"
LOGOUT_REDIRECT_URL = "front:home"
OTP_TOTP_ISSUER = "Hamsterdam"  # how an administrator's app names the second factor
SESSION_ENGINE = "cardsite.people.sessions"
KEEP_SESSIONS_DAYS = max(1, _number("KEEP_SESSIONS_DAYS", 365))  # a guest's name and history live there
SESSION_COOKIE_AGE = 60 * 60 * 24 * KEEP_SESSIONS_DAYS

# -- safety

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not LOCAL
SECURE_SSL_REDIRECT = not LOCAL
SECURE_REDIRECT_EXEMPT = [r"^(health|metrics)$"]  # load balancers and Prometheus ask in plain HTTP
SECURE_HSTS_SECONDS = 0 if LOCAL else 60 * 60 * 24 * 365
# Off by default: both force HTTPS on every other name under the domain, and browsers remember them for a year.
SECURE_HSTS_INCLUDE_SUBDOMAINS = _switch("HSTS_INCLUDE_SUBDOMAINS")
SECURE_HSTS_PRELOAD = _switch("HSTS_PRELOAD")
if SECURE_HSTS_PRELOAD and not SECURE_HSTS_INCLUDE_SUBDOMAINS:
    raise ImproperlyConfigured("HSTS_PRELOAD needs HSTS_INCLUDE_SUBDOMAINS=1: browsers preload whole domains only.")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # which want both on
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _switch("BEHIND_PROXY") else None
if LOCAL:  # browsers accept it over HTTPS and on this machine only, and warn elsewhere
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "style-src": ["'self'"],
        "style-src-attr": ["'unsafe-inline'"],  # positions of travelling cards are set by script
        "connect-src": ["'self'"],
        "frame-ancestors": ["'none'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
    }
}
# What may be sent to a page, and in what time; no files. request_limits.py enforces it under any server, front/http.py
# where our own server would have read it before.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
HEAD_SECONDS = 10.0  # from the connection to its first byte, and from there to the end of the head
BODY_SECONDS = 30.0  # from there to the end of the body
FILE_UPLOAD_HANDLERS: list[str] = []

# -- pages

LANGUAGE_CODE = "en"
LANGUAGES = [(code, LANG_INFO[code]["name_local"]) for code in ("en", *languages())]
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = not LOCAL
LANGUAGE_COOKIE_HTTPONLY = True
LOCALE_PATHS = [VAR_DIR / "locale"]  # open_house compiles the catalogues of cardsite/locale/ there
FORMAT_MODULE_PATH = "cardsite.formats"  # else English dates would be American
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATICFILES_DIRS: list[Any] = [
    BASE_DIR / "static",
    ("locale", private_folder(LOCALE_PATHS[0] / "scripts")),
    # A game's pictures live with it: games/NAME/art/sign.svg is served as games/NAME/sign.svg.
    *((f"games/{art.parent.name}", art) for art in sorted((BASE_DIR / "games").glob("*/art"))),
]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "cardsite.packing.storage.BundledStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG  # otherwise the files that open_house has collected and compressed are served
WHITENOISE_MAX_AGE = 0 if LOCAL else 60  # of the sources; files named by their content are kept for ever
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- matches, bots and limits

BOT_PACE = _number("BOT_PACE", 1.0)  # seconds that a bot takes at least, so that people can follow
REVEAL_PACE = _number("REVEAL_PACE", 1.0)  # multiplies the length of a game's reveals; 0: no pauses
MATCH_WORKERS = _number("MATCH_WORKERS", 4)  # processes for games written by visitors, at most
BOT_WORKERS = _number("BOT_WORKERS", 0)  # processes for bots; 0: one for each core but one
BOT_BUDGET = _number("BOT_BUDGET", 1000)  # roll-outs of a searching bot for each decision
HOUSE_TABLE = _switch("HOUSE_TABLE", True)
RATE_LIMITS = _switch("RATE_LIMITS", True)
# Open sockets in each process: a school may share one address, a person has several tabs. 0: no limit
SOCKETS_AN_ADDRESS = _number("SOCKETS_AN_ADDRESS", 1000)
SOCKETS_A_PERSON = _number("SOCKETS_A_PERSON", 50)

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")  # required to read /metrics; empty: there is no such page
if METRICS_TOKEN and len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("METRICS_TOKEN must have at least 20 characters, so that it cannot be guessed.")

# -- retention, in days; 0: for ever. See table/tidy.py; the privacy page shows these numbers

KEEP_GUESTS_DAYS = _number("KEEP_GUESTS_DAYS", 90)  # those without a result, since their last visit
KEEP_SOLO_DAYS = _number("KEEP_SOLO_DAYS", 30)  # matches that a guest played alone and did not save
KEEP_CHAT_DAYS = _number("KEEP_CHAT_DAYS", 90)
KEEP_TABLES_DAYS = _number("KEEP_TABLES_DAYS", 30)  # closed tables without matches
KEEP_REPLAYS_DAYS = _number("KEEP_REPLAYS_DAYS", 30)  # stored replays; they are computed again on request
PACK_MOVES_DAYS = _number("PACK_MOVES_DAYS", 30)  # after the end of a match
TIDY_MINUTES = _number("TIDY_MINUTES", 60.0)  # between two clean-ups; 0: only by manage.py tidy

# -- logs: one line for each event, for people on a terminal, JSON otherwise

LOG_JSON = _switch("LOG_JSON", not LOCAL)
_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
structlog.configure(
    processors=[*_shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": [*_shared, structlog.stdlib.ExtraAdder(["and_more", "in_seconds"])],
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,  # last, so that only tracebacks that are written are formatted
                structlog.processors.JSONRenderer() if LOG_JSON else structlog.dev.ConsoleRenderer(colors=False),
            ],
        }
    },
    "filters": {"one_line": {"()": "cardsite.logs.OneLine"}},
    "handlers": {
        "console": {"class": "cardsite.logs.RateLimitedHandler", "formatter": "line", "filters": ["one_line"]}
    },
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {
        name: {"level": "WARNING"} for name in ("daphne.http_protocol", "daphne.server", "django.channels.server")
    },
}
