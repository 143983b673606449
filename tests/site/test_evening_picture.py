"""The picture of an evening to share: what it says, whatever the names and however many people, and who gets it."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime

import pytest
from django.utils import translation
from PIL import Image, ImageFont, features

from cardsite.circles import evenings, picture, services
from cardsite.circles.evenings import EveningScore, EveningStanding
from cardsite.circles.models import Evening
from cardsite.circles.moments import MatchMoment, Moments, moments_of
from cardsite.lobby.models import Table
from cardsite.lobby.services.hosting import do_close
from cardsite.people.models import NAME_LENGTH as PERSON_NAME
from cardsite.table.models import Match
from tests.site.conftest import Actor
from tests.site.reasons import NOT_A_MEMBER, why_refused
from tests.site.test_circles import SECRET
from tests.site.test_evenings import evening, play
from tests.site.test_moments import BEHIND, OPEN, SURE, analyse

__all__ = ["evening"]  # a fixture

NOTHING = Moments(None, None, 0, 0, 0, 0)
NAMES = {
    "short": "Li",
    "long": "W" * PERSON_NAME,
    "words": "Anna Maria van den Berg I",
    "cyrillic": "Святослав Ярославович",
    "hebrew": "שלום עליכם",
    "arabic": "محمد عبد الله",
    "mixed": "Ana محمد 12",
    "emoji": "🎉🐹👩‍👩‍👧‍👦🇳🇱",
    "chinese": "漢字仮名交じり文",
    "marks": "a" + "\u0301\u0327\u0489" * 7,
    "isolate": "\u2066\u202eabc",
    "percent": "100%(name)s<bdi>%d",
    "beyond": "\U0010ffff\ue000\ufffe",
    "invisible": "\u200b\u200d",
}


def score(names: list[str], points: list[float], *, over: bool = True) -> EveningScore:
    """Return the score of an evening that is not stored, with people in the order of their points."""
    table = Table(status=Table.Status.CLOSED if over else Table.Status.OPEN)
    standings = [
        EveningStanding(1 + sum(other > mine for other in points), number, name, mine, 3)
        for number, (name, mine) in enumerate(zip(names, points, strict=True))
    ]
    return EveningScore(Evening(table=table, started=datetime(2026, 11, 28, 20, tzinfo=UTC)), [], standings)


def moment(name: str, players: int = 4) -> MatchMoment:
    """Return a moment whose winner and whose leader have this name."""
    return MatchMoment(Match(number=3), 20, 30, name, name, 1 / 3, players)


def size_of(content: picture.Content) -> tuple[int, int]:
    """Return the size of a picture, which must be a PNG."""
    return Image.open(io.BytesIO(picture.drawn(content)), formats=["PNG"]).size


@pytest.mark.parametrize("people", [0, 1, 2, 3, 4, 8, 33, 63, 64])
def test_any_number_of_people_fits_and_all_are_named(people: int) -> None:
    said = picture.content_of("Friends", score([f"P{n}" for n in range(people)], list(range(people, 0, -1))), NOTHING)
    assert [row.name for row in said.rows] == [f"P{n}" for n in range(people)]
    assert [row.first for row in said.rows] == [n == 0 for n in range(people)]
    width, height = size_of(said)
    assert width == picture.WIDTH
    assert picture.ROW * people < height < picture.ROW * people + 600


def test_people_beyond_the_last_row_are_counted() -> None:
    said = picture.content_of("Friends", score(["Li"] * 1000, list(range(1000, 0, -1))), NOTHING)
    assert len(said.rows) == picture.MOST_ROWS + 1
    assert said.rows[-1].name == "… (+936)"


@pytest.mark.parametrize("moments", ["comeback", "duel", "close", "none"])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_any_name_can_be_drawn_everywhere(name: str, moments: str) -> None:
    one = moment(name, 2 if moments == "duel" else 4)
    found = NOTHING._replace(
        comeback=one if moments in ("comeback", "duel") else None, close_finish=one if moments == "close" else None
    )
    for language in ("en", "nl", "de", "fr"):
        with translation.override(language):
            said = picture.content_of(name * 2, score([name, name], [2.5, 2.5]), found)
        assert said.winners.count(picture.drawable(name)) == 2
        if said.moment:
            assert picture.drawable(name) in said.moment[1]
        assert size_of(said)[1] < 2000


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Li", "Li"),
        ("Zoe\u0301 O'Brien", "Zoé O'Brien"),  # one letter of the font instead of two characters
        ("漢字", "…"),
        ("Anna 漢字", "Anna …"),
        ("漢 and 字", "… and …"),
        ("Ana \u2068محمد\u2069 12", "Ana \u2068محمد\u2069 12"),
        ("100% …", "100% …"),
    ],
)
def test_what_the_font_lacks_is_left_out_and_the_picture_says_so(name: str, drawn: str) -> None:
    assert picture.drawable(name) == drawn
    assert all(picture.has_glyph(character) for character in drawn)
    incomplete = drawn.count("…") > name.count("…")
    for said in (
        picture.content_of("Friends", score([name], [1]), NOTHING),
        picture.content_of(name, score([], []), NOTHING),
        picture.content_of("Friends", score([], []), NOTHING._replace(comeback=moment(name))),
    ):
        assert bool(said.note) == incomplete
        assert size_of(said._replace(note=""))[1] < size_of(said._replace(note="There is a note."))[1]


@pytest.mark.parametrize("language", ["en", "nl", "de", "fr"])
def test_the_note_is_drawn_whole(language: str) -> None:
    with translation.override(language):
        note = picture.content_of("漢", score([], []), NOTHING).note
    lines = picture._lines(note, picture.SMALLEST, most=3)
    assert " ".join(lines) == " ".join(note.split())
    assert picture.drawable(note) == note


def test_all_the_people_of_a_full_picture_can_have_won() -> None:
    said = picture.content_of("W" * 40, score(["W" * PERSON_NAME] * 64, [1] * 64), NOTHING)
    assert all(row.first for row in said.rows)
    assert size_of(said)[1] < picture.ROW * 64 + 800


@pytest.mark.parametrize("text", [*NAMES.values(), "W" * 500, "a " * 500])
@pytest.mark.parametrize("wide", [90, 300, 960])
def test_a_text_stays_within_its_box(text: str, wide: int) -> None:
    for right in (False, True):
        image = Image.new("RGB", (1100, 300))
        picture._write(image, (70, 100, wide, 64), text, 42, "#ffffff", right=right)
        inked = image.getbbox()
        assert inked is None or (70 <= inked[0] <= inked[2] <= 70 + wide and 100 <= inked[1] <= inked[3] <= 164)


def test_the_names_of_people_are_cut_only_where_they_are_wider_than_any_usual_one() -> None:
    wide = picture.WITHIN - picture.PLACE - picture.POINTS
    for name in ("Anna Maria van den Berg I (2)", "Святослав Ярославович (2)", "Mmmm mmmm mmmm mmmm m"):
        assert picture._cut(name, picture.SMALLEST, wide) == name
    cut = picture._cut("W" * 100, picture.SMALLEST, wide)
    assert cut.endswith("W…")
    assert picture._length(cut, picture.SMALLEST) <= wide


@pytest.mark.parametrize("text", ["éžłőß…“”", "Жяё", "Ωή", "אש", "عم", "😀", "«»\u202f\u00a0€"])
def test_the_font_has_the_letters_of_europe_hebrew_and_arabic(text: str) -> None:
    font = ImageFont.truetype(picture.FONT, 40)
    missing = bytes(font.getmask("\U0010ffff"))
    assert not [character for character in text if bytes(font.getmask(character)) == missing]


def test_names_can_be_drawn_without_raqm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "check", lambda _feature: False)
    assert picture._plain("\u2068محمد\u2069 12") == "محمد 12"
    assert size_of(picture.content_of("محمد", score(["محمد!"], [3]), NOTHING))[0] == picture.WIDTH


def test_the_largest_picture_takes_little_time() -> None:
    people = [f"Святослав {n:02} " + "W" * 10 for n in range(64)]
    said = picture.content_of("W" * 40, score(people, [1] * 64), NOTHING._replace(comeback=moment("W" * PERSON_NAME)))
    before = time.thread_time()
    picture.drawn(said)
    assert time.thread_time() - before < 3  # usually 0.2 seconds
    before = time.thread_time()
    picture.drawn(said)
    assert time.thread_time() - before < 0.01  # kept


# -- of a stored evening


def content(evening: Evening) -> picture.Content:
    """Return what the picture of a stored evening says."""
    [found] = evenings.scores(evening.circle, evening.pk)
    return picture.content_of(evening.circle.name, found, moments_of(evening))


def path(evening: Evening) -> str:
    """Return the address of its page."""
    return f"/circles/{evening.circle.code}/evenings/{evening.pk}/"


def test_it_says_what_the_page_says(evening: Evening, host: Actor) -> None:
    said = content(evening)
    assert (said.circle, said.heading, said.winners, said.rows) == (SECRET, "Nobody has points yet.", "", ())
    analyse(play(evening, [1, 2, 2, 4]), SURE)
    said = content(evening)
    assert (said.heading, said.winners, said.moment) == ("In the lead:", "\u2068Hostess\u2069", None)
    assert [row[:3] for row in said.rows] == [("1.", "Hostess", "3"), ("2.", "Guest", "1.5"), ("2.", "Stranger", "1.5")]
    last = play(evening, [1, 2, 3, 4])
    analyse(last, OPEN)
    assert content(evening).moment == (
        "The closest finish",
        "In match 2, \u2068Guest\u2069 was still ahead after 20 of 30 moves. \u2068Hostess\u2069 won.",
    )
    analyse(play(evening, [1, 2, 3, 4]), BEHIND)
    assert content(evening).moment == (
        "The biggest comeback",
        "\u2068Hostess\u2069 won match 3. After move 10, place 3.0 was to be expected.",
    )
    do_close(evening.table.code, host.person)
    assert content(evening).heading == "The evening was won by"


def test_it_is_in_the_language_of_its_reader(evening: Evening) -> None:
    play(evening, [1, 2, 2, 4])
    Evening.objects.update(started=datetime(2026, 3, 28, 20, tzinfo=UTC))
    for language, date, points in (
        ("en", "28 March 2026", "1.5"),
        ("nl", "28 maart 2026", "1,5"),
        ("de", "28. März 2026", "1,5"),
        ("fr", "28 mars 2026", "1,5"),
    ):
        with translation.override(language):
            said = content(evening)
        assert (said.date, said.rows[1].points) == (date, points)


@pytest.mark.parametrize(
    ("zone", "date"),
    [
        ("", "28 November 2026"),
        ("Europe/Amsterdam", "29 November 2026"),
        ("America/Los_Angeles", "28 November 2026"),
        ("Pacific/Kiritimati", "29 November 2026"),
        ("Middle/Earth", "28 November 2026"),
        ("../../etc/passwd", "28 November 2026"),
        ("/etc/passwd\0", "28 November 2026"),
    ],
)
def test_its_date_is_in_the_time_zone_of_the_reader(
    evening: Evening, host: Actor, monkeypatch: pytest.MonkeyPatch, zone: str, date: str
) -> None:
    Evening.objects.update(started=datetime(2026, 11, 28, 23, 30, tzinfo=UTC))
    seen: list[picture.Content] = []

    def drawn(said: picture.Content) -> bytes:
        seen.append(said)
        return b""

    monkeypatch.setattr(picture, "drawn", drawn)
    answer = host.client.get(f"{path(evening)}picture.png", {"zone": zone} if zone else {})
    assert (answer.status_code, [said.date for said in seen]) == (200, [date])


def test_the_language_of_the_request_chooses_the_picture(evening: Evening, host: Actor) -> None:
    address = f"{path(evening)}picture.png"
    pictures = {language: host.client.get(address, headers={"Accept-Language": language}) for language in ("en", "fr")}
    assert pictures["en"].content != pictures["fr"].content


def test_only_members_get_it_and_no_shared_cache_keeps_it(
    evening: Evening, host: Actor, guest: Actor, stranger: Actor
) -> None:
    play(evening, [1, 2, 3, 4])
    address = f"{path(evening)}picture.png"
    for member in (host, guest):
        assert f'href="{address}"' in member.client.get(path(evening)).content.decode()
        answer = member.client.get(address)
        assert answer["Content-Type"] == "image/png"
        assert {"private", "no-cache"} <= set(answer["Cache-Control"].split(", "))
        assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))
        assert member.client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    tag = {"If-None-Match": answer["ETag"]}
    assert why_refused(stranger.client.get(address)) == NOT_A_MEMBER  # played, but is no member
    services.do_leave(evening.circle.code, guest.person)
    assert why_refused(guest.client.get(address, headers=tag)) == NOT_A_MEMBER
    other = services.do_make(host.person, "Another")
    assert why_refused(host.client.get(f"/circles/{other.code}/evenings/{evening.pk}/picture.png")) == NOT_A_MEMBER


def test_the_page_offers_no_picture_before_there_are_points(evening: Evening, host: Actor) -> None:
    assert "picture.png" not in host.client.get(path(evening)).content.decode()
    assert host.client.get(f"{path(evening)}picture.png").status_code == 200
