from django.urls import path

from cardsite.workshop import desk, editor, feel, housed, texts, views

app_name = "workshop"

# The editor and its requests to the sandbox.
bench = [
    path("check/", desk.check, name="check"),
    path("format/", desk.format_text, name="format"),
    path("look/", desk.look, name="look"),
    path("look/<int:match_id>/<int:ply>/", desk.look_from, name="look_from"),
    path("step/", desk.step, name="step"),
    path("new/", editor.new, name="new"),
    path("tutorial/", editor.tutorial, name="tutorial"),
    path("patterns/", editor.gallery, name="patterns"),
    path("<slug:code>/edit/", editor.edit, name="edit"),
]

# Measurements of how a text feels.
feels = [
    path("feel/", feel.begin, name="feel"),
    path("feel/<slug:key>/", feel.felt, name="felt"),
    path("feel/<slug:key>/<str:file>", feel.chart, name="chart"),
]

# Pages of texts, and their buttons.
pages = [
    path("", views.shelf, name="shelf"),
    path("save/", texts.save, name="save"),
    path("try/", texts.try_out, name="try"),
    path("from/<int:match_id>/", views.from_match, name="from"),
    path("house/<slug:game>/", housed.page, name="game"),
    path("house/<slug:game>/copy/", housed.copy, name="copy"),
    path("<slug:code>/", views.text, name="text"),
    path("<slug:code>/<int:number>.json", texts.as_json, name="json"),
    path("<slug:code>/play/", views.play, name="play"),
    path("<slug:code>/fork/", views.fork, name="fork"),
    path("<slug:code>/publish/", views.publish, name="publish"),
    path("<slug:code>/unpublish/", views.unpublish, name="unpublish"),
    path("<slug:code>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:code>/heart/", views.heart, name="heart"),
    path("<slug:code>/report/", views.report, name="report"),
    path("<slug:code>/judge/", views.judge, name="judge"),
]

urlpatterns = [*bench, *feels, *pages]
