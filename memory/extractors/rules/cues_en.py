"""English cues: what each wording tells about speech act, mood and time span.

Matched on `forms.cue_form` text.  A cue names a *grammatical or discourse* signal (who decides,
how long it holds, is it asked or told), never a product, a tool or a subject matter.
"""

from __future__ import annotations

import re

from memory.extractors.rules.forms import cue as _c
from memory.extractors.rules.verbs import ORDER_VERB

STRONG: dict[str, re.Pattern[str]] = {
    "remember": _c(
        r"(?<!you )(?<!i )(?<!cant )(?<!dont )(?<!to )\bremember\b(?! (?:when|how|to|"
        r"the time|if)\b)|\b(?:keep|bear) (?:this |that |it )?in mind\b"
        r"|\bmake (?:a |yourself a )?note\b|\btake note\b|\bnote (?:this|that|down|for|it)\b|"
        r"^(?:\W|and |also |please )*note[:,]"
        r"|\b(?:save|store|record|log|file|keep|jot) (?:this|that|it)(?: down| away)? (?:for|"
        r"in|to|as|somewhere)\b"
        r"|\bmemori[sz]e\b|\bdont (?:you )?(?:ever )?forget(?: that|[:,]| (?:the|we|our|i|it|"
        r"this))|\bfor (?:all )?(?:the |your )?(?:future|later|next) "
        r"(?:sessions?|reference|conversations?|chats?|runs?)\b|\bfor the record\b|\b(?:to|"
        r"in|into) (?:your )?(?:long.term )?memory\b"
        r"|\b(?:put|stick|stash|add|drop|enter|file|pin|keep|save|write|get) (?:this|that|it|"
        r"these)(?: one| down)? "
        r"(?:in|into|to|on) (?:your|the) (?:[\w-]+ ){0,2}(?:notes?|notebook|memory|memories|"
        r"records?|head|brain|"
        r"list|files?)\b(?! (?:in|under|at|called)\b)|\bmemo (?:for|to) (?:you|self|yourself)\b|\bmemo:|"
        r"\b(?:please |do )(?:note|notice)\b(?! (?:in|to|on)\b)|\bnotice (?:this|that)\b|"
        r"\bfor your (?:notes|records|memory|files|information)\b|\b(?:dont|do not|"
        r"never) (?:lose|forget) (?:this|that)\b|"
        r"\bso (?:that )?i (?:dont|never|do not) (?:have|need) to (?:repeat|say|explain|tell|type)\b|"
        r"\bhold on to (?:this|that)\b|\bcommit (?:this|that|it) to memory\b"
        r"|\bfor next time\b|\bwrite (?:this|that|it) down\b|\bworth (?:remembering|noting|"
        r"knowing)\b|\bput (?:this|that|it) on record\b"
        r"|\bso you (?:know|remember)\b"
    ),
    "from_now": _c(
        r"\bfrom (?:now|here|today|this point|now|here) (?:on|onwards?|forwards?)\b|"
        r"\bfrom (?:now|today|here) on\b|\b(?:going|moving) forwards?\b"
        r"|\bhenceforth\b|\bin (?:the )?future\b|\bas of (?:now|today)\b|\bfrom here\b|"
        r"\bin all (?:future|new)\b|\bfor all (?:future|new)\b|\bnext time\b|\bfor good\b"
    ),
    "every_time": _c(
        r"\b(?:every|each|any) ?time\b|\bwhenever\b|\b(?:always|never)\b(?!-)|\bby default\b|"
        r"\bas a rule\b|\bwithout exceptions?\b|\bfrom (?:then|that point) on\b|\bno exceptions?\b"
        r"|\bat all times\b|\bunder no circumstances\b|\bpermanent(?:ly)?\b|"
        r"\bacross the board\b|\bkeep it (?:there|that way|like that)\b|\bstick to it\b"
        r"|\bever\b(?! since)|\bevery single\b"
    ),
    "unless": _c(r"\bunless (?:i|we|you|its|told|asked|there)\b|\bwithout (?:asking|my|a|an|checking)\b"),
    "rule_noun": _c(
        r"\b(?:rule|policy|convention|guideline|standard|practice|requirement|agreement|"
        r"invariant|process|house style|protocol) (?:is|here|for|at|says|we)\b"
        r"|\b(?:our|the|house|team|company|hard) (?:rule|policy|convention|standard|practice|"
        r"guideline)\b|\brule(?: of thumb)?:"
    ),
    "when_then": _c(
        r"^(?:\W|and |also |but |so |btw,? |oh |ok |please )*(?:when(?:ever)?|if|before|"
        r"after|once|any ?time|every ?time|each time) (?:you|we|i|a|an|the|any|something|"
        r"someone|anything|\w+ing|\w+s?) .+?"
        r"(?:, ?| then | please | must | should | (?:we|you) )(?:\w+ ){0,3}?(?:"
        + ORDER_VERB
        + r"|must|should|has to|have to|needs to|always|never|dont)\b"
    ),
    "rule_when": _c(
        r"\b(?:whenever|when|if|before|after|every time|each time|any time) (?:you|we|i|a|an|"
        r"the|any|something|someone|anything|\w+ing) (?:\w+ ){0,4}(?:changes?|change|add|"
        r"touch|edit|bump|create|"
        r"release|deploy|merge|rename|remove|delete|update|modify|write|push|upgrade|regenerate|\w+s)\b"
    ),
    "universal": _c(
        r"\b(?:every|each|any|all|no) (?:of (?:the|our|my|us) )?(?:new |other |future |"
        r"external |internal |public |single )?[a-z][\w.-]*(?: [a-z][\w.-]*){0,3} "
        r"(?:must|should|needs?|gets?|goes|go|has to|have to|requires?|is|are|uses?|lives?|"
        r"starts?|ends?|runs?|carry|carries|stays?|use|may|can|without|through|via|before|"
        r"after)\b"
        r"|\b(?:for|in|on|of|with|to|by|from) (?:every|each|all|any)\b|\beverywhere\b|"
        r"\bthroughout\b|\bfor all of us\b|\b(?:any|every)(?:thing|one|body)\b|\bnobody\b|"
        r"\bnowhere else\b|\bnothing else\b"
    ),
    "prefer": _c(
        r"\bi (?:really |strongly |generally |usually |much |also |do |just |always |"
        r"personally |still |rather )*(?:prefer|like|love|hate|dislike|despise|loathe|value|"
        r"cant stand|dont like|"
        r"dont want|do not want|dont need|dont care for|want (?!you to\b|to (?:see|check|"
        r"know|try)\b)|would prefer|would rather|find .{1,30}(?:hard|easier|annoying|noisy|"
        r"confusing|distracting))"
        r"|\bi \w+(?: \w+){0,4}, so (?:please |pls |always |just )?(?:dont|never|"
        + ORDER_VERB
        + r")\b|\bid (?:rather|prefer|much rather|really like|like (?:you to |it if ))|"
        r"\b(?:is|are) (?:sacred|poison|gibberish|noise|torture|hell|unreadable|useless|"
        r"wasted|lost|enough|plenty) "
        r"(?:to|for|on) (?:me|my)\b|\bmeans? nothing to m[ey]\b|\bsuits? me\b|\b(?:not|"
        r"isnt) my (?:thing|style|cup)\b|"
        r"\bgives? me (?:the )?(?:hives|headaches?|a headache|creeps|anxiety|heartburn|hope)\b|"
        r"\bmakes? (?:me|my (?:eyes|head|brain|skin|teeth)) \w+|\bmy (?:brain|eyes|head|mind|"
        r"attention|limit|"
        r"screen ?reader|memory)\b.{0,40}\b(?:cant|cannot|dont|doesnt|wont|only|works?|is|"
        r"are|arent|isnt|glaze|stops?|"
        r"shuts?)\b|\bhow my (?:brain|head|mind) works\b|\bi (?:think|learn|work|read|review|skim|scroll) "
        r"(?:in|by|from|with|on|best|through)\b|\bi (?:always |usually |only |mostly |"
        r"just )?(?:skim|scroll past|"
        r"get lost|lose (?:track|the thread)|zone out|glaze over|proofread|"
        r"read .{1,30} (?:as|in|on|aloud|first))\b|"
        r"\b(?:i|me)(?: am|m)? (?:a|an|the) (?:[\w-]+ ){0,3}(?:person|type|kind|guy|girl|"
        r"archivist|learner|reader|"
        r"thinker)\b|\bi (?:write|do|read|decide|choose|name|fix) (?:it |them |that |those )?myself\b|"
        r"\b(?:allergic|sensitive) to\b|\b(?:warms?|breaks?) my heart\b|"
        r"\bmy preference\b|\bdrives? me (?:nuts|crazy|mad|insane|up the wall)\b|"
        r"\bpet peeve\b|\b(?:not a|a big|big) fan\b"
        r"|\b(?:annoy|bug|bother|irritat|hurt)s? me\b|\bannoying\b|\bsick of\b|\btired of\b|"
        r"\bworks? (?:best|better) for me\b|\b(?:easier|harder|hard|easy|better) (?:for me|"
        r"to (?:review|read|grep|follow|scan))\b"
        r"|\bi (?:keep finding|keep having|keep telling|always have to|cant read|never read|"
        r"only read|read everything|usually|tend to|work from|work in|am used to)\b|"
        r"\bim (?:colou?r ?blind|dyslexic|allergic|used to)\b"
        r"|\bi(?:ve| have)? (?:already )?(?:told|asked|said)(?: this| that| it|"
        r" you)? (?:\w+ )?(?:before|many times|twice|a hundred times|already)\b|"
        r"\bhow (?:many|often) .*(?:times|tell you)\b|\bi appreciate (?:it )?(?:when|if)\b"
    ),
    "stop_doing": _c(
        r"\b(?:please |pls |plz |just |and )?(?:stop|quit|avoid|no more) (?:\w+ing\b|the |"
        r"with |using |all )|\benough with\b|\bno need to\b.*\b(?:every|each|always)\b"
        r"|\bspare me\b|^(?:\W|and |but |ok |please |pls |just )*(?:drop|skip|lose|cut|ditch|"
        r"spare|save|no(?: more)?|"
        r"enough(?: of| with)?|less|fewer|leave out|hold|mind|kill) (?:me )?(?:(?:the|your|"
        r"all|these|those|that|this|any) )*"
        r"(?:[\w-]+ )?(?:cheer\w*|praise|enthusia\w+|flatter\w*|apolog\w+|emojis?|pep talks?|"
        r"preambles?|intros?|"
        r"introductions?|recaps?|summar\w+|lectures?|filler|fluff|small talk|chatter|"
        r"sugar.?coat\w*|pleasantries|"
        r"jargon|exclamation\w*|compliments?|speech(?:es)?|essays?|disclaimers?|hedging|"
        r"narration|commentary|"
        r"smileys?|greetings?|buzzwords?|walls? of text|theat(?:er|re)|drama|poetry)\b|"
        r"\b(?:can|could) you (?:please )?(?:not|stop)\b|\btoo (?:long|verbose|"
        r"chatty|wordy|many emojis|noisy)\b|\bless \w+ing\b"
    ),
    "decided": _c(
        r"\b(?:final|last) word\b|"
        r"\b(?:decided|settled on|agreed (?:to|on|that|with)|we agreed|chose|opted (?:for|to|"
        r"against)|ruled out|rejected|committed to|concluded|voted (?:for|to|against)|"
        r"signed off on|made up (?:my|our) minds?)\b"
        r"|\b(?:the )?(?:decision|verdict|final call|final answer|final decision|"
        r"consensus)(?: is| was|:| -)|\b(?:we|i) (?:have )?(?:picked|landed on|went with|"
        r"go with|dropped|talked it (?:through|over))\b|\bcall(?:ing)? it\b|\bfinal answer\b|"
        r"\bmade the call\b"
    ),
    "will_choose": _c(
        r"\b(?:we|i) (?:will|are|are now|are going to|shall|would rather|want to)(?: \w+ly|"
        r" just| not| now| only| all)? (?:keep|keeping|stay|staying|stick|sticking|use|using|"
        r"go|going|move|moving|switch|switching|adopt|adopting|"
        r"drop|dropping|host|hosting|run|running|ship|store|standardi[sz]e|standardi[sz]ing|"
        r"support|build|buy|write|pin|skip|leave|do|retire|replace|split|self-host|"
        r"self-hosting)\b"
        r"|(?:^|[,.:;] ?|ok |so |then |finally |ended up )(?:going|sticking|staying|stick|"
        r"stay|go|went) (?:with|on|to|for)\b|\bended up (?:with|using|on|at|going|taking|"
        r"buying|choosing)\b|\bstays? (?:out|put)\b|\bstays?(?=\W*$)|"
        r"\bstays? (?:in|on|with|as|where|at)\b|\b(?:remains?|is staying|are staying)\b|"
        r"\b(?:is|are) (?:out|off the table|dead|cancelled|canceled|in)(?: now)?(?:[,.;]|$)|"
        r"\b(?:its|it is|are|is) going to be\b|\bgoes? with\b|\blets (?:just )?(?:go with|"
        r"stick (?:with|to)|stay (?:with|on)|keep|use|standardi[sz]e|adopt|settle|make it|"
        r"switch to|move to|drop|do)\b"
        r"|\bstandardi[sz](?:e|ing) on\b|\bsticking (?:with|to)\b|\bwe (?:keep|use|stay|"
        r"stick|go) (?:with|to|on|plain|the|a|an|\w+) .*\b(?:instead|not|over|because|"
        r"since)\b|\bit(?: i|')?s going to be\b|\b(?:its|it is) (?:settled|decided|final)\b"
    ),
    "refuse": _c(
        r"\bwe (?:are )?(?:not|wont|will not|are not|never|dont|do not|no longer|cannot|"
        r"cant) (?:be |going |go |to |do |use |adopt |add |support |move |switch |want |buy |"
        r"introduce |build |migrate |touch |split |rewrite |ship |need |accept |run |allow |"
        r"have )"
        r"|\bnot (?:going to|going with|adopting|moving to|switching to|worth (?:it|the)|"
        r"doing|using)\b|\bno (?:to|for us)\b|\b(?:pass(?:ing)? on|turned down|said no to|"
        r"decided against|against using|off the table|out of the question)\b"
        r"|\bwe (?:looked at|considered|evaluated|tried|discussed|tested|weighed)\b"
    ),
    "choice_pair": _c(
        r"\b\S+ over \S+\b.*\b(?:for|because|since|as|:)\b|\b(?:instead of|rather than|"
        r"in favou?r of|, not |and not |no longer)\b|\bno \w+, (?:just|only|use)\b"
    ),
    "cause": _c(
        r"\bfound (?:it|the (?:bug|cause|reason|problem|culprit))\b|\b(?:drain|leak|"
        r"crash(?:es)?|bug|failure|misprint|outage|error|problem|issue|corruption|loss|mixup|"
        r"mix-up|delay|mess)\b(?: \w+){0,5} (?:was|were|came)\b|"
        r"^(?:the )?\w+ \w+(?: \w+)?: (?:the|we|i|someone|nobody|a|an|our) .*\b(?:wasnt|"
        r"werent|isnt|didnt|was|were|had|never)\b|^the \w+ (?:on|in|of|last) [^:]{2,30}: |"
        r"^(?:why|what) \w+[^?:]{3,60}: |"
        r"\b(?:root ?cause|caused by|was caused|the cause|the culprit|"
        r"the reason (?:\w+ ){1,8}(?:was|is|were|broke|failed|went)|came from|come from|"
        r"happened because|turns? out|turned out|traced (?:it |this )?(?:back )?to|due to|"
        r"what happened|went (?:down|wrong|out)|broke because|failed because|(?:was|were|"
        r"went) (?!rejected|dropped|chosen|picked|removed|replaced|kept|abandoned|retired|ruled|turned|cut|"
        r"discarded|deferred|refused|cancell?ed|split|moved|merged)\w+ because|because (?:someone|"
        r"somebody|i|we|nobody|the) (?:\w+ )?(?:forgot|"
        r"missed|had|didnt|did not|never|renamed|removed|deleted|changed|was|were))\b"
        r"|\b(?:outage|incident|postmortem|post-mortem|data loss|regression|breakage)\b"
    ),
    "final": _c(
        r"\b(?:period|full stop|end of (?:story|discussion)|thats (?:it|that|final|the deal|"
        r"how (?:we|i|it))|no matter (?:what|how|who|which)|non.?negotiable|hard rule|"
        r"deal breaker|is a contract|by design|on purpose|as agreed|its final|"
        r"for legal reasons|once and for all)\b"
    ),
    "for_me": _c(
        r"\b(?:dont|do not|never|stop|always|please|only|just|quit|"
        r"no need to) (?:\w+ ){0,2}(?:me|my)\b|\bhands off (?:the|my|anything|everything|every)\b|"
        r"\byou (?:do|change|touch|fix|answer|write) (?:only )?(?:what|whatever) i (?:ask|"
        r"say|request|want)\w*\b|"
        r"\bread(?:s|ing)? like (?:a|an)\b|\byou (?:keep|always|never|constantly|love to) \w+|"
        r"\byour (?:[\w-]+ ){1,3}(?:is|are|read|reads|look|looks|run|runs) (?:too|way too|like|so)\b|"
        r"\bwhen you (?:give|show|tell|explain|write|"
        r"answer|are|talk|send)\b|\bwith me\b|\byou (?:did|do|keep|are doing|always|"
        r"never) (?:it |that |this )?(?:\w+ing|again)\b|\bi (?:keep|have to keep) \w+ing\b|"
        r"\benough for me\b"
    ),
    "forbid": _c(
        r"^(?:\W|and |also |but )*no (?!i\b|it\b|that|wait|problem|idea|worries|thanks|need|"
        r"rush|more\b|one\b|luck|clue|sorry|way\b|no\b|we\b|you\b|they\b|the\b|not\b|"
        r"this\b)\w+|\b(?:must not|mustnt|shall not|is not allowed|are not allowed|"
        r"arent allowed|isnt allowed|forbidden|prohibited|off limits|banned|taboo|verboten)\b"
    ),
    # A word about the agent's manner is never about the work at hand.
    "manner": _c(
        r"\b(?:drop|skip|lose|cut|ditch|spare|save|no|more|enough|less|fewer|without|"
        r"mind) (?:of |with |me |out )?(?:(?:the|your|"
        r"all|these|those|that|this|any) )*(?:[\w-]+ )?(?:cheer\w*|praise|enthusia\w+|"
        r"flatter\w*|apolog\w+|emojis?|"
        r"pep talks?|preambles?|lectures?|filler|fluff|small talk|chatter|sugar.?coat\w*|"
        r"pleasantries|exclamation\w*|"
        r"compliments?|speech(?:es)?|disclaimers?|hedging|smileys?|greetings?|buzzwords?)\b"
    ),
    # How this person reads, works and perceives: a reason that outlives the task.
    "self_habit": _c(
        r"\bi(?: am|m) using (?:a|an)\b|"
        r"\bi (?:\w+ly |only |always |never |just |mostly |still )*(?:rely on|speak|write|read|review|look at|"
        r"check|paste|print|live|type|speak|"
        r"learn(?:ed|t)? |grew up|follow|decide|proofread|listen|scroll|navigate|grep|draw|"
        r"sketch|remember things|misread|"
        r"misclick|forget|get lost|lose (?:track|the thread|my place))\b"
        r"|\b(?:confuses?|slows?|costs?|distracts?|bothers?|throws?|loses?|drains?|tires?|"
        r"trips?|overwhelms?|helps?|"
        r"saves?|wears?|derails?|stresses|scares?) me\b"
        r"|\bmy (?:\w+ )?(?:eyes?|ears?|hands?|brain|head|english|memory|eyesight|sight|"
        r"screen|phone|reader|attention)\b"
        r"|\bi(?:m| am) (?:\w+ly |half |quite |rather )?(?:deaf|blind|dyslexic|left.?handed|"
        r"colou?r.?blind|old|slow|visual|"
        r"new to|no native|not a native|used to|bad (?:at|with)|good (?:at|with))\b"
        r"|\b(?:the )?only way i (?:can|could|get)\b|\b(?:if|unless|until|before|"
        r"when) i (?:ask|say|tell you|point|sign)\b|"
        r"\bwhat i (?:ask(?:ed)?(?: for)?|point(?:ed)? at|said)\b|\bask(?: me)? first\b|"
        r"\bbefore (?:it|anything) leaves my\b|"
        r"\bi cant (?:follow|keep up|read|tell .{1,20} apart|concentrate|focus)\b|"
        r"\b(?:plenty|enough|too many|too much) for me\b|"
        r"\b(?:is|are) all i (?:can|need|want|ever)\b|\bi come back to\b"
    ),
    "lesson": _c(
        r"\b(?:lessons?(?: learned| learnt)?|takeaway|moral|learned the hard way|never again|"
        r"so this doesnt happen|to prevent (?:this|that|it)|wont happen again|remedy|"
        r"countermeasure|action item|next time|burned (?:us|by)|bit us|bitten by)\b"
    ),
    "aside": _c(
        r"\b(?:btw|fyi|by the way|for your info(?:rmation)?|heads.?up|for (?:some )?context|"
        r"some context|context:|background:|just so you know|for what its worth|fwiw|"
        r"one (?:more )?thing|in case (?:it|you)|psa|side note|note from me|"
        r"a few (?:things|facts|notes)|ctx|so you know|quick (?:tour|intro)[\w ]*|(?:two|"
        r"three|four|five|some|more|few) (?:\w+ )?(?:things|facts|notes)[\w ]*|writing (?:it|"
        r"this) down[\w ]*|some (?:facts|notes|background)|couple of (?:things|facts)|"
        r"things to know|quick (?:facts|notes|context)|careful|beware|watch out|be aware|"
        r"keep in mind|mind you|also|and another thing|nb|n\.b\.)(?: |:|,|$)"
    ),
    "shift": _c(
        r"\b(?:moved|migrated|switched|cut ?over|shut (?:down|off)|turned off|went (?:live|"
        r"out|down)|shipped|released|launched|rolled out|renamed|retired|sunset|deprecated|"
        r"decommissioned|ran out|expired|ended|was replaced|were replaced|replaced|"
        r"upgraded|acquired|merged into|took over|left|joined|rotated|re-created|recreated|"
        r"published|dropped support|cancell?ed|closed|opened|transferred|handed over|split|"
        r"archived|removed|started|signed|went into effect|took effect|froze|frozen|"
        r"flipped)\b"
    ),
}
