from django.urls import path

from cardsite.tournaments import views

app_name = "tournaments"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:code>/", views.page, name="page"),
    path("<slug:code>/now.json", views.now, name="now"),
    path("<slug:code>/join/", views.join, name="join"),
    path("<slug:code>/leave/", views.leave, name="leave"),
    path("<slug:code>/add-bots/", views.add_bots, name="add_bots"),
    path("<slug:code>/remove/", views.remove, name="remove"),
    path("<slug:code>/start/", views.start, name="start"),
    path("<slug:code>/cancel/", views.cancel, name="cancel"),
]
