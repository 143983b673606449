from django.urls import path

from cardsite.front import floor, rig_page
from cardsite.front.backroom import administrators_only

app_name = "backroom"
urlpatterns = [
    path("now/", administrators_only(floor.floor), name="floor"),
    path("rig/", administrators_only(rig_page.rigs), name="rigs"),
    path("rig/<slug:code>/", administrators_only(rig_page.rig), name="rig"),
    path("rig/reveal/<int:match_id>/", administrators_only(rig_page.reveal), name="reveal"),
]
