from django.urls import path

from cardsite.front import floor, moderation_page, rig_page, setup_steps, texts_page
from cardsite.front.backroom import administrators_only

app_name = "backroom"
urlpatterns = [
    path("now/", administrators_only(floor.floor), name="floor"),
    path("now/done/<slug:name>/", administrators_only(setup_steps.mark), name="mark_step"),
    path("rig/", administrators_only(rig_page.rigs), name="rigs"),
    path("rig/<slug:code>/", administrators_only(rig_page.rig), name="rig"),
    path("rig/reveal/<int:match_id>/", administrators_only(rig_page.reveal), name="reveal"),
    path("texts/", administrators_only(texts_page.texts), name="texts"),
    path("texts/<int:number>/", administrators_only(texts_page.act), name="act_on_text"),
    path("moderation/", administrators_only(moderation_page.people), name="people"),
    path("moderation/person/<int:number>/", administrators_only(moderation_page.person), name="person"),
    path("moderation/lift/<int:number>/", administrators_only(moderation_page.lift), name="lift"),
    path("moderation/report/<int:number>/", administrators_only(moderation_page.resolve), name="resolve"),
    path(
        "moderation/circle-report/<int:number>/",
        administrators_only(moderation_page.resolve_circle),
        name="resolve_circle",
    ),
    path("moderation/table/<slug:code>/", administrators_only(moderation_page.table), name="table"),
    path(
        "moderation/table/<slug:code>/readmit/<int:number>/",
        administrators_only(moderation_page.readmit),
        name="readmit",
    ),
]
