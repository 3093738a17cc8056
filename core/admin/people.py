"""Users and groups: Django's own pages, without the parts that a screen reader cannot name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User

if TYPE_CHECKING:  # the stubs' class is generic, Django's is not
    OfUsers = UserAdmin[User]
else:
    OfUsers = UserAdmin

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(OfUsers):
    """Lists instead of the two-sided picker, whose hints have no role; moments are not for editing."""

    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")


@admin.register(Group)
class PeopleAdmin(GroupAdmin):
    """A plain list of permissions."""

    filter_horizontal = ()
