from django.urls import path

from cardsite.push import views

app_name = "push"
urlpatterns = [
    path("", views.device, name="device"),
    path("mail/", views.mail, name="mail"),
    path("mail/confirm/<str:token>/", views.confirm, name="confirm"),
    path("mail/stop/<str:token>/", views.stop, name="stop"),
]
