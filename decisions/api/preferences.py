"""``GET decisions/preferences/?category=`` (design section 7)."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.query import query_of
from core.api.serializers import StrictSerializer
from core.api.view import AgentView
from core.models import AgentKey
from decisions.api.recommend import LAYERS, STATES
from decisions.learning import CATEGORIES
from decisions.selectors.learned import Learned, learned_for

EVIDENCE = 20


class PreferencesIn(StrictSerializer):
    category = serializers.ChoiceField(
        required=False, choices=list(CATEGORIES), default="", help_text="Default: all"
    )


class CountedOut(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not DRF's label
    count = serializers.IntegerField()
    share = serializers.FloatField()


class PreferenceOut(serializers.Serializer[Any]):
    point = serializers.UUIDField(help_text="The recurring question")
    question = serializers.CharField()
    category = serializers.ChoiceField(choices=list(CATEGORIES))
    workspace = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=STATES)
    layer = serializers.ChoiceField(choices=LAYERS)
    leader = serializers.CharField(allow_null=True, help_text="Null while too little is known")
    preferred = serializers.CharField(allow_null=True, help_text="What the person set by hand; goes before")
    always_ask = serializers.BooleanField()
    clear = serializers.BooleanField()
    n = serializers.IntegerField()
    n_effective = serializers.FloatField()
    share = serializers.FloatField()
    p = serializers.FloatField()
    lead = serializers.FloatField()
    uncertainty = serializers.FloatField()
    confidence = serializers.FloatField()
    confidence_label = serializers.ChoiceField(choices=["low", "medium", "medium-high", "high"])
    age_days = serializers.FloatField(allow_null=True)
    options = CountedOut(many=True)
    evidence = serializers.ListField(child=serializers.UUIDField(), help_text="The newest choices")


class PreferencesOut(serializers.Serializer[Any]):
    preferences = PreferenceOut(many=True)
    omitted = serializers.IntegerField(help_text="Older questions left out")


class PreferencesApi(AgentView):
    """What was learned: the leader of each recurring question, with state and evidence."""

    scope = "decide"
    asking = ("GET",)

    @extend_schema(
        operation_id="decision_preferences",
        parameters=[PreferencesIn],
        responses=PreferencesOut,
    )
    def get(self, request: Request) -> Response:
        category = query_of(request, PreferencesIn())["category"]
        key = key_of(request)
        found, omitted = learned_for(key=key, category=category, now=timezone.now())
        return Response({"preferences": [_preference(each, key) for each in found], "omitted": omitted})


def _preference(each: Learned, key: AgentKey) -> dict[str, Any]:
    point, prediction = each.point, each.prediction
    workspace = point.workspace
    counts, shares = prediction.counts, prediction.shares
    return {
        "point": point.pk,
        "question": point.title,
        "category": point.effective_category,
        "workspace": workspace and workspace.reference_for(key.user_id, workspace.owner.get_username()),
        "state": prediction.state,
        "layer": prediction.layer,
        "leader": each.label(prediction.leader),
        "preferred": each.label(each.preferred),
        "always_ask": point.always_ask,
        "clear": prediction.clear,
        "n": prediction.n,
        "n_effective": prediction.n_effective,
        "share": prediction.share,
        "p": prediction.p,
        "lead": prediction.lead,
        "uncertainty": prediction.uncertainty,
        "confidence": prediction.confidence_value,
        "confidence_label": prediction.confidence,
        "age_days": prediction.age_days,
        "options": [
            {"label": each.label(option), "count": counts[option], "share": shares[option]}
            for option in sorted(counts, key=lambda option: -counts[option])
        ],
        "evidence": list(prediction.evidence[:EVIDENCE]),
    }
