from django.urls import path

from cardsite.circles import views

app_name = "circles"
urlpatterns = [
    path("", views.index, name="index"),
    path("join/<slug:token>/", views.join, name="join"),
    path("invite/<slug:table>/", views.invite, name="invite"),
    path("<slug:code>/", views.page, name="page"),
    path("<slug:code>/now.json", views.now, name="now"),
    path("<slug:code>/remove-message/", views.remove_message, name="remove_message"),
    path("<slug:code>/report/", views.report, name="report"),
    path("<slug:code>/leave/", views.leave, name="leave"),
    path("<slug:code>/remove/", views.remove, name="remove"),
    path("<slug:code>/transfer/", views.transfer, name="transfer"),
    path("<slug:code>/rename/", views.rename, name="rename"),
    path("<slug:code>/renew-link/", views.renew_link, name="renew_link"),
    path("<slug:code>/close/", views.close, name="close"),
    path("<slug:code>/plan/", views.plan, name="plan"),
    path("<slug:code>/cancel-plan/", views.cancel_plan, name="cancel_plan"),
    path("<slug:code>/evening.ics", views.calendar_file, name="calendar"),
    path("<slug:code>/ladder/", views.ladder, name="ladder"),
    path("<slug:code>/evenings/<int:number>/", views.evening, name="evening"),
    path("<slug:code>/evenings/<int:number>/picture.png", views.evening_picture, name="picture"),
    path("<slug:code>/evenings/<int:number>/double/", views.double, name="double"),
    path("<slug:code>/evenings/<int:number>/analyse/", views.analyse, name="analyse"),
]
