"""English cues that speak against a lasting assertion: questions, orders, jokes, states of the moment."""

from __future__ import annotations

import re

from memory.extractors.rules.forms import cue as _c
from memory.extractors.rules.verbs import ORDER, ORDER_VERB

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
        r"\b(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|(?:ja){2,}|k{4,}|jk|j/k|just kidding|kidding|sarcasm|"
        r"yeah right|as if|obviously the best|what could go wrong|good luck with)\b|(?:^|"
        r"\s)/s\b|[😂🤣😜😆🙃😅🤪😏😹🤡🫠]|;-?\)|:-?[pP]\b|xd\b|^(?:\W)*(?:oh )?(?:great|"
        r"brilliant|wonderful|fantastic|lovely|awesome|sure|right|amazing|perfect|"
        r"nice),? (?:lets|sure|just|another|now|because|why not|we|from now)\b|"
        r"\bnew (?:company|team|office|house) "
        r"(?:philosophy|motto|religion|slogan)\b|"
        r"\bvive la\b|\bcarrier pigeon\b"
    ),
    "temporary": _c(
        r"\bfor (?:this|that) \w+\b|\bfor the (?:\w+ ){1,3}only\b|\b(?:for now|"
        r"for the (?:moment|time being|demo|next (?:hour|few|day|week))|just this once|"
        r"this once|just (?:for )?(?:this|today|tonight|once)|this time|only (?:this|today|"
        r"for (?:this|now|today|tonight|the (?:demo|moment|time|next)))|today only|temporar(?:y|ily)|"
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
        r"^(?!.*\bnever\b).*\bagain\b|"
        r"\b(?:jammed|clogged|swamped|drifting|overloaded|backed up|acting up|playing up|"
        r"out of (?:office|signal|battery|"
        r"reach|coffee|memory again)|ahead of (?:me|mine|us|ours)|\d bars?|we (?:talk|"
        r"will talk|speak) when|"
        r"expect me to|(?:is|are) (?:away|out|sick|off|here|in the building|on (?:leave|"
        r"holiday|vacation|site|the phone|"
        r"a call))|(?:has|have) lost (?:his|her|my|their)|cant (?:open|see|log ?in|reach|get|"
        r"connect|hear|talk|type|"
        r"answer)|(?:i|we) (?:cant|wont) (?:be )?(?:reply|answer|respond|reachable|available|"
        r"around)|keeps? dropping|"
        r"till? (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|lunch|"
        r"tonight|\w+ (?:is|are|comes?)))\b|"
        r"\b(?:right now|currently|at the moment|at this point|still|today|tonight|"
        r"this (?:morning|afternoon|evening|week)|tomorrow|just now|yet|so far|in (?:a|\d+|"
        r"an|ten|five) (?:sec|seconds?|min|mins|minutes?|hours?|bit|moment)|soon|brb|afk|"
        r"be back|almost|nearly|waiting|hold on|hang on|one sec|stuck|in progress|halfway|"
        r"running late|(?:at|after|before|over|for) lunch|in a meeting|halfway|queued|"
        r"ongoing|"
        r"(?:an?|\d+|two|three|few) (?:hours?|minutes?|mins?|days?|moments?|secs?|"
        r"seconds?) ago|(?:is|are|was|were) (?:now |only |already |just )?at \d+ ?(?:percent|"
        r"%)|calling (?:them|him|her)|hear back|day \d+|"
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
        r"\b(?:my|the|our) (?:\w+ ){1,2}(?:runs|uses|keeps|does|stores|prints|"
        r"writes) (?:everything|all|nothing)\b|\bswears by\b|"
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
        r"\bin (?:the|that|this|his|her|their) (?:[\w-]+ )?(?:book|article|talk|video|tutorial|course|paper|film|"
        r"movie|novel|story|company) (?:they|he|she|you|we|everyone|everybody|people)\b|"
        r"\bi (?:heard|read (?:that|somewhere|online|an? |in an? |on (?:reddit|the web)))\b|"
        r"\b(?:reddit|twitter|stack ?overflow|"
        r"hacker news|blog post|article|podcast|tutorial) (?:says?|said|claims?|recommends?|"
        r"suggests?|thinks?)\b"
    ),
    "not_said": _c(
        r"(?<!things )(?<!what )(?<!files )(?<!stuff )\b(?:i|we) (?:never|didnt|did not|"
        r"havent|have not|wasnt|am not|im not) (?:actually )?(?:said|say|saying|mean|meant|"
        r"want|ask|asked|asking|want you to|decide|decided|agree|agreed|told|tell|request|"
        r"requested|suggest|suggesting|propos\w+)\b|\bim not (?:saying|asking|suggesting|"
        r"proposing|telling|deciding)\b|\bi (?:only |just |merely )?(?:mentioned|quoted|"
        r"cited|described|was (?:describing|quoting|"
        r"asking|wondering|joking|venting|talking about|comparing))\b|"
        r"\bthats all(?: i (?:said|asked|meant))?(?=\W*$)|"
        r"\bnot (?:removing|replacing|deleting|dropping) (?:it|them)\b|\bdont read (?:too much )?into\b|"
        r"\bnobody (?:has |here )?(?:\w+ )?(?:said|decided|"
        r"asked|wants|agreed|told|is)\b|\bno ?one (?:has )?(?:said|decided|asked|agreed)\b"
        r"|\bthats not what i\b|\bnot what i (?:meant|said|asked)\b|\byou misunderstood\b|"
        r"\byou misread\b|\bmisread (?:me|that|my (?:message|note to|mail|words|request))\b|"
        r"\bmisunderst\w+\b|"
        r"\bto be clear\b.*\b(?:not|nobody|no one|never|nothing)\b|\bi (?:only|"
        r"just) (?:asked|wanted|meant)\b|\bwhere did (?:you|that)\b|\bi meant (?:to|that|it|the|"
        r"this|only|just|as)\b|\bwho said\b|"
        r"\bdont read (?:that|this|it) as\b|\bnothing (?:has been |was |is |has )?(?:decided|"
        r"agreed|settled)\b"
    ),
    "this_piece": _c(
        r"\b(?:on|for|in) the (?:[\w-]+ )?(?:cover|poster|flyer|leaflet|invite|invitation|"
        r"slide|page|banner|handout)\b|"
        r"\b(?:this|that|these|those) (?:\w+ )?(?:change|file|function|method|class|test|"
        r"tests|pr|branch|commit|line|lines|loop|page|screen|component|module|script|query|"
        r"diff|section|paragraph|endpoint|button|bug|issue|ticket|task|error|one|case|part|"
        r"block|snippet|migration|step|patch|hook|spec|version of|release|round)\b|\b(?:this|"
        r"it|that)s? (?:is |one is )?(?:just |only )?for (?:the|a|my|our) "
        r"(?:[\w-]+ ){0,2}(?:slides?|demo|talk|deck|screenshot|presentation|meeting|mail|"
        r"email|post|poster|video|"
        r"workshop|interview|call)\b|\bin the (?:example|screenshot|snippet|slides?|draft|"
        r"attachment)\b|\bonly there\b"
        r"|\b(?:under|inside|in) (?:src|lib|app|test|tests|packages|cmd|internal|spec)/"
    ),
    "deictic": _c(
        r"^(?:\W|and |so |but |ok |oh )*(?:this|that|it|its|thats|these|those|they)\b"
        r"(?! (?:whole )?(?:project|repo|repository|codebase|monorepo|product|app|application|service|team|company|"
        r"library|package|site|platform|system)\b)"
    ),
    "retreat": _c(
        r"\b(?:or maybe not|maybe not|never ?mind|nvm|(?<!dont )forget (?:it|that|i said)|"
        r"scrap that|or not(?=\W*$|[,.;?])|actually no(?=\W*$)|on second thought,? (?:no|"
        r"leave)|dont bother|"
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
        r"\b(?:lets|we|i) (?:go on|continue|carry on|proceed|move on) (?:with|to)\b|"
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
