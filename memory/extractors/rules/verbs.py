"""English verbs by what they do in a sentence: describe a state, or open an order."""

from __future__ import annotations

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
