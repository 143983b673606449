from django.urls import path

from cardsite.table import views

app_name = "table"
urlpatterns = [
    path("t/<slug:code>/", views.page, name="page"),
    path("t/<slug:code>/sit/", views.sit, name="sit"),
    path("t/<slug:code>/stand/", views.stand, name="stand"),
    path("t/<slug:code>/come-back/", views.come_back, name="come_back"),
    path("t/<slug:code>/request-seat/", views.request_seat, name="request_seat"),
    path("t/<slug:code>/withdraw-request/", views.withdraw_request, name="withdraw_request"),
    path("t/<slug:code>/answer-request/", views.answer_request, name="answer_request"),
    path("t/<slug:code>/make-host/", views.make_host, name="make_host"),
    path("t/<slug:code>/remove-person/", views.remove_person, name="remove_person"),
    path("t/<slug:code>/remove-spectator/", views.remove_spectator, name="remove_spectator"),
    path("t/<slug:code>/add-seat/", views.add_seat, name="add_seat"),
    path("t/<slug:code>/remove-seat/", views.remove_seat, name="remove_seat"),
    path("t/<slug:code>/readmit-spectator/", views.readmit_spectator, name="readmit_spectator"),
    path("t/<slug:code>/share-chat/", views.share_chat, name="share_chat"),
    path("t/<slug:code>/report-chat/", views.report_chat, name="report_chat"),
    path("t/<slug:code>/people.json", views.people, name="people"),
    path("t/<slug:code>/invite-person/", views.invite_person, name="invite_person"),
    path("t/<slug:code>/set-seat/", views.set_seat, name="set_seat"),
    path("t/<slug:code>/set-handicap/", views.set_handicap, name="set_handicap"),
    path("t/<slug:code>/fill/", views.fill, name="fill"),
    path("t/<slug:code>/start/", views.start, name="start"),
    path("t/<slug:code>/ready/", views.ready, name="ready"),
    path("t/<slug:code>/end/", views.end, name="end"),
    path("t/<slug:code>/resign/", views.resign, name="resign"),
    path("t/<slug:code>/take-back/", views.take_back, name="take_back"),
    path("t/<slug:code>/choose/", views.choose, name="choose"),
    path("t/<slug:code>/close/", views.close, name="close"),
    path("t/<slug:code>/name/", views.name, name="name"),
    path("replay/<int:match_id>/", views.replay_page, name="replay"),
    path("replay/<int:match_id>/frames.json", views.frames, name="frames"),
    path("replay/<int:match_id>/record.json", views.record, name="record"),
    path("verify/<int:match_id>/", views.verify, name="verify"),
]
