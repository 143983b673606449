"""Tables and the seats at them."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.lobby.games import find_game
from cardsite.people.models import REASON_LENGTH, Person
from cardsite.refusal import Refused

CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that look alike
HERE = timedelta(seconds=30)  # how long a person counts as here after a sign of life
CODE_LENGTH = 10  # 31**10: a link-only table cannot be guessed


def new_code() -> str:
    """Return a new code for a table: hard to guess, easy to read out."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Table(models.Model):
    """A table: a game, its options, its seats, and a series of matches."""

    class Status(models.TextChoices):
        OPEN = "open", gettext_lazy("waiting for players")
        PLAYING = "playing", gettext_lazy("playing")
        OVER = "over", gettext_lazy("between matches")
        CLOSED = "closed", gettext_lazy("closed")

    class TimeUp(models.TextChoices):
        """What happens when the time of a person is up in a match of two seats; in others, a bot decides."""

        BOT = "bot", gettext_lazy("The house decides")
        LOST = "resign", gettext_lazy("The match is lost")

    class RigLasts(models.TextChoices):
        """How long a rig lasts."""

        ONCE = "once", gettext_lazy("for the next match only")
        SERIES = "series", gettext_lazy("until the favourite has won a match of the series")
        ALWAYS = "always", gettext_lazy("until it is switched off")

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)
    public = models.BooleanField(
        default=True, help_text=gettext_lazy("Listed on the front page; otherwise by link only.")
    )
    sealed = models.BooleanField(
        default=True, help_text=gettext_lazy("Publishes the hash of the seed before each match, and the seed after it.")
    )
    house = models.BooleanField(
        default=False, help_text=gettext_lazy("A house table, where bots play match after match.")
    )
    what_if = models.BooleanField(
        default=False,
        editable=False,
        help_text="The table continues another match from one of its steps; its results do not count.",
    )
    story = models.BooleanField(
        default=False,
        editable=False,
        help_text="The game's story is played here; its results do not count.",
    )
    story_wins = models.PositiveSmallIntegerField(
        default=2, editable=False, help_text="The games that win the evening of a story."
    )
    story_chosen = models.JSONField(
        default=list, blank=True, editable=False, help_text="What the person chose: [games played before, choice] each."
    )
    tournament = models.BooleanField(
        default=False, editable=False, help_text="One match of a tournament is played here; it starts by itself."
    )
    together = models.BooleanField(default=False, help_text="Players and spectators share one chat room.")
    spectator_delay = models.PositiveIntegerField(
        default=0, help_text=gettext_lazy("Seconds by which spectators see the matches later; 0 means no delay.")
    )
    seconds = models.PositiveIntegerField(default=60, help_text=gettext_lazy("Per decision; 0 means no clock."))
    time_up = models.CharField(
        max_length=6, choices=TimeUp.choices, default=TimeUp.BOT, help_text=gettext_lazy("In a match of two seats.")
    )
    host = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="hosted")
    # The host may change; the table counts for the person who created it until it is closed.
    opened_by = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="opened", editable=False
    )
    host_seen = models.DateTimeField(default=timezone.now, editable=False)  # when the host was last here
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN, db_index=True)
    closed_because = models.CharField(
        max_length=REASON_LENGTH, blank=True, default="", editable=False, help_text="Written by an administrator."
    )
    fresh = models.BooleanField(default=False, help_text="The game or the seats have changed since the last match.")
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True, db_index=True)

    # The rigged deck: read only by the referee and the administrators' pages.
    rigged = models.BooleanField(gettext_lazy("stack the deck"), default=False)
    favourite = models.PositiveSmallIntegerField(gettext_lazy("favourite seat"), null=True, blank=True)
    rig_way = models.CharField(
        gettext_lazy("method"),
        max_length=16,
        blank=True,
        default="",
        help_text=gettext_lazy("Leave empty for the game's default."),
    )
    rig_lasts = models.CharField(
        gettext_lazy("how long"), max_length=6, choices=RigLasts.choices, default=RigLasts.SERIES
    )
    honest_games = models.PositiveSmallIntegerField(gettext_lazy("honest matches first"), default=2)
    rig_from = models.PositiveIntegerField(gettext_lazy("series starts at match"), default=1)
    reveal = models.BooleanField(
        gettext_lazy("reveal after the match"),
        default=False,
        help_text=gettext_lazy(
            "Announce it to everybody after each rigged match that starts from now on. Earlier matches keep what was "
            "decided for them."
        ),
    )
    rigged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    def __str__(self) -> str:
        return f"{self.game} {self.code}"

    @property
    def pending_seek(self) -> Seek | None:
        """What makes the first match start by itself, None if nothing does or that match has begun."""
        return getattr(self, "seek", None) if self.status == self.Status.OPEN else None

    def clean(self) -> None:
        """Refuse a rig at a sealed table, or one that cannot be dealt."""
        if not self.rigged:
            return
        try:
            rig = find_game(self.game).rig
        except Refused as gone:
            raise ValidationError(gone.text) from gone
        if not rig:
            raise ValidationError(_("This game has no rigged deck."))
        if self.what_if:
            raise ValidationError(_("This table continues another match from one of its moves, with the same deck."))
        if self.sealed:
            raise ValidationError(
                _("A sealed table promises a fair deal, so it cannot be rigged. Use an unsealed table.")
            )
        if self.favourite is None:
            raise ValidationError({"favourite": _("Choose the seat that should win.")})
        if self.rig_way and self.rig_way not in rig.ways:
            ways = ", ".join(rig.ways)
            raise ValidationError({"rig_way": _("This game can be rigged in these ways: %(ways)s.") % {"ways": ways}})
        if self.pk and not self.seats.filter(index=self.favourite).exists():
            last = self.seats.count()
            raise ValidationError({"favourite": _("This table has seats 1 to %(last)d.") % {"last": last}})


class Seat(models.Model):
    """A seat: open, a person's, or a bot's."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats")
    bot = models.CharField(max_length=40, blank=True, help_text=gettext_lazy("Kind of bot; empty for none."))
    called = models.CharField(max_length=40, blank=True, editable=False, help_text="The name of a bot in a story.")
    away = models.BooleanField(default=False, help_text=gettext_lazy("A bot plays for this person until they return."))
    held_for = models.ForeignKey(
        Person,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="held_seats",
        help_text="The person stood up during a match, and may take the seat back while a bot has it.",
    )
    held_wins = models.FloatField(default=0)  # of the person it is held for
    ready = models.BooleanField(default=False, help_text="The person is ready for the next match.")
    ends = models.BooleanField(
        default=False, editable=False, help_text="The person agrees to end the running match without a result."
    )
    take_back = models.PositiveIntegerField(
        default=0, editable=False, help_text="The person agrees to take back this move and all later ones; 0 for none."
    )
    seen = models.DateTimeField(null=True, blank=True)
    # While a match with a clock of hours or days, or without a clock, is played by several people.
    to_act = models.BooleanField(default=False, editable=False, help_text="The match waits for this seat's person.")
    due = models.DateTimeField(
        null=True,
        blank=True,
        db_index=True,
        editable=False,
        help_text="When a bot decides instead; empty without a clock.",
    )
    reminded = models.BooleanField(default=False, editable=False, help_text="They know that the time is nearly up.")
    handicap = models.SmallIntegerField(
        default=0, editable=False, help_text="What it starts with, more or less than usual, if the game offers that."
    )
    wins = models.FloatField(default=0, help_text=gettext_lazy("Matches won in this series; ties are shared."))

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="one_seat_a_number"),
            models.UniqueConstraint(fields=["table", "person"], name="one_seat_a_person"),
            models.CheckConstraint(condition=models.Q(person=None) | models.Q(bot=""), name="a_person_or_a_bot"),
        ]

    def __str__(self) -> str:
        return _("seat %(n)d of table %(table)s") % {"n": self.index + 1, "table": self.table_id}

    @property
    def kind(self) -> str:
        """Return "open", "person" or "bot"."""
        return "bot" if self.bot else "person" if self.person_id else "open"

    @property
    def here(self) -> bool:
        """Whether the person or bot in this seat is at the table now; bots always are."""
        return bool(self.bot) or (self.seen is not None and self.seen > timezone.now() - HERE)


class Seek(models.Model):
    """What makes the first match of a table start by itself: that enough people have come.

    Its people need not know each other. Without such a row the host starts the match.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="seek")
    people = models.PositiveSmallIntegerField(help_text="With so many the match starts after a pause.")
    bots = models.BooleanField(help_text="Bots take the seats that are still free then.")
    starts = models.DateTimeField(null=True, blank=True, help_text="When the match starts, if nobody leaves.")

    def __str__(self) -> str:
        return f"{self.table}: {self.people}"


class SeatRequest(models.Model):
    """A person who requests a seat from the host of a table, or who was removed from one."""

    class Answer(models.TextChoices):
        NONE = "", "not requested"
        WAITS = "waits", "the host has not answered yet"
        NEXT = "next", "has a seat from the next match on"
        NO = "no", "the host has refused"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seat_requests")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="seat_requests")
    answer = models.CharField(max_length=5, choices=Answer.choices, default=Answer.WAITS, blank=True)
    removed = models.BooleanField(default=False, help_text="Removed from a seat: may request one, but not sit down.")
    by_administrator = models.BooleanField(default=False, help_text="Removed by an administrator, not by the host.")
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="", help_text="Given by the administrator.")
    barred = models.BooleanField(default=False, help_text="Removed as a spectator, too: may not open the table.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["table", "person"], name="one_request_a_person")]

    def __str__(self) -> str:
        return f"{self.person} at {self.table}"

    @property
    def open(self) -> bool:
        """Whether the person waits for an answer, or for the next match."""
        return self.answer in (self.Answer.WAITS, self.Answer.NEXT)

    @property
    def standing(self) -> str:
        """Return what was decided about the person: "barred", "refused", "removed" or ""."""
        if self.barred:
            return "barred"
        return "refused" if self.answer == self.Answer.NO else "removed" if self.removed and not self.answer else ""


class PersonInvitation(models.Model):
    """That a person is invited to a table by another one.

    There is one for each person and table. It stays until the table is closed, so nobody is notified twice.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="person_invitations")
    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="invitations_made")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="invitations")
    made = models.DateTimeField(auto_now_add=True)
    answered = models.DateTimeField(null=True, blank=True, help_text="When the person sat down or declined.")
    of_circle = models.BooleanField(
        default=False, help_text="It is shown as long as the person is in a circle that is invited to the table."
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["table", "person"], name="one_invitation_a_person")]

    def __str__(self) -> str:
        return f"{self.person} to {self.table}"
