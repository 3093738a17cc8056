"""``manage.py sign_in_link``: print a one-time address that signs a person in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from core.services.sign_in import sign_in_link_create


class Command(BaseCommand):
    help = "Print a fresh sign-in link: valid for 15 minutes, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", default="owner", help="user name (default: owner)")
        parser.add_argument("--base", default=settings.SITE_URL, help="address of the site")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user {options['user']}.")
        token = sign_in_link_create(user=user, now=timezone.now())
        self.stdout.write(options["base"].rstrip("/") + reverse("sign-in-link", args=[token]))
