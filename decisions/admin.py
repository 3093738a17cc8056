"""What people choose, to look at when learning seems wrong: when, of what kind and how it counted.

The words of questions and answers belong to the person who chose; they are shown on that person's Choices page alone.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from core.admin import LookOnly
from core.admin.repair import Act, Acting
from decisions.models import (
    AskSeen,
    Choice,
    DecisionPoint,
    LearningSetting,
    Mute,
    Option,
    Preference,
    Quarantine,
    Recommendation,
    Tally,
    Wording,
)
from decisions.services.repairs import calls_repair, points_repair

MERGE = Act("merge", _("Merge"), label=_("Merge into the oldest of them"))
SPLIT = Act("split", _("Split"), label=_("Split off what was joined by likeness"))
RERUN = Act("run", _("Run again"))
PUT_AWAY = Act("dismiss", _("Put away"))


class OwnAdmin(LookOnly):
    """Rows of one person."""

    search_fields = ("user__username",)


@admin.register(DecisionPoint)
class DecisionPointAdmin(OwnAdmin, Acting):
    """Merging and splitting, for a person who asked for it. The questions themselves are not shown here either."""

    acts = (MERGE, SPLIT)
    service = staticmethod(points_repair)
    act_related = ("user", "workspace")

    list_display = ("id", "user", "workspace", "category", "version", "first_seen_at", "last_choice_at")
    list_filter = ("category",)
    list_select_related = ("user", "workspace")
    search_ids = ("pk", "workspace_id")
    fields = ("user", "workspace", "category", "version", "first_seen_at", "last_choice_at")

    def told(self, row: Any) -> str:
        home = row.workspace or "–"
        return f"{row.pk} — {row.user}, {home}, {row.get_category_display()}, {row.first_seen_at:%Y-%m-%d}"


@admin.register(Wording)
class WordingAdmin(OwnAdmin):
    list_display = ("id", "user", "workspace", "category", "joined", "likeness", "created_at")
    list_filter = ("category", "joined")
    list_select_related = ("user", "workspace")
    search_ids = ("point_id", "workspace_id")
    fields = ("user", "workspace", "category", "joined", "likeness", "created_at")


@admin.register(Option)
class OptionAdmin(LookOnly):
    list_display = ("id", "point_id", "alias_of_id")
    search_ids = ("point_id",)
    search_fields = ("key__exact",)
    fields = ("id",)
    readonly_fields = ("id",)


@admin.register(Choice)
class ChoiceAdmin(OwnAdmin):
    list_display = ("id", "user", "outcome", "reason", "source", "strength", "at", "archived_at")
    list_select_related = ("user",)
    list_filter = ("outcome", "source")
    search_ids = ("pk", "point_id", "session_id")
    fields = ("user", "outcome", "reason", "source", "strength", "at", "received_at", "archived_at")


@admin.register(Tally)
class TallyAdmin(OwnAdmin):
    """Derived from choices; ``manage.py recount_choices --check`` compares."""

    list_display = ("id", "user", "point_id", "day", "followed", "reported", "n")
    list_select_related = ("user",)
    search_ids = ("point_id",)
    fields = ("user", "day", "followed", "reported", "n")


@admin.register(Preference)
class PreferenceAdmin(OwnAdmin):
    list_display = ("id", "user", "kind", "category", "at", "withdrawn_at")
    list_select_related = ("user",)
    list_filter = ("kind",)
    search_ids = ("pk", "point_id")
    fields = ("user", "kind", "category", "at", "withdrawn_at")


@admin.register(Recommendation)
class RecommendationAdmin(OwnAdmin):
    list_display = ("id", "user", "category", "action", "state", "layer", "n", "issued_at", "fate")
    list_select_related = ("user",)
    list_filter = ("fate",)
    search_ids = ("call", "point_id", "session_id")
    fields = ("user", "category", "action", "reason", "state", "layer", "n", "share", "issued_at", "fate")


@admin.register(Quarantine)
class QuarantineAdmin(OwnAdmin, Acting):
    acts = (RERUN, PUT_AWAY)
    service = staticmethod(calls_repair)
    act_related = ("user",)
    list_display = ("id", "user", "agent_key", "reason", "state", "runs", "at", "last_run_at")
    list_filter = ("state",)
    list_select_related = ("user", "agent_key")
    fields = ("user", "agent_key", "reason", "detail", "state", "runs", "at", "received_at", "last_run_at")

    def told(self, row: Any) -> str:
        return f"{row.pk} — {row.user}, {row.reason}, {row.get_state_display()}, {row.received_at:%Y-%m-%d}"


@admin.register(AskSeen)
class AskSeenAdmin(OwnAdmin):
    list_display = ("id", "user", "session", "at")
    list_select_related = ("user", "session")
    fields = ("user", "session", "at")


@admin.register(LearningSetting)
class LearningSettingAdmin(OwnAdmin):
    list_display = ("user", "workspace", "resolve_allowed", "decay_rate", "changed_at")
    list_select_related = ("user", "workspace")


@admin.register(Mute)
class MuteAdmin(OwnAdmin):
    list_display = ("user", "session", "at")
    list_select_related = ("user", "session")
