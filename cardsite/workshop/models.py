"""Games that people write: texts, their versions, likes and reports."""

from __future__ import annotations

import re
import secrets

from django.db import models
from django.utils.translation import gettext_lazy

from cardsite.lobby.models import CODE_ALPHABET
from cardsite.people.models import Person
from cardsite.workshop.described import KIND_LENGTH, SUMMARY_LENGTH, TITLE_LENGTH
from cardsite.workshop.messages import MessageField

CODE_LENGTH = 8  # 31**8: the address of a text that is not published cannot be guessed
_CODE = re.compile(rf"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")
_GAME = re.compile(rf"w-({_CODE.pattern})-([1-9][0-9]{{0,5}})")
_UNLISTED = ("hidden", "withdrawn", "stopped")
REPORT_LENGTH = 500  # characters


def new_code() -> str:
    """Return a random code, which is a text's address."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def is_code(code: str) -> bool:
    """Return whether this may be a text's code. Visitors may send characters that no database stores."""
    return _CODE.fullmatch(code) is not None


def parts_of(game: str) -> tuple[str, int] | None:
    """Return the code and the version number in a game's name, ``w-CODE-N``; None for games of other providers."""
    found = _GAME.fullmatch(game)
    return (found[1], int(found[2])) if found else None


def listed(text: str = "") -> models.Q:
    """Return the condition of a text that everybody finds. ``text``: the way to it, such as ``text__``."""
    return models.Q(**{f"{text}published__isnull": False}, **{f"{text}{no}": False for no in _UNLISTED})


class Text(models.Model):
    """A person's game, with its versions. Everybody with its address may read and play it."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    owner = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="texts")
    # From the head of its newest version.
    title = models.CharField(max_length=TITLE_LENGTH)
    summary = models.CharField(max_length=SUMMARY_LENGTH, blank=True)
    latest = models.PositiveIntegerField(default=0, help_text=gettext_lazy("The number of its newest version."))
    published = models.PositiveIntegerField(
        null=True, blank=True, help_text=gettext_lazy("The published version; empty: by link only.")
    )
    published_at = models.DateTimeField(null=True, blank=True, db_index=True)
    featured = models.BooleanField(default=False, help_text=gettext_lazy("Listed first, and with the house games."))
    hidden = models.BooleanField(
        default=False,
        help_text=gettext_lazy("By an administrator: only the author sees it, and no table can be opened."),
    )
    stopped = models.BooleanField(
        default=False,
        help_text=gettext_lazy("By an administrator: its matches were stopped, and no new one can start."),
    )
    withdrawn = models.BooleanField(
        default=False,
        help_text=gettext_lazy(
            "By its author, or because the author left. It is kept as long as a match played with it is kept."
        ),
    )
    forked_from = models.ForeignKey(
        "Version", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks", editable=False
    )
    plays = models.PositiveIntegerField(
        default=0, help_text=gettext_lazy("Matches started, not counting the author's own tests.")
    )
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = gettext_lazy("workshop game")
        indexes = [  # for the library: see library.py
            models.Index(fields=["-featured", "-published_at"], condition=listed(), name="listed_by_time"),
            models.Index(fields=["-plays", "-published_at"], condition=listed(), name="listed_by_plays"),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.code})"

    @property
    def gone(self) -> bool:
        """Whether no new match of it may begin."""
        return self.hidden or self.withdrawn

    @property
    def origin(self) -> Text | None:
        """The text of which this one is a copy, if everybody finds that."""
        origin = self.forked_from.text if self.forked_from else None
        return origin if origin and origin.published and not (origin.gone or origin.stopped) else None


class Version(models.Model):
    """A text as it was saved. It never changes, so a match keeps the rules with which it began."""

    text = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(help_text="Counts from 1.")
    source = models.TextField(help_text="The text, in RECYCLE.")
    table = models.TextField(blank=True, help_text="The table file.")
    size = models.PositiveIntegerField(help_text="Bytes of the text and the table file.")
    made = models.DateTimeField(auto_now_add=True)
    # The result of its trial: see ``trial.py``.
    playable = models.BooleanField()
    why = MessageField(blank=True, help_text="The reason why it cannot be played.")
    title = models.CharField(max_length=TITLE_LENGTH)
    summary = models.CharField(max_length=SUMMARY_LENGTH, blank=True)
    kind = models.CharField(max_length=KIND_LENGTH, blank=True)
    min_seats = models.PositiveSmallIntegerField(default=0)
    max_seats = models.PositiveSmallIntegerField(default=0)
    minutes = models.PositiveSmallIntegerField(default=0)
    description = models.JSONField(
        null=True,
        default=None,
        help_text="The facts about its game, for processes that must not compile it: see described.py.",
    )
    # Counts of its matches.
    overruns = models.PositiveIntegerField(
        default=0, help_text="Matches that were dropped because the rules took too much computing time."
    )
    last_overrun = MessageField(blank=True, help_text="What took so long in the last one, for the author.")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["text", "number"], name="one_version_a_number")]

    def __str__(self) -> str:
        return self.game

    @property
    def game(self) -> str:
        """Its name in the catalogue: see ``provider.py``."""
        return f"w-{self.text.code}-{self.number}"


class Like(models.Model):
    """A person likes a game."""

    text = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="likes")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="likes")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["text", "person"], name="one_like_a_person")]

    def __str__(self) -> str:
        return f"{self.person} likes {self.text}"


class Report(models.Model):
    """A person reports a game to staff as not acceptable."""

    text = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="reports")
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports")
    number = models.PositiveIntegerField(help_text=gettext_lazy("The newest version when the report was made."))
    why = models.CharField(max_length=REPORT_LENGTH)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["text", "person"], name="one_report_a_person")]

    def __str__(self) -> str:
        return self.why
