"""Moments on a page: the visitor's browser writes them by its own clock and calendar (``static/js/site.js``)."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

register = template.Library()


@register.filter
def moment(when: datetime) -> str:
    """Return a moment as it stands on a page; without scripts it is told in UTC."""
    return format_html('<time datetime="{}">{} UTC</time>', when.isoformat(), date_format(when, "DATETIME_FORMAT"))
