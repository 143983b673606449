"""Forms to register and log in."""

from __future__ import annotations

from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User


class RegisterForm(UserCreationForm):  # type: ignore[type-arg]
    """A user name, which nobody has in other capitals either, and a password, twice."""

    class Meta:
        model = User
        fields = ("username",)
