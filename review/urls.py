"""Addresses of the pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from review.views import (
    account,
    arrange,
    bulk,
    decide,
    edit,
    filters,
    history,
    imports,
    keys,
    memories,
    memory_acts,
    namespaces,
    new,
    own,
    policy,
    proposals,
    queue,
    sessions,
    settings,
    sign_in,
)

_review = [
    path("", queue.review, name="review"),
    path("candidates/<uuid:candidate_id>/", queue.candidate, name="candidate"),
    path("candidates/<uuid:candidate_id>/row/", queue.row, name="candidate-row"),
    path("candidates/<uuid:candidate_id>/source/", queue.source, name="candidate-source"),
    path("candidates/<uuid:candidate_id>/edit/", edit.edit, name="candidate-edit"),
    path("candidates/<uuid:candidate_id>/diff/", edit.diff, name="candidate-diff"),
    path("candidates/<uuid:candidate_id>/set-aside/", arrange.set_aside, name="candidate-set-aside"),
    path("candidates/<uuid:candidate_id>/merge/", arrange.merge, name="candidate-merge"),
    path("candidates/<uuid:candidate_id>/approve/", decide.approve, name="candidate-approve"),
    path("candidates/<uuid:candidate_id>/reject/", decide.reject, name="candidate-reject"),
    path("candidates/<uuid:candidate_id>/reopen/", decide.reopen, name="candidate-reopen"),
    path("proposals/<uuid:proposal_id>/", proposals.proposal, name="proposal"),
    path("proposals/<uuid:proposal_id>/source/", proposals.source, name="proposal-source"),
    path("proposals/<uuid:proposal_id>/accept/", proposals.accept, name="proposal-accept"),
    path("proposals/<uuid:proposal_id>/refuse/", proposals.refuse, name="proposal-refuse"),
    path("proposals/<uuid:proposal_id>/reopen/", proposals.reopen, name="proposal-reopen"),
    path("news/", queue.news, name="news"),
    path("bulk/", bulk.bulk, name="bulk"),
    path("bulk/everything/", bulk.everything, name="bulk-everything"),
    path("filters/", filters.save, name="filter-save"),
    path("filters/<uuid:filter_id>/delete/", filters.delete, name="filter-delete"),
    path("reason/", arrange.reason, name="reason"),
    path("undo/", decide.undo, name="undo"),
    path("new/", new.new_memory, name="memory-new"),
    path("history/", history.history, name="history"),
]
_memories = [
    path("memories/", memories.memories, name="memories"),
    path("memories/search/", memories.search, name="memories-search"),
    path("memories/<uuid:memory_id>/", memories.memory, name="memory"),
    path("memories/<uuid:memory_id>/edit/", memory_acts.edit, name="memory-edit"),
    path("memories/<uuid:memory_id>/retire/", memory_acts.retire, name="memory-retire"),
    path("memories/<uuid:memory_id>/restore/", memory_acts.restore, name="memory-restore"),
    path("memories/<uuid:memory_id>/delete/", memory_acts.delete, name="memory-delete"),
]
_sessions = [
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/import/", imports.upload, name="session-import"),
    path("sessions/<uuid:session_id>/", sessions.session, name="session"),
    path("sessions/<uuid:session_id>/retry/<str:kind>/<int:scan_id>/", sessions.retry, name="scan-retry"),
]
_settings = [
    path("settings/", settings.settings, name="settings"),
    path("settings/you/", own.own, name="settings-person"),
    path("settings/you/reminder/test/", own.reminder_test, name="reminder-test"),
    path("settings/keys/new/", keys.key_new, name="key-new"),
    path("settings/keys/<uuid:key_id>/rotate/", keys.key_rotate, name="key-rotate"),
    path("settings/keys/<uuid:key_id>/revoke/", keys.key_revoke, name="key-revoke"),
    path("settings/personas/", settings.persona_new, name="persona-new"),
    path("settings/namespaces/<uuid:namespace_id>/", namespaces.namespace, name="namespace"),
    path("settings/namespaces/<uuid:namespace_id>/rename/", namespaces.rename, name="namespace-rename"),
    path("settings/namespaces/<uuid:namespace_id>/transfer/", namespaces.transfer, name="namespace-transfer"),
    path("settings/namespaces/<uuid:namespace_id>/merge/", namespaces.merge, name="namespace-merge"),
    path("settings/namespaces/<uuid:namespace_id>/link/", settings.link, name="namespace-link"),
    path("settings/account/delete/", account.delete, name="account-delete"),
    path("settings/namespaces/<uuid:namespace_id>/auto-approve/", policy.policy, name="policy"),
    path("settings/namespaces/<uuid:namespace_id>/pause/", namespaces.pause, name="namespace-pause"),
    path("settings/namespaces/<uuid:namespace_id>/members/", namespaces.member, name="member"),
    path(
        "settings/namespaces/<uuid:namespace_id>/members/remove/", namespaces.member_gone, name="member-gone"
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", sign_in.home, name="home"),
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-out/", sign_in.SignOut.as_view(), name="sign-out"),
    path("sign-in-link/<str:token>/", sign_in.sign_in_link, name="sign-in-link"),
    path("i18n/setlang/", own.set_language, name="set_language"),
    path("settings/memory/", include([*_review, *_memories, *_sessions, *_settings])),
]
