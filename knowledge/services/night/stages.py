"""The stages of a night, in their order: what one has filed, the next finds waiting."""

from __future__ import annotations

from knowledge.services.night.compare import Compare
from knowledge.services.night.notes import Notes
from knowledge.services.night.retire import Retire
from knowledge.services.night.stage import Stage
from knowledge.services.night.summary import SummaryRefresh

STAGES: tuple[Stage, ...] = (Compare(), Retire(), Notes(), SummaryRefresh())
