"""What goes into `learning` and what comes out (design section 5). Pure: no Django, no room.

An *option key* is ``option_key(label)``: the folded, marker-free label. ``OTHER`` is the key of a free-text answer,
``OTHER_OFFERED`` that of an option with this very name.
All instants are aware datetimes; a future one counts as "now". Probabilities and shares are 0..1, ages are days.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

OTHER: Final = "other"
OTHER_OFFERED: Final = "other (offered)"
CATEGORIES: Final = (
    "tier",
    "cycle_type",
    "worktree_strategy",
    "pr_routing",
    "model_selection",
    "effort_level",
    "team_mode",
    "other",
)

Layer = Literal["L0", "L1", "L2", "default"]
State = Literal["static", "warm", "mature"]
Confidence = Literal["low", "medium", "medium-high", "high"]
Strength = Literal["strong", "medium", "weak", "neutral"]
Action = Literal["ask", "resolve"]
Lang = Literal["ja", "en"]
Source = Literal["hook", "reported"]


@dataclass(frozen=True)
class Settings:
    """Every number of design section 5. This class is their one owner; a deployment passes its own instance."""

    decay_rate: float = 0.1  # per day
    archive_days: int = 90  # × 24 h, exactly
    n_static: int = 5  # N: fewer unarchived observations are "static"
    n_mature: int = 20  # M: more than this, followed ones left out, may be "mature"
    mature_lead: float = 0.95
    clear_lead: float = 0.75
    follow_weight: float = 0.5  # of a choice that followed our own label, in p alone
    probe_every: int = 5  # every so many labelled questions of a point, one is shown unlabelled
    prior_strength: float = 1.0  # total weight of the base
    inertia: float = 0.0  # of p, the share that stays with the last choice; 0 is the agreement's formula
    person_prior_max: float = 2.0  # total weight of the same template elsewhere, at most
    session_layer: int = 3  # how many sessions before this one make L1
    resolve_p: float = 0.95
    resolve_run: int = 20  # so many unprompted choices in a row that are identical
    confidence_full_n: int = 10
    confidence_medium: float = 0.35
    confidence_medium_high: float = 0.55
    confidence_high: float = 0.8
    strong_below: int = 10  # sessions
    weak_above: int = 50  # sessions
    context_factor: float = 20.0  # Bayes factor from which a context "truly splits" the choice

    @property
    def archive_after(self) -> timedelta:
        return timedelta(days=self.archive_days)


DEFAULTS: Final = Settings()


@dataclass(frozen=True)
class Observation:
    """One click of one person on one question.

    ``chosen``: option keys (``OTHER`` for free text; several in a multi-select). ``labelled``: we had put a label on an
    option of this question. ``followed``: and it was chosen. ``resolved``: nobody was asked; never counted.
    """

    id: str
    at: datetime
    chosen: tuple[str, ...]
    session: str = ""
    workspace: str = ""
    offered: tuple[str, ...] = ()
    labelled: bool = False
    followed: bool = False
    source: Source = "hook"
    resolved: bool = False
    context: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OptionIn:
    label: str
    description: str = ""


@dataclass(frozen=True)
class Question:
    """A question as an agent would ask it. ``default``: the label the asker marks; without it a marked label counts.

    ``depends_on``: texts of questions of the same call that must be asked before. ``sensitive``: the asker's word.
    """

    text: str
    options: tuple[OptionIn, ...]
    header: str = ""
    multi: bool = False
    category: str = ""
    default: str = ""
    depends_on: tuple[str, ...] = ()
    sensitive: bool = False
    premise: str = ""


@dataclass(frozen=True)
class Answer:
    """What a person's answer says. ``other``: words that match no offered label (empty: none)."""

    chosen: tuple[str, ...]
    other: str = ""


@dataclass(frozen=True)
class LayerView:
    """One layer by itself; ``leader`` is None while the layer is empty."""

    layer: Layer
    n: int
    n_effective: float
    leader: str | None
    share: float


@dataclass(frozen=True)
class Prediction:
    """What this person would choose.

    ``n``, ``n_effective``, ``n_own`` (without followed ones), ``state`` and ``confidence`` are L2's; ``leader``, ``p``,
    ``lead``, ``clear``, ``share``, ``counts`` and ``evidence`` belong to the layer that speaks. Without a leader (layer
    "default" and no default marked) ``p`` is that of the likeliest option and ``share`` and ``lead`` are 0.
    ``probabilities`` sum to 1 over the offered options and, once seen, ``OTHER``. ``context``: the values that narrowed
    the evidence, where a context truly splits the choice. ``age_days``: of the newest counted observation.
    """

    state: State
    layer: Layer
    leader: str | None
    p: float
    lead: float
    clear: bool
    share: float
    n: int
    n_effective: float
    n_own: int
    n_reported: int
    layers: tuple[LayerView, ...]
    confidence: Confidence
    confidence_value: float
    uncertainty: float  # p(1-p)
    information_gain: float  # entropy of the prediction, bits
    age_days: float | None
    run: int  # newest unprompted choices that are identical to the leader, in a row
    probabilities: Mapping[str, float]
    counts: Mapping[str, int]
    shares: Mapping[str, float]
    evidence: tuple[str, ...]  # observation ids, newest first
    premise_context: Mapping[str, str]  # contexts in which the leader was chosen
    context: Mapping[str, str]
    settings: Settings = DEFAULTS


@dataclass(frozen=True)
class Policy:
    """What the person and the workspace allow. ``preferred``: the option key the person set by hand.

    ``sessions``: this person's sessions with a human turn, in all workspaces. ``labelled_before``: labelled questions
    of this point so far, probes included.
    """

    sessions: int = 0
    labelled_before: int = 0
    resolve_allowed: bool = True
    always_ask: bool = False
    muted: bool = False
    preferred: str | None = None


@dataclass(frozen=True)
class OptionAdvice:
    """One option, in recommended order. ``display`` is what the asker should show."""

    key: str
    label: str
    display: str
    recommended: bool
    share: float


@dataclass(frozen=True)
class Advice:
    """What to do with one question. ``reason`` and ``defects`` are codes; ``reason_text`` and ``text`` are sentences.

    ``labelled``: one option carries our label; store it with the recommendation (it decides what "followed" means).
    ``probe``: the label was due and left out on purpose; it counts as a labelled question of the point.
    """

    action: Action
    reason: str
    reason_text: str
    strength: Strength
    options: tuple[OptionAdvice, ...]
    leader: str | None
    labelled: bool
    probe: bool
    sensitive: bool
    premise: str
    confidence_label: str
    text: str
    defects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Order:
    """Indices of the questions in the order to ask; for each as given, codes of what is wrong with ``depends_on``."""

    indices: tuple[int, ...]
    defects: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Bin:
    """One bar of a reliability plot: ``low <= confidence < high`` (the last one closed)."""

    low: float
    high: float
    n: int
    mean_confidence: float
    accuracy: float


@dataclass(frozen=True)
class Coverage:
    """At a threshold on p: which share of the questions is covered, and how often the leader was right there."""

    threshold: float
    share: float
    accuracy: float | None


@dataclass(frozen=True)
class Score:
    """One predictor over one log. ``log_loss`` in nats; ``brier`` summed over options (0..2); ``ece`` 0..1."""

    predictor: str
    n: int
    accuracy: float
    log_loss: float
    brier: float
    ece: float
    bins: tuple[Bin, ...] = ()
    coverage: tuple[Coverage, ...] = ()


@dataclass(frozen=True)
class Backtest:
    """The person's own log replayed in time order: ours first, then the baselines on the same questions."""

    n: int
    scores: tuple[Score, ...]
    suggested_rate: float | None = None  # per day; None: too little to say, or the present rate is as good


@dataclass(frozen=True)
class Asked:
    """One line of a log for the backtest: what was offered at that time, and what the person chose."""

    observation: Observation
    question: str  # decision point or template key
    options: tuple[str, ...]  # option keys in shown order
    default: str | None = None  # option key that the asker had marked
    template: str = ""  # what the same question shares in other workspaces; "" : nothing
