"""What a password must be like, in the house's own words. Django judges; what is wrong is said here."""

from __future__ import annotations

from django.contrib.auth import password_validation as django
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

LEAST = 8  # characters


def what_is_good() -> str | Promise:
    """Return what to tell somebody who is about to think of a password."""
    return ngettext_lazy(
        "At least %(n)d character. A few words in a row are easy to keep in mind and hard to guess.",
        "At least %(n)d characters. A few words in a row are easy to keep in mind and hard to guess.",
        LEAST,
    ) % {"n": LEAST}


class LongEnough(django.MinimumLengthValidator):
    """Refuses what is short."""

    def __init__(self, min_length: int = LEAST) -> None:
        super().__init__(min_length)

    def get_error_message(self) -> str:
        return ngettext(
            "That password is too short: use at least %(n)d character.",
            "That password is too short: use at least %(n)d characters.",
            self.min_length,
        ) % {"n": self.min_length}

    def get_help_text(self) -> str:
        return str(what_is_good())


class UnlikeTheName(django.UserAttributeSimilarityValidator):
    """Refuses what is much like the user name, or other things that an account says of somebody."""

    def get_error_message(self) -> str:
        return _("That password is too much like your name: somebody would guess it.")

    def get_help_text(self) -> str:
        return _("It is not much like your name.")


class Uncommon(django.CommonPasswordValidator):
    """Refuses the twenty thousand that are used most."""

    def get_error_message(self) -> str:
        return _("Very many people use that password, so it is tried first. Choose another one.")

    def get_help_text(self) -> str:
        return _("It is not one that very many people use.")
