"""Matches, their moves, and the chat."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.lobby.models import Table
from cardsite.people.models import REASON_LENGTH, Person
from games.core.moves import LONGEST_MOVE


class ServerProcess(models.Model):
    """A process that runs clocks and bots of matches. When it has not been seen for a while, others take them over."""

    name = models.CharField(max_length=40, unique=True)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class DropReason(models.TextChoices):
    """Why a match was dropped, or was over before its end: the last two give a result."""

    RULES_FAILED = "rules_failed", gettext_lazy("its rules failed")
    NO_END = "no_end", gettext_lazy("it did not end")
    OTHER_RULES = "other_rules", gettext_lazy("its rules were changed")
    NO_GAME = "no_game", gettext_lazy("its game was removed")
    TOO_MUCH = "too_much", gettext_lazy("it used too much computing time")
    STOPPED = "stopped", gettext_lazy("an administrator stopped it")
    AGREED = "agreed", gettext_lazy("its players ended it")
    RESIGNED = "resigned", gettext_lazy("a player resigned")
    LATE = "late", gettext_lazy("a player was out of time")


class Match(models.Model):
    """A match. Its seed and its moves (Move) determine every state; states are never stored."""

    class Status(models.TextChoices):
        RUNNING = "running", gettext_lazy("running")
        OVER = "over", gettext_lazy("over")
        DROPPED = "dropped", gettext_lazy("abandoned")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField(help_text=gettext_lazy("Number in the table's series, starting at 1."))
    game = models.CharField(max_length=40)
    rules_version = models.CharField(
        max_length=64,
        default="",
        blank=True,
        help_text=gettext_lazy("Version of the rules it is played with; empty for matches older than this field."),
    )
    options = models.JSONField(default=dict, help_text=gettext_lazy("All options, including secret ones."))
    seed = models.CharField(
        max_length=64, help_text=gettext_lazy("Hexadecimal. Together with the moves it determines every card.")
    )
    seconds = models.PositiveIntegerField()
    time_up = models.CharField(max_length=6, choices=Table.TimeUp.choices, default=Table.TimeUp.BOT)
    sealed = models.BooleanField()
    spectator_delay = models.PositiveIntegerField(
        default=0, help_text=gettext_lazy("Seconds by which spectators see the matches later; 0 means no delay.")
    )
    favourite = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=gettext_lazy("The seat it was stacked for.")
    )
    # Of a stacked match only. Each match has its own decision, which its table's settings no longer change.
    rig_way = models.CharField(max_length=16, blank=True, default="", editable=False)
    rigged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    reveal = models.BooleanField(default=False, help_text="Once it is over, everybody may know that it was stacked.")
    origin = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="played_on", help_text="See origin_ply."
    )
    origin_ply = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The match continues another one from this move. The moves before it are copied.",
    )
    practice = models.BooleanField(
        default=False,
        editable=False,
        help_text="Somebody alone with bots took back a move, so the result does not count.",
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.RUNNING, db_index=True)
    dropped = models.CharField(
        gettext_lazy("reason for abandoning"), max_length=16, choices=DropReason.choices, default="", blank=True
    )
    failure = models.TextField(
        default="",
        blank=True,
        help_text="For the author of the rules. It may name hidden cards, so players never see it.",
    )
    process = models.ForeignKey(ServerProcess, null=True, blank=True, on_delete=models.SET_NULL, related_name="matches")
    # Clock compensation for decisions open at this ply: the time during which no process ran the match.
    compensation_ply = models.PositiveIntegerField(default=0)
    compensation_ms = models.PositiveBigIntegerField(default=0)
    suspended_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text=gettext_lazy("While its players are away, no process runs it."),
    )
    resumes = models.DateTimeField(
        null=True,
        blank=True,
        db_index=True,
        editable=False,
        help_text="Of a suspended match with a clock: when the time of a decision is up.",
    )
    started = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    outcome = models.JSONField(
        null=True, blank=True, help_text="The game's own sentence about the end: a Sentence of games/core/view.py."
    )
    low_wins = models.BooleanField(default=False, help_text="Whether a lower score is better.")

    class Meta:
        verbose_name_plural = "matches"
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_match_a_number")]

    def __str__(self) -> str:
        return _("match %(n)d") % {"n": self.pk}

    @property
    def conceded(self) -> bool:
        """Whether it has a result although it was not played to its end."""
        return self.status == self.Status.OVER and bool(self.dropped)

    @property
    def winning_seats(self) -> list[int]:
        """The seats that won it or shared the win."""
        return [player.seat for player in self.players.all() if player.share]


class Player(models.Model):
    """The player of a seat of a match, and their result."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="played")
    bot = models.CharField(max_length=40, blank=True)
    name = models.CharField(max_length=40)
    score = models.FloatField(null=True, blank=True)
    share = models.FloatField(default=0, help_text=gettext_lazy("1 for a win, 1/k for a win shared by k players."))
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="1 for the first; empty in matches older than this field."
    )
    decisions = models.PositiveIntegerField(
        null=True, blank=True, help_text="Made in this seat, by anybody; empty until the match is over."
    )
    own_decisions = models.PositiveIntegerField(default=0, help_text="Those of them that the person made.")

    class Meta:
        ordering = ["seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_player_a_seat")]

    def __str__(self) -> str:
        return self.name

    @property
    def shown(self) -> str:
        """The name below a result: a bot that played for a person is called so."""
        return self.name if self.counts else _("A bot for %(name)s") % {"name": self.name}

    @property
    def counts(self) -> bool:
        """Whether the result is that of the named person or bot: a person made at least half of the decisions."""
        return bool(self.bot) or self.decisions is None or 2 * self.own_decisions >= self.decisions


class Occupancy(models.Model):
    """Who decides for a seat of a match from a ply on, and what they are called then.

    At the start of a match there is one for each seat, then one for each change. Together with ``Move.by`` they say who
    really decided each move. Read them with ``occupants.occupancies_of``: matches from before this table have none.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="occupancies")
    ply = models.PositiveIntegerField(help_text="The number of moves made before.")
    seat = models.PositiveSmallIntegerField()
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="occupancies")
    bot = models.CharField(max_length=40, blank=True, help_text="Kind of bot; empty for a person.")
    away = models.BooleanField(default=False, help_text="A bot decides for the person.")
    name = models.CharField(max_length=40)
    removed = models.BooleanField(default=False, help_text="The host has removed the person who was there before.")
    at = models.DateTimeField(auto_now_add=True, help_text="Of older ones: when the site got this field.")

    class Meta:
        verbose_name_plural = "occupancies"
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} in seat {self.seat + 1} after move {self.ply}"


class Move(models.Model):
    """A move. The constraint is also the lock: two processes cannot both write the same ply.

    Read moves with ``moves.moves_after``: those of an old match are in PackedMoves instead.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=LONGEST_MOVE)
    by = models.CharField(max_length=6)  # a Decider of protocol.py
    at = models.BigIntegerField(help_text="Milliseconds since 1970.")

    class Meta:
        ordering = ["ply"]
        constraints = [models.UniqueConstraint(fields=["match", "ply"], name="one_move_a_ply")]

    def __str__(self) -> str:
        return f"{self.ply}. {self.text}"


class PackedMoves(models.Model):
    """All moves of an old match in one row, instead of rows of Move: see ``moves.py``."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="packed_moves")
    plies = models.PositiveIntegerField()
    moves = models.BinaryField()

    class Meta:
        verbose_name_plural = "packed moves"

    def __str__(self) -> str:
        return _("%(n)d moves of match %(match)d") % {"n": self.plies, "match": self.match_id}


class StoredReplay(models.Model):
    """The replay of an ended match for one audience, stored for later requests.

    See ``stored_replay.py``. It can be computed again, so it may be removed at any time.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="stored_replays")
    seat = models.SmallIntegerField(help_text="The seat of the audience; -1 for spectators.")
    face_up = models.BooleanField(help_text="With all hands open.")
    edition = models.CharField(max_length=64, help_text="A hash of the code that rendered it.")
    complete = models.BooleanField(help_text="Whether the rules could replay the match to its end.")
    packed = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes, not compressed.")
    crc = models.PositiveBigIntegerField(help_text="CRC-32 of these bytes.")
    made = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        verbose_name_plural = "stored replays"
        constraints = [models.UniqueConstraint(fields=["match", "seat", "face_up"], name="one_replay_an_audience")]

    def __str__(self) -> str:
        return f"match {self.match_id} as {'spectators' if self.seat < 0 else f'seat {self.seat + 1}'} saw it"


class Chore(models.Model):
    """Periodic work that one process does for all: the time of its last start."""

    name = models.CharField(max_length=40, unique=True)
    begun = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class DailyTry(models.Model):
    """A person's one try at the deal of a day."""

    game = models.CharField(max_length=40)
    day = models.DateField()
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="daily_tries")
    match = models.OneToOneField(Match, on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "day", "person"], name="one_try_a_day")]

    def __str__(self) -> str:
        return f"{self.game} of {self.day}"


class Message(models.Model):
    """A chat message."""

    class ChatRoom(models.TextChoices):
        PLAYERS = "players", gettext_lazy("players")
        SPECTATORS = "spectators", gettext_lazy("spectators")
        ALL = "all", gettext_lazy("players and spectators together")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="messages")
    room = models.CharField(max_length=10, choices=ChatRoom.choices)
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="messages")
    name = models.CharField(max_length=40)
    seat = models.SmallIntegerField(default=-1)
    text = models.CharField(max_length=500)
    at = models.BigIntegerField(help_text="Milliseconds since 1970.")

    class Meta:
        indexes = [models.Index(fields=["table", "room", "id"])]

    def __str__(self) -> str:
        return self.text


class ChatReport(models.Model):
    """A person reports messages of others to the administrators."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat_reports")
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="chat_reports")
    messages = models.ManyToManyField(Message, related_name="reports")
    why = models.CharField(max_length=REASON_LENGTH)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.why
