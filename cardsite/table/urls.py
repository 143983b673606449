from django.urls import path

from cardsite.table import views

app_name = "table"
urlpatterns = [
    path("t/<slug:code>/", views.page, name="page"),
    path("t/<slug:code>/sit/", views.sit, name="sit"),
    path("t/<slug:code>/stand/", views.stand, name="stand"),
    path("t/<slug:code>/seat/", views.seat, name="seat"),
    path("t/<slug:code>/fill/", views.fill, name="fill"),
    path("t/<slug:code>/start/", views.start, name="start"),
    path("t/<slug:code>/close/", views.close, name="close"),
    path("t/<slug:code>/name/", views.name, name="name"),
    path("replay/<int:match_id>/", views.replay_page, name="replay"),
    path("replay/<int:match_id>/frames.json", views.frames, name="frames"),
    path("replay/<int:match_id>/record.json", views.record, name="record"),
    path("verify/<int:match_id>/", views.verify, name="verify"),
]
