"""The faults that `make mutants` puts into the code."""

from __future__ import annotations

from tests.mutants import mutants

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


def test_each_part_of_a_line_is_broken_by_itself() -> None:
    assert faults(3) == {
        ("person.blocked and not person.staff", "(person.blocked or not person.staff)"),
        ("person.blocked and not person.staff", "(not (person.blocked and (not person.staff)))"),
        ("not person.staff", "(person.staff)"),
    }
    assert ("free - person.guests >= 1", "(free - person.guests > 1)") in faults(6)
    assert {("free - person.guests", "(free + person.guests)"), ("1", "2")} < faults(6)
    assert faults(5) == {('note("é", person)', "pass")}


def test_what_nothing_executes_is_left_alone() -> None:
    assert faults(1) == {("3", "4")}
    assert faults(2) == set()


def test_every_mutant_is_a_program_of_its_own() -> None:
    for mutant in mutants("a.py", SOURCE, set(range(1, 7))):
        changed = SOURCE[: mutant.start] + mutant.new + SOURCE[mutant.end :]
        compile(changed, "a.py", "exec")
        assert changed != SOURCE
