"""All attacks, by name."""

from __future__ import annotations

from bench.siege.attack import Attack
from bench.siege.attacks import connections, costly, garbage, messages, pages, played_texts

ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for module in (pages, garbage, connections, messages, costly, played_texts)
    for attack in vars(module).values()
    if isinstance(attack, Attack)
}
