from django.contrib.auth.views import LogoutView
from django.urls import path

from cardsite.people import views

urlpatterns = [
    path("me/name/", views.rename, name="rename"),
    path("me/vacation/", views.vacation, name="vacation"),
    path("me/preference/", views.preference, name="preference"),
    path("me/mute/", views.mute, name="mute"),
    path("me/token/", views.token, name="token"),
    path("register/", views.register, name="register"),
    path("login/", views.LoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
