from django.apps import AppConfig
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy


class PeopleConfig(AppConfig):
    name = "cardsite.people"
    verbose_name = gettext_lazy("People")


class AdministratorsConfig(admin.AdminConfig):
    default = False
    default_site = "cardsite.people.admin_site.AdministratorsSite"
