"""``manage.py doctor``: check this installation, and say what to do about each problem."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser
from typing import Any

from django.core.checks.messages import ERROR, WARNING
from django.core.management.base import BaseCommand

from cardsite.front.doctor import CheckResult, examine
from cardsite.version import VERSION

LEVELS = {"WARNING": WARNING, "ERROR": ERROR}
INDENT = 26


class Command(BaseCommand):
    help = "Check settings, disk, clock, database, Redis, HTTPS and backups, and say what to do about each problem."
    requires_system_checks = []  # the doctor runs them, and reports them with the rest

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--url", default="", help="the site's public address, to check it as a browser reaches it: https://..."
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
        parser.add_argument(
            "--fail-level", choices=LEVELS, default="ERROR", help="exit with 1 if there is a problem of this level"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = []
        if not options["json"]:
            self.stdout.write(f"Hamsterdam {VERSION}\n\n")
        for finding in examine(options["url"]):
            findings.append(finding)
            if not options["json"]:
                self.stdout.write(_as_text(finding))
        failed = any(p.is_serious(LEVELS[options["fail_level"]]) for finding in findings for p in finding.problems)
        if options["json"]:
            data = {"version": VERSION, "ok": not failed, "findings": [_as_data(finding) for finding in findings]}
            self.stdout.write(json.dumps(data, indent=2))
        else:
            statuses = [finding.status for finding in findings]
            errors, warnings = statuses.count("error"), statuses.count("warning")
            self.stdout.write(f"\n{len(statuses)} checks: {errors} with errors, {warnings} with warnings.")
        if failed:
            sys.exit(1)


def _as_text(finding: CheckResult) -> str:
    """Return a finding as lines: its status and facts, then each problem and what to do."""
    head = f"{finding.status:<9}{finding.subject:<{INDENT - 9}}"
    lines = textwrap.wrap(finding.facts, 110 - INDENT)
    for problem in finding.problems:
        code = f" ({problem.id})" if problem.id else ""
        lines += textwrap.wrap(f"{problem.msg}{code}", 110 - INDENT)
        lines += textwrap.wrap(problem.hint or "", 110 - INDENT, initial_indent="-> ", subsequent_indent="   ")
    return head + f"\n{'':<{INDENT}}".join(lines)


def _as_data(finding: CheckResult) -> dict[str, Any]:
    """Return a finding as plain data."""
    names = {ERROR: "error", WARNING: "warning"}
    return {
        "subject": finding.subject,
        "status": finding.status,
        "facts": finding.facts,
        "problems": [
            {"level": names.get(problem.level, "info"), "id": problem.id, "message": problem.msg, "hint": problem.hint}
            for problem in finding.problems
        ],
    }
