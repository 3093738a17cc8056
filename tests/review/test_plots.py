"""Pictures of numbers: what they show, whom they leave nobody out for, and that no text can break out of them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as Tree

from hypothesis import given
from hypothesis import strategies as st

from core.text import width
from review.plots import reliability as trust
from review.plots import timeline as time
from review.plots.drawing import Drawing, Said, across, shortened
from review.plots.shares import Curve, Seen, at_moment, share_curves
from review.plots.spark import ROOM, spark

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
KEEP = timedelta(days=90)
SAID = Said("k", "Choices over time", "Medium six times of ten.")

ages = st.floats(0, 400, allow_nan=False)
seen = st.lists(
    st.builds(
        lambda days, option, factor: Seen(NOW - timedelta(days=days), option, factor),
        ages,
        st.sampled_from("abc"),
        st.sampled_from([0.5, 1.0]),
    ),
    max_size=60,
)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=80)


def parsed(drawing: Drawing) -> Tree.Element:
    return Tree.fromstring(str(drawing))


def marks(root: Tree.Element, tag: str, css: str = "") -> list[Tree.Element]:
    return [each for each in root.iter(tag) if css in (each.get("class") or "").split() or not css]


def draw(lanes: list[str], dots: list[time.Dot], curves: list[Curve], days: float = 100) -> Drawing:
    start = NOW - timedelta(days=days)
    ticks = [(NOW - timedelta(days=day), f"-{day}") for day in time.tick_days(start, NOW)]
    return time.timeline(
        SAID,
        shares="faded shares",
        lanes=lanes,
        dots=dots,
        curves=curves,
        ticks=ticks,
        start=start,
        end=NOW,
        counted_from=NOW - KEEP,
    )


class TestShares:
    def by_hand(self, choices: list[Seen[str]], option: str, rate: float, at: datetime) -> float:
        inside = [each for each in choices if each.at <= at < each.at + KEEP]
        weights = [
            (each.option, each.factor * math.exp(-rate * (at - each.at).total_seconds() / 86_400))
            for each in inside
        ]
        total = math.fsum(weight for _option, weight in weights)
        return math.fsum(weight for name, weight in weights if name == option) / total if total else 0.0

    @given(seen, st.sampled_from([0.0, 0.03, 0.1, 0.5]), st.integers(0, 200))
    def test_at_every_moment_they_are_what_the_formula_says(
        self, choices: list[Seen[str]], rate: float, days: int
    ) -> None:
        at = NOW - timedelta(days=days)
        for option, curve in share_curves(choices, rate=rate, keep=KEEP, now=NOW).items():
            wanted = self.by_hand(choices, option, rate, at)
            assert math.isclose(at_moment(curve, at), wanted, rel_tol=1e-6, abs_tol=1e-6)

    @given(seen)
    def test_together_they_are_one_or_nothing(self, choices: list[Seen[str]]) -> None:
        curves = share_curves(choices, rate=0.1, keep=KEEP, now=NOW)
        for at, _share in {point for curve in curves.values() for point in curve}:
            together = sum(at_moment(curve, at) for curve in curves.values())
            assert math.isclose(together, 1, abs_tol=1e-6) or together == 0

    @given(seen)
    def test_a_curve_goes_forward_and_never_beyond_now(self, choices: list[Seen[str]]) -> None:
        for curve in share_curves(choices, rate=0.1, keep=KEEP, now=NOW).values():
            moments = [at for at, _share in curve]
            assert moments == sorted(set(moments))
            assert all(at <= NOW for at in moments)

    def test_the_day_of_archiving_leaves_the_sums(self) -> None:
        old, new = Seen(NOW - KEEP, "old", 1.0), Seen(NOW - timedelta(days=89), "new", 1.0)
        curves = share_curves([old, new], rate=0.1, keep=KEEP, now=NOW)
        assert curves["old"][-1] == (NOW, 0.0)
        assert curves["new"][-1] == (NOW, 1.0)

    def test_what_followed_our_label_weighs_half(self) -> None:
        curves = share_curves([Seen(NOW, "a", 0.5), Seen(NOW, "b", 1.0)], rate=0.1, keep=KEEP, now=NOW)
        assert math.isclose(curves["a"][-1][1], 1 / 3)

    def test_a_choice_of_the_future_is_not_drawn(self) -> None:
        assert share_curves([Seen(NOW + timedelta(seconds=1), "a")], rate=0.1, keep=KEEP, now=NOW) == {}


class TestTimeline:
    def test_every_choice_is_one_dot_in_the_lane_of_its_option(self) -> None:
        dots = [time.Dot(NOW - timedelta(days=day), day % 2, f"day {day}") for day in range(10)]
        root = parsed(draw(["Medium", "Small"], dots, []))
        found = marks(root, "circle", "dot")
        assert [each.findtext("title") for each in found] == [f"day {day}" for day in range(10)]
        assert len({each.get("cy") for each in found[::2]}) == 1
        assert len({each.get("cy") for each in found}) == 2
        assert len(marks(root, "circle", "lead")) == 5

    def test_later_is_further_right(self) -> None:
        dots = [time.Dot(NOW - timedelta(days=day), 0, "") for day in (100, 50, 0)]
        at = [float(each.get("cx", "")[:-1]) for each in marks(parsed(draw(["M"], dots, [])), "circle")]
        assert at == [across(0), across(0.5), across(1)]

    def test_archived_followed_and_overridden_are_told_apart_by_class(self) -> None:
        dots = [
            time.Dot(NOW - timedelta(days=95), 0, "", archived=True),
            time.Dot(NOW, 0, "", time.FOLLOWED),
            time.Dot(NOW, 1, "", time.OVERRIDDEN),
        ]
        root = parsed(draw(["M", "S"], dots, []))
        assert [len(marks(root, "circle", css)) for css in ("gone", "followed", "overridden")] == [1, 1, 1]
        assert len(marks(root, "rect", "old")) == 1

    def test_nothing_is_shaded_while_everything_counts(self) -> None:
        assert not marks(parsed(draw(["M"], [], [], days=30)), "rect")

    def test_a_curve_is_drawn_in_stairs_to_the_right_edge(self) -> None:
        curve = [(NOW - timedelta(days=100), 1.0), (NOW - timedelta(days=50), 0.25)]
        line = marks(parsed(draw(["M"], [], [curve])), "polyline")[0]
        assert line.get("points") == "2,0 50,0 50,75 98,75"

    def test_no_more_curves_than_can_be_told_apart(self) -> None:
        curves = [[(NOW, 0.2)]] * 5
        root = parsed(draw(list("abcde"), [], curves))
        assert len(marks(root, "polyline")) == time.CURVES

    @given(st.floats(0.01, 5_000))
    def test_the_axis_has_a_few_dates_and_ends_today(self, days: float) -> None:
        found = time.tick_days(NOW - timedelta(days=days), NOW)
        assert found[0] == 0
        assert 1 <= len(found) <= 4
        assert found == sorted(set(found))
        assert found[-1] <= days


class TestReliability:
    WORDS = trust.Words("predicted", "came true", "what was promised")

    def test_the_dots_lie_where_the_numbers_are(self) -> None:
        bins = [trust.Bin(0.5, 1.0, 4, "four"), trust.Bin(0.9, 0.0, 1, "one")]
        root = parsed(trust.reliability(SAID, self.WORDS, bins=bins))
        first, second = marks(root, "circle")
        assert (first.get("cx"), first.get("cy")) == (f"{across(0.5):g}%", str(trust.TOP))
        assert second.get("cy") == str(trust.TOP + trust.BAND)
        assert float(first.get("r", "")) > float(second.get("r", ""))

    @given(st.integers(1, 10_000), st.data())
    def test_chance_is_a_range_around_the_rate_and_shrinks(self, n: int, data: st.DataObject) -> None:
        rate = data.draw(st.integers(0, n)) / n
        low, high = trust.wilson(rate, n)
        wide_low, wide_high = trust.wilson(rate, 1)
        assert 0 <= low <= rate + 1e-9
        assert rate - 1e-9 <= high <= 1
        assert high - low <= wide_high - wide_low + 1e-9

    def test_wilson_is_the_textbooks(self) -> None:
        low, high = trust.wilson(0.5, 10)
        assert (round(low, 3), round(high, 3)) == (0.237, 0.763)
        assert trust.wilson(0.0, 0) == (0.0, 1.0)


class TestSpark:
    @given(st.lists(st.booleans(), max_size=40))
    def test_it_shows_the_last_ones_with_the_newest_at_the_right(self, led: list[bool]) -> None:
        found = marks(parsed(spark(SAID, led=led)), "circle")
        assert ["lead" in each.get("class", "") for each in found] == led[-ROOM:]
        assert not found or found[-1].get("cx") == "98%"


class TestEveryPicture:
    @given(texts, texts, st.lists(texts, min_size=1, max_size=4))
    def test_whatever_the_texts_hold_they_stay_texts(self, title: str, about: str, lanes: list[str]) -> None:
        said = Said("k", title, about)
        dots = [time.Dot(NOW, 0, about)]
        root = parsed(
            time.timeline(
                said,
                shares=about,
                lanes=lanes,
                dots=dots,
                curves=[],
                ticks=[(NOW, title)],
                start=NOW - KEEP,
                end=NOW,
                counted_from=NOW - KEEP,
            )
        )
        assert {each.tag for each in root.iter()} <= {
            "svg",
            "title",
            "desc",
            "rect",
            "line",
            "circle",
            "text",
            "polyline",
        }
        assert root.findtext("title") == (title or None) or root.findtext("title") == title

    def test_it_names_and_describes_itself_and_carries_no_styles(self) -> None:
        pictures = [
            draw(["M"], [time.Dot(NOW, 0, "now")], [[(NOW, 1.0)]]),
            trust.reliability(SAID, TestReliability.WORDS, bins=[trust.Bin(0.5, 0.5, 2, "two")]),
            spark(SAID, led=[True, False]),
        ]
        for picture in pictures:
            root = parsed(picture)
            assert root.get("role") == "img"
            assert root.findtext("title") == SAID.title
            assert root.findtext("desc") == SAID.description
            ids = {each.get("id") for each in root.iter() if each.get("id")}
            assert {root.get("aria-labelledby"), root.get("aria-describedby")} == ids
            for word in ("style", "onload", "href"):
                assert not [each for each in root.iter() if each.get(word)], word

    @given(st.text(st.characters(exclude_categories=["Cs"]), max_size=120), st.integers(2, 60))
    def test_labels_are_cut_to_their_columns(self, words: str, columns: int) -> None:
        cut = shortened(words, columns)
        assert width(cut) <= columns
        if width(" ".join(words.split())) <= columns:
            assert cut == " ".join(words.split())
        else:
            assert cut.endswith("…")

    def test_a_template_prints_it_as_it_is(self) -> None:
        drawing = spark(SAID, led=[True])
        assert drawing.__html__() == drawing
        assert drawing.startswith("<svg")
