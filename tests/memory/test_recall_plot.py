"""The plot of recall's growth: whatever was measured lies inside its frame."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recall_plot import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, curves
from benchmarks.recall_scale import Timing, shares

SVG = "{http://www.w3.org/2000/svg}"
timings = st.builds(
    Timing,
    memories=st.sampled_from([1, 1_000, 10_000, 1_000_000]),
    where=st.sampled_from(["largest", "a small one", "<&>"]),
    embedding=st.sampled_from(["at hand", "computed"]),
    p50=st.floats(0, 100),
    p95=st.floats(100, 100_000),
    cpu=st.just(0.0),
    megabytes=st.floats(0, 10_000),
)


@given(st.lists(timings, min_size=1, max_size=12))
def test_every_measurement_lies_inside_the_frame_and_every_line_is_named(measured: list[Timing]) -> None:
    drawn = ElementTree.fromstring(curves(measured, subtitle="4 cores & more"))
    circles = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in drawn.iter(f"{SVG}circle")]
    assert len(circles) == len(measured) + len({each.memories for each in measured})
    for across, up in circles:
        assert LEFT <= across <= WIDTH - RIGHT
        assert TOP - 0.1 <= up <= HEIGHT - BOTTOM + 0.1
    said = {each.text for each in drawn.iter(f"{SVG}text")}
    assert {f"{each.where}, vector {each.embedding}" for each in measured} <= said


@given(st.integers(1, 2_000_000))
def test_the_namespaces_of_a_measurement_hold_all_its_memories(memories: int) -> None:
    sizes = shares(memories)
    assert sum(sizes) == memories
    assert max(sizes) == sizes[0] <= 50_000
