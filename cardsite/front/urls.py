from django.urls import path

from cardsite.front import figures, mine, views

app_name = "front"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/<slug:game>/", views.play_now, name="play_now"),
    path("daily/<slug:game>/", views.daily, name="daily"),
    path("new/", views.new, name="new"),
    path("games/", views.games, name="games"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("pictures/<slug:game>/sign.svg", views.picture, {"kind": "sign"}, name="sign"),
    path("pictures/<slug:game>/table.svg", views.picture, {"kind": "table"}, name="table_picture"),
    path("privacy/", mine.privacy, name="privacy"),
    path("people/me/data.json", mine.data, name="data"),
    path("people/me/leave/", mine.leave, name="leave"),
    path("health", views.health, name="health"),
    path("metrics", figures.figures, name="metrics"),
]
