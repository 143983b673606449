"""The forms for registering and logging in, with our own messages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm, UsernameField
from django.contrib.auth.models import User
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from cardsite.people.models import NAME_LENGTH
from cardsite.people.passwords import what_is_good
from cardsite.private_api.django import LateChecks

LONGEST = 150  # a user name, as Django stores it
USER_NAME = _("User name")
PASSWORD = _("Password")
TAKEN = _("This user name is taken. Choose another one. Your name at the tables can be different.")
NO_USER_NAME = _("Please enter a user name.")
NO_PASSWORD = _("Please enter a password.")
BAD_USER_NAME = _("A user name may contain only letters, digits and @ . + - _, without spaces.")


def visitor_name() -> forms.CharField:
    """Return the field in which a visitor gives a name with the first thing that they do.

    It is not stripped: a name of spaces is refused, and not taken for none.
    """
    return forms.CharField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )


def _password(label: Any, autocomplete: str, help_text: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
        help_text=help_text,
        error_messages={"required": NO_PASSWORD},
    )


class RegisterForm(LateChecks, UserCreationForm):  # type: ignore[type-arg]
    """A user name, unique whatever its capitals, and a password, twice.

    Uniqueness is checked last, only if the rest of the form is valid, so that probing a free name creates the account
    (this prevents user enumeration). Registrations from one address are limited (``rate_limits.py``).
    """

    username = UsernameField(
        label=USER_NAME,
        max_length=LONGEST,
        help_text=_("Letters, digits and @ . + - _ only. You log in with it; other players do not see it."),
        error_messages={
            "required": NO_USER_NAME,
            "invalid": BAD_USER_NAME,
            "null_characters_not_allowed": BAD_USER_NAME,
            "max_length": _("That user name is too long. Choose a shorter one."),
        },
    )
    password1 = _password(PASSWORD, "new-password", lazy(what_is_good, str)())
    password2 = _password(_("Repeat the password"), "new-password")
    error_messages = {"password_mismatch": _("The two passwords do not match. Enter both again.")}

    class Meta:
        model = User
        fields = ("username",)

    def clean_username(self) -> str:
        """Return the name without looking it up."""
        return str(self.cleaned_data.get("username", ""))

    def validate_unique(self) -> None:
        """Do nothing: ``check_at_the_end`` looks up whether the name is taken."""

    def validate_password_for_user(self, user: User, password_field_name: str = "password1") -> None:  # noqa: S107
        """Show errors of a password at its first field."""
        super().validate_password_for_user(user, password_field_name)  # type: ignore[misc]

    def check_at_the_end(self) -> None:
        """Check whether the name is taken, if the rest of the form is valid."""
        if not self.errors and User.objects.filter(username__iexact=self.cleaned_data["username"]).exists():
            self.add_error("username", TAKEN)


class LoginForm(AuthenticationForm):
    """User name and password. The error does not say which of them is wrong."""

    username = UsernameField(
        label=USER_NAME,
        widget=forms.TextInput(attrs={"autofocus": True}),
        error_messages={"required": NO_USER_NAME, "null_characters_not_allowed": BAD_USER_NAME},
    )
    password = _password(PASSWORD, "current-password")
    error_messages = {
        "invalid_login": _("The user name or the password is wrong. Both are case-sensitive."),
        "inactive": _("This account is closed. Ask an administrator to open it again."),
    }
