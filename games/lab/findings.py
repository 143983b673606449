"""Findings: what is remarkable about a game, in sentences. Each is the result of a test with its evidence.

``findings`` computes them from a report alone. A finding has a template and its arguments, so that ``sentence`` can say
it in any language: its ``t`` translates a template. Seats are counted from 1, as at a table.

There is no finding about fewer than ``intervals.FEW`` matches. Shares are tested one-sidedly against a bound by the
score test (E. B. Wilson, 1927: the test that his interval inverts), with a match as one observation, because the
decisions of a match are not independent. The seats of a game are corrected for their number by Holm's method. A finding
also needs a size: a difference that is certain but small is none. Kinds of moves are tested by decision, and seats
two-sidedly.

The thresholds are chosen so that the faults are found in games that were made to have them, and not in good games of
the library: see ``tests/games/lab/test_findings.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from games.lab import measures
from games.lab.evidence import EARLY, Counted, Evidence, MoveKind, line_of
from games.lab.intervals import FEW, Z, holm, wilson
from games.lab.report_types import AnalysisReport, Faculty, FacultyName, Fault, Figure, Finding

Usual = Mapping[str, tuple[float, float]]  # by name of a figure: its quartiles in the library

MOST = 7  # findings about a game
LEVEL = 0.01  # a report has a dozen tests, and the library three dozen reports
FORCED = 0.9  # share of forced moves from which nobody decides anything; tested against FORCED_NOT
FORCED_NOT = 0.75
STAKES = 0.04  # corrected spread below which no choice matters ...
STAKES_ORDER = 0.25  # ... unless the measure ``order`` reaches this: a long match has many choices that matter little
UNFAIR = 0.1  # how far a seat's share of the wins must be from the fair one
RUNAWAY, RUNAWAY_NOT = 0.85, 0.7  # share of the wins of the player who leads after a third
RUNAWAY_MORE = 0.25  # how much more often the leader wins than the seats that lead win on average
HALF = 0.5  # part of a match by which it must not be decided
SKILL = 0.1  # order, or the lead over an even share, that thinking must reach
OFFERED = 100  # decisions that offered a kind of move, before anything is said about it
DEAD, DEAD_NOT = 0.03, 0.08  # noise of roll-outs alone makes a bad move the best one now and then
DOMINANT, DOMINANT_NOT = 0.9, 0.8  # the same noise takes from a good move; in the library the share is .84 at most
DOUBTFUL = 0.3  # of an even share: what an option is worth that looks best as rarely as this is in doubt
MOST_DOUBTS = 3
NO_CHOICE = 0.98  # share of forced moves of a seat or place without a choice
MOVES = 20  # of a seat or place, before anything is said about it
LONG = 1000  # moves
TAIL = 4  # times the median length that one match in twenty reaches
TAIL_MOVES = 100
NOTHING_LOST = 0.05  # share of wins below which a faculty is worth nothing
SURE_NOTHING = 0.05  # level of that, corrected for the number of faculties
MUCH = 0.15  # share of wins from which a faculty is said to decide

# What follows from a fault, and is no finding beside it.
CONSEQUENCES: Mapping[Fault, tuple[Fault, ...]] = {
    "no decisions": ("no stakes", "dead seat", "dead place", "no skill", "useless faculty"),
    "no stakes": ("useless faculty",),
    "no skill": ("useless faculty",),
    "dead seat": ("seat", "runaway leader", "decided early"),
    "seat": ("runaway leader", "decided early"),
    "runaway leader": ("decided early",),
    "dominant option": ("dead option",),
}

NO_DECISIONS = "Nobody ever decides anything: {forced} of {moves} moves are forced."
FEW_DECISIONS = "Players hardly ever decide anything: {forced} of {moves} moves are forced."
NO_STAKES = "No choice matters: two options are {gap} apart, on a scale from 0 to 1."
SEAT_STRONG = "Seat {seat} wins {share}% among strong players ({fair}% would be fair)."
SEAT_SEARCH = "Seat {seat} wins {share}% among thinking players ({fair}% would be fair)."
SEAT_RANDOM = "Seat {seat} wins {share}% at random ({fair}% would be fair)."
RUNAWAY_LEADER = "The player who leads after {done} of {moves} moves wins {share}%."
DECIDED_EARLY = "From move {done} of {moves} on, the winner is certain in {share}% of the matches."
NO_SKILL = "Thinking hardly pays: a thinking player wins {share}% against random ones ({fair}% would be luck)."
NO_SKILL_EASY = "Thinking hardly pays: strong wins {share}% against easy ({fair}% would be luck)."
NEVER_LINE = "Line {line} is never chosen: 0 of {offered} times."
NEVER_MOVE = "“{move}” is never chosen: 0 of {offered} times."
DEAD_LINE = "Line {line} is hardly ever the best choice: {chosen} of {offered} times."
DEAD_MOVE = "“{move}” is hardly ever the best choice: {chosen} of {offered} times."
DOMINANT_LINE = "Line {line} is nearly always the best choice: {chosen} of {offered} times."
DOMINANT_MOVE = "“{move}” is nearly always the best choice: {chosen} of {offered} times."
DEAD_SEAT = "Seat {seat} hardly ever has a choice: {forced} of its {moves} moves are forced."
DEAD_PLACE = "Player number {place} in a round hardly ever has a choice: {forced} of {moves} moves are forced."
DEAD_LAST = "The last player in a round hardly ever has a choice: {forced} of {moves} moves are forced."
ENDLESS = "A match may never end: {broken} of {played} matches were abandoned."
LONG_MATCHES = "Matches are long: half of them have {median} moves or more."
LONG_TAIL = "Some matches are far too long: one in twenty has {long} moves or more, half have {median} or fewer."
WORTH: Mapping[FacultyName, str] = {
    "hand": "Seeing one's hand is worth {worth} of 100 wins.",
    "others": "An eye on the others is worth {worth} of 100 wins.",
    "ahead": "Thinking ahead is worth {worth} of 100 wins.",
}
WORTH_LINE = "Line {line} decides: it is worth {worth} of 100 wins."
WORTH_MOVE = "“{move}” decides: it is worth {worth} of 100 wins."
USELESS: Mapping[FacultyName, str] = {
    "hand": "A player who does not see the hand wins as often: at most {most} of 100 wins fewer.",
    "others": "A player who ignores the others wins as often: at most {most} of 100 wins fewer.",
    "ahead": "A player who only takes what counts at once wins as often: at most {most} of 100 wins fewer.",
}
BETTER_WITH_LESS: Mapping[FacultyName, str] = {
    "hand": "A player who does not see the hand wins {more} more of every 100 matches.",
    "others": "A player who ignores the others wins {more} more of every 100 matches.",
    "ahead": "A player who only takes what counts at once wins {more} more of every 100 matches.",
}
NOT_MISSED_LINE = "Nobody misses line {line}: a player who never takes it loses at most {most} of 100 wins."
NOT_MISSED_MOVE = "Nobody misses “{move}”: a player who never takes it loses at most {most} of 100 wins."
ENOUGH_LINE = "Line {line} is all that is needed: a player who always takes it loses at most {most} of 100 wins."
ENOUGH_MOVE = "“{move}” is all that is needed: a player who always takes it loses at most {most} of 100 wins."
BETTER_WITHOUT_LINE = "Line {line} costs wins: a player who never takes it wins {more} more of every 100 matches."
BETTER_WITHOUT_MOVE = "“{move}” costs wins: a player who never takes it wins {more} more of every 100 matches."
BEST_ALONE_LINE = (
    "Line {line} is all that is needed: a player who always takes it wins {more} more of every 100 matches."
)
BEST_ALONE_MOVE = "“{move}” is all that is needed: a player who always takes it wins {more} more of every 100 matches."
TEMPLATES = (
    NO_DECISIONS, FEW_DECISIONS, NO_STAKES, SEAT_STRONG, SEAT_SEARCH, SEAT_RANDOM, RUNAWAY_LEADER, DECIDED_EARLY,
    NO_SKILL, NO_SKILL_EASY, NEVER_LINE, NEVER_MOVE, DEAD_LINE, DEAD_MOVE, DOMINANT_LINE, DOMINANT_MOVE, DEAD_SEAT,
    DEAD_PLACE, DEAD_LAST,
    ENDLESS, LONG_MATCHES, LONG_TAIL, *WORTH.values(), WORTH_LINE, WORTH_MOVE, *USELESS.values(),
    *BETTER_WITH_LESS.values(), NOT_MISSED_LINE,
    NOT_MISSED_MOVE, ENOUGH_LINE, ENOUGH_MOVE, BETTER_WITHOUT_LINE, BETTER_WITHOUT_MOVE, BEST_ALONE_LINE,
    BEST_ALONE_MOVE,
)  # fmt: skip
MATCHES = "{n} matches"
INTERVAL_SHARE = "95% interval {low}% to {high}%"
INTERVAL = "95% interval {low} to {high}"
CONFIDENCE = "confidence {confidence}%"
USUAL_SHARE = "usual in the library: {low}% to {high}%"
USUAL = "usual in the library: {low} to {high}"
DETAILS = (MATCHES, INTERVAL_SHARE, INTERVAL, CONFIDENCE, USUAL_SHARE, USUAL)
DOUBT_LINE = "Line {line} looks best in {share}% of the {offered} decisions that offer it."
DOUBT_MOVE = "“{move}” looks best in {share}% of the {offered} decisions that offer it."
NOTHING = "None of the faults that are looked for was found."
TOO_FEW = "Too few matches with search for most findings: {n}, and 20 are needed."
# What a designer could try about each kind of fault.
ADVICE: Mapping[Fault, str] = {
    "no decisions": "Offer two moves where there is one now: a second card to play, a place to choose, or a pass.",
    "no stakes": "Let what is chosen change the score more: larger differences between cards, or fewer points by luck.",
    "seat": "Begin with another seat in each round, deal as many rounds as seats, or give the last seats something.",
    "runaway leader": "Let late rounds count more, limit what a lead gains, or help those who are behind.",
    "decided early": "End the match when it is decided, or keep some of the points for its last part.",
    "no skill": "Show players more before they choose, or draw less by lot after they have chosen.",
    "dead option": "Make this move cheaper or worth more, or take it out of the rules.",
    "dominant option": "Give this move a price or a limit, or make the others worth more.",
    "dead seat": "Let this seat choose as the others do, or change who has that role in each round.",
    "dead place": "Give each player one card more than is played, or let the next player begin each time.",
    "endless": "Let something run out with each turn: cards, turns or points. Or limit the number of rounds.",
    "long": "Deal fewer cards, play to fewer points, or limit the number of rounds.",
    "long tail": "Limit the number of rounds, or end the match when a deck has run out.",
    "useless faculty": "Give a reason to use it: secrets that matter, moves that hinder others, or late effects.",
    "faculty": "Fine if this is what the game is about. Otherwise let other things count for more.",
}
TRY = "To try: {advice}"
SHARES = frozenset({"forced", "leader", "decided", "seat", "duel", "endless", "worth"})  # figures that are shares


def sentence(finding: Finding, t: Callable[[str], str] = str) -> str:
    """Return a finding as a sentence; ``t`` translates its template."""
    return t(finding["template"]).format(**finding["arguments"])


def details(finding: Finding, t: Callable[[str], str] = str) -> list[str]:
    """Return what a finding rests on: matches, interval, confidence, and what is usual."""
    share = finding.get("figure") in SHARES
    said = [t(MATCHES).format(n=finding["matches"])]
    if "low" in finding and "high" in finding:
        said.append(t(INTERVAL_SHARE if share else INTERVAL).format(**_ends(finding["low"], finding["high"], share)))
    confidence = min(99.9, math.floor(1000 * finding["confidence"]) / 10)
    said.append(t(CONFIDENCE).format(confidence=f"{confidence:g}"))
    if "usual" in finding:
        said.append(t(USUAL_SHARE if share else USUAL).format(**_ends(*finding["usual"], share)))
    return said


def _ends(low: float, high: float, share: bool) -> dict[str, str]:
    if share:
        return {"low": f"{_percent(low)}", "high": f"{_percent(high)}"}
    return {"low": f"{low:.3g}", "high": f"{high:.3g}"}


def advice(finding: Finding, t: Callable[[str], str] = str) -> str:
    """Return what a designer could try about a finding."""
    return t(TRY).format(advice=t(ADVICE[finding["kind"]]))


def nothing(report: AnalysisReport, t: Callable[[str], str] = str) -> str:
    """Return what to say where there are no findings."""
    few = report["search_matches"]
    return t(TOO_FEW).format(n=few) if few < FEW else t(NOTHING)


class Doubt(NamedTuple):
    """A kind of moves that looks the best in few of its decisions; ``line`` is one of the text."""

    template: str
    arguments: dict[str, int | str]
    line: int | None

    def text(self, t: Callable[[str], str] = str) -> str:
        """Return it as a sentence; ``t`` translates its template."""
        return t(self.template).format(**self.arguments)


def doubts(report: AnalysisReport) -> list[Doubt]:
    """Return the kinds of moves whose worth is in doubt, those that look the best most rarely first.

    They are no findings: a good move that is for rare moments looks the same.
    """
    kinds = report.get("evidence", {}).get("kinds", {})
    if report["search_matches"] < FEW or not kinds:
        return []
    even = sum(each["best"] for each in kinds.values()) / sum(each["offered"] for each in kinds.values())
    shares = {name: each["best"] / each["offered"] for name, each in kinds.items() if each["offered"] >= OFFERED}
    rarely = sorted((share, name) for name, share in shares.items() if share < DOUBTFUL * even)
    return [_doubt(name, share, kinds[name]["offered"]) for share, name in rarely[:MOST_DOUBTS]]


def _doubt(name: str, share: float, offered: int) -> Doubt:
    counts = {"share": _percent(share), "offered": offered}
    if line := line_of(name):
        return Doubt(DOUBT_LINE, {"line": line, **counts}, line)
    return Doubt(DOUBT_MOVE, {"move": name or "pass", **counts}, None)


def findings(report: AnalysisReport, usual: Usual | None = None) -> list[Finding]:
    """Return what is remarkable about a game, the most important first. ``usual``: see ``figures``."""
    known = report.get("evidence", {})
    tests = (
        _endless,
        _forced,
        _stakes,
        _seats,
        _leader,
        _decided,
        _skill,
        _without_choice,
        _kinds,
        _length,
        _faculties,
    )
    found = [each for test in tests for each in test(report, known)]
    found = _without_consequences(_each_once(found), known)
    found.sort(key=lambda each: -each["effect"])
    for each in found:
        if usual and (name := each.get("figure", "")) in usual:
            each["usual"] = usual[name]
    return found[:MOST]


def _each_once(found: list[Finding]) -> list[Finding]:
    """Leave out what has been found by another test: the same fault of the same move."""
    once: dict[object, Finding] = {}
    for each in found:
        where = each.get("line") or each["arguments"].get("move") or id(each)
        once.setdefault((each["kind"], where), each)
    return list(once.values())


def _without_consequences(found: list[Finding], known: Evidence) -> list[Finding]:
    """Leave out what follows from another finding."""
    leader = known.get("leader")
    # Whichever seat leads wins: then that does not come of the seats.
    any_seat = leader and leader["wins"] - leader.get("expected", leader["wins"]) >= RUNAWAY_MORE * leader["matches"]
    causes = {each["kind"] for each in found} - ({"seat"} if any_seat else set())
    follow = {kind for cause in causes for kind in CONSEQUENCES.get(cause, ())}
    return [each for each in found if each["kind"] not in follow]


def figures(report: AnalysisReport) -> dict[str, float]:
    """Return the figures that findings are about, by name, to see what is usual."""
    known = report.get("evidence", {})
    named = {}
    if moves := known.get("random"):
        named["forced"] = moves["forced"] / moves["decisions"]
    if leader := known.get("leader"):
        named["leader"] = leader["wins"] / leader["matches"]
    if decided := known.get("decided"):
        named["decided"] = decided["part"]
    if lengths := known.get("lengths"):
        named["median length"] = lengths["median"]
    for name in ("order", "spread_corrected"):
        if figure := report["measures"].get(name):
            named[name] = figure["value"]
    return named


def _finding(
    kind: Fault, template: str, confidence: float, effect: float, matches: int, **arguments: int | str
) -> Finding:
    return {
        "kind": kind,
        "template": template,
        "arguments": arguments,
        "text": template.format(**arguments),
        "confidence": round(min(1.0, confidence), 4),
        "effect": round(min(1.0, effect), 4),
        "matches": matches,
    }


def _measured(finding: Finding, figure: str, value: float, ends: tuple[float, float] | None = None) -> Finding:
    finding["figure"], finding["value"] = figure, value
    if ends:
        finding["low"], finding["high"] = ends
    return finding


def _percent(share: float) -> int:
    return round(100 * share)


def above(rate: float, bound: float, matches: int) -> float:
    """Return how sure it is that a rate is above a bound: 1 minus the one-sided p-value of the score test."""
    return _normal((rate - bound) / math.sqrt(bound * (1 - bound) / matches))


def _normal(z: float) -> float:
    return 1 - math.erfc(z / math.sqrt(2)) / 2


# -- the tests


def _endless(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    run = report["runs"]["random"]
    broken = run["broken"].get("too long", 0)
    matches = run["matches"] + sum(run["broken"].values())
    if broken and matches >= FEW:
        share = broken / matches
        found = _finding("endless", ENDLESS, 1.0, 0.5 + share / 2, matches, broken=broken, played=matches)
        yield _measured(found, "endless", share, wilson(broken, matches))


def _forced(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    moves, matches = known.get("random"), report["runs"]["random"]["matches"]
    if not moves or matches < FEW:
        return
    share = moves["forced"] / moves["decisions"]
    sure = above(share, FORCED_NOT, matches)
    if share >= FORCED and sure >= 1 - LEVEL:
        template = NO_DECISIONS if share == 1 else FEW_DECISIONS
        counts = {"forced": moves["forced"], "moves": moves["decisions"]}
        yield _measured(_finding("no decisions", template, sure, share, matches, **counts), "forced", share)


def _stakes(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    spread = report["measures"].get("spread_corrected")
    if not spread or spread["matches"] < FEW or spread["low"] is None or spread["high"] is None:
        return
    order = report["measures"].get("order")
    if not order or order["matches"] < FEW or order["high"] is None:
        return
    if _order_of_sides(order["high"], report["seats"], _partners(report)) >= STAKES_ORDER:
        return
    if spread["high"] < STAKES:
        sure = _normal((STAKES - spread["value"]) / (spread["high"] - spread["value"] or 1.0) * Z)
        gap = f"{spread['value']:.2f}"
        found = _finding("no stakes", NO_STAKES, sure, 0.9, spread["matches"], gap=gap)
        yield _measured(found, "spread_corrected", spread["value"], (spread["low"], spread["high"]))


def _partners(report: AnalysisReport) -> int:
    """Return how many players win together in every match: 2 in a game of two pairs, 1 without partners."""
    runs = report["basics"].values()
    if not runs or any(run["ties"]["value"] < 1 for run in runs):
        return 1
    # Partners have the same wins in every run.
    wins = {tuple(run["seats"][seat]["wins"]["value"] for run in runs) for seat in range(report["seats"])}
    return max(1, report["seats"] // len(wins))


def _wins(order: float, seats: int) -> float:
    """Return the rate of wins that has this measure ``order``: the inverse of ``measures.order``."""
    return order * (1 - 1 / seats) + 1 / seats


def _order_of_sides(order: float, seats: int, partners: int) -> float:
    """Return the measure ``order`` with partners as one side: alone, each of two partners can win half at most."""
    if partners == seats:
        return order
    return measures.order(min(1.0, _wins(order, seats) * partners), seats // partners)


def skilled_seats(report: AnalysisReport) -> tuple[Literal["strong", "search", "random"], list[Figure]] | None:
    """Return the wins by seat of the most skilled run with enough matches, and which run it is.

    Unskilled play may hide an unfair game, or make a fair one look unfair, so the most skilled one counts.
    """
    runs: tuple[Literal["strong", "search", "random"], ...] = ("strong", "search", "random")
    for run in runs:
        known = report["basics"].get(run)
        if known and known["ties"]["matches"] >= FEW and report["seats"] > 1:
            return run, [seat["wins"] for seat in known["seats"]]
    return None


def _seats(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    skilled = skilled_seats(report)
    if not skilled:
        return
    run, wins = skilled
    fair = sum(each["value"] for each in wins) / len(wins)  # 1/n, or more among partners and less if nobody may win
    if not 0 < fair < 1:
        return
    error = math.sqrt(fair * (1 - fair) / wins[0]["matches"])
    p_values = holm([math.erfc(abs(each["value"] - fair) / error / math.sqrt(2)) for each in wins])
    seat = max(range(len(wins)), key=lambda seat: abs(wins[seat]["value"] - fair))
    most, p = wins[seat], p_values[seat]
    away = most["value"] - fair
    if p < LEVEL and abs(away) >= UNFAIR:
        template = {"strong": SEAT_STRONG, "search": SEAT_SEARCH, "random": SEAT_RANDOM}[run]
        effect = away / (1 - fair) if away > 0 else -away / fair
        said = {"seat": seat + 1, "share": _percent(most["value"]), "fair": _percent(fair)}
        ends = (most["low"], most["high"])
        found = _finding("seat", template, 1 - p, effect, most["matches"], **said)
        yield _measured(found, "seat", most["value"], (ends[0] or 0.0, ends[1] or 0.0))


def _leader(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    leader = known.get("leader")
    if not leader or leader["matches"] < FEW:
        return
    share, matches = leader["wins"] / leader["matches"], leader["matches"]
    sure = above(share, RUNAWAY_NOT, matches)
    if share >= RUNAWAY and sure >= 1 - LEVEL:
        said = {"done": round(leader["decision"]), "moves": round(leader["length"]), "share": _percent(share)}
        found = _finding("runaway leader", RUNAWAY_LEADER, sure, share, matches, **said)
        yield _measured(found, "leader", share, wilson(leader["wins"], matches))


def _decided(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    decided = known.get("decided")
    if not decided or decided["matches"] < FEW or decided["part"] > HALF:
        return
    moves = round(known["leader"]["length"])
    said = {"done": round(decided["decision"]) + 1, "moves": moves, "share": _percent(EARLY)}
    sure = above(EARLY, HALF, decided["matches"])
    found = _finding("decided early", DECIDED_EARLY, sure, 1 - decided["part"], decided["matches"], **said)
    yield _measured(found, "decided", decided["part"])


def _skill(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    seats, partners = report["seats"], _partners(report)
    order, duel = report["measures"].get("order"), report.get("duel")
    if seats > 1 and duel and duel["matches"] >= FEW and duel["high"] is not None:
        fair, enough = 1 / seats, 1 / seats + SKILL / partners
        if duel["high"] < enough:
            sure = _normal((enough - duel["value"]) / (duel["high"] - duel["value"] or 1.0) * Z)
            said = {"share": _percent(duel["value"] * partners), "fair": _percent(fair * partners)}
            found = _finding("no skill", NO_SKILL_EASY, sure, 0.8, duel["matches"], **said)
            yield _measured(found, "duel", duel["value"], (duel["low"] or 0.0, duel["high"]))
        return
    if not order or order["matches"] < FEW or order["high"] is None or order["low"] is None:
        return
    value, high = (_order_of_sides(end, seats, partners) for end in (order["value"], order["high"]))
    if high < SKILL:
        sure = _normal((SKILL - value) / (high - value or 1.0) * Z)
        share = _wins(order["value"], seats) * partners
        said = {"share": _percent(share), "fair": _percent(partners / seats)}
        found = _finding("no skill", NO_SKILL, sure, 0.8, order["matches"], **said)
        yield _measured(found, "order", order["value"], (order["low"], order["high"]))


def _without_choice(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    matches = sum(report["runs"][run]["matches"] for run in ("random", "search"))  # the evidence is of both
    if report["runs"]["random"]["matches"] < FEW:
        return
    dead = [seat for seat, moves in enumerate(known.get("seats", [])) if _is_dead(moves)]
    for seat in dead:
        yield _choiceless("dead seat", DEAD_SEAT, known["seats"][seat], matches, seat=seat + 1)
    places = known.get("places", [])
    if dead or len(places) < 2:
        return
    for place, moves in enumerate(places):
        if _is_dead(moves) and not all(map(_is_dead, places)):
            last = place == len(places) - 1
            template, where = (DEAD_LAST, {}) if last else (DEAD_PLACE, {"place": place + 1})
            yield _choiceless("dead place", template, moves, matches, **where)


def _is_dead(moves: Counted) -> bool:
    return moves["decisions"] >= MOVES and moves["forced"] >= NO_CHOICE * moves["decisions"]


def _choiceless(kind: Fault, template: str, moves: Counted, matches: int, **where: int) -> Finding:
    share = moves["forced"] / moves["decisions"]
    counts = {"forced": moves["forced"], "moves": moves["decisions"]}
    return _finding(kind, template, above(share, FORCED_NOT, matches), 0.6, matches, **where, **counts)


def _kinds(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    kinds, matches = known.get("kinds", {}), report["runs"]["search"]["matches"]
    if matches < FEW:
        return
    for name, kind in kinds.items():
        offered = kind["offered"]
        if offered < OFFERED:
            continue
        share, effect = kind["best"] / offered, 0.5 + min(0.4, offered / matches / 50)
        if share < DEAD and (sure := 1 - above(share, DEAD_NOT, offered)) >= 1 - LEVEL:
            templates = (NEVER_LINE, NEVER_MOVE) if kind["best"] == 0 else (DEAD_LINE, DEAD_MOVE)
            yield _about(name, "dead option", templates, sure, effect, matches, kind)
        elif share >= DOMINANT and (sure := above(share, DOMINANT_NOT, offered)) >= 1 - LEVEL:
            yield _about(name, "dominant option", (DOMINANT_LINE, DOMINANT_MOVE), sure, effect, matches, kind)


def _about(
    name: str,
    fault: Fault,
    templates: tuple[str, str],
    sure: float,
    effect: float,
    matches: int,
    kind: MoveKind,
) -> Finding:
    counts = {"chosen": round(kind["best"]), "offered": kind["offered"]}
    if line := line_of(name):
        found = _finding(fault, templates[0], sure, effect, matches, line=line, **counts)
        found["line"] = line
        return found
    return _finding(fault, templates[1], sure, effect, matches, move=name or "pass", **counts)


def _length(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    lengths, matches = known.get("lengths"), report["runs"]["random"]["matches"]
    if not lengths or matches < FEW:
        return
    median, long = lengths["median"], lengths["long"]
    if long >= max(TAIL_MOVES, TAIL * median):
        found = _finding(
            "long tail", LONG_TAIL, above(0.05, 0.01, matches), 0.4, matches, long=round(long), median=round(median)
        )
        yield _measured(found, "median length", median)
    elif median >= LONG:
        found = _finding("long", LONG_MATCHES, above(0.5, 0.25, matches), 0.4, matches, median=round(median))
        yield _measured(found, "median length", median)


# -- what a faculty is worth


def _faculties(report: AnalysisReport, known: Evidence) -> Iterator[Finding]:
    measured = [each for each in report.get("faculties", []) if each["worth"]["matches"] >= FEW]
    costs = dict(zip(map(_key, measured), holm([_not_above(each["worth"]) for each in measured]), strict=True))
    nothing = dict(zip(map(_key, measured), holm([_not_below(each["worth"]) for each in measured]), strict=True))
    matter = [each for each in measured if costs[_key(each)] < LEVEL]
    idle = [each for each in measured if nothing[_key(each)] < SURE_NOTHING]
    decisive = [each for each in matter if each["name"] != "always" and each["worth"]["value"] >= MUCH]
    if decisive:
        most = max(decisive, key=lambda each: each["worth"]["value"])
        said: dict[str, int | str] = {"worth": _percent(most["worth"]["value"])}
        yield _of_faculty("faculty", most, (WORTH_LINE, WORTH_MOVE), WORTH, costs[_key(most)], 0.1, said)
    for each in idle:
        p, highest, kind = nothing[_key(each)], _ends_of(each["worth"])[1], each.get("kind")
        said = {"most": math.ceil(100 * max(0.0, highest))}
        general, without, always = USELESS, (NOT_MISSED_LINE, NOT_MISSED_MOVE), (ENOUGH_LINE, ENOUGH_MOVE)
        if highest < 0:  # players who lack it surely win more
            said = {"more": _percent(-each["worth"]["value"])}
            general = BETTER_WITH_LESS
            without, always = (BETTER_WITHOUT_LINE, BETTER_WITHOUT_MOVE), (BEST_ALONE_LINE, BEST_ALONE_MOVE)
        if kind is None:
            yield _of_faculty("useless faculty", each, ("", ""), general, p, 0.5, said)
        # Of two moves that are equally good, neither is missed, and either is enough: that is no fault. An option comes
        # before a faculty: if one is all that is needed, thinking of anything else is worth nothing for this reason.
        elif each["name"] == "without" and any(_key(other) == ("always", kind) for other in matter):
            yield _of_faculty("dead option", each, without, {}, p, 0.6, said)
        elif each["name"] == "always" and any(_key(other) == ("without", kind) for other in matter):
            yield _of_faculty("dominant option", each, always, {}, p, 0.6, said)


def _key(faculty: Faculty) -> tuple[str, str | None]:
    return faculty["name"], faculty.get("kind")


def _ends_of(worth: Figure) -> tuple[float, float]:
    return -1.0 if worth["low"] is None else worth["low"], 1.0 if worth["high"] is None else worth["high"]


def _not_above(worth: Figure) -> float:
    """Return the p-value of a faculty's worth being more than 0."""
    below = worth["value"] - _ends_of(worth)[0]
    return 1 - _normal(worth["value"] / (below or 1.0) * Z)


def _not_below(worth: Figure) -> float:
    """Return the p-value of a faculty's worth being less than ``NOTHING_LOST``.

    It is at least the probability that no match is lost for the lack of it where one in twenty is due, because the
    interval of matches that are all equal knows less.
    """
    above_it = _ends_of(worth)[1] - worth["value"]
    normal = 1 - _normal((NOTHING_LOST - worth["value"]) / (above_it or 1.0) * Z)
    return max(normal, (1 - NOTHING_LOST) ** worth["matches"])


def _of_faculty(
    kind: Fault,
    faculty: Faculty,
    of_kinds: tuple[str, str],
    general: Mapping[FacultyName, str],
    p: float,
    effect: float,
    said: dict[str, int | str],
) -> Finding:
    worth = faculty["worth"]
    if faculty["name"] in general:
        found = _finding(kind, general[faculty["name"]], 1 - p, effect, worth["matches"], **said)
    elif "line" in faculty:
        found = _finding(kind, of_kinds[0], 1 - p, effect, worth["matches"], line=faculty["line"], **said)
        found["line"] = faculty["line"]
    else:
        move = faculty.get("kind") or "pass"
        found = _finding(kind, of_kinds[1], 1 - p, effect, worth["matches"], move=move, **said)
    return _measured(found, "worth", worth["value"], _ends_of(worth))
