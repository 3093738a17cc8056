"""What a person keeps choosing becomes an honest recommendation. Pure (design section 5).

The doors, all free of clocks, databases and languages of the process:

    normalise_label(label) -> str                      label without recommendation markers, as people read it
    option_key(label) -> str                           what two spellings of one option share
    match_answer(answer, options, *, displays={}, multi=False) -> Answer
    template_of(question) -> str                       numbers, paths, ids and quoted names out
    likeness(a, b) -> float                            0..1 between two question texts; 0 where opposites meet
    categorise(question) -> str                        one of CATEGORIES
    is_sensitive(question) -> bool
    predict(question, observations, *, now, session="", previous=(), elsewhere=(), base=None, context={},
            settings=DEFAULTS) -> Prediction
    advise(question, prediction, *, policy, lang="en", settings=DEFAULTS) -> Advice
    order_questions(questions, gains) -> Order
    backtest(log, *, base=None, settings=DEFAULTS) -> Backtest
    suggest_rate(log, *, base=None, settings=DEFAULTS) -> float | None
"""
