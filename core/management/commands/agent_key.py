"""``manage.py agent_key``: create, list and revoke keys; a secret is printed once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.actor import Actor
from core.errors import DomainError
from core.models import KEY_SCOPES, AgentKey, Namespace
from core.selectors.access import namespace_for_user
from core.services import keys


class Command(BaseCommand):
    help = "Create, rotate, revoke and list agent keys."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="make a key and print it once")
        create.add_argument("--user", required=True)
        create.add_argument(
            "--scopes", default=",".join(KEY_SCOPES), help="comma-separated: ingest,recall,decide"
        )
        create.add_argument("--name", default="command line")
        create.add_argument(
            "--namespace", action="append", default=[], help="reach only this one (repeatable)"
        )
        create.add_argument("--days", type=int, help="expire after so many days")
        create.add_argument(
            "--not-for-person", action="store_true", help="may not say that a human typed a text"
        )
        for act in ("rotate", "revoke"):
            one = acts.add_parser(act, help=f"{act} a key by its prefix")
            one.add_argument("prefix")
        listing = acts.add_parser("list", help="list keys, never their secrets")
        listing.add_argument("--user", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except DomainError as error:
            raise CommandError(error.message) from error

    def _user(self, name: str) -> User:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user {name}.")
        return user

    def _create(self, options: dict[str, Any]) -> None:
        user, now = self._user(options["user"]), timezone.now()
        namespaces: list[Namespace] = [
            namespace_for_user(user=user, reference=reference) for reference in options["namespace"]
        ]
        new = keys.agent_key_create(
            user=user,
            name=options["name"],
            scopes=[s.strip() for s in options["scopes"].split(",") if s.strip()],
            actor=Actor.operator("command line"),
            now=now,
            reach=AgentKey.REACH_LIST if namespaces else AgentKey.REACH_ALL,
            namespaces=namespaces,
            speaks_for_person=not options["not_for_person"],
            expires_at=now + timedelta(days=options["days"]) if options["days"] else None,
        )
        self.stdout.write(new.secret)

    def _key(self, prefix: str) -> AgentKey:
        key = AgentKey.objects.select_related("user").filter(prefix=prefix).first()
        if key is None:
            raise CommandError(f"There is no key with prefix {prefix}.")
        return key

    def _rotate(self, options: dict[str, Any]) -> None:
        key = self._key(options["prefix"])
        self.stdout.write(keys.agent_key_rotate(key=key, by=key.user, now=timezone.now()).secret)

    def _revoke(self, options: dict[str, Any]) -> None:
        key = self._key(options["prefix"])
        keys.agent_key_revoke(key=key, by=key.user, now=timezone.now())
        self.stdout.write(f"{key} is revoked.")

    def _list(self, options: dict[str, Any]) -> None:
        for key in AgentKey.objects.visible_to(self._user(options["user"])):
            state = "revoked" if key.revoked_at else "active"
            self.stdout.write(f"{key.prefix}  {state:8} {','.join(key.scopes):22} {key.reach:5} {key.name}")
