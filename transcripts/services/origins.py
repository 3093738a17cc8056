"""Who may say that a person typed a text (design section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from core.errors import Forbidden
from transcripts.checks import CLIENT_ORIGINS
from transcripts.inputs import MessageIn, Voice


def refuse_forbidden(voice: Voice, *lists: tuple[str, Sequence[MessageIn]]) -> None:
    """Raise Forbidden (`origin_forbidden`), naming every message that claims what this key may not say.

    Each list comes with its path in the request, such as `turns[2].messages`.
    """
    if voice.speaks:
        return
    places = [
        f"{path}[{index}].origin"
        for path, messages in lists
        for index, message in enumerate(messages)
        if message.origin == "human"
    ]
    if places:
        raise Forbidden(
            _("This key does not speak for its person, so it cannot say that a human typed a text."),
            code="origin_forbidden",
            field=places[0],
            fields=places,
            allowed=[origin for origin in CLIENT_ORIGINS if origin != "human"],
        )
