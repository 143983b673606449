"""Rows of the laboratory. Reports are files: see ``library.py``."""

from __future__ import annotations

from django.db import models

from cardsite.table.models import Match


class LeadHistory(models.Model):
    """Who led at each point of an ended match, estimated by roll-outs. Computed once, on request."""

    class Status(models.TextChoices):
        WORKING = "working", "being computed"
        DONE = "done", "done"
        TOO_LONG = "too_long", "match too long"
        FAILED = "failed", "failed"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="lead_history")
    rules_version = models.CharField(max_length=64, help_text="The version of the rules that it was computed with.")
    state = models.CharField(max_length=8, choices=Status.choices)
    asked = models.DateTimeField()
    found = models.JSONField(null=True, blank=True, help_text="As games.lab.leads.Lead; empty until it is done.")

    class Meta:
        verbose_name_plural = "lead histories"

    def __str__(self) -> str:
        return f"lead history of match {self.match_id}"
