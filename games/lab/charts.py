"""The charts of a report, as SVG fit for a paper.

They are drawn here, because no library has what these five need: matplotlib draws text as outlines or
with its own fonts, and ignores ``prefers-color-scheme``; pygal has only one theme at a time, and neither error bars nor
bands; altair needs a browser engine to write a file. Here text is text, a series has its own dash and marker as well as
a colour (of Okabe and Ito's palette, for colour-blind readers), the reader's system chooses light or dark, and every
caption has the units and the number of matches.

Seats are counted from 1, as at a table and in findings; the files of figures count them from 0.

Labels go through ``t``, which translates a sentence from English into the reader's language.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

from games.core.ranks import scaled_ranks
from games.lab.analyse import Run, RunResult
from games.lab.histories import History
from games.lab.leads import Lead
from games.lab.measures import drama_threshold, lead_history
from games.lab.report_types import AnalysisReport, Figure
from games.lab.reports import BIN

WIDTH, HEIGHT = 760, 400  # without the caption
LEFT, RIGHT, TOP, BOTTOM = 64, 160, 44, 52
LINE, CAPTION = 17, 100  # pixels from line to line, characters a line
SERIES = 8  # distinguishable ones; further ones repeat
MARKS = 12  # markers on a line
LONG = 80  # decisions of a match above which its lead history is drawn by parts: its deals, or so many equal ones
MOST_PARTS, FEWEST_DEALS = 24, 3
LIGHT = ("#0072b2", "#d55e00", "#00795a", "#a8508a", "#8a6a00", "#2b8cc4", "#5b5b5b", "#9a3b26")
DARK = ("#56b4e9", "#ff9a57", "#2fd0a0", "#e8a4cf", "#f0e442", "#9fd0f5", "#c9c9c9", "#f0907a")
DASHES = ("", "8 3", "2 3", "10 3 2 3", "5 5", "1 4", "14 4", "6 2 1 2 1 2")


def _colours(paper: str, ink: str, soft: str, grid: str, series: Sequence[str]) -> str:
    named = {"paper": paper, "ink": ink, "soft": soft, "grid": grid} | {f"s{n}": each for n, each in enumerate(series)}
    return "svg{" + ";".join(f"--{name}:{colour}" for name, colour in named.items()) + "}"


STYLE = "\n".join([
    _colours("#ffffff", "#1c1c1c", "#565656", "#e2e2e2", LIGHT),
    "@media (prefers-color-scheme: dark){" + _colours("#1a1a1a", "#f0f0f0", "#b4b4b4", "#3a3a3a", DARK) + "}",
    "text{font:13px system-ui,sans-serif;fill:var(--ink)}",
    ".title{font-size:16px;font-weight:600}.tick,.caption{fill:var(--soft)}.tick{font-size:12px}",
    ".paper{fill:var(--paper)}.grid{stroke:var(--grid)}.axis{stroke:var(--ink)}",
    ".rule{stroke:var(--soft);stroke-dasharray:3 4}.line{fill:none;stroke-width:1.8}",
    ".mark{stroke-width:1.6}.open{fill:var(--paper)}.band{opacity:.22}",
    *(f".c{n}{{stroke:var(--s{n})}}.f{n}{{fill:var(--s{n})}}" for n in range(SERIES)),
])  # fmt: skip

# By number of a series: a marker round the origin.
MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M-3.5 -3.5h7v7h-7Z",
    "M0 -4.5L4.2 3.2H-4.2Z",
    "M0 -5L4.5 0L0 5L-4.5 0Z",
    "M-4 -4L4 4M-4 4L4 -4",
    "M0 -5V5M-5 0H5",
    "M0 4.5L4.2 -3.2H-4.2Z",
    "M-5 -2h10v4h-10Z",
)


Translate = Callable[[str], str]


def in_english(sentence: str) -> str:
    """Return a sentence as it is."""
    return sentence


class Chart:
    """A chart in the making: axes ``x`` and ``y``, titles, and the marks on it, in drawing order."""

    def __init__(self, title: str, caption: str, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.title, self.caption = title, caption
        self._x, self._y = x, y
        self._drawn: list[str] = []
        self._legend: list[str] = []

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the plane lies in the picture."""
        right, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        across = (x - self._x[0]) / (self._x[1] - self._x[0]) * right
        up = (y - self._y[0]) / (self._y[1] - self._y[0]) * down
        return round(LEFT + across, 1), round(HEIGHT - BOTTOM - up, 1)

    def text(self, x: float, y: float, text: str, css: str = "", anchor: str = "start", more: str = "") -> None:
        """Write words at a point of the picture."""
        self._drawn.append(_text(x, y, text, css, anchor, more))

    def axes(
        self,
        x_title: str,
        y_title: str,
        x_ticks: Mapping[float, str],
        y_ticks: Mapping[float, str],
    ) -> None:
        """Draw the grid, and both axes with their labels."""
        (left, bottom), (right, top) = self.at(self._x[0], self._y[0]), self.at(self._x[1], self._y[1])
        for value, label in y_ticks.items():
            y = self.at(0, value)[1]
            self._drawn.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
            self.text(left - 8, y + 4, label, "tick", "end")
        for value, label in x_ticks.items():
            x = self.at(value, 0)[0]
            self._drawn.append(f'<line class="axis" x1="{x}" x2="{x}" y1="{bottom}" y2="{bottom + 5}"/>')
            self.text(x, bottom + 19, label, "tick", "middle")
        self._drawn.append(f'<path class="axis line" d="M{left} {top}V{bottom}H{right}"/>')
        self.text((left + right) / 2, bottom + 40, x_title, anchor="middle")
        middle = (top + bottom) / 2
        self.text(18, middle, y_title, "", "middle", f' transform="rotate(-90 18 {middle})"')

    def line(self, number: int, points: Sequence[tuple[float, float]], label: str, end: bool = False) -> None:
        """Draw a series: a line, markers along it, and its entry in the legend; ``end``: a larger marker at its end."""
        style = number % SERIES
        drawn = [self.at(*point) for point in points]
        way = "L".join(f"{x} {y}" for x, y in drawn)
        dash = f' stroke-dasharray="{DASHES[style]}"' if DASHES[style] else ""
        self._drawn.append(f'<path class="line c{style}"{dash} d="M{way}"/>')
        step = max(1, math.ceil(len(drawn) / MARKS))
        # Where lines meet, markers at the same steps would hide each other, so each line starts at another step.
        first = number * step // max(1, SERIES // 2) % step
        self._drawn += [_marker(style, x, y) for x, y in drawn[first : len(drawn) - end : step]]
        if end:
            self._drawn.append(_marker(style, *drawn[-1], 1.5))
        self.entry(
            label, lambda x, y: f'<path class="line c{style}"{dash} d="M{x - 15} {y}h30"/>' + _marker(style, x, y)
        )

    def entry(self, label: str, sample: Callable[[float, float], str]) -> None:
        """Add to the legend."""
        y = TOP + 10 + 22 * len(self._legend)
        x = WIDTH - RIGHT + 28
        self._legend.append(sample(x, y) + _text(x + 22, y + 4, label))

    def rule(self, y: float, label: str) -> None:
        """Draw a line across, and its entry in the legend."""
        (left, at), (right, _) = self.at(self._x[0], y), self.at(self._x[1], y)
        self._drawn.append(f'<line class="rule" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>')
        self.entry(label, lambda x, y: f'<line class="rule" x1="{x - 15}" x2="{x + 15}" y1="{y}" y2="{y}"/>')

    def borders(self, xs: Sequence[float], label: str) -> None:
        """Draw lines from top to bottom, and their entry in the legend."""
        for x in xs:
            (at, bottom), (_, top) = self.at(x, self._y[0]), self.at(x, self._y[1])
            self._drawn.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{top}" y2="{bottom}"/>')
        self.entry(label, lambda x, y: f'<line class="grid" x1="{x}" x2="{x}" y1="{y - 8}" y2="{y + 8}"/>')

    def band(self, number: int, low: Sequence[tuple[float, float]], high: Sequence[tuple[float, float]]) -> None:
        """Fill what lies between two lines."""
        way = "L".join(f"{x} {y}" for x, y in (self.at(*point) for point in (*low, *reversed(high))))
        self._drawn.append(f'<path class="band f{number % SERIES}" d="M{way}Z"/>')

    def bar(self, x: tuple[float, float], y: float, number: int, *, empty: bool = False) -> None:
        """Draw a bar from 0 to ``y``; ``empty``: its outline."""
        (left, top), (right, bottom) = self.at(x[0], y), self.at(x[1], 0)
        look = f'class="mark open c{number}" stroke-dasharray="3 2"' if empty else f'class="mark c{number} f{number}"'
        size = f'width="{right - left - 2:.1f}" height="{bottom - top:.1f}"'
        self._drawn.append(f'<rect {look} x="{left + 1:.1f}" y="{top}" {size}/>')

    def interval(self, number: int, x: float, figure: Figure, *, empty: bool = False) -> None:
        """Draw a figure and how sure it is."""
        if figure["low"] is not None and figure["high"] is not None:
            (across, low), (_, high) = self.at(x, figure["low"]), self.at(x, figure["high"])
            ends = f"M{across - 6} {low}h12M{across - 6} {high}h12"
            self._drawn.append(f'<path class="line c{number}" d="M{across} {low}V{high}{ends}"/>')
        self._drawn.append(_marker(number, *self.at(x, figure["value"]), empty=empty))

    def markers(self, number: int, label: str, *, empty: bool = False) -> None:
        """Add the marker of a series to the legend, which has no line."""
        self.entry(label, lambda x, y: _marker(number, x, y, empty=empty))

    def svg(self) -> str:
        """Return the picture."""
        lines = textwrap.wrap(self.caption, CAPTION, break_on_hyphens=False)
        height = HEIGHT + 12 + LINE * len(lines)
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            f' role="img" aria-labelledby="title caption">',
            f'<title id="title">{_written(self.title)}</title><desc id="caption">{_written(self.caption)}</desc>',
            f"<style>{STYLE}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
            _text(LEFT, 24, self.title, "title"),
            *self._drawn,
            *self._legend,
            *(_text(16, HEIGHT + 14 + LINE * number, line, "caption") for number, line in enumerate(lines)),
            "</svg>",
        ]) + "\n"  # fmt: skip


def _written(text: str) -> str:
    """Return a string escaped for XML, without characters that XML does not allow."""
    return escape("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))


def _text(x: float, y: float, text: str, css: str = "", anchor: str = "start", more: str = "") -> str:
    look = f' class="{css}"' if css else ""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{look} x="{x:g}" y="{y:g}"{anchored}{more}>{_written(text)}</text>'


def _marker(number: int, x: float, y: float, scale: float = 1, *, empty: bool = False) -> str:
    fill = "open" if empty else f"f{number}"
    size = f" scale({scale})" if scale != 1 else ""
    return f'<path class="mark c{number} {fill}" transform="translate({x} {y}){size}" d="{MARKERS[number]}"/>'


def ticks(low: float, high: float, many: int = 6) -> dict[float, str]:
    """Return round numbers from ``low`` to ``high``, about so many, as they are written along an axis."""
    rough = (high - low) / many or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * by for by in (1, 2, 5, 10) if size * by >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return {number * step: f"{number * step:g}" for number in range(first, last + 1)}


UNIT = {0.0: "0", 0.25: ".25", 0.5: ".50", 0.75: ".75", 1.0: "1"}


def lead_chart(made: AnalysisReport, history: History, t: Translate = in_english) -> str:
    """Return the lead history of one match among bots that search."""
    what = made["subject"]
    moves, alone = len(history.decisions), history.seats == 1
    lines = [lead_history(history, seat) for seat in range(history.seats)]
    ends = list(history.scores) if alone else scaled_ranks(history.ranks)
    low, high = _range([*ends, *(each for line in lines for each in line)]) if alone else (0.0, 1.0)
    sentence = (
        t(
            "Match {match} of {what}: the expected score at each of {decisions} decisions, as the mean over "
            "{rollouts} roll-outs of the chosen move. The large marker at the end is the result."
        )
        if alone
        else t(
            "Match {match} of {what}: at each of {decisions} decisions, the result that the deciding "
            "player expects for everybody: the mean scaled rank (1 first, 0 last) over {rollouts} "
            "roll-outs of the chosen move. The large marker at the end is the result."
        )
    )
    parts = parts_of(history)
    if parts:
        by_deal = len(parts) == len(history.deals)
        sentence += " " + (
            t("Each point is the mean of a deal, the band holds its middle half.")
            if by_deal
            else t("Each point is the mean of a part of the match, the band holds its middle half.")
        )
    caption = sentence.format(match=history.index, what=what, decisions=moves, rollouts=made["rollouts"])
    chart = Chart(t("Lead history"), caption, (1, moves + 1), (low, high))
    title = t("Expected score") if alone else t("Estimated scaled rank")
    chart.axes(t("Decision"), title, _counted(ticks(1, moves + 1, 9)), ticks(low, high) if alone else UNIT)
    for seat, line in enumerate(lines):
        label = (t("seat {n} (won)") if seat in history.winners else t("seat {n}")).format(n=seat + 1)
        if parts:
            _line_of_parts(chart, seat, line, parts, (moves + 1, ends[seat]), label)
        else:
            chart.line(seat, list(enumerate([*line, ends[seat]], 1)), label, end=True)
    if parts and by_deal:
        chart.borders([part.start + 1 for part in parts[1:]], t("next deal"))
    if not alone:
        chart.rule(drama_threshold(history.seats), t("threshold"))
    return chart.svg()


def parts_of(history: History) -> list[range]:
    """Return the parts into which the decisions of a long match are drawn: its deals, else equal parts; [] if short."""
    many = len(history.decisions)
    if many <= LONG:
        return []
    starts = history.deals if MOST_PARTS >= len(history.deals) >= FEWEST_DEALS else ()
    starts = starts or tuple(number * many // MOST_PARTS for number in range(MOST_PARTS))
    return [range(*ends) for ends in pairwise((*starts, many))]


def _line_of_parts(
    chart: Chart, seat: int, line: Sequence[float], parts: Sequence[range], end: tuple[float, float], label: str
) -> None:
    """Draw the mean of a line in each of its parts, a band with its middle half, and its end."""
    ordered = [sorted(line[part.start : part.stop]) for part in parts]
    middles = [part.start + (len(part) + 1) / 2 for part in parts]
    low, high = (
        [(x, values[int(quarter * (len(values) - 1))]) for x, values in zip(middles, ordered, strict=True)]
        for quarter in (0.25, 0.75)
    )
    chart.band(seat, low, high)
    means = [(x, sum(values) / len(values)) for x, values in zip(middles, ordered, strict=True)]
    chart.line(seat, [*means, end], label, end=True)


def played_lead_chart(lead: Lead, title: str, names: Sequence[str]) -> str:
    """Return the lead history of a match that was played by anybody: see ``games.lab.leads``."""
    known = [each for line in lead["lines"] for each in line if each is not None]
    low, high = _range(known) if lead["alone"] else (0.0, 1.0)
    what = "mean score" if lead["alone"] else "mean scaled rank (1 first, 0 last)"
    last = max(1, lead["points"][-1])
    caption = (
        f"{title}: the {what} of everybody over {lead['rollouts']} roll-outs of the move that was made, at "
        f"{len(lead['points']) - 1} of {last} decisions. The large marker at the end is the result."
    )
    chart = Chart("Lead history", caption, (0, last), (low, high))
    y_title = "Expected score" if lead["alone"] else "Estimated scaled rank"
    chart.axes("Moves made", y_title, ticks(0, last, 9), ticks(low, high) if lead["alone"] else UNIT)
    for seat, line in enumerate(lead["lines"]):
        points = [(x, y) for x, y in zip(lead["points"], line, strict=True) if y is not None]
        chart.line(seat, points, textwrap.shorten(names[seat], 16, placeholder=" ..."), end=True)
    return chart.svg()


def trend_chart(made: AnalysisReport, t: Translate) -> str:
    """Return the trend graph. Raises ValueError where the report has none."""
    trend, what = made["trend"], made["subject"]
    if not trend:
        raise ValueError("This report has no trend.")
    sentence = t(
        "{what}: lead histories of {matches} matches among {bots} bots, resampled to 100 points and averaged by final "
        "place. The dotted line is the drama threshold, {threshold}; the large markers are the true scaled ranks."
    )
    if "low" in trend:
        sentence += " " + t("Bands are 95% intervals of the means.")
    threshold = f"{trend['threshold']:.3f}"
    caption = sentence.format(what=what, matches=f"{trend['matches']:,}", bots=made["player"], threshold=threshold)
    chart = Chart(t("Trend graph"), caption, (0, 1), (0, 1))
    chart.axes(t("Part of the match played"), t("Estimated scaled rank"), UNIT, UNIT)
    for rank, curve in enumerate(trend["places"]):
        last = len(curve) - 1
        if "low" in trend and "high" in trend:
            low, high = ([(x / last, y) for x, y in enumerate(ends[rank])] for ends in (trend["low"], trend["high"]))
            chart.band(rank, low, high)
        chart.line(rank, [(x / last, y) for x, y in enumerate(curve)], _ordinal(rank + 1, t), end=True)
    chart.rule(trend["threshold"], t("threshold"))
    return chart.svg()


def branching_chart(made: AnalysisReport, t: Translate) -> str:
    """Return the number of options by move number, of matches at random. Raises KeyError where there are none."""
    what = made["subject"]
    curve = made["basics"]["random"]["branching"]
    most = max(curve["high"] + curve["mean"])
    matches = made["runs"]["random"]["matches"]
    sentence = t(
        "{what}: legal moves at each decision of {matches} random matches: the mean, and a band that "
        "holds the middle half. Decisions that fewer than a tenth of the matches reached are left "
        "out."
    )
    caption = sentence.format(what=what, matches=f"{matches:,}")
    x = range(1, len(curve["mean"]) + 1)
    chart = Chart(t("Branching by move"), caption, (1, max(2, len(x))), (0, most * 1.05))
    chart.axes(t("Move number"), t("Legal moves"), _counted(ticks(1, max(2, len(x)), 9)), ticks(0, most * 1.05))
    chart.band(0, list(zip(x, curve["low"], strict=True)), list(zip(x, curve["high"], strict=True)))
    chart.line(0, list(zip(x, curve["mean"], strict=True)), t("mean"))
    band = '<rect class="band f0" x="{}" y="{}" width="30" height="12"/>'
    chart.entry(t("middle half"), lambda x, y: band.format(x - 15, y - 6))
    return chart.svg()


def seats_chart(made: AnalysisReport, t: Translate) -> str:
    """Return the rate of wins by seat, of matches at random. Raises KeyError where there are none."""
    what = made["subject"]
    figures = made["basics"]["random"]
    seats, due = figures["seats"], 1 / made["seats"]
    ties = figures["ties"]["value"]
    matches = made["runs"]["random"]["matches"]
    sentence = (
        t(
            "{what}: share of {matches} random matches won by each seat, with 95% Wilson intervals. In "
            "{ties}% of them several seats tie for first. The dotted line is the fair share of each."
        )
        if ties
        else t(
            "{what}: share of {matches} random matches won by each seat, with 95% Wilson intervals. In "
            "none of them do several seats tie for first. The dotted line is the fair share of each."
        )
    )
    caption = sentence.format(what=what, matches=f"{matches:,}", ties=f"{100 * ties:.1f}")
    highest = [figure["high"] or figure["value"] for seat in seats for figure in (seat["wins"], seat["wins_full"])]
    most = min(1.0, max([due, *highest]) * 1.1)
    chart = Chart(t("Win rate by seat"), caption, (-0.5, len(seats) - 0.5), (0, most))
    percent = {share: f"{100 * share:g} %" for share in ticks(0, most)}
    chart.axes(t("Seat"), t("Share of matches won"), {seat: str(seat + 1) for seat in range(len(seats))}, percent)
    aside = 0.1 if ties else 0.0
    for seat, each in enumerate(seats):
        chart.interval(0, seat - aside, each["wins"])
        if ties:
            chart.interval(1, seat + aside, each["wins_full"], empty=True)
    chart.entry(t("ties shared") if ties else t("wins"), lambda x, y: _marker(0, x, y))
    if ties:
        chart.entry(t("ties in full"), lambda x, y: _marker(1, x, y, empty=True))
    chart.rule(due, t("fair share, {share}").format(share=f"1/{len(seats)}"))
    return chart.svg()


def spread_chart(made: AnalysisReport, t: Translate) -> str:
    """Return how the options of decisions are spread. Raises ValueError where the report does not know."""
    spread, what = made["spreads"], made["subject"]
    if not spread:
        raise ValueError("This report has no spreads.")
    mean = made["measures"]["spread"]["value"]
    sentence = t(
        "{what}: the mean scaled rank of the best option minus that of the worst one, over "
        "{rollouts} roll-outs each, at {decisions} decisions of {matches} matches among {bots} bots. "
        "The mean over all decisions is {mean}; more roll-outs make it smaller."
    )
    caption = sentence.format(
        what=what,
        rollouts=made["rollouts"],
        decisions=f"{spread['decisions']:,}",
        matches=f"{made['runs']['search']['matches']:,}",
        bots=made["player"],
        mean=f"{mean:.3f}",
    )
    most = max([spread["forced"], *spread["bins"]]) * 1.08
    chart = Chart(t("Spread of options"), caption, (-0.1, 1), (0, most))
    percent = {value: f"{100 * value:g} %" for value in ticks(0, most)}
    marks = {-0.05: t("forced"), **{value: label for value, label in ticks(0, 1, 5).items() if value}}
    chart.axes(t("Best minus worst option (scaled rank)"), t("Share of decisions"), marks, percent)
    chart.bar((-0.08, -0.02), spread["forced"], 1, empty=True)
    for number, share in enumerate(spread["bins"]):
        if share:
            chart.bar((number * BIN, (number + 1) * BIN), share, 0)
    chart.entry(
        t("with a choice"), lambda x, y: f'<rect class="mark c0 f0" x="{x - 15}" y="{y - 6}" width="30" height="12"/>'
    )
    chart.entry(
        t("forced"),
        lambda x, y: (
            f'<rect class="mark open c1" stroke-dasharray="3 2" x="{x - 15}" y="{y - 6}" width="30" height="12"/>'
        ),
    )
    return chart.svg()


class OfReport(NamedTuple):
    """A chart that is drawn of a report alone."""

    title: str
    draw: Callable[[AnalysisReport, Translate], str]
    has: Callable[[AnalysisReport], bool]  # whether a report has what is drawn


OF_REPORT = {
    "trend.svg": OfReport("Trend graph", trend_chart, lambda made: bool(made["trend"])),
    "spread.svg": OfReport("Spread of options", spread_chart, lambda made: bool(made["spreads"])),
    "seats.svg": OfReport(
        "Win rate by seat", seats_chart, lambda made: "random" in made["basics"] and made["seats"] > 1
    ),
    "branching.svg": OfReport("Branching by move", branching_chart, lambda made: "random" in made["basics"]),
}  # by file name


def charts(made: AnalysisReport, played: Mapping[Run, RunResult], lead: Sequence[int] = (0,)) -> dict[str, str]:
    """Return all charts that have a meaning, by file name; ``lead``: the matches whose lead history is drawn."""
    leads = {
        f"lead-history-{history.index}.svg": lead_chart(made, history)
        for history in played["search"].histories
        if history.index in lead
    }
    return leads | {name: each.draw(made, in_english) for name, each in OF_REPORT.items() if each.has(made)}


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    space = (high - low) * 0.05 or 1.0
    return low - space, high + space


def _counted(labels: Mapping[float, str]) -> dict[float, str]:
    """Return the labels of an axis that counts from 1: 1, and the whole numbers among some."""
    return {1.0: "1"} | {value: label for value, label in labels.items() if value == int(value) and value > 1}


def _ordinal(rank: int, t: Translate) -> str:
    match rank:
        case 1:
            return t("1st place")
        case 2:
            return t("2nd place")
        case 3:
            return t("3rd place")
    return t("{n}th place").format(n=rank)
