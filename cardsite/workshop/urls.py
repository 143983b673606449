from django.urls import path

from cardsite.workshop import editor, feel, library, sandbox_views, site_games, text_views, tune, views

app_name = "workshop"

# The editor and its requests to the sandbox.
editing = [
    path("check/", sandbox_views.check, name="check"),
    path("format/", sandbox_views.format_text, name="format"),
    path("picture/", sandbox_views.picture, name="picture"),
    path("look/", sandbox_views.look, name="look"),
    path("look/<int:match_id>/<int:ply>/", sandbox_views.look_from, name="look_from"),
    path("step/", sandbox_views.step, name="step"),
    path("new/", editor.new, name="new"),
    path("tutorial/", editor.tutorial, name="tutorial"),
    path("patterns/", editor.pattern_page, name="patterns"),
    path("words/", editor.word_page, name="words"),
    path("<slug:code>/edit/", editor.edit, name="edit"),
]

# Measurements of how a text feels.
feels = [
    path("feel/", feel.begin, name="feel"),
    path("feel/<slug:key>/", feel.measured, name="measured"),
    path("feel/<slug:key>/<str:file>", feel.chart, name="chart"),
]

# Searches for the numbers of a text.
tunings = [
    path("tune/", tune.begin, name="tune"),
    path("tune/numbers/", tune.numbers, name="tune_numbers"),
    path("tune/make/", tune.make, name="tune_make"),
    path("tune/<slug:key>/", tune.tuned, name="tuned"),
    path("tune/<slug:key>/curve-<slug:goal>.svg", tune.curve, name="curve"),
]

# Pages of texts, and their buttons.
pages = [
    path("", library.index, name="index"),
    path("save/", text_views.save, name="save"),
    path("try/", text_views.try_out, name="try"),
    path("from/<int:match_id>/", views.from_match, name="from"),
    path("house/<slug:game>/", site_games.page, name="game"),
    path("house/<slug:game>/copy/", site_games.copy, name="copy"),
    path("<slug:code>/", views.text, name="text"),
    path("<slug:code>/<int:number>.json", text_views.as_json, name="json"),
    path("<slug:code>/<int:number>.rcy", text_views.as_file, {"kind": "rcy"}, name="source"),
    path("<slug:code>/<int:number>.toml", text_views.as_file, {"kind": "toml"}, name="table"),
    path("<slug:code>/play/", views.play, name="play"),
    path("<slug:code>/fork/", views.fork, name="fork"),
    path("<slug:code>/publish/", views.publish, name="publish"),
    path("<slug:code>/unpublish/", views.unpublish, name="unpublish"),
    path("<slug:code>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:code>/like/", views.like, name="like"),
    path("<slug:code>/report/", views.report, name="report"),
    path("<slug:code>/judge/", views.judge, name="judge"),
]

urlpatterns = [*editing, *feels, *tunings, *pages]
