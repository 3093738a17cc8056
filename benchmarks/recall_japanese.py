"""Japanese by words alone: ``python -m benchmarks.recall_japanese [--set words|variants|field] [--errors]``.

Questions of ``tests/data/recall/ja_*.tsv`` (kind, question, memory) over 500 Japanese memories. ``words``, 100 of them:
one-, two- and four-character words, compounds, width, kana variants, identifiers inside Japanese, inflected verbs.
``variants``, 40: what is written in another way than it was asked (endings, kana for kanji, long vowels, short names).
``field``, 100 from other trades (an airport, waterworks, a warehouse), read once and never tuned on.
The other memories are invented from everyday words, and sentences of other projects. Prints recall@1 and recall@5.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import stack
from benchmarks.asking import asker, owner

MEMORIES = 500
THINGS = "台帳 画面 倉庫 名簿 印刷機 回線 書庫 予定表 受付 掲示板 会議室 伝票 封筒 端末 写真 地図".split()  # noqa: SIM905
PLACES = "本社 別館 支店 工場 二階 地下 大阪 札幌 福岡 海外".split()  # noqa: SIM905
DEEDS = (
    "は毎朝七時に確かめる",
    "を動かすときは係に知らせる",
    "の写しは三年残す",
    "は責任者だけが開ける",
    "には番号の札を付ける",
    "の点検は月末に行う",
    "は使い終えたら元へ戻す",
    "を新しくする予算は来年に回す",
    "の手順は壁に貼ってある",
    "は土曜には使えない",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--errors", action="store_true", help="name the questions that found nothing")
    parser.add_argument("--set", choices=["words", "variants", "field"], default="words")
    options = parser.parse_args()
    stack.start(EMBED_MODEL="none")
    rows = [
        line.split("\t")
        for line in (ROOT / f"tests/data/recall/ja_{options.set}.tsv")
        .read_text(encoding="utf-8")
        .splitlines()
    ]
    texts = list(dict.fromkeys(text for _kind, _question, text in rows))
    others = (text for text in _others() if text not in texts)
    while len(texts) < MEMORIES:
        texts.append(next(others))
    _load(texts)
    ask = asker(k=5)
    places: dict[str, list[int | None]] = {}
    for kind, question, text in rows:
        found = [hit["content"] for hit in ask(question, ["japanese"], floor="none")]
        place = found.index(text) if text in found else None
        places.setdefault(kind, []).append(place)
        if options.errors and place is None:
            print(f"  {question}: {text}")
    print(f"{'kind':10} questions   R@1   R@5")
    for kind, seen in [*places.items(), ("all", [place for some in places.values() for place in some])]:
        first = sum(place == 0 for place in seen) / len(seen)
        five = sum(place is not None for place in seen) / len(seen)
        print(f"{kind:10} {len(seen):9}   {first:.3f} {five:.3f}")


def _others() -> Iterator[str]:
    raw = (ROOT / "benchmarks/data/sentences/sentences_ja.txt").read_text(encoding="utf-8").splitlines()
    said = [re.split(r"\t| {2,}", line, maxsplit=1)[-1] for line in raw if line.strip() and line[0] != "#"]
    yield from dict.fromkeys(re.sub(r"\[\[|\]\]", "", text) for text in said[:200])
    made = [f"{place}の{thing}{deed}。" for place in PLACES for thing in THINGS for deed in DEEDS]
    random.Random(3).shuffle(made)
    yield from made


def _load(texts: list[str]) -> None:
    from django.utils import timezone

    from core.actor import Actor
    from memory.services.loading import memories_load

    lines = (
        json.dumps(
            {
                "external_id": str(place),
                "namespace": "workspace:japanese",
                "kind": "fact",
                "content": text,
            }
        )
        for place, text in enumerate(texts)
    )
    done = memories_load(user=owner(), lines=lines, actor=Actor.operator("benchmark"), now=timezone.now())
    assert not done.problems, done.problems


if __name__ == "__main__":
    main()
