"""How figures are written and drawn on the laboratory's pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.lab.compare import Difference
from games.lab.explained import ALONE, MEASURES, goal_title
from games.lab.report_types import Figure

WIDTH, HEIGHT = 120, 14  # of a drawn figure

EXPLAINED = {**MEASURES, **ALONE}

register = template.Library()


@register.filter
def number(value: float | None) -> str:
    """Return a number for people: three decimals if it is small, fewer if it is large."""
    if value is None:
        return "?"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3f}"


@register.filter
def signed(value: float | None) -> str:
    """Return a difference with its sign."""
    if value is None:
        return "?"
    return number(value) if value < 0 else f"+{number(value)}"


@register.filter
def interval(figure: Figure | Difference | None) -> str:
    """Return the 95 % interval of a figure, for a table."""
    if figure is None:
        return ""
    low, high, write = (
        (figure.low, figure.high, signed) if isinstance(figure, Difference) else (figure["low"], figure["high"], number)
    )
    return _("unknown") if low is None or high is None else f"{write(low)} … {write(high)}"


@register.filter
def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.0f} %"


@register.filter
def percent_interval(figure: Figure) -> str:
    """Return the interval of a share in per cent."""
    low, high = figure["low"], figure["high"]
    return _("unknown") if low is None or high is None else f"{100 * low:.0f} … {100 * high:.0f} %"


@register.filter
def brief(figure: Figure) -> str:
    """Return a short form of an interval."""
    low, high = figure["low"], figure["high"]
    return _("unknown") if low is None or high is None else f"{low:.2f} … {high:.2f}"


@register.filter(name="goal_title")
def title_of_goal(name: str) -> str:
    """Return the title of a goal of a search for numbers."""
    return goal_title(name, _)


@register.filter
def measure_title(name: str) -> str:
    """Return the title of a measure."""
    return _(EXPLAINED[name].title) if name in EXPLAINED else name


@register.filter
def measure_line(name: str) -> str:
    """Return the explanation of a measure."""
    return _(EXPLAINED[name].line) if name in EXPLAINED else ""


@register.filter
def usual_range(usual: dict[str, tuple[float, float]], name: str) -> str:
    """Return what is usual of a measure, "" if that is not known."""
    return " … ".join(map(number, usual[name])) if name in usual else ""


@register.filter
def get(mapping: dict[str, Any], key: str) -> Any:
    """Return the value of a mapping for a key computed in the template."""
    return mapping.get(key)


@register.filter
def drawn(figure: Figure | None, name: str) -> SafeString | str:
    """Return a figure between 0 and 1 as a dot with its interval. The number stands beside it, so it is decoration."""
    if figure is None or name not in EXPLAINED or not EXPLAINED[name].rate or not 0 <= figure["value"] <= 1:
        return ""  # convergence, for one, may lie far outside where options come in hundreds
    low, high = figure["low"], figure["high"]
    value = figure["value"]
    start, end = (_across(value if each is None else each) for each in (low, high))
    return format_html(
        '<svg class="lab-dot" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true" focusable="false">'
        '<path class="lab-dot-scale" d="M4 11H116M4 8V14M60 9V13M116 8V14"/>'
        '<path class="lab-dot-interval" d="M{} 5H{}"/><circle class="lab-dot-value" cx="{}" cy="5" r="3.5"/></svg>',
        WIDTH, HEIGHT, WIDTH, HEIGHT, start, end, _across(value),
    )  # fmt: skip


@register.filter
def of_hundred(share: float) -> str:
    """Return a number of wins of 100."""
    return str(round(100 * share))


@register.filter
def interval_of_hundred(figure: Figure) -> str:
    """Return the interval of a number of wins of 100."""
    low, high = figure["low"], figure["high"]
    return _("unknown") if low is None or high is None else f"{of_hundred(low)} … {of_hundred(high)}"


@register.simple_tag
def drawn_between(figure: Figure, scale: tuple[float, float]) -> SafeString:
    """Return a figure drawn as a dot with its interval, on a scale that contains 0. The number is printed beside it."""
    low, high = scale

    def across(value: float | None) -> str:
        return _across(((figure["value"] if value is None else value) - low) / (high - low))

    return format_html(
        '<svg class="lab-dot" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true" focusable="false">'
        '<path class="lab-dot-scale" d="M4 11H116M{} 0V14"/>'
        '<path class="lab-dot-interval" d="M{} 5H{}"/><circle class="lab-dot-value" cx="{}" cy="5" r="3.5"/></svg>',
        WIDTH, HEIGHT, WIDTH, HEIGHT, across(0.0), across(figure["low"]), across(figure["high"]), across(None),
    )  # fmt: skip


def _across(value: float) -> str:
    return f"{4 + 112 * max(0.0, min(1.0, value)):.1f}"
