from django.urls import path

from cardsite.table import views

app_name = "table"
urlpatterns = [
    path("t/<slug:code>/", views.page, name="page"),
    path("t/<slug:code>/sit/", views.sit, name="sit"),
    path("t/<slug:code>/stand/", views.stand, name="stand"),
    path("t/<slug:code>/come-back/", views.come_back, name="come_back"),
    path("t/<slug:code>/ask/", views.ask, name="ask"),
    path("t/<slug:code>/ask-no-more/", views.ask_no_more, name="ask_no_more"),
    path("t/<slug:code>/answer/", views.answer, name="answer"),
    path("t/<slug:code>/hand-on/", views.hand_on, name="hand_on"),
    path("t/<slug:code>/show-out/", views.show_out, name="show_out"),
    path("t/<slug:code>/add-chair/", views.add_chair, name="add_chair"),
    path("t/<slug:code>/take-chair/", views.take_chair, name="take_chair"),
    path("t/<slug:code>/talk/", views.talk, name="talk"),
    path("t/<slug:code>/seat/", views.seat, name="seat"),
    path("t/<slug:code>/fill/", views.fill, name="fill"),
    path("t/<slug:code>/start/", views.start, name="start"),
    path("t/<slug:code>/again/", views.again, name="again"),
    path("t/<slug:code>/ask-friend/", views.ask_friend, name="ask_friend"),
    path("t/<slug:code>/close/", views.close, name="close"),
    path("t/<slug:code>/name/", views.name, name="name"),
    path("replay/<int:match_id>/", views.replay_page, name="replay"),
    path("replay/<int:match_id>/frames.json", views.frames, name="frames"),
    path("replay/<int:match_id>/record.json", views.record, name="record"),
    path("verify/<int:match_id>/", views.verify, name="verify"),
]
