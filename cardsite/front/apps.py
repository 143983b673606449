from django.apps import AppConfig


class FrontConfig(AppConfig):
    name = "cardsite.front"

    def ready(self) -> None:
        from cardsite.front import checks  # noqa: F401  # registers them
