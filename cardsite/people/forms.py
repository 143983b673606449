"""Forms to register and log in."""

from __future__ import annotations

from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User


class RegisterForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """A user name and a password, twice."""

    class Meta:
        model = User
        fields = ("username",)
