from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class PushConfig(AppConfig):
    name = "cardsite.push"
    verbose_name = gettext_lazy("Notifications")
