from django.urls import path

from cardsite.push import views

app_name = "push"
urlpatterns = [path("", views.device, name="device")]
