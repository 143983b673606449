"""The options of a race, and the constants they determine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.camelup.terms import COLOURS, Terms
from games.core import BadOption, Option
from games.core.messages import message, quoted
from games.core.options import OptionValue, whole

MOST_LEG_TILES = 6
MOST_RACE_PAYS = 8
AS_RULED = -1  # for an option: what the rule set says


@dataclass(frozen=True)
class Payouts(Option):
    """Several whole numbers in a range, as in "5,3,2": at most ``most`` of them."""

    most: int = 1

    @property
    def allowed(self) -> str:
        return f"up to {self.most} numbers {self.low}..{self.high}"

    def parse(self, raw: OptionValue) -> OptionValue:
        if raw == self.default:
            return raw
        parts = str(raw).split(",")
        numbers = [number for part in parts if (number := whole(part)) is not None]
        if len(numbers) < len(parts) or len(parts) > self.most:
            refused = message(
                "{option} must be up to {most} whole numbers like 5,3,2, not {given}.",
                option=self.name,
                most=self.most,
                given=quoted(raw),
            )
            raise BadOption(refused)
        if not all(self.low <= number <= self.high for number in numbers):
            refused = message(
                "{option} must be numbers from {low} to {high}, not {given}.",
                option=self.name,
                low=self.low,
                high=self.high,
                given=quoted(raw),
            )
            raise BadOption(refused)
        return ",".join(map(str, numbers))


def _study(name: str, label: str, default: int, low: int, high: int, help: str) -> Option:
    """Return a constant of the race that a study may vary."""
    return Option(name=name, label=label, default=default, low=low, high=high, help=help, set_by="study")


def _coins(name: str, label: str, default: int, help: str) -> Option:
    """Return what something earns."""
    return _study(name, label, default, -99, 99, help)


def _payouts(name: str, label: str, default: str, most: int, help: str) -> Payouts:
    """Return what several things earn, one after the other; as the rule set says where it is empty."""
    names: dict[OptionValue, str] = {"": "empty"}
    return Payouts(name, label, default, low=-99, high=99, names=names, help=help, set_by="study", most=most)


OPTIONS: tuple[Option, ...] = (
    Option(
        name="rules",
        label="Rules",
        default="official",
        choices=("official", "series"),
        help="official: the first edition. series: the rules of a simulation for bots, where coins may fall below 0.",
    ),
    Option(
        name="odds",
        label="Odds for learners",
        default="allowed",
        choices=("allowed", "forbidden"),
        help="Whether players may look up each camel's chances in this leg.",
    ),
    _study("camels", "Camels", 5, 2, len(COLOURS), "Number of camels."),
    _study("spaces", "Spaces", 16, 8, 60, "Length of the track."),
    _study("die_low", "Lowest face", 1, 1, 9, "Lowest face of the dice."),
    _study("die_high", "Highest face", 3, 1, 9, "Highest face of the dice."),
    _payouts(
        "leg_first",
        "Leg tiles, first",
        "5,3,2",
        MOST_LEG_TILES,
        "Coins for each leg tile of the leading camel, in the order taken; one number for each tile.",
    ),
    _payouts(
        "leg_second",
        "Leg tiles, second",
        "1,1,1",
        MOST_LEG_TILES,
        "Coins for each leg tile of the second camel; as many numbers as leg_first.",
    ),
    _coins("leg_other", "Leg tiles, otherwise", -1, "Coins for a leg tile of any other camel."),
    _payouts(
        "race",
        "Race cards",
        "",
        MOST_RACE_PAYS,
        "Coins for correct race cards in the order placed, later ones 1; empty: 8,5,3,2, or 8,5,3 in series.",
    ),
    _coins("race_wrong", "Wrong race card", -1, "Coins for a wrong race card."),
    _study("money", "Coins at the start", AS_RULED, AS_RULED, 99, "Coins at the start; -1: 3, or 2 in series."),
    _coins("roll_pay", "Roll", 1, "Coins for a roll."),
    _coins("tile_pay", "Desert tile", 1, "Coins for the owner of a desert tile when camels stop on it."),
)


@lru_cache(64)
def terms_of(chosen: tuple[tuple[str, OptionValue], ...]) -> Terms:
    """Return the constants that a value for every option makes. Raises BadOption when they contradict each other."""
    options = dict(chosen)
    series = options["rules"] == "series"
    low, high = int(options["die_low"]), int(options["die_high"])
    if low > high:
        raise BadOption(message("die_low must not be above die_high: {low} is above {high}.", low=low, high=high))
    if high > int(options["spaces"]):
        text = message(
            "die_high must not be above spaces: a camel that begins on space {high} is past the finish.", high=high
        )
        raise BadOption(text)
    first, second = _numbers(options["leg_first"]), _numbers(options["leg_second"])
    if len(first) != len(second):
        text = message("leg_first and leg_second must have the same number of entries: one for each leg tile.")
        raise BadOption(text)
    money = int(options["money"])
    return Terms(
        camels=int(options["camels"]),
        spaces=int(options["spaces"]),
        die_low=low,
        die_high=high,
        leg_first=first,
        leg_second=second,
        leg_other=int(options["leg_other"]),
        race=_numbers(options["race"]) or ((8, 5, 3) if series else (8, 5, 3, 2)),
        race_wrong=int(options["race_wrong"]),
        money=money if money != AS_RULED else 2 if series else 3,
        roll_pay=int(options["roll_pay"]),
        tile_pay=int(options["tile_pay"]),
        pay_at_once=series,
        floor=not series,
        tiles_stay=series,
    )


def _numbers(text: OptionValue) -> tuple[int, ...]:
    return tuple(int(number) for number in str(text).split(",") if number)
