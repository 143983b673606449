from django.urls import path

from cardsite.lab import leads, runs, views

app_name = "lab"
urlpatterns = [
    path("", views.lab, name="lab"),
    path("compare/", views.compare, name="compare"),
    path("ladder/", views.ladder, name="ladder"),
    path("runs/", runs.runs, name="runs"),
    path("runs/status.json", runs.status, name="status"),
    path("runs/<int:number>/cancel/", runs.cancel, name="cancel"),
    path("runs/<int:number>/resume/", runs.resume, name="resume"),
    path("runs/<int:number>/remove/", runs.remove, name="remove"),
    path("leads/<int:match_id>/", leads.lead, name="lead"),
    path("reports/<slug:name>/", views.report, name="report"),
    path("reports/<slug:name>/report.json", views.as_json, name="json"),
    path("reports/<slug:name>/decisions.csv", views.decisions, name="decisions"),
    path("reports/<slug:name>/<str:file>", views.chart, name="chart"),
]
