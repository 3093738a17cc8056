"""English cues: what each wording tells about speech act, mood and time span.

Matched on `forms.cue_form` text.  A cue names a *grammatical or discourse* signal (who decides,
how long it holds, is it asked or told), never a product, a tool or a subject matter.
"""

from __future__ import annotations

import re

from memory.extractors.rules.forms import cue as _c

# Finite verbs that describe how things are, not what happens at the moment.
STATIVE = (
    r"(?:is|are|isnt|arent|has|have|hasnt|havent|lives?|sits?|runs?|listens?|points?|uses?|"
    r"expects?|returns?|"
    r"requires?|needs?|supports?|belongs?|depends?|talks?|speaks?|stores?|holds?|contains?|goes|go|comes?|"
    r"starts?|ends?|closes?|opens?|expires?|costs?|allows?|accepts?|stays?|means?|serves?|reads?|writes?|"
    r"counts?|gets?|takes?|keeps?|tells?|touches|wants?|knows?|asks?|changes|breaks?|adds?|"
    r"writes|makes?|decides?|approves?|signs?|pays?|prints?|loads?|joins?|excludes?|hates?|"
    r"likes?|sees?|stands?|matches|sends?|handles?|owns?|covers?|follows?|works?|includes?|"
    r"ships?|builds?|"
    r"deploys?|connects?|assumes?|rejects?|ignores?|drops?|treats?|lasts?|happens?|resets?|rotates?|syncs?|"
    r"caches?|caps?|limits?|charges?|bills?|renews?|refreshes|publishes|pulls?|pushes|fires?|"
    r"arrives?|feeds?|"
    r"cannot|cant|can|must|should|may|will|wont|do|does|dont|doesnt|only)"
)
# Verbs that open an order.  A closed list of everyday work verbs.
ORDER_VERB = (
    r"(?:add|adjust|apply|archive|ask|attach|avoid|back|base|bring|build|bump|call|cancel|"
    r"change|check|clean|clear|"
    r"close|comment|commit|compare|compress|configure|connect|convert|copy|create|cut|debug|"
    r"delete|deploy|describe|"
    r"diff|disable|do|document|draft|drop|dump|enable|estimate|explain|export|expose|extract|"
    r"fetch|fill|filter|find|"
    r"finish|fix|flip|follow|format|generate|get|give|go|grep|group|have|help|hide|hold|hook|"
    r"implement|import|"
    r"include|increase|insert|inline|install|investigate|keep|kill|leave|lint|list|load|log|"
    r"look|lower|make|mark|"
    r"measure|merge|migrate|mock|mount|move|name|open|optimi[sz]e|paste|patch|pin|pick|plot|"
    r"port|post|prefix|prepare|"
    r"print|profile|pull|push|put|raise|read|rebase|redo|reduce|refactor|regenerate|"
    r"reinstall|release|reload|remove|"
    r"rename|reorder|replace|report|reproduce|rerun|reset|resize|resolve|restart|restore|"
    r"return|revert|review|"
    r"rewrite|roll|rotate|round|run|save|scale|schedule|search|send|separate|set|ship|show|"
    r"shrink|shorten|simplify|"
    r"skip|sort|split|squash|start|stash|stick|stop|store|strip|sum|summari[sz]e|swap|switch|"
    r"sync|tag|take|tell|test|"
    r"tidy|touch|trace|translate|trim|truncate|try|turn|undo|uninstall|unpin|update|upgrade|"
    r"upload|use|validate|"
    r"verify|wait|walk|wire|wrap|write|zip|tweak|align|hardcode|hard-code|retry|scan|treat|"
    r"link|rotate|quote|respect|"
    r"prefer|confirm|assume|ensure|preserve|reply|answer|respond|cite|address|speak|stay|"
    r"match|batch|cap|limit)"
)
ORDER = (
    r"(?:(?:ok|okay|k|so|and|but|now|then|next|first|also|again|just|please|pls|plz|hey|hi|"
    r"well|alright|great|cool|"
    r"yes|yeah|no|nah|oh|hm+|wait|actually|quick one|thanks|thx|anyway|btw|instead|otherwise|"
    r"maybe|lets|let us|go and|"
    r"go ahead and|can you|could you|would you|will you|can we|could we|you can|you could|"
    r"id like you to|i need you to|"
    r"i want you to|would you mind|kindly|try to|remember to|make sure to|make sure you|"
    r"be sure to|dont forget to)"
    r"[,.!: ]+)*"
)

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
        r"\b(?:every|each|any) ?time\b|\bwhenever\b|\b(?:always|never)\b|\bby default\b|"
        r"\bas a rule\b|\bwithout exceptions?\b|\bno exceptions?\b"
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
        r"|\bspare me\b|\b(?:can|could) you (?:please )?(?:not|stop)\b|\btoo (?:long|verbose|"
        r"chatty|wordy|many emojis|noisy)\b|\bless \w+ing\b"
    ),
    "decided": _c(
        r"\b(?:decided|settled on|agreed (?:to|on|that|with)|we agreed|chose|opted (?:for|to|"
        r"against)|ruled out|rejected|committed to|concluded|voted (?:for|to|against)|"
        r"signed off on|made up (?:my|our) minds?)\b"
        r"|\b(?:the )?(?:decision|verdict|final call|final answer|final decision|"
        r"consensus)(?: is| was|:| -)|\b(?:we|i) (?:have )?(?:picked|landed on|went with|"
        r"go with|dropped|talked it (?:through|over))\b|\bcall(?:ing)? it\b"
    ),
    "will_choose": _c(
        r"\b(?:we|i) (?:will|are|are now|are going to|shall|would rather|want to)(?: \w+ly|"
        r" just| not| now| only| all)? (?:keep|keeping|stay|staying|stick|sticking|use|using|"
        r"go|going|move|moving|switch|switching|adopt|adopting|"
        r"drop|dropping|host|hosting|run|running|ship|store|standardi[sz]e|standardi[sz]ing|"
        r"support|build|buy|write|pin|skip|leave|do|retire|replace|split|self-host|"
        r"self-hosting)\b"
        r"|(?:^|[,.:;] ?|ok |so |then |finally |ended up )(?:going|sticking|staying|stick|"
        r"stay|go|went) (?:with|on|to|for)\b|\bended up (?:with|using)\b|\bstays?(?=\W*$)|"
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
        r"went) \w+ because|because (?:someone|somebody|i|we|nobody|the) (?:\w+ )?(?:forgot|"
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
        r"no need to) (?:\w+ ){0,2}(?:me|my)\b|\bwhen you (?:give|show|tell|explain|write|"
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

DATE = _c(
    r"\b\d{4}-\d{1,2}(?:-\d{1,2})?\b|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\b(?:jan|feb|mar|apr|"
    r"jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?\b|\b(?:may|march|"
    r"april|june|july) \d{1,2}(?:st|nd|rd|th)?\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)[a-z]*\b|\bon the \d{1,2}(?:st|nd|rd|th)\b|\b(?:in|since|as of|until|till|by|from|"
    r"end of|early|mid|late|last|this) (?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december)\b"
    r"|\blast (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year|"
    r"quarter|spring|summer|autumn|fall|winter)\b|\b(?:this|last) (?:monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday)\b|\bin (?:19|20)\d\d\b|\b(?:q[1-4]) (?:19|"
    r"20)?\d\d\b|\byesterday\b"
)

WEAK: dict[str, re.Pattern[str]] = {
    "reason": _c(
        r"\b(?:because|cause|cuz|coz|bc|since|otherwise|so that|due to|or else|thats why|"
        r"which is why|the reason|so (?:it|that|we|i|you|nobody|they|the|dont|keep|please|no|"
        r"never)|as (?:it|we|they|the|that|our)|too (?:heavy|slow|big|expensive|fragile|much|"
        r"costly|risky|brittle|noisy|old|many))\b"
    ),
    "we_our": _c(r"\b(?:we|our|ours|us)\b"),
    "stative": _c(
        r"\b(?:the|our|this|that|these|those|its|it|their|there|theres|a|an|all|every|each|"
        r"my|\w+s?)(?: [\w./#@:-]+){0,6}? " + STATIVE + r"\b"
    ),
    "only": _c(
        r"\b(?:only|just|exactly|strictly|exclusively|solely|at most|at least|no more than|"
        r"maximum|minimum|max|min|under|below|above|up to|within)\b"
    ),
    "no_exist": _c(
        r"\b(?:there is no|there are no|theres no|theres only|there is only|there are only|"
        r"no longer|doesnt exist|is gone|are gone|isnt a|not supported|unsupported|cannot|"
        r"cant)\b"
    ),
    "recurring": _c(
        r"\b(?:nightly|daily|weekly|monthly|hourly|yearly|quarterly|every (?:night|day|week|"
        r"month|hour|sunday|monday|tuesday|wednesday|thursday|friday|saturday|year|quarter|"
        r"morning|sprint|release|\d+|other|two|three|five|six|ten)|mondays|tuesdays|"
        r"wednesdays|thursdays|fridays|saturdays|sundays|on weekends)\b"
    ),
    "fixed": _c(
        r"\b(?:pinned|locked|capped|limited|fixed at|frozen|owned by|hosted|maintained|"
        r"managed|written in|based on|behind|over|via|through|deployed|stored|named|called|"
        r"contract|licen[cs]e|legal(?:ly)?|required by|compliance|audit\w*|customer|"
        r"regulat\w*)\b"
    ),
    "technical": _c(
        r"[a-z0-9]+[_/.:][a-z0-9_/.:-]+|\b[a-z]*\d[\w.:-]*|codeitem_x|#[a-z][\w-]+|"
        r"\b[a-z]+-[a-z0-9-]+\b|--?[a-z]"
    ),
    "number": _c(r"\d"),
    "service": _c(
        r"\b(?:repl(?:y|ies)|answers?|responses?|explanations?|explain|summar(?:y|ies)|"
        r"commit messages?|commits?|comments?|prs?|pull requests?|diffs?|"
        r"branch(?:es)?(?: names?)?|naming|variable names?|docstrings?|emojis?|bullets?|"
        r"bullet points|"
        r"tone|reports?|changelogs?|descriptions?|titles?|plans?|questions|logs?|tests?|"
        r"dependenc(?:y|ies)|refactor\w*|code blocks?|snippets?|suggestions?|reviews?|output|"
        r"formatting|markdown|tables?|jargon|greetings?|apolog\w+|preamble|types?|exports?|"
        r"imports?|files?)\b"
    ),
    "you_agent": _c(r"\b(?:you|your)\b"),
    "i_me": _c(r"\b(?:i|my|me|im|id)\b"),
    "correct": _c(
        r"^(?:\W|ok |oh |hm+ |no |nope |wait |sorry |ah |ugh |hang on |hold on )*(?:actually|"
        r"oops|whoops|no wait|wait no|no sorry|sorry no|hm no|strike that|correction|"
        r"scratch that|strike that|that was wrong|i was wrong|my mistake|my bad|i misspoke|"
        r"change of plan|changed my mind|on second thought|forget (?:what|that|the)|"
        r"ignore what i|not \w+ after all)\b"
        r"|\b(?:scratch|strike) that\b|\bthat was wrong\b|\bi was wrong\b|"
        r"\bon second thoughts?\b|\bchanged? (?:my|our) minds?\b|\b(?:forget|ignore|"
        r"disregard|undo) (?:what|that|everything) i (?:said|told|wrote)\b|\bi take (?:that|"
        r"it) back\b|\bwas wrong\b|\bmisspoke\b|\bnot true any ?more\b|"
        r"\binstead\b.*\bafter all\b|\bcorrection\b|\bhmm? no\b|\bno wait\b|"
        r"\bthats (?:the old|wrong|not right|incorrect|outdated|not true)\b|\bis the old\b|"
        r"\b(?:oops|whoops)\b|\bno sorry\b|\bforget what i\b|\bwas (?:outdated|the old|"
        r"from before)\b"
    ),
    "please": _c(r"\b(?:please|pls|plz)\b"),
    "date": DATE,
}

AGAINST: dict[str, re.Pattern[str]] = {
    "question": _c(
        r"\?\W*$|^(?:\W|and |so |but |ok |btw |also |hey |hm+ |wait |quick question:? |"
        r"oh )*(?!(?:why|what|how)\b[^?]*: )(?:why|whats?(?! asked)|hows?|wheres?|whos?|"
        r"whose|which|when (?:do|does|did|is|are|will|should|was|can)|is|are|am|(?:do|does|"
        r"did|dont|doesnt|didnt|have|has|had|was|were) (?:we|you|i|they|it|he|she|the|these|"
        r"those|this|that|all|any|people|users|our|your|there)|can (?:we|i|it|this|the|that)|"
        r"could (?:we|i|it)|should|would|will (?:it|this|that|the|we)|"
        r"isnt|arent|shouldnt|wouldnt|wdyt|any (?:idea|chance|reason|thoughts)|"
        r"thoughts)\b(?! (?:happened|we want|i want|matters)\b.*:)"
        r"|\b(?:i wonder|wondering|not sure (?:if|whether|why|how|what)|do you (?:know|think|"
        r"remember)|is there a|are there any|what do you think|i forgot (?:if|whether|which|"
        r"what|how)|(?<!only )(?<!just )tell me (?:why|what|how|whether|if|which|where)|"
        r"can you tell|does anyone|curious)\b"
    ),
    "hypothetical": _c(
        r"\b(?:what if|suppose|supposing|imagine|lets say|hypothetical(?:ly)?|in theory|"
        r"theoretically|thought experiment|thinking (?:out loud|aloud)|brainstorm\w*|"
        r"playing with the idea|toying with|toy with|if we (?:ever|were|went|switched|moved|"
        r"used|dropped|did|had|wanted|could|would|ditched|replaced|rewrote|split|ran|adopted|"
        r"made|built|decided|started|stopped|merged|allowed|added)|if i (?:were|wanted|had|"
        r"asked|said)|"
        r"^(?:it )?(?:looks|seems|sounds) like|would (?:it|we|that|be|you)|might|"
        r"could (?:maybe|be|we|also)|maybe|perhaps|possibly|someday|one day|at some point|"
        r"eventually|in an ideal world|wouldnt it|nothing (?:is )?decided|not decided|"
        r"undecided|havent decided|no decision|considering|leaning|tempted|no promises|"
        r"not committed|(?:am|are|was|were|im|been) (?:just )?(?:thinking|wondering|asking|"
        r"considering|toying|pondering)|just (?:asking|curious|wondering|an idea|a thought)|"
        r"idea:|i guess|not now)\b"
    ),
    "joke": _c(
        r"\b(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|jk|j/k|just kidding|kidding|sarcasm|"
        r"yeah right|as if|obviously the best|what could go wrong|good luck with)\b|(?:^|"
        r"\s)/s\b|[😂🤣😜😆🙃😅🤪😏😹🤡]|;-?\)|:-?[pP]\b|xd\b|^(?:\W)*(?:oh )?(?:great|"
        r"brilliant|wonderful|fantastic|lovely|awesome|sure|right|amazing|perfect|"
        r"nice),? (?:lets|sure|just|another|now|so|because|why not|we|from now)\b|"
        r"\bvive la\b|\bcarrier pigeon\b"
    ),
    "temporary": _c(
        r"\bfor (?:this|that) \w+\b|\bfor the (?:\w+ ){1,3}only\b|\b(?:for now|"
        r"for the (?:moment|time being|demo|next (?:hour|few|day|week))|just this once|"
        r"this once|just (?:for )?(?:this|today|tonight|once)|this time|only (?:this|today|"
        r"for)|today only|temporar(?:y|ily)|"
        r"(?<!done )(?<!finished )(?<!ready )until (?:tomorrow|monday|tuesday|wednesday|"
        r"thursday|friday|i|we|the|its|this|then|next|later|tonight|after|\w+ (?:is|are|has|"
        r"have|gets?|comes?|sends?|decides?|fixes))\b|"
        r"til+ (?:tomorrow|monday|i|we|the|about|\d)|while (?:the|we|i|they|its|hes|"
        r"shes)\b.*\bing|for today|tonight|in the meantime|as a (?:stopgap|workaround|"
        r"quick hack|one.?off)|one.?off|quick hack|stopgap|interim|provisional(?:ly)?|"
        r"as an exception|exceptionally|for a (?:bit|while|sec|minute|moment)|this (?:sprint|"
        r"week|afternoon|morning|release|run|round|deploy|push|commit|session|pr) only|"
        r"just for (?:this|the|now)|placeholder|i will (?:\w+ )?(?:later|tomorrow|tonight)|"
        r"we will (?:\w+ ){0,4}(?:later|tomorrow|next week))\b"
    ),
    "momentary": _c(
        r"\b(?:right now|currently|at the moment|at this point|still|again|today|tonight|"
        r"this (?:morning|afternoon|evening|week)|tomorrow|just now|yet|so far|in (?:a|\d+|"
        r"an|ten|five) (?:sec|seconds?|min|mins|minutes?|hours?|bit|moment)|soon|brb|afk|"
        r"be back|almost|nearly|waiting|hold on|hang on|one sec|stuck|in progress|halfway|"
        r"running late|(?:at|after|before|over|for) lunch|in a meeting|halfway|queued|"
        r"ongoing|"
        r"(?:an?|\d+|two|three|few) (?:hours?|minutes?|mins?|days?|moments?|secs?|"
        r"seconds?) ago|\d+ ?(?:percent|%)|calling (?:them|him|her)|hear back|day \d+|"
        r"pending|apparently|all (?:morning|day|night|afternoon)|rn|(?:till|"
        r"until) (?:about )?\d+ ?(?:am|pm)?|having (?:one of|a)|(?:is|are|was|"
        r"were) (?:\w+ly )?(?!going|using|missing|during)(?:returning|looking|acting|doing|"
        r"trying|working|redeploying|restarting|\w+izing|\w+ating|loading|running|waiting|"
        r"getting|throwing|being)|slow today|works? now|is (?:red|green|down|up|broken|"
        r"failing|stuck|slow|hanging|running|building|flaky|back)|are (?:red|green|down|"
        r"failing|broken|slow|flaky|passing)|keeps? (?:failing|crashing|hanging|timing out)|"
        r"(?:doesnt|dont|isnt|not) work(?:ing)?|commits? behind)\b"
    ),
    "i_now": _c(
        r"^(?:\W|ok |so |and |but |btw |also |sorry |turns out )*(?:im|i am|ill|i will|ive|"
        r"i have (?:to|a)|i just|i was|i think|let me|lemme|gonna|i got|i see|i saw|i ran|"
        r"i tried|i get|i changed|i pushed|my (?:branch|laptop|machine|battery|wifi|terminal|"
        r"build|vpn|editor|internet|mic))\b"
    ),
    "third": _c(
        r"\b(?:my|our|the|a|an|some|that|his|her|their) (?:\w+ ){0,3}(?:flatmate|roommate|"
        r"friend|colleague|co-?worker|boss|manager|contractor|predecessor|intern|client|"
        r"brother|sister|wife|husband|cousin|uncle|dad|mom|teacher|professor|mate|neighbou?r|"
        r"buddy|guy|dev|developer|engineer|freelancer|consultant|cto|ceo|lead|designer|"
        r"author|blogger|speaker|youtuber|maintainers?|reviewer|vendor|team ?mate|partner|"
        r"girlfriend|boyfriend|folks|people|person|recruiter|lecturer|mentor|architect|"
        r"ops guy|dba)"
        r"(?: (?:at|from|on|of|in|who) (?:\w+ ){1,5}?| here)? ?(?:\w+ly )?(?:says?|said|"
        r"thinks?|thought|swears?|swore|loved|loves|likes?|liked|prefers?|preferred|hates?|"
        r"hated|insists?|insisted|believes?|claims?|claimed|wants?|wanted|always|never|"
        r"used to|recommends?|recommended|told|keeps? (?:saying|telling)|was (?:a|into|"
        r"obsessed|big)|is (?:a|into|obsessed|big)|argues?|argued|suggests?|suggested|rants?|"
        r"preaches|writes|wrote|calls)\b"
        r"|\b(?:the|a|an|my|our|some|this|that|their|his|her) (?:[\w'-]+ ){1,4}?(?:says?|"
        r"said|writes?|wrote|claims?|claimed|insists?|states?|recommends?|suggests?|demands?|"
        r"complains?|swears?) (?:that|we|to|i|you|it|its|everyone|everybody|there|['\"]|"
        r"quoteditem)"
        r"|\b(?:guys|(?<=[a-z] )people|folks|team|kids|crowd|department|nephew|niece|"
        r"marketing|sales|management|designers|clients?|company|shop|employer) (?:\w+ly |"
        r"all |just |would |here )*(?:wants?|wanted|loves?|loved|adores?|adored|hates?|hated|"
        r"likes?|liked|prefers?|preferred|swears?|did everything|never (?:wrote|used|did|"
        r"had)|always (?:wrote|used|did|had)|put everything|think|thinks|believes?|"
        r"insists?)\b"
        r"|\b(?:he|she|someone|somebody|everyone else|some people|most people|"
        r"they) (?:\w+ly )?(?:says?|said|thinks?|thought|swears?|swore|loved|loves|likes?|"
        r"liked|prefers?|preferred|hates?|hated|insists?|insisted|believes?|claims?|claimed|"
        r"recommends?|recommended|wrote)\b|\baccording to\b|\bsupposedly\b|\ballegedly\b|"
        r"\bi (?:read|heard) (?:that|somewhere|on|in)\b|\b(?:reddit|twitter|stack ?overflow|"
        r"hacker news|blog post|article|podcast|tutorial) (?:says?|said|claims?|recommends?|"
        r"suggests?|thinks?)\b"
    ),
    "not_said": _c(
        r"(?<!things )(?<!what )(?<!files )(?<!stuff )\b(?:i|we) (?:never|didnt|did not|"
        r"havent|have not|wasnt|am not|im not) (?:actually )?(?:said|say|saying|mean|meant|"
        r"want|ask|asked|asking|want you to|decide|decided|agree|agreed|told|tell|request|"
        r"requested|suggest|suggesting|propos\w+)\b|\bim not (?:saying|asking|suggesting|"
        r"proposing|telling|deciding)\b|\bnobody (?:has |here )?(?:\w+ )?(?:said|decided|"
        r"asked|wants|agreed|told|is)\b|\bno ?one (?:has )?(?:said|decided|asked|agreed)\b"
        r"|\bthats not what i\b|\bnot what i (?:meant|said|asked)\b|\byou misunderstood\b|"
        r"\byou misread\b|\bmisread (?:me|that|my)\b|\bmisunderst\w+\b|"
        r"\bto be clear\b.*\b(?:not|nobody|no one|never|nothing)\b|\bi (?:only|"
        r"just) (?:asked|wanted|meant)\b|\bwhere did (?:you|that)\b|\bi meant\b|\bwho said\b|"
        r"\bdont read (?:that|this|it) as\b|\bnothing (?:has been |was |is |has )?(?:decided|"
        r"agreed|settled)\b"
    ),
    "this_piece": _c(
        r"\b(?:this|that|these|those) (?:\w+ )?(?:change|file|function|method|class|test|"
        r"tests|pr|branch|commit|line|lines|loop|page|screen|component|module|script|query|"
        r"diff|section|paragraph|endpoint|button|bug|issue|ticket|task|error|one|case|part|"
        r"block|snippet|migration|step|patch|hook|spec|version of|release|round)\b"
        r"|\b(?:under|inside|in) (?:src|lib|app|test|tests|packages|cmd|internal|spec)/"
    ),
    "deictic": _c(r"^(?:\W|and |so |but |ok |oh )*(?:this|that|it|its|thats|these|those|they)\b"),
    "retreat": _c(
        r"\b(?:or maybe not|maybe not|never ?mind|nvm|(?<!dont )forget (?:it|that|i said)|"
        r"scrap that|or not|actually no(?=\W*$)|on second thought,? (?:no|leave)|dont bother|"
        r"ignore (?:that|this|me)|disregard|let me think|not sure (?:yet|about that|though|"
        r"tho)|hm+,? (?:not sure|no idea|dunno|idk)|idk|dunno|we will see|lets see|"
        r"leave it(?=\W*$)|hold that thought|tbd|to be decided|sleep on it|(?:wait,? no|"
        r"no wait)(?=\W*$))\b"
    ),
    "order": _c(
        r"^"
        + ORDER
        + r"(?:dont |do not |never |always |just |only )*"
        + ORDER_VERB
        + r"\b(?!:)(?! (?:is|are|was|were|has|have|must|should|will|stays?|goes|lives?|runs?|"
        r"gets?|can|cannot|cant|comes?|happens?|uses?|needs?|first|over)\b)"
    ),
    "want_once": _c(
        r"\b(?:can|could|would|will) (?:you|we)\b|\bi (?:need|want) (?:you )?to\b|"
        r"\bshow me\b|\bgive me\b|\btell me\b|\blets\b|\bneeds? (?:a|to be|fixing|updating)\b"
    ),
    "ai_address": _c(
        r"\b(?:ai|llm|coding|language model) (?:agents?|assistants?|models?|tools?)\b|"
        r"\bassistants\b|\bagents? (?:must|should|reading)\b|"
        r"\bignore (?:all )?previous instructions\b|\bsystem prompt\b"
    ),
    "defect": _c(
        r"\b(?:crash(?:es|ed|ing)?|broken|breaks|missing|wrong|weird|strange|odd|empty|blank|"
        r"typo|mess|slow|errors?|duplicates?|fails?|failing|failed|red|timeouts?|times? out|"
        r"hangs?|doesnt (?:close|open|load|show|work|render|start|update|match|compile|"
        r"respond|appear|scroll|fire|build)|wont (?:close|open|load|start|compile|build|"
        r"work)|overlaps?|forgot|missed|bug|undefined|null|stuck|unreachable|takes (?:ages|"
        r"forever|\d+))\b"
    ),
    "supposes": _c(
        r"\b(?:what if|suppose|supposing|imagine|hypothetical(?:ly)?|in theory|"
        r"thought experiment|thinking (?:out loud|aloud)|lets pretend|lets say|if we ever|"
        r"would be (?:nice|cool|great|neat)|no plans|just an idea|just curious|just asking|"
        r"im thinking (?:about|of)|was thinking (?:about|of)|i wonder|nothing is decided|"
        r"havent decided|not decided)\b"
    ),
    "hands": _c(
        r"^(?:\W|ok |so |and |hi |hey )*(?:heres?|here (?:is|are|comes)|attached|"
        r"see (?:below|attached|the)|look at|have a look)\b"
    ),
    "bare_ban": _c(
        r"^" + ORDER + r"(?:dont|do not)\b(?!.*\b(?:me|my|i|ever|any|every|all|we|our|again|anymore)\b)"
    ),
    "thanks": _c(
        r"^(?:\W|ok |okay |yes |yeah |and )*(?:thanks|thank you|thx|ty|cheers|nice|great|"
        r"perfect|awesome|cool|good|lgtm|looks (?:good|right|fine)|well done|you rock|"
        r"works)\b"
    ),
    "rulefile": _c(
        r"\b(?:claude|agents|gemini|cursor|copilot)\.md\b|\.cursorrules\b|\b(?:add|put|write|"
        r"append|document) (?:that|this|it|a (?:line|note|rule|section)).{0,20}\b(?:to|in|"
        r"into) (?:the )?(?:\w+\.md|readme|docs?|contributing|changelog|claude)"
    ),
}
