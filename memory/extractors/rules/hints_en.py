"""Weaker English cues: reasons, states, habits, dates, and what a sentence speaks of.

Alone they settle nothing; the judge weighs them together.  Matched on `forms.cue_form` text as `cues_en`.
"""

from __future__ import annotations

import re

from memory.extractors.rules.forms import cue as _c
from memory.extractors.rules.verbs import STATIVE

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
        r"\b(?:because|cause|cuz|coz|bc|since(?! (?:then|\d|the \d|last|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|"
        r"nov|dec))|otherwise|so that|due to|or else|thats why|"
        r"which is why|the reason|so (?:it|that|we|i|you|nobody|they|the|dont|keep|please|no|"
        r"never)|as (?:it|we|they|the|that|our)|too (?:heavy|slow|big|expensive|fragile|much|"
        r"costly|risky|brittle|noisy|old|many))\b"
    ),
    # The thing that outlives every task, named as such.
    "own_project": _c(
        r"\b(?:this|the|our) (?:whole )?(?:project|repo|repository|codebase|monorepo|product|app|application|service|"
        r"team|company|library|package|site|platform|system)\b"
    ),
    # What we do as a habit, told in the present.
    "we_do": _c(
        r"^(?:\W|ok |so |and |but |btw,? |fyi,? |here |for .{2,30}?,? )*we (?:\w+ly |all |always |only |just |still |"
        r"both )*(?:use|run|build|deploy|host|ship|store|write|target|support|test|pin|follow|log|sign|tag|cut|bill|"
        r"charge|publish|serve|name|call|speak|count|measure|own|rent|buy|pay|sell|attach|bump|review|release|"
        r"squash|rebase|document|translate|version|rely|depend|track|keep|send|work)\b"
    ),
    # What the work itself is made of: rules speak of these, facts of everything else.
    "artefact": _c(
        r"\b(?:prs?|pull requests?|commits?|branch(?:es)?(?: names?)?|merges?|deploys?|deployments?|releases?|"
        r"hot ?fix(?:es)?|tickets?|issues?|migrations?|changes?|reviews?|tests?|flags?|endpoints?|screens?|"
        r"(?:source |new )files?|tables?|indexes|strings?|incidents?|tags?|secrets?|logging|docs|changelog|"
        r"anything (?:under|in|below)|todo)\b"
    ),
    "deontic": _c(
        r"\b(?:must|has to|have to|needs?|gets?|requires?|carry|carries|goes? (?:through|in|into)|starts? with|"
        r"ends? (?:with|in)|belongs? in|comes? with|never (?:go|goes|get|gets)|"
        r"(?:is|are) (?:always |never |only )?(?:required|mandatory|forbidden|banned|reviewed|"
        r"tagged|cut|created|edited|"
        r"branched|merged|signed|squashed|named|written|quarantined|done)|isnt done|not done until|"
        r"(?:is|are) not allowed|first, then)\b"
    ),
    # Something went wrong, told as over.
    "failed": _c(
        r"\b(?:went|was|were|got|came out|ran|fell|read) (?:\w+ )?(?:wrong|down|empty|out of|"
        r"garbled|offline|late|twice|"
        r"lost|blank|corrupt\w*|over|stale|full|zero|broken|duplicated|stuck)\b|\b(?:broke|crashed|failed|leaked|"
        r"vanished|stalled|slipped through|lost|disappeared|froze|hung|timed out|deleted the|overwrote|exploded|"
        r"bounced|misfired|stopped working)\b|\b(?:twice|three times|\w+ times|too (?:much|many|little|late|early))\b|"
        r"\b(?:took|cost) (?:us|me) (?:a |an |\w+ )?(?:hours?|days?|weeks?|nights?)\b|\b(?:bug|outage|incident|"
        r"freeze|downtime|without \w+ing|silently|unnoticed|accidentally|by (?:accident|mistake)|forgot(?:ten)?)\b"
    ),
    # With a date: something begins, ends or changes hands on that day.
    "scheduled": _c(
        r"\b(?:starts?|began|begins?|ends?|expires?|closes?|opens?|launch(?:es|ed)|(?:goes|went) live|arrived|bought|"
        r"passed|accepts?|takes?|took|joined|left|was founded|changed|came out|began|moves?|stops?|stopped|raised)\b"
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
        r"\b(?:overruled|corrected|outvoted|vetoed) (?:me|us)\b|"
        r"\bthat(?:s| is| was) (?:last \w+|the (?:old|previous|former|other|wrong)|wrong|"
        r"not right|incorrect|outdated|stale|"
        r"not true)\b|\bthe other way\b|"
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
        r"\b(?:oops|whoops)\b|\bno sorry\b|\bi (?:must|have to|need to|should|"
        r"want to) (?:retract|correct|take back|withdraw)\b|"
        r"\b(?:i|we) (?:misread|misremembered|mistyped|mixed (?:up|it up|them up)|confused|"
        r"got (?:it|that|this|them) "
        r"(?:wrong|backwards?|mixed|the wrong))\b|\bmisread (?:my|the|our) (?:own )?\w+|"
        r"\b(?:i )?spoke? too (?:fast|soon|"
        r"quick\w*|early)\b|\bthe other way (?:round|around)?\b|\b(?:got |was |were |"
        r"been )?(?:overruled|vetoed|outvoted)\b|"
        r"\b(?:has|have|is|are) changed since\b|\bafter all\b|"
        r"\bforget what i\b|\bwas (?:outdated|the old|"
        r"from before)\b"
    ),
    "please": _c(r"\b(?:please|pls|plz)\b"),
    "date": DATE,
}
