"""One namespace: pause and members. Readers and reviewers look, owners change."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import Conflict, Invalid, NotFound
from core.services.members import member_remove, member_set
from core.services.namespaces import namespace_pause
from core.services.workspaces import namespace_rename, namespace_transfer
from knowledge.models import DraftPolicy
from knowledge.services.draft_policy import draft_policy_set
from review.forms.settings import MemberForm
from review.selectors import settings as listed
from review.services.workspaces import namespace_merge
from review.views.door import clock, page, person, say


def _render(
    request: HttpRequest,
    namespace_id: uuid.UUID,
    form: MemberForm | None = None,
    *,
    status: int = 200,
    drafts_error: str = "",
) -> HttpResponse:
    own = listed.namespace_for(user=person(request), namespace_id=namespace_id)
    context = {
        "own": own,
        "namespace": own.namespace,
        "members": listed.members_of(own.namespace),
        "form": form or MemberForm(),
        "drafts": DraftPolicy.objects.filter(namespace=own.namespace).select_related("changed_by").first(),
        "drafts_error": drafts_error,
        "targets": listed.merge_targets(user=person(request), namespace=own.namespace),
        "roles": MemberForm.base_fields["role"].choices,  # type: ignore[attr-defined]
    }
    return render(request, "settings/namespace.html", context, status=status)


@require_safe
@page
def namespace(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    return _render(request, namespace_id)


@require_POST
@page
def pause(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """``paused=1`` stops storing, extracting and recalling there; anything else resumes."""
    user = person(request)
    own = listed.namespace_for(user=user, namespace_id=namespace_id)
    paused = request.POST.get("paused") == "1"
    namespace_pause(namespace=own.namespace, user=user, paused=paused, now=clock())
    said = _("%(name)s is paused.") if paused else _("%(name)s works again.")
    say(request, said % {"name": own.namespace})
    return redirect("namespace", namespace_id=namespace_id)


@require_POST
@page
def drafts(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """``on=1`` with the typed name lets sure drafts of notes be found before a person read them; else it ends."""
    own = listed.namespace_for(user=person(request), namespace_id=namespace_id)
    enabled = request.POST.get("on") == "1"
    try:
        draft_policy_set(
            namespace=own.namespace,
            user=person(request),
            enabled=enabled,
            typed_name=request.POST.get("typed_name", ""),
            now=clock(),
        )
    except Invalid as error:
        return _render(request, namespace_id, status=422, drafts_error=error.message)
    said = _("Sure drafts of notes can be found in %(name)s.") if enabled else _("Drafts wait for a person.")
    say(request, said % {"name": own.namespace})
    return redirect("namespace", namespace_id=namespace_id)


@require_POST
@page
def rename(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Another name; the old one goes on leading here."""
    renamed = namespace_rename(
        namespace_id=namespace_id, user=person(request), name=request.POST.get("name", ""), now=clock()
    )
    say(request, _("It is called %(name)s now; the former name leads here too.") % {"name": renamed})
    return redirect("namespace", namespace_id=namespace_id)


@require_POST
@page
def transfer(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Hand it to a member; the giver stays as reviewer."""
    to = listed.person_named(request.POST.get("username", ""))
    given = namespace_transfer(namespace_id=namespace_id, user=person(request), to=to, now=clock())
    say(request, _("%(name)s belongs to %(who)s now.") % {"name": given, "who": to})
    return redirect("namespace", namespace_id=namespace_id)


@require_POST
@page
def merge(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Make it part of another one, for good: its name is typed."""
    try:
        target = uuid.UUID(request.POST.get("target", ""))
    except ValueError as error:
        raise Invalid(_("Choose where it should go."), field="target") from error
    merged = namespace_merge(
        source_id=namespace_id,
        target_id=target,
        user=person(request),
        typed_name=request.POST.get("typed_name", ""),
        now=clock(),
    )
    said = _("All of it is part of %(name)s now.") % {"name": merged.namespace}
    if merged.left_out:
        said += " " + _("These members lost their access: %(who)s.") % {"who": ", ".join(merged.left_out)}
    say(request, said)
    return redirect("namespace", namespace_id=merged.namespace.pk)


@require_POST
@page
def member(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Add a member, or change a role."""
    user, form = person(request), MemberForm(request.POST)
    own = listed.namespace_for(user=user, namespace_id=namespace_id)
    if form.is_valid():
        try:
            other = listed.person_named(form.cleaned_data["username"])
            member_set(
                namespace=own.namespace, by=user, user=other, role=form.cleaned_data["role"], now=clock()
            )
        except (Invalid, NotFound, Conflict) as error:
            form.add_error("username" if isinstance(error, NotFound) else "role", error.message)
        else:
            say(request, _("%(who)s is a member now.") % {"who": other})
            return redirect("namespace", namespace_id=namespace_id)
    return _render(request, namespace_id, form, status=422)


@require_POST
@page
def member_gone(request: HttpRequest, namespace_id: uuid.UUID) -> HttpResponse:
    """Take a member out; the last owner stays."""
    user = person(request)
    own = listed.namespace_for(user=user, namespace_id=namespace_id)
    other = listed.person_named(request.POST.get("username", ""))
    member_remove(namespace=own.namespace, by=user, user=other, now=clock())
    say(request, _("%(who)s is no longer a member.") % {"who": other})
    if other == user:
        return redirect("settings")
    return redirect("namespace", namespace_id=namespace_id)
