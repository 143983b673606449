"""Finding tournaments, and the checks that the services share.

Only members of a circle may see its tournaments and act there. For others the refusal is that of a tournament that does
not exist.
"""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from cardsite.circles.models import Member
from cardsite.limits import MAX_ENTRANTS
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.tournaments.models import Tournament

UNFINISHED = (Tournament.Status.OPEN, Tournament.Status.RUNNING)


def no_tournament() -> Refused:
    """Return the refusal for everybody who may not see a tournament, whether or not there is one."""
    return Refused(
        "no_tournament", _("There is no such tournament, or it belongs to a circle of which you are not a member.")
    )


def find(code: str, person: Person | None) -> Tournament:
    """Return a tournament that a person may see. Raises Refused."""
    if code.isalnum():  # not every database can search for NUL
        tournament = Tournament.objects.select_related("circle", "organizer").filter(code=code).first()
        if tournament and is_visible(tournament, person):
            return tournament
    raise no_tournament()


def is_visible(tournament: Tournament, person: Person | None) -> bool:
    """Return whether a person may see a tournament: one that is open to everybody, or of a circle of theirs."""
    return tournament.circle_id is None or Member.objects.filter(circle=tournament.circle_id, person=person).exists()


def may_organize(tournament: Tournament, person: Person | None) -> bool:
    """Return whether a person may start and cancel a tournament: its organizer, or the owner of its circle."""
    if person is None:
        return False
    owner = Member.objects.filter(circle=tournament.circle_id, person=person, role=Member.Role.OWNER)
    return tournament.organizer_id == person.pk or (tournament.circle_id is not None and owner.exists())


def listed() -> QuerySet[Tournament]:
    """Return the tournaments that belong to no circle, with the number of entrants as ``count``, the newest first."""
    taking_part = Count("entrants", filter=Q(entrants__withdrawn=False))
    found = Tournament.objects.filter(circle=None).exclude(status=Tournament.Status.CANCELLED)
    return found.annotate(count=taking_part)


def lock(code: str, person: Person) -> Tournament:
    """Lock a tournament that a person may see, and return it. Raises Refused."""
    tournament = Tournament.objects.select_for_update(of=("self",)).filter(code=code).first()
    if tournament is None or not is_visible(tournament, person):
        raise no_tournament()
    return tournament


def lock_to_organize(code: str, person: Person) -> Tournament:
    """Lock a tournament that a person organizes, and return it. Raises Refused."""
    tournament = lock(code, person)
    if not may_organize(tournament, person):
        raise Refused("not_owner", _("Only the organizer of the tournament can do that."))
    return tournament


def require_open(tournament: Tournament) -> None:
    """Raise Refused for a tournament that has started."""
    if tournament.status != Tournament.Status.OPEN:
        raise Refused("running", _("The tournament has already started."))


def require_room(tournament: Tournament, more: int) -> None:
    """Raise Refused if there would be too many entrants."""
    there = sum(entrant.active for entrant in tournament.entrants.all())
    if there + more > MAX_ENTRANTS:
        raise Refused(
            "full",
            _("A tournament has at most %(most)d players; %(n)d take part.") % {"most": MAX_ENTRANTS, "n": there},
        )


def require_unfinished(tournament: Tournament) -> None:
    """Raise Refused for a tournament that is over or cancelled."""
    if tournament.status not in UNFINISHED:
        raise Refused("over", _("The tournament is over."))
