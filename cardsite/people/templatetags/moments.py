"""Times on a page: the visitor's browser shows them in its own time zone and calendar (``static/js/site.js``)."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

register = template.Library()


@register.filter
def moment(when: datetime) -> str:
    """Return a time as HTML; without scripts it is shown in UTC."""
    return format_html('<time datetime="{}">{} UTC</time>', when.isoformat(), date_format(when, "DATETIME_FORMAT"))
