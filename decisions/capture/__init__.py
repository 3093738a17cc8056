"""What a client's payload says, and what of it is a person's choice. Pure (design section 5, "Not an observation").

clean.redacted(value) -> value                 every string redacted, every number storable
reading.read_hook(payload) -> Call | Refused   shape and contradictions of one call
judging.judge(call, asked, ...) -> Judged      observed or skipped, and why
context.context_of(...) -> dict                where the question was asked
identity.Identity.of(question)                 what makes two questions the same one
"""
