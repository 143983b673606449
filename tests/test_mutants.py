"""The faults that `make mutants` puts into the code."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.mutants import Mutant, apart, mutants, unnoticed

SOURCE = '''\
def may_sit(person: Person, free: int = 3) -> bool:
    """Return whether a person may sit down: 1 seat."""
    if person.blocked and not person.staff:
        return False
    note("é", person)
    return free - person.guests >= 1
'''


def faults(*lines: int) -> set[tuple[str, str]]:
    return {(mutant.old, mutant.new) for mutant in mutants("a.py", SOURCE, set(lines))}


def test_each_part_of_a_line_gets_its_own_mutant() -> None:
    assert faults(3) == {
        ("person.blocked and not person.staff", "(person.blocked or not person.staff)"),
        ("person.blocked and not person.staff", "(not (person.blocked and (not person.staff)))"),
        ("not person.staff", "(person.staff)"),
    }
    assert ("free - person.guests >= 1", "(free - person.guests > 1)") in faults(6)
    assert {("free - person.guests", "(free + person.guests)"), ("1", "2")} < faults(6)
    assert faults(5) == {('note("é", person)', "pass")}


def test_code_that_nothing_executes_is_not_mutated() -> None:
    assert faults(1) == {("3", "4")}
    assert faults(2) == set()


def test_every_mutant_is_a_valid_program() -> None:
    for mutant in mutants("a.py", SOURCE, set(range(1, 7))):
        changed = SOURCE[: mutant.start] + mutant.new + SOURCE[mutant.end :]
        compile(changed, "a.py", "exec")
        assert changed != SOURCE


def test_overlapping_mutants_are_not_combined() -> None:
    drawn = list(apart(mutants("a.py", SOURCE, {3, 6})))
    assert len({mutant.line for mutant in drawn}) == 2
    assert all(one.end <= two.start or two.end <= one.start for one, two in combinations(drawn, 2))


@pytest.mark.parametrize("noticed", [set(), {0}, {2, 3}, {0, 1, 2, 3, 4}])
def test_survivors_are_found_among_combined_mutants(noticed: set[int]) -> None:
    drawn = [Mutant("a.py", line, line, line + 1, "x", "y") for line in range(5)]
    left = unnoticed(drawn, lambda group: any(mutant.line in noticed for mutant in group))
    assert [mutant.line for mutant in left] == [line for line in range(5) if line not in noticed]
