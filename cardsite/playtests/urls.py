from django.urls import path

from cardsite.playtests import views

app_name = "playtests"
urlpatterns = [path("replay/<int:match_id>/opinion/", views.opinion, name="opinion")]
