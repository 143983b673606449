from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from cardsite.front import urls as front
from cardsite.people import urls as people

urlpatterns = [
    path("", include("cardsite.front.urls")),
    path("", include("cardsite.table.urls")),
    path("", include("cardsite.playtests.urls")),
    path("circles/", include("cardsite.circles.urls")),
    path("tournaments/", include("cardsite.tournaments.urls")),
    path("lab/", include("cardsite.lab.urls")),
    path("workshop/", include("cardsite.workshop.urls")),
    path("people/me/notifications/", include("cardsite.push.urls")),
    path("people/", include((front.person_pages + people.urlpatterns, "people"))),
    path("language/", csrf_exempt(set_language), name="set_language"),  # all it changes is a cookie
    path("admin/", include("cardsite.front.backroom_urls")),
    path("admin/", admin.site.urls),
]

handler404 = "cardsite.front.not_found.missing"
handler500 = "cardsite.front.server_errors.failed"
