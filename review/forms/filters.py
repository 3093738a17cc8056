"""Filters in the address bar: what cannot be understood is ignored, not punished."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.models import Namespace
from memory.models import Kind, Memory, Source
from review.selectors.history import ANSWERS, OUTCOMES, HistoryFilter
from review.selectors.memories import MemoryFilter
from review.selectors.queue import QueueFilter
from review.selectors.wanted import parse


def namespace_choices(namespaces: Sequence[Namespace], user_id: int) -> list[tuple[str, str]]:
    return [(str(item.pk), item.reference_for(user_id, item.owner.get_username())) for item in namespaces]


class NarrowForm(forms.Form):
    """Text, kind and namespace; subclasses add theirs. ``value`` is "" for anything unknown."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search", "placeholder": _("Search text and evidence")}),
    )
    kind = forms.ChoiceField(required=False, label=_("Kind"), choices=[("", _("All kinds")), *Kind.choices])
    namespace = forms.ChoiceField(required=False, label=_("Namespace"))

    def __init__(self, data: Any, *, namespaces: Sequence[Namespace], user_id: int) -> None:
        super().__init__(data, auto_id="filter-%s")
        self.fields["namespace"].choices = [  # type: ignore[attr-defined]
            ("", _("All namespaces")),
            *namespace_choices(namespaces, user_id),
        ]
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = field.label
        self.is_valid()

    def value(self, name: str) -> str:
        return str(self.cleaned_data.get(name) or "").replace("\x00", "").strip()

    @property
    def namespace_id(self) -> uuid.UUID | None:
        return uuid.UUID(self.value("namespace")) if self.value("namespace") else None


class QueueForm(NarrowForm):
    """The queue's filter; ``more`` are the fields behind "More filters"."""

    source = forms.ChoiceField(
        required=False, label=_("Source"), choices=[("", _("All sources")), *Source.choices]
    )
    confidence = forms.ChoiceField(
        required=False,
        label=_("Confidence"),
        choices=[("", _("Any confidence")), ("high", _("high")), ("medium", _("medium")), ("low", _("low"))],
    )
    seen = forms.ChoiceField(
        required=False,
        label=_("Times seen"),
        choices=[
            ("", _("Seen any number of times")),
            ("2", _("seen in 2 sessions or more")),
            ("3", _("seen in 3 sessions or more")),
            ("5", _("seen in 5 sessions or more")),
        ],
    )
    age = forms.ChoiceField(
        required=False,
        label=_("Age"),
        choices=[
            ("", _("Any age")),
            ("1", _("older than a day")),
            ("7", _("older than a week")),
            ("21", _("older than three weeks")),
        ],
    )
    flag = forms.ChoiceField(
        required=False,
        label=_("Asks for care"),
        choices=[
            ("", _("With or without warnings")),
            ("conflicts", _("disagrees with a memory")),
            ("untyped", _("not typed by a person")),
            ("risky", _("an order or a link")),
            ("again", _("rejected or true before")),
            ("attention", _("could not be stored")),
        ],
    )
    aside = forms.ChoiceField(
        required=False,
        label=_("Set aside"),
        choices=[("", _("Not set aside")), ("1", _("Set aside until tomorrow"))],
    )
    sort = forms.ChoiceField(
        required=False,
        label=_("Order"),
        choices=[
            ("", _("Expiring first")),
            ("newest", _("Newest first")),
            ("seen", _("Most seen first")),
            ("confidence", _("Surest first")),
        ],
    )

    def wanted(self) -> QueueFilter:
        """As saved filters spell it: one reading of the address for both."""
        return parse(self.data.urlencode() if isinstance(self.data, QueryDict) else "")

    @property
    def more(self) -> list[forms.BoundField]:
        return [self[name] for name in ("confidence", "seen", "age", "flag", "aside")]

    @property
    def has_more(self) -> bool:
        return any(self.value(name) for name in ("confidence", "seen", "age", "flag", "aside"))


class HistoryForm(NarrowForm):
    outcome = forms.ChoiceField(
        required=False,
        label=_("Outcome"),
        choices=[
            ("", _("All outcomes")),
            *zip(OUTCOMES, (_("approved"), _("rejected"), _("archived")), strict=True),
            *zip(ANSWERS, (_("proposal accepted"), _("proposal refused")), strict=True),
        ],
    )

    by = forms.ChoiceField(
        required=False,
        label=_("Decided by"),
        choices=[
            ("", _("Decided by anyone")),
            ("me", _("decided by me")),
            ("policy", _("decided by auto-approve")),
            ("clock", _("archived by the clock")),
        ],
    )

    def wanted(self) -> HistoryFilter:
        return HistoryFilter(
            by=self.value("by"),
            kind=self.value("kind"),
            namespace=self.value("namespace"),
            text=self.value("q"),
            outcome=self.value("outcome"),
        )


class AskForm(NarrowForm):
    """A question as an agent would ask it; ``agent`` leaves out what an agent would not see."""

    agent = forms.BooleanField(required=False, label=_("Only what an agent would see"))

    def __init__(self, data: Any, *, namespaces: Sequence[Namespace], user_id: int) -> None:
        super().__init__(data, namespaces=namespaces, user_id=user_id)
        self.fields["q"].widget.attrs["placeholder"] = _("Ask as an agent would")
        del self.fields["kind"]


class MemoriesForm(NarrowForm):
    status = forms.ChoiceField(
        required=False,
        label=_("Status"),
        choices=[
            ("", _("Active")),
            ("superseded", _("Was true")),
            ("retracted", _("Was wrong")),
            ("all", _("All but deleted")),
        ],
    )
    actor = forms.ChoiceField(
        required=False, label=_("Let in by"), choices=[("", _("Let in by anyone")), *Memory.ACTORS]
    )

    def __init__(self, data: Any, *, namespaces: Sequence[Namespace], user_id: int) -> None:
        super().__init__(data, namespaces=namespaces, user_id=user_id)
        self.fields["q"].widget.attrs["placeholder"] = _("Search text")

    def wanted(self) -> MemoryFilter:
        return MemoryFilter(
            status=self.value("status") or "active",
            namespace=self.value("namespace"),
            kind=self.value("kind"),
            actor=self.value("actor"),
            text=self.value("q"),
        )
