"""A person's decision points."""

from __future__ import annotations

from django.db.models import Q

from decisions.models.point import PointQuerySet


def in_category(points: PointQuerySet, category: str) -> PointQuerySet:
    """Those of a category as the person sees it: a correction goes before the rules."""
    return points.filter(Q(category_set=category) | Q(category_set="", category=category))
