"""Questions and what is said about them, as JSON Schema tells it to clients (design sections 5 and 7)."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from integrations.mcp.shapes import Shape


class _In(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OptionIn(_In):
    label: str
    description: str = ""


class QuestionIn(_In):
    question: str = Field(description="As you would ask it")
    options: list[OptionIn] = Field(description="Two or more")
    header: str = ""
    multi: bool = Field(False, description="Several options may be chosen")
    default: str = Field("", description="The label that you would mark")
    depends_on: list[str] = Field([], description="Questions of this call to be asked before")
    sensitive: bool = Field(False, description="Only the person may settle this")
    premise: str = Field("", description="Recommended when …")


class Layer(Shape):
    layer: Literal["L0", "L1", "L2"]
    n: int
    n_effective: float
    leader: str | None
    share: float


class Option(Shape):
    label: str
    display: str = Field(description="Show this instead of the label")
    recommended: bool
    share: float


class Advised(Shape):
    id: UUID
    point: UUID | None
    question: str
    category: str
    action: Literal["ask", "resolve"] = Field(description="resolve: act on the leader, and say so")
    reason: str
    reason_text: str
    state: Literal["static", "warm", "mature"]
    leader: str | None
    clear: bool
    n: int
    n_effective: float
    share: float
    p: float
    lead: float
    uncertainty: float
    information_gain: float
    layer: Literal["L0", "L1", "L2", "default"]
    layers: list[Layer]
    strength: Literal["strong", "medium", "weak", "neutral"]
    premise: str
    age_days: float | None
    confidence: float
    confidence_label: str
    evidence: list[UUID] = Field(description="The newest choices behind it; n says how many there are")
    text: str
    options: list[Option]
    probe: bool
    defects: list[str]
    correct_at: str


class Recommended(Shape):
    id: UUID
    questions: list[Advised] = Field(description="In the order to ask")
