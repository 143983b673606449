"""The part about playtests, on pages of the workshop and of the laboratory, which know nothing of this app."""

from __future__ import annotations

from typing import Any

from django import template

from cardsite.playtests import pages
from cardsite.workshop.models import Version
from games.lab.report_types import AnalysisReport

register = template.Library()


@register.inclusion_tag("playtests/_people.html", takes_context=True)
def playtests_of_text(context: dict[str, Any], version: Version) -> dict[str, Any]:
    """Show the playtests of a text to its author and to administrators, nothing to others."""
    return {"people": pages.of_text(context["request"], version)}


@register.inclusion_tag("playtests/_people.html", takes_context=True)
def playtests_of_report(context: dict[str, Any], report: AnalysisReport) -> dict[str, Any]:
    """Show the playtests of a report's game to administrators, nothing to others."""
    return {"people": pages.of_report(context["request"], report)}
