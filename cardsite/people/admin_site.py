"""The administrators' site: log-in with a password and, for those who have switched it on, a second factor.

The second factor is a time-based code of an app (TOTP) or one of ten recovery codes, each valid once; django-otp checks
them. It is requested at ``/admin/login/`` only. A session without it has the permissions of an ordinary visitor,
whatever its account may do.
"""

from __future__ import annotations

from base64 import b32encode
from typing import Any

import django_otp
import segno
from django import forms
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from cardsite.people.cost_page import who_costs_most
from cardsite.people.services import (
    do_check_code,
    do_confirm_second_factor,
    do_make_recovery_codes,
    do_remove_second_factor,
)

PROPOSED = "second_factor"  # in the session: the key that was shown and is not confirmed yet


def is_administrator(user: User | AnonymousUser) -> bool:
    """Return whether this visitor is an administrator: staff, logged in with the second factor if it is on."""
    if not (user.is_active and user.is_staff):
        return False
    return getattr(user, "otp_device", None) is not None or not django_otp.user_has_device(user)


class AdminLoginForm(AdminAuthenticationForm):
    """User name, password, and the code of a second factor. The error does not say which of them is wrong."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        required=False,
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
        help_text=gettext_lazy("Only if you use a second factor: the code from your app, or a recovery code."),
    )
    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "Enter the user name and the password of an administrator, and the code if you use a second "
            "factor. User name and password are case-sensitive. Each code works only once."
        ),
    }

    def clean(self) -> dict[str, Any]:
        """Check the password, then the code."""
        data = super().clean()
        user = self.get_user()
        if user is not None and django_otp.user_has_device(user):
            device = do_check_code(user, data.get("code", ""))
            if device is None:
                raise self.get_invalid_login_error()
            user.otp_device = device  # type: ignore[attr-defined]  # django-otp stores it in the session at log-in
        return data


class AdministratorsSite(AdminSite):
    """The administrators' pages."""

    enable_nav_sidebar = False  # the lists need the width; every page links to the index
    login_form = AdminLoginForm
    login_template = "admin/login_with_code.html"

    def has_permission(self, request: HttpRequest) -> bool:
        return is_administrator(request.user)

    def get_urls(self) -> list[URLResolver | URLPattern]:
        ours = [
            path("second-factor/", self.admin_view(self.second_factor), name="second_factor"),
            path("costs/", self.admin_view(self.who_costs_most), name="costs"),
        ]
        return [*ours, *super().get_urls()]

    def who_costs_most(self, request: HttpRequest) -> HttpResponse:
        """Show which people, addresses and tables have used most CPU time lately."""
        context = {**self.each_context(request), "title": _("CPU use"), "groups": who_costs_most()}
        return TemplateResponse(request, "admin/costs.html", context)

    def second_factor(self, request: HttpRequest) -> HttpResponseBase:
        """Switch the second factor on, make new recovery codes, or switch it off. The last two require a code."""
        response: HttpResponse = never_cache(self._second_factor)(request)
        return response

    def _second_factor(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):  # cannot happen: ``admin_view`` has checked it
            raise PermissionDenied
        codes: list[str] = []
        problem = done = ""
        if request.method == "POST":
            given = request.POST.get("code", "")
            if not django_otp.user_has_device(user):
                codes = self._confirm(request, user, given)
                done = _("The second factor is on.") if codes else ""
            elif do_check_code(user, given):
                if request.POST.get("do") == "off":
                    do_remove_second_factor(user)
                    done = _("The second factor is off.")
                else:
                    codes = do_make_recovery_codes(user)
            if not (codes or done):
                problem = _("That code is wrong or has already been used. After several wrong codes, wait a minute.")
        on = django_otp.user_has_device(user)
        context = {
            **self.each_context(request),
            "title": _("Second factor"),
            "on": on,
            "codes": codes,
            "done": done,
            "problem": problem,
            **({} if on else _offer(request, user)),
        }
        return TemplateResponse(request, "admin/second_factor.html", context, status=400 if problem else 200)

    def _confirm(self, request: HttpRequest, user: User, code: str) -> list[str]:
        device, codes = do_confirm_second_factor(user, request.session.get(PROPOSED, ""), code)
        if device is not None:
            request.session.pop(PROPOSED)
            django_otp.login(request, device)
        return codes


def _offer(request: HttpRequest, user: User) -> dict[str, str]:
    """Return a new key as a QR code for the app and in letters. It stays the same until it is confirmed."""
    key = request.session.setdefault(PROPOSED, default_key())
    proposed = TOTPDevice(user=user, key=key)
    typed = b32encode(proposed.bin_key).decode()
    return {"picture": segno.make(proposed.config_url).svg_data_uri(scale=5, border=4), "key": typed}
