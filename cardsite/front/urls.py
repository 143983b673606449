from datetime import date

from django.urls import path, register_converter

from cardsite.front import link, monitoring, person, play_on, privacy, root_files, tables, teaching, tv, views


class DayConverter:
    """A day in an address: 2026-11-22."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)  # a ValueError is no match

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(DayConverter, "day")

app_name = "front"
urlpatterns = [
    path("", views.home, name="home"),
    path("tables.json", tables.now, name="tables"),
    path("tv/", tv.page, name="tv"),
    path("tv/now.json", tv.now, name="tv_now"),
    path("watch/", tables.watch, name="watch"),
    path("turn/", tables.turn, name="turn"),
    path("play/<slug:game>/", views.play_now, name="play_now"),
    path("seek/", views.seek, name="seek"),
    path("favour/<slug:game>/", views.story, name="story"),
    path("daily/<slug:game>/", views.daily, name="daily"),
    path("daily/<slug:game>/<day:day>/", views.daily, name="daily_of"),
    path("new/", views.new, name="new"),
    path("t/<slug:code>/change/", views.change, name="change"),
    path("t/<slug:code>/accept/", tables.accept, name="accept"),
    path("t/<slug:code>/decline/", tables.decline, name="decline"),
    path("t/<slug:code>/qr.svg", link.qr, name="qr"),
    path("t/<slug:code>/preview.png", link.picture, name="preview"),
    path("replay/<int:match_id>/preview.png", link.replay_picture, name="replay_preview"),
    path("replay/<int:match_id>/play/", play_on.play_on, name="play_on"),
    path("games/", views.games, name="games"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("games/<slug:game>/words/<slug:language>.json", views.words, name="words"),
    path("rules/<slug:game>/drawer/", teaching.drawer, name="rules_drawer"),
    path("rules/<slug:game>/teaching.json", teaching.teaching, name="teaching"),
    path("pictures/<slug:game>/sign.svg", views.picture, {"kind": "sign"}, name="sign"),
    path("pictures/<slug:game>/table.svg", views.picture, {"kind": "table"}, name="table_picture"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("people/me/data.json", privacy.data, name="data"),
    path("people/me/leave/", privacy.leave, name="leave"),
    path("site.webmanifest", root_files.manifest, name="manifest"),
    path("robots.txt", root_files.robots, name="robots"),
    path("favicon.ico", root_files.favicon, name="favicon"),
    path("offline/", root_files.offline, name="offline"),
    path("service-worker.js", root_files.service_worker, name="service_worker"),
    path("health", monitoring.health, name="health"),
    path("metrics", monitoring.metrics_page, name="metrics"),
]
# These pages show matches, which the app ``people`` must not import, under the addresses of people.
person_pages = [
    path("me/", person.me, name="me"),
    path("<int:person_id>/", person.player, name="player"),
]
