"""Do the recommendations deserve trust? The person's own log, replayed in time order (design section 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .labels import option_key
from .predict import predict
from .replay import better_rate, series_of
from .scoring import Guess, score
from .table import Table, table_of
from .types import DEFAULTS, OTHER, Asked, Backtest, Observation, OptionIn, Question, Settings

_NAMED = 1e-6  # keeps the option that a baseline names the likeliest one
NEWEST = 2_000  # choices that are scored at most; all earlier ones still count as history


def backtest(
    log: Sequence[Asked],
    *,
    base: Mapping[str, float] | None = None,
    settings: Settings = DEFAULTS,
    newest: int = NEWEST,
) -> Backtest:
    """What `predict` would have said before each choice, against the last choice, the majority so far and the default.

    Single choices of questions that were asked; a prediction sees only strictly earlier choices on that question, with
    the sessions as they were, and as the person prior those on the same template elsewhere. The baselines get honest
    probabilities: how often each had been right until then.
    """
    ordered = sorted(log, key=lambda asked: asked.observation.at)
    ordered = [asked for asked in ordered if not asked.observation.resolved and asked.options]
    history = _History(ordered)
    scored = [asked for asked in ordered if len(asked.observation.chosen) == 1]
    wanted = {id(asked) for asked in scored[-newest:]}
    guesses: dict[str, list[Guess]] = {name: [] for name in ("hikae", "last choice", "majority", "default")}
    rivals, sessions = _Rivals(), _Sessions()
    for asked in ordered:
        sessions.enter(asked.observation.session)
        if len(asked.observation.chosen) != 1:
            continue
        chosen = asked.observation.chosen[0]
        said = rivals.say(asked)
        if id(asked) in wanted:
            said["hikae"] = _ours(asked, history, sessions, base, settings)
            for name, probabilities in said.items():
                guesses[name].append(Guess(probabilities, chosen))
        rivals.learn(asked)
    if not guesses["hikae"]:
        return Backtest(0, ())
    return Backtest(
        n=len(guesses["hikae"]),
        scores=tuple(score(name, made) for name, made in guesses.items()),
        suggested_rate=better_rate(series_of(ordered), base=base, settings=settings),
    )


def suggest_rate(
    log: Sequence[Asked], *, base: Mapping[str, float] | None = None, settings: Settings = DEFAULTS
) -> float | None:
    """A decay rate (per day) that would have served this person clearly better than the present one, else None."""
    return better_rate(series_of(log), base=base, settings=settings)


class _History:
    """What was chosen, on a question and on its template elsewhere."""

    def __init__(self, log: Sequence[Asked]) -> None:
        self.questions: dict[str, list[Observation]] = {}
        self.templates: dict[str, list[Observation]] = {}
        for asked in log:
            self.questions.setdefault(asked.question, []).append(asked.observation)
            if asked.template:
                self.templates.setdefault(asked.template, []).append(asked.observation)
        self.here: dict[str, Table] = {}
        self.beside: dict[tuple[str, str], Table] = {}

    def of(self, asked: Asked) -> Table:
        """All choices on the question, of any time."""
        if asked.question not in self.here:
            self.here[asked.question] = table_of(self.questions[asked.question])
        return self.here[asked.question]

    def elsewhere(self, asked: Asked) -> Table:
        """All choices on its template in other workspaces, of any time."""
        here = asked.observation.workspace
        place = asked.template, here
        if place not in self.beside:
            same = self.templates.get(asked.template, ())
            self.beside[place] = table_of([each for each in same if each.workspace != here])
        return self.beside[place]


class _Sessions:
    """The order in which the person's sessions came, newest first."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def enter(self, session: str) -> None:
        if session and (not self.seen or self.seen[0] != session):
            self.seen = [session, *(s for s in self.seen if s != session)][:8]


class _Rivals:
    """The baselines, learning as they go."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        self.counts: dict[str, Counter[str]] = {}
        self.right: Counter[tuple[str, bool]] = Counter()

    def say(self, asked: Asked) -> dict[str, Mapping[str, float]]:
        keys = asked.options
        counts = self.counts.get(asked.question, Counter())
        known = [*keys, *(key for key in counts if key not in keys)]
        total = sum(counts.values()) + 1
        return {
            "last choice": self._named("last", keys, self.last.get(asked.question)),
            "majority": {key: (counts[key] + 1 / len(known)) / total for key in known},
            "default": self._named("default", keys, asked.default),
        }

    def learn(self, asked: Asked) -> None:
        chosen = asked.observation.chosen[0]
        for name, said in (("last", self.last.get(asked.question)), ("default", asked.default)):
            if said is not None:
                self.right[name, said == chosen] += 1
        self.last[asked.question] = chosen
        self.counts.setdefault(asked.question, Counter())[chosen] += 1

    def _named(self, name: str, keys: Sequence[str], said: str | None) -> Mapping[str, float]:
        """One option gets the share of times that naming it was right so far, but never less than the others."""
        if said is None:
            return dict.fromkeys(keys, 1 / len(keys))
        right, wrong = self.right[name, True], self.right[name, False]
        sure = max((right + 1) / (right + wrong + 2), 1 / len(keys) + _NAMED)
        others = [key for key in keys if key != said]
        return {said: sure, **{key: (1 - sure) / len(others) for key in others}}


def _ours(
    asked: Asked,
    history: _History,
    sessions: _Sessions,
    base: Mapping[str, float] | None,
    settings: Settings,
) -> Mapping[str, float]:
    observation = asked.observation
    question = Question(asked.question, tuple(OptionIn(key) for key in asked.options))
    mapping = {option_key(key): key for key in asked.options}
    said = predict(
        question,
        history.of(asked).before(observation.at),
        now=observation.at,
        session=observation.session,
        previous=[s for s in sessions.seen if s != observation.session],
        elsewhere=history.elsewhere(asked).before(observation.at),
        base=base,
        context=observation.context,
        settings=settings,
    ).probabilities
    return {mapping.get(key, OTHER): p for key, p in said.items()}
