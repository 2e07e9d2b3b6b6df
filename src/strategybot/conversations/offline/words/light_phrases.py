"""Phrases that are read over, like filler words: a message may hold any of these and still be clear."""

LIGHT = {
    "anymore": "any longer",
    "but": "however, nevertheless, nonetheless",
    "then": "once thats in, once thats done, once thats set, when thats done, when thats in, once that is done",
    "this": "the following strategy, the following",
    "within": "in the space of, within the space of, in the course of, over the course of, in the span of",
    "passed": "have passed, has passed, passed, have elapsed, has elapsed, elapsed, have gone by, has gone by",
    "enough": "should do, would do, will do the job, does the job, do the job, will suffice",
    "dipbuyer": "dip buying, dip buyer, a dip buyer",
    "safeguards": "risk management, risk settings, risk rules, risk controls",
    "otherway": "other way round, other way around, the other way round, the other way around",
    "FILL": (
        "what i have in mind is this, what i have in mind is, what i have in mind, what i want is this, what i want "
        "is, what i need is, what id like is, heres what i want, hello my friend, hi my friend, hey my friend, "
        "nothing fancy, that would be lovely, that would be perfect, that would be awesome, keep it simple, "
        "keep it calm, "
        "as follows, like so, into account, into consideration, "
        "do the needful and, do the needful, do one thing, carry out, in my view, in my opinion, some air, "
        "more air, some space, some slack, "
        "up to, at least, at most, at the least, no matter what, falling knife, falling knives, longer than, no "
        "longer than, not longer than, no more than, not more than, no later than, no less than, the way down, as "
        "far, by the way, right now, stay the same, stays the same, leave the rest, keep the rest, keep everything "
        "else, rest stays, the rest stays, nothing else, as is, the rest as is, no matter, at the latest, at "
        "latest, of the time, for me, a drop of rum, look like, looks like, set to, in total, everything else, all "
        "else, leave everything else, leave everything, keep everything, keep everything else the same, everything "
        "stays, everything the same, rest unchanged, the rest unchanged, leave the others, keep the others, the "
        "other settings, other settings, the other values, all other settings, no less, not less than, not under, "
        "mean reversion, trend following, swing trade, swing trading, on the way, if "
        "possible, as usual, in general, in one go, at a time, for now, for the moment, from now on, as of now, "
        "going forward, at once, right away, straight away, one more thing, by default, or so, and more, or better, "
        "or worse, all else equal, "
        "or so percent, with a bit of, more or less, give or take, no problem, so to say, kind of, sort of, what i "
        "want is, the thing is, i would say, let us say, lets say, if nothing happens, if nothing else happens, if "
        "nothing has happened, if nothing is hit, go ahead and, go ahead, real quick, real fast, real soon, if "
        "thats possible, if possible please, if you can, if you could, if thats ok, if its possible, if thats "
        "alright, if you dont mind, if thats okay, thats all, thats it, thats it for now, on the way down, on the "
        "way up, the whole way, for a start, to start with, to begin with, for starters, first of all, last but not "
        "least, at all times, every single time, all the time, at any time, in the meantime, in any case, in short, "
        "in other words, long story short, on average, at the very least, at the very most, at the max, at the "
        "minimum, or whatever, and stuff, and so on, or something, or something like that, something like, some "
        "kind of, a little bit, a tiny bit, a bit, a little, a touch, a tad, a hair, on the dot, give or take a "
        "bit, plus minus, over and out, keep the others as they are, keep the other settings, leave all else, leave "
        "everything else as is, leave everything else alone, everything else stays, everything else stays the same, "
        "everything else same, everything else unchanged, all other things equal, the others stay, others "
        "unchanged, other things stay, the rest remains, rest remains, the rest can stay, the rest is fine, rest is "
        "fine, rest is good, the rest is good, the rest as it is, rest as is, keep the rest as is, keep the rest "
        "the same, leave the rest as is, leave the rest alone, leave the rest as it is, same for the rest, but "
        "nothing else, and nothing else, without further ado, no more no less, exactly as i said, like i said, as i "
        "said, as mentioned, as discussed, so that it, such that, in that case, in this case, no ifs no buts, thank "
        "you so much, thanks a lot, thanks in advance, many thanks, cheers mate, have a nice day, good morning, "
        "good evening, good afternoon, nice to meet you, hope youre well, i think thats it, that would be great, "
        "would be great, would be nice, would be cool, would be awesome, that would be nice, that would be cool, at "
        "the moment, on second thought, on second thoughts, now that i think about it, come to think of it, "
        "thinking about it, whichever first, whatever first, whichever is first, whatever is first, whatever "
        "comes first, whatever happens first, "
        "whichever happens first, whichever hits first, whatever hits first, whichever comes first, whichever is "
        "sooner, whatever is sooner, whichever is earlier, whichever comes sooner, older than, any "
        "longer than, i would love if, i would love to, id love to, id love it if, i would love it if, would love "
        "to, id love if, i would love for, id love for, it would be great if, it would be nice if, it would be cool "
        "if, would be great if, would be nice if, would be cool if, would be awesome if, i would appreciate if, id "
        "appreciate if, i would appreciate it if, id appreciate it if, i would be happy if, id be happy if"
    ),
}
