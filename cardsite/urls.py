from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("cardsite.front.urls")),
    path("", include("cardsite.table.urls")),
    path("people/", include("cardsite.people.urls")),
    path("admin/", admin.site.urls),
]

handler500 = "cardsite.front.failures.failed"
