"""Closed-class words of both languages: what negates, contrasts, orders, permits, and what only glues.

Values are control names read by `structure.py`: `*_next` acts on what follows, `*_prev` on what stands before.
"""

from __future__ import annotations

from core.text import fold

from .lexicon import latin_key

_ENGLISH = {
    "not_next": "not, never, no, without, avoid, avoiding, refrain from, don't, do not, doesn't, didn't, isn't, aren't, wasn't,"
    "won't, can't, cannot, can not, shouldn't, mustn't, must not, may not, should not, ought not, couldn't, wouldn't, haven't, hasn't,"
    "needn't have, is not allowed, are not allowed, not allowed, not permitted, no longer, dislike, dislikes, hate, hates, nor, neither,"
    "stop using, stop, quit, cease, forbid, prohibit, disallow, ban, banned, rather not, keep away from, stay away from, steer clear of, free of,"
    "shy away from, get rid of any",
    "not_prev": "is forbidden, are forbidden, forbidden, prohibited, is banned, are banned, not ok, off limits, is not allowed to,"
    "must be avoided, should be avoided, be avoided, not acceptable, unacceptable, is out, are out, not welcome, a no-go",
    "unasked": "unprompted, on your own, on its own, unilaterally",
    "glue": "anymore, any more, any longer, ever, at all",
    "instead_next": "instead of, rather than, in place of, as opposed to, over using, and not, but not, in lieu of, better than, more than",
    "chosen_next": "in favour of, in favor of",
    "over_next": "over",
    "before_next": "before, prior to, ahead of",
    "after_next": "after, as soon as, once",
    "from_next": "from",
    "to_next": "to, into, onto",
    "for_next": "for",
    "in_next": "in, inside, within",
    "on_next": "on",
    "with_next": "with, via, through",
    "by_next": "by",
    "under_next": "under, below, beneath",
    "then": "then, afterwards, and then",
    "cut": "but, when, whenever, if, while, unless, whereas, however",
    "unneed": "don't need to, do not need to, don't have to, do not have to, doesn't need to, does not need to, doesn't have to,"
    "does not have to, no need to, no need for, need not, needn't, not required, not necessary, isn't required, aren't required, not needed, isn't needed",
    "past": "used to, formerly, previously, in the past",
    "plan": "plan to, planning to, going to, intend to, are planning, considering, might, maybe, perhaps, thinking about, thinking of",
    "except": "except, except for, excluding, other than, apart from, unless",
    "until": "until, till",
    "first": "first, beforehand, in advance",
}
# Longest first when matched. "glue" leaves nothing behind; "p:x" is a case particle.
_JAPANESE = {
    "not_prev": "をやめる をやめた を止める を止めた ない ないで ないこと ないよう ないように ません ませんでした なかった ず ずに なし 無し なしで 無しで 禁止 禁じ 避ける 避け さける 控える 控え やめる やめて 止めて NG だめ ダメ 駄目 まい"
    " てはいけない ではいけない てはならない ではならない ちゃだめ ちゃダメ てはだめ てはダメ てはいけません てはならず ないでください ないでほしい ないようにする ないようにして いけない ならない 厳禁 お断り 不可 べきではない べきでない べからず"
    " なくす 無くす たくない 嫌い 嫌 いや しない させない じゃない ではない でない ではありません じゃありません わけではない",
    "instead_prev": "ではなく ではなくて じゃなく じゃなくて でなく でなくて の代わりに のかわりに 代わりに かわりに に代えて をやめて をやめ を止めて をやめ、 を廃止して を廃止し は使わず を使わず は使わずに を使わずに は用いず を用いず に代わり よりも より でなしに をやめにして ではなしに",
    "before_prev": "の前に 前に する前に の前には 前には の前 前は 前までに の前は するまえに まえに より前に に先立ち に先立って",
    "after_prev": "の後に の後で 後に 後で した後 の後 後は てから でから たあと たあとで のあとに あとに あとで 次第 後 てからは に続いて",
    "glue": "ければならない なければならない なければいけない なければなりません なくてはならない なくてはいけない ないといけない ないとだめ なければ ねばならない ざるを得ない かもしれない かもしれません に違いない"
    " ずつ いずれ わずか はず まず もったいない 少ない こと ことで ように ようにする ようにして ようにしてください よう そう みたい らしい という といった って ところ ため ために わけ"
    " です でした ます ました だ だった である であり でしょう だろう でき できる ください くださいね ほしい もらう もらって もらえる いただく いただけますか お願いします お願い"
    " する し します しました すると すれば され される され させ させる せる せ れる れ られる られ ている いる います いた てある あります ある あっ てお  ておく おく おき おい てくる てき ていく"
    " てほしい てください て で た ました てる てます たら たり ても でも では には へは とは のは のが のを ので のに けど けれど けれども ながら つつ"
    " かつ など なども なんか とか や か ね よ な ぞ わ さ ら り る う く い え け せ め べ げ ね ん こ そ しよう しましょう ましょう よね だよ よう 頂 御 ご お 的に 的な 的 化 あたり につき ごと ごとに 毎に に対して に対する について についての に関して に関する として としては によって により による にて において における 向け 向けの とともに 以外は",
    "then": "それから その後 そのあと",
    "cut": "場合 ばあい 場合は とき 時 際 ときは 時は ときに 時に ときには 際は 際には たら なら ならば れば が、 けど、 けれど、 ものの だが",
    "p:が": "が",
    "p:は": "は",
    "p:を": "を",
    "p:に": "に へ",
    "p:で": "で",
    "p:の": "の",
    "p:と": "と",
    "p:も": "も",
    "p:から": "から",
    "p:まで": "まで",
    "unneed": "なくていい なくてよい なくてもいい なくてもよい なくても構わない なくて構わない なくて大丈夫 なくてもかまわない なくていいです 必要はない 必要はありません 必要ない 必要なし には及ばない までもない",
    "may": "てよい てもよい ていい てもいい でよい でいい でもよい でもいい ても良い て良い で良い ても構わない てもかまわない ても大丈夫 て大丈夫 ても問題ない て構わない てOK ok可",
    "past": "以前は かつて かつては 昔は 前は",
    "plan": "予定 つもり かも 検討 検討中 たい かもしれない 考えている 考え中",
    "except": "以外 以外は を除く を除き を除いて 除外",
    "until": "までは まで待",
    "unasked": "勝手に 許可なく 許可なしに 許可無く 断りなく 断りなしに 無断で 承認なしに 承認なしで 確認なしに 確認せずに 聞かずに 相談なしに 独断で",
    "first": "先に まず 最初に 事前に あらかじめ 予め 前もって",
}


def _english() -> dict[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {}
    for name, forms in _ENGLISH.items():
        for form in forms.split(","):
            table.setdefault(latin_key(fold(form)), name)
    return table


def _japanese() -> dict[str, str]:
    table: dict[str, str] = {}
    for name, forms in _JAPANESE.items():
        for form in forms.split():
            table.setdefault(fold(form), name)
    return table


ENGLISH = _english()
JAPANESE = _japanese()
LONGEST_ENGLISH = max(map(len, ENGLISH))
LONGEST_JAPANESE = max(map(len, JAPANESE))
PREPOSITIONS = {
    "from_next",
    "to_next",
    "for_next",
    "in_next",
    "on_next",
    "with_next",
    "by_next",
    "under_next",
}
