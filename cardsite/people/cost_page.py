"""The page "Who uses most computing time": administrators see the CPU time that was booked (``cardsite/costs.py``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import ip_network
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.costs import KINDS, CostKind, most_expensive
from cardsite.people.models import Person
from cardsite.people.records import link, link_to

RANKED = 2_000  # people, addresses and tables together: a network may be many addresses
SHOWN = 30  # rows of each table of the page

TITLES = {
    "bot": gettext_lazy("bots"),
    "check": gettext_lazy("text checks"),
    "lead": gettext_lazy("lead histories"),
    "move": gettext_lazy("moves"),
    "page": gettext_lazy("pages"),
    "replay": gettext_lazy("replays"),
    "report": gettext_lazy("laboratory reports"),
    "trial": gettext_lazy("text trials"),
    "view": gettext_lazy("views"),
}
Costs = dict[CostKind, float]
Subject = TypeVar("Subject")


class CostRow(NamedTuple):
    """A person, network or table with its CPU seconds."""

    subject: object
    sum: float
    costs: list[float | None]  # by the kinds of its group


class CostSection(NamedTuple):
    """A section of the page, and the kinds of work that are its columns."""

    title: str
    kinds: list[object]
    rows: list[CostRow]


def who_costs_most() -> list[CostSection]:
    """Return the people, networks and tables that used most CPU time in about the last hour.

    A network has the costs of those of its addresses that are among the RANKED subjects with the highest costs.
    """
    people: dict[int, Costs] = {}
    tables: dict[str, Costs] = {}
    networks: dict[str, Costs] = {}
    for subject, costs in most_expensive(RANKED).items():
        sort, _space, name = subject.partition(" ")
        if sort == "person":
            people[int(name)] = costs
        elif sort == "table":
            tables[name] = costs
        else:
            of_network = networks.setdefault(network_of(subject), {})
            for kind, seconds in costs.items():
                of_network[kind] = of_network.get(kind, 0.0) + seconds
    known = Person.objects.in_bulk(list(people))
    return [
        _cost_section(_("People"), people.items(), lambda number: link_to(known.get(number)) or _("a former player")),
        _cost_section(_("Networks"), networks.items(), str),
        _cost_section(_("Tables"), tables.items(), lambda code: link(code, "admin:lobby_table_changelist", q=code)),
    ]


def network_of(address: str) -> str:
    """Return the network of an address. Administrators see no full addresses."""
    try:
        network = ip_network(address)
    except ValueError:
        return _("unknown")
    return str(network.supernet(new_prefix=min(network.prefixlen, 24 if network.version == 4 else 48)))


def _cost_section(
    title: str, per_subject: Iterable[tuple[Subject, Costs]], shown: Callable[[Subject], object]
) -> CostSection:
    ranked = sorted(per_subject, key=lambda each: -sum(each[1].values()))[:SHOWN]
    kinds = [kind for kind in KINDS if any(kind in costs for _subject, costs in ranked)]
    rows = [
        CostRow(shown(subject), sum(costs.values()), [costs.get(kind) for kind in kinds]) for subject, costs in ranked
    ]
    return CostSection(title, [TITLES[kind] for kind in kinds], rows)
