"""The curve of a search for numbers (``games.lab.tuning``): how near each candidate comes to a goal, as SVG."""

from __future__ import annotations

import math

from games.lab.charts import Chart, Translate, in_english, ticks
from games.lab.explained import goal_title
from games.lab.tuning import CandidateReport, TuningReport

LEFT, DROPPED = 0, 1  # series: candidates that were left, and others
MOST_LABELS = 16  # along the axis


def curve_file(goal: str) -> str:
    """Return the name of the file of a goal's curve."""
    return f"curve-{goal}.svg"


def curve(made: TuningReport, goal: str, t: Translate = in_english) -> str | None:
    """Return the curve of a goal; None if no candidate has a figure.

    Across is the number that is varied; if there are several, the candidate's place in the table.
    """
    (asked,) = (each for each in made["goals"] if each["name"] == goal)
    shown = [(place, each) for place, each in enumerate(made["candidates"], 1) if goal in each["figures"]]
    if not shown:
        return None
    (number, *others) = made["numbers"]
    points = [(place if others else each["values"][number], each) for place, each in shown]
    points.sort(key=lambda point: point[0])
    target, tolerance = float(asked["target"]), float(asked["tolerance"])
    bounds = [target - tolerance, target + tolerance]
    for _, each in points:
        figure = each["figures"][goal]
        bounds += [end for end in (figure["value"], figure["low"], figure["high"]) if end is not None]
    space = 0.05 * (max(bounds) - min(bounds))
    low, high = max(0.0, min(bounds) - space) if min(bounds) >= 0 else 0.0, max(bounds) + space
    first, last = points[0][0], points[-1][0]
    margin = max(0.5, 0.04 * (last - first))
    title = goal_title(goal, t)
    sentence = t(
        "{what}: {goal} among {bots} bots, with intervals that are wide enough for all {comparisons} figures of this "
        "search together. The band is the goal, {target} ± {tolerance}."
    )
    caption = sentence.format(
        what=made["subject"],
        goal=title,
        bots=made["player"],
        comparisons=f"{made['comparisons']:,}",
        target=f"{target:g}",
        tolerance=f"{tolerance:g}",
    )
    chart = Chart(title, caption, (first - margin, last + margin), (low, high))
    step = math.ceil(len(points) / MOST_LABELS)
    across = {float(x): str(x) for x, _ in points[::step]}
    chart.axes(t("Place in the table") if others else number, title, across, ticks(low, high))
    ends = (first - margin, last + margin)
    least, most = max(low, target - tolerance), min(high, target + tolerance)
    chart.band(2, [(x, least) for x in ends], [(x, most) for x in ends])
    for x, each in points:
        left = _is_left(each)
        chart.interval(LEFT if left else DROPPED, x, each["figures"][goal], empty=not left)
    chart.markers(LEFT, t("left to the end"))
    if any(not _is_left(each) for _, each in points):
        chart.markers(DROPPED, t("dropped"), empty=True)
    chart.entry(t("the goal"), lambda x, y: f'<rect class="band f2" x="{x - 15}" y="{y - 6}" width="30" height="12"/>')
    return chart.svg()


def _is_left(each: CandidateReport) -> bool:
    return each["state"] == "left"
