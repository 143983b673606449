"""The form to register."""

from __future__ import annotations

from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

TAKEN = _("Somebody has this user name. Choose another one; at the tables you may be called what you like.")


class RegisterForm(UserCreationForm):  # type: ignore[type-arg]
    """A user name, which nobody has in other capitals either, and a password, twice.

    Whether a user name is taken is told last, to those whose form is good otherwise: to ask for a name that is free
    is to register it, so nobody can go through a list of names without making an account for each one that is not
    there. Registrations from one address are limited (``doors.py``).
    """

    class Meta:
        model = User
        fields = ("username",)

    def clean_username(self) -> str:
        """Return the name as it is: whether it is taken is looked up at the end."""
        return str(self.cleaned_data.get("username", ""))

    def validate_unique(self) -> None:
        """Likewise."""

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if not self.errors and User.objects.filter(username__iexact=self.cleaned_data["username"]).exists():
            self.add_error("username", TAKEN)
