from django.urls import path

from cardsite.front import views

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
    path("health", views.health, name="health"),
]
