"""Requirements for passwords, with our own messages. Django's validators do the checking."""

from __future__ import annotations

from django.contrib.auth import password_validation as django
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

LEAST = 8  # characters


def what_is_good() -> str:
    """Return the help text for a new password."""
    return ngettext(
        "At least %(n)d character. A few words in a row are easy to remember and hard to guess.",
        "At least %(n)d characters. A few words in a row are easy to remember and hard to guess.",
        LEAST,
    ) % {"n": LEAST}


class LongEnough(django.MinimumLengthValidator):
    """Refuses short passwords."""

    def __init__(self, min_length: int = LEAST) -> None:
        super().__init__(min_length)

    def get_error_message(self) -> str:
        return ngettext(
            "That password is too short. Use at least %(n)d character.",
            "That password is too short. Use at least %(n)d characters.",
            self.min_length,
        ) % {"n": self.min_length}

    def get_help_text(self) -> str:
        return what_is_good()


class UnlikeTheName(django.UserAttributeSimilarityValidator):
    """Refuses passwords similar to the user name or to other fields of the account."""

    def get_error_message(self) -> str:
        return _("That password is too similar to your name. Choose another one.")

    def get_help_text(self) -> str:
        return _("It must not be similar to your name.")


class Uncommon(django.CommonPasswordValidator):
    """Refuses the twenty thousand most common passwords."""

    def get_error_message(self) -> str:
        return _("That password is very common and easy to guess. Choose another one.")

    def get_help_text(self) -> str:
        return _("It must not be a very common password.")
