"""What a field of a body or a query takes, said from the field itself, so that no refusal can forget to say it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

Field = serializers.Field[Any, Any, Any, Any]


def allowed_of(field: Field) -> Any:
    """For ``details.allowed``: a list of choices or field names, else a phrase in the reader's language.

    A field that checks by itself says so in an attribute ``allowed``.
    """
    said = getattr(field, "allowed", None)
    if said is not None:
        return said if isinstance(said, list) else str(said)
    if isinstance(field, serializers.ChoiceField):
        return list(field.choices)
    if isinstance(field, serializers.BooleanField):
        return [True, False]
    if isinstance(field, (serializers.ListSerializer, serializers.ListField)):
        most = getattr(field, "max_length", None)
        return _sized(_("a list"), _("a list of %(span)s items"), _least_of_list(field), most)
    if isinstance(field, serializers.BaseSerializer):
        return list(getattr(field, "fields", ()))
    if isinstance(field, serializers.IntegerField):
        return _sized(_("a whole number"), _("a whole number, %(span)s"), field.min_value, field.max_value)
    if isinstance(field, serializers.FloatField):
        return _sized(_("a number"), _("a number, %(span)s"), field.min_value, field.max_value)
    if isinstance(field, serializers.CharField):
        least = 0 if field.allow_blank else max(1, field.min_length or 0)
        return _sized(_("a text"), _("a text of %(span)s characters"), least, field.max_length)
    return None


def _least_of_list(field: Any) -> int:
    return field.min_length or (0 if field.allow_empty else 1)


def _sized(plain: str, spanned: str, least: float | None, most: float | None) -> str:
    """``plain`` where nothing bounds it; a zero below means no bound worth saying without one above."""
    if most is not None:
        span = _("%(least)s to %(most)s") % {"least": least or 0, "most": most}
        return spanned % {"span": span}
    return spanned % {"span": _("%(least)s or more") % {"least": least}} if least else plain
