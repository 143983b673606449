"""The picture of an evening to share: a PNG with the score and the best moment, as wide as a phone shows legibly.

Every text is painted within a box of its own, smaller or cut if it is too long, so that no name can cover another. In
the place of characters that the font lacks is "…", and the picture says so.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable
from datetime import UTC, tzinfo
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont, features

from cardsite.circles.evenings import EveningScore
from cardsite.circles.moments import Moments

WIDTH, MARGIN = 1080, 60  # three pixels for each of a narrow phone
WITHIN = WIDTH - 2 * MARGIN
ROW, MOST_ROWS = 72, 64  # the height of a row, and how many people are named
PLACE, POINTS = 110, 200  # the widths of the columns beside the names
SMALLEST = 30  # the smallest letters, 10 pixels on a narrow phone
INK, CREAM, BRASS, FLOOR, FELT = "#2a1d12", "#f5f0e2", "#d9b86c", "#123e3f", "#1d5a58"
FONT = Path(__file__).parent / "fonts" / "DejaVuSans.ttf"
ISOLATES = {ord("\u2068"): None, ord("\u2069"): None}


class Row(NamedTuple):
    """A person in the picture."""

    place: str
    name: str
    points: str
    first: bool


class Content(NamedTuple):
    """What a picture says, in the language of its reader."""

    circle: str
    date: str
    heading: str
    winners: str
    rows: tuple[Row, ...]
    moment: tuple[str, str] | None  # its heading and its sentence
    note: str  # what it says below, "" for nothing


def content_of(circle: str, score: EveningScore, moments: Moments, zone: tzinfo = UTC) -> Content:
    """Return what the picture of an evening says, with its date in a time zone."""
    standings = score.standings
    rows = [
        Row(f"{one.place}.", one.name, floatformat(one.points, "-1"), one.place == 1) for one in standings[:MOST_ROWS]
    ]
    if len(standings) > MOST_ROWS:
        rows.append(Row("", f"… (+{len(standings) - MOST_ROWS})", "", first=False))
    if not standings:
        heading = _("Nobody has points yet.")
    else:
        heading = _("The evening was won by") if score.over else _("In the lead:")
    moment = _moment(moments)
    winners = ", ".join(f"\u2068{one.name}\u2069" for one in score.leaders)
    said = (circle, winners, *(row.name for row in rows), *(moment or ()))
    incomplete = any(drawable(text) != unicodedata.normalize("NFC", text) for text in said)
    return Content(
        circle=drawable(circle),
        date=date_format(timezone.localtime(score.evening.started, zone), "DATE_FORMAT"),
        heading=heading,
        winners=drawable(winners),
        rows=tuple(row._replace(name=drawable(row.name)) for row in rows),
        moment=(moment[0], drawable(moment[1])) if moment else None,
        note=_("“…” stands for letters and signs that this picture cannot show.") if incomplete else "",
    )


def drawable(text: str) -> str:
    """Return a text with "…" in the place of each row of characters that the font lacks."""
    parts = groupby(unicodedata.normalize("NFC", text), has_glyph)
    return "".join("".join(characters) if shown else "…" for shown, characters in parts)


@lru_cache(maxsize=4096)
def has_glyph(character: str) -> bool:
    """Return whether the font can draw a character, or nothing is drawn for it."""
    if unicodedata.category(character) in ("Cf", "Zs"):
        return True
    return bytes(_font(SMALLEST).getmask(character)) != _missing_glyph()


@lru_cache(maxsize=1)
def _missing_glyph() -> bytes:
    return bytes(_font(SMALLEST).getmask("\U0010ffff"))  # which is no character


def _moment(moments: Moments) -> tuple[str, str] | None:
    """Return the heading and the sentence of the best moment, as the page of the evening words them."""
    if one := moments.comeback:
        heading = _("The biggest comeback")
        if one.percent is not None:
            said = _("<bdi>%(name)s</bdi> won match %(n)s with a chance of %(percent)s%% after move %(ply)s.")
        else:
            said = _("<bdi>%(name)s</bdi> won match %(n)s. After move %(ply)s, place %(place)s was to be expected.")
    elif one := moments.close_finish:
        heading = _("The closest finish")
        said = _(
            "In match %(n)s, <bdi>%(other)s</bdi> was still ahead after %(ply)s of %(plies)s moves. "
            "<bdi>%(name)s</bdi> won."
        )
    else:
        return None
    said = said.replace("<bdi>", "\u2068").replace("</bdi>", "\u2069")  # before the names: they may contain anything
    return heading, said % {
        "name": one.winner,
        "other": one.leader,
        "n": one.match.number,
        "percent": one.percent,
        "ply": one.ply,
        "plies": one.plies,
        "place": floatformat(one.place, 1),
    }


@lru_cache(maxsize=64)
def drawn(content: Content) -> bytes:
    """Return the picture as a PNG file. Its height depends on how much there is to say."""
    winners = _lines(content.winners, 72, most=3)
    sentences = _lines(content.moment[1], 40, most=8) if content.moment else []
    notes = _lines(content.note, SMALLEST, most=3)
    top = MARGIN + 76 + 60 + 40
    table = top + 60 + 92 * len(winners) + 30
    moment_top = table + ROW * len(content.rows) + 40
    note_top = moment_top + (60 + 56 * len(sentences) + 40 if content.moment else 0)
    height = note_top + (40 * len(notes) + 40 if notes else 0) + MARGIN - 40
    image = Image.new("RGB", (WIDTH, height), FLOOR)
    _write(image, (MARGIN, MARGIN, WITHIN, 76), content.circle, 56, CREAM)
    _write(image, (MARGIN, MARGIN + 76, WITHIN, 60), content.date, 38, BRASS)
    _write(image, (MARGIN, top, WITHIN, 60), content.heading, 40, CREAM)
    _paragraph(image, top + 60, 92, winners, 72, BRASS)
    draw = ImageDraw.Draw(image)
    for number, row in enumerate(content.rows):
        y = table + ROW * number
        draw.rounded_rectangle((MARGIN - 20, y, WIDTH - MARGIN + 20, y + ROW - 8), 12, BRASS if row.first else FELT)
        colour, inner = INK if row.first else CREAM, ROW - 8
        _write(image, (MARGIN, y, PLACE - 20, inner), row.place, 42, colour)
        _write(image, (MARGIN + PLACE, y, WITHIN - PLACE - POINTS, inner), row.name, 42, colour)
        _write(image, (WIDTH - MARGIN - POINTS + 20, y, POINTS - 20, inner), row.points, 42, colour, right=True)
    if content.moment:
        _write(image, (MARGIN, moment_top, WITHIN, 60), content.moment[0], 40, BRASS)
        _paragraph(image, moment_top + 60, 56, sentences, 40, CREAM)
    _paragraph(image, note_top, 40, notes, SMALLEST, CREAM)
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def _paragraph(image: Image.Image, top: int, high: int, lines: Iterable[str], size: int, colour: str) -> None:
    for number, line in enumerate(lines):
        _write(image, (MARGIN, top + high * number, WITHIN, high), line, size, colour)


def _write(
    image: Image.Image, box: tuple[int, int, int, int], text: str, size: int, colour: str, *, right: bool = False
) -> None:
    """Write a line into a box (left, top, width, height): smaller if it is too long, and cut if that is not enough."""
    left, top, wide, high = box
    text = _plain(text)
    if (length := _length(text, size)) > wide:
        size = max(SMALLEST, int(size * wide / length))
        text = _cut(text, size, wide)
    mask = Image.new("L", (wide, high))
    start, anchor = (wide, "rm") if right else (0, "lm")
    ImageDraw.Draw(mask).text((start, high // 2), text, 255, _font(size), anchor=anchor)
    image.paste(colour, (left, top), mask)


def _plain(text: str) -> str:
    """Return a text as one line, without what only the full text layout (Raqm) understands if there is none."""
    text = " ".join(text.split())
    return text if features.check("raqm") else text.translate(ISOLATES)


def _cut(text: str, size: int, wide: int) -> str:
    """Return as much of a line as fits."""
    if _length(text, size) <= wide:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if _length(text[:middle] + "…", size) <= wide:
            fits = middle
        else:
            too_long = middle
    return text[:fits].rstrip() + "…"


def _lines(text: str, size: int, most: int) -> list[str]:
    """Break a text into lines between its words, at most so many; the last one says if something is left out."""
    lines: list[str] = []
    for word in text.split():
        if lines and _length(_plain(f"{lines[-1]} {word}"), size) <= WITHIN:
            lines[-1] += f" {word}"
        elif len(lines) == most:
            return [*lines[:-1], _cut(f"{lines[-1]} …", size, WITHIN)]
        else:
            lines.append(word)
    return lines


def _length(text: str, size: int) -> float:
    return _font(size).getlength(text)


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
