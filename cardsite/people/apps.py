from django.apps import AppConfig
from django.contrib.admin import apps as admin


class PeopleConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "cardsite.people"


class BackRoomConfig(admin.AdminConfig):
    default = False
    default_site = "cardsite.people.backroom.BackRoom"
