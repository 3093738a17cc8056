"""``POST decisions/recommend/`` (design section 7)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.auth import key_of
from core.api.schema import example
from core.api.view import AgentView
from decisions.api.recommend_in import AskBody, ask_of
from decisions.asked import Advised, Recommended
from decisions.learning import CATEGORIES
from decisions.services.recommend import recommend

COUNTED_LAYERS = ["L0", "L1", "L2"]
LAYERS = [*COUNTED_LAYERS, "default"]
STATES = ["static", "warm", "mature"]


class LayerOut(serializers.Serializer[Any]):
    layer = serializers.ChoiceField(choices=COUNTED_LAYERS)
    n = serializers.IntegerField()
    n_effective = serializers.FloatField()
    leader = serializers.CharField(allow_null=True)
    share = serializers.FloatField()


class OptionOut(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]  # a field, not DRF's label
    display = serializers.CharField(help_text="Show this instead of the label")
    recommended = serializers.BooleanField()
    share = serializers.FloatField(help_text="Of the choices counted in the layer that speaks")


class AdvisedOut(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="Of what was said about this question")
    point = serializers.UUIDField(allow_null=True, help_text="The recurring question; null while it is new")
    question = serializers.CharField()
    category = serializers.ChoiceField(choices=list(CATEGORIES))
    action = serializers.ChoiceField(choices=["ask", "resolve"])
    reason = serializers.CharField(help_text="A code: why to ask, or why it is settled")
    reason_text = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    leader = serializers.CharField(allow_null=True)
    clear = serializers.BooleanField()
    n = serializers.IntegerField(help_text="Choices of the last 90 days in this workspace")
    n_effective = serializers.FloatField(help_text="The same, weighed by age")
    share = serializers.FloatField()
    p = serializers.FloatField()
    lead = serializers.FloatField(help_text="Probability that the leader truly leads")
    uncertainty = serializers.FloatField(help_text="p(1-p)")
    information_gain = serializers.FloatField(help_text="Bits")
    layer = serializers.ChoiceField(choices=LAYERS, help_text="Who speaks")
    layers = LayerOut(many=True)
    strength = serializers.ChoiceField(choices=["strong", "medium", "weak", "neutral"])
    premise = serializers.CharField(allow_blank=True)
    age_days = serializers.FloatField(allow_null=True, help_text="Of the newest choice that speaks")
    confidence = serializers.FloatField()
    confidence_label = serializers.CharField()
    evidence = serializers.ListField(child=serializers.UUIDField(), help_text="Choices, the newest first")
    text = serializers.CharField(allow_blank=True)
    options = OptionOut(many=True)
    probe = serializers.BooleanField(help_text="The label was left out on purpose")
    defects = serializers.ListField(child=serializers.CharField())
    correct_at = serializers.CharField(help_text="Page where the person corrects what was learned")


class RecommendedOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    questions = AdvisedOut(many=True)


class RecommendApi(AgentView):
    """What this person usually picks, how sure that is and why; or honestly that it is not known yet."""

    scope = "decide"

    @extend_schema(
        operation_id="decision_recommend",
        request=AskBody,
        responses=RecommendedOut,
        examples=example(
            session="s1",
            questions=[{"question": "Which tier?", "options": [{"label": "Tier S"}, {"label": "Tier M"}]}],
        ),
    )
    def post(self, request: Request) -> Response:
        ask = ask_of(request.data)
        answer = recommend(agent_key=key_of(request), ask=ask, now=timezone.now())
        return Response(recommended(answer))


def recommended(answer: Recommended) -> dict[str, Any]:
    """As the contract writes it; other doors (MCP, hooks) give the same."""
    return {"id": answer.id, "questions": [_advised(each) for each in answer.questions]}


def _advised(each: Advised) -> dict[str, Any]:
    prediction, advice = each.prediction, each.advice
    return {
        "id": each.id,
        "point": each.point,
        "question": each.question.text,
        "category": each.category,
        "action": advice.action,
        "reason": advice.reason,
        "reason_text": advice.reason_text,
        "state": prediction.state,
        "leader": _label(each, advice.leader or prediction.leader),
        "clear": prediction.clear,
        "n": prediction.n,
        "n_effective": prediction.n_effective,
        "share": prediction.share,
        "p": prediction.p,
        "lead": prediction.lead,
        "uncertainty": prediction.uncertainty,
        "information_gain": prediction.information_gain,
        "layer": prediction.layer,
        "layers": [{**vars(layer), "leader": _label(each, layer.leader)} for layer in prediction.layers],
        "strength": advice.strength,
        "premise": advice.premise,
        "age_days": prediction.age_days,
        "confidence": prediction.confidence_value,
        "confidence_label": advice.confidence_label,
        "evidence": each.evidence,
        "text": advice.text,
        "options": [
            {"label": o.label, "display": o.display, "recommended": o.recommended, "share": o.share}
            for o in advice.options
        ],
        "probe": advice.probe,
        "defects": each.defects,
        "correct_at": f"{settings.SITE_URL}/settings/memory/choices/"
        + (f"{each.point}/" if each.point else ""),
    }


def _label(each: Advised, key: str | None) -> str | None:
    return each.labels.get(key, key) if key else None
