"""Phrases about what is to be done: changing, testing, searching, showing, refusing."""

ORDERS = {
    "CONDITION": (
        "condition, conditions, filter, filters, rule, rules, trigger, triggers, requirement, criteria, criterion, "
        "threshold, thresholds, signal, signals, part, constraint, constraints, gate, clause, entry rule, entry "
        "rules, entry condition, entry conditions, buy condition, buy conditions, buy rule, buy rules, leg"
    ),
    "RAISE": (
        "raise, deeper, steeper, raises, increase, increases, increasing, bump, bump up, boost, widen, loosen, "
        "extend, lengthen, raising, move up the, crank up, higher, bigger, wider, looser, longer, larger, up the, "
        "push up, push, expand, ratchet up, lift, lifts, jack up, hike, upsize, add more to, enlarge, relax, ease, "
        "more room, make larger, make bigger, make higher, make wider, make longer, give more, greater, stretch, "
        "turn up, bring up, dial up, up my, up your, greater by, upped, up it, up it by, bump it, bump it up, raise "
        "it, increase it, more generous, roomier, more distance, extend it, lengthen it, widen it, loosen it, make "
        "it bigger, make it wider, make it longer, make it larger, make it higher, further away, further out, "
        "deepen, deepens, heighten, crank, crank it up, turn it up, beef up"
    ),
    "REDUCE": (
        "lower, shallower, reduce, reduces, decrease, decreases, decreased, decreasing, tighten, shorten, shrink, "
        "trim, narrow, lowering, reducing, tightening, bring down, tighter, smaller, shorter, bring in, drop it by, "
        "dial down, knock, shave, dial back, take down, closer, cut down, cut back, ratchet down, scale down, "
        "downsize, compress, restrict, squeeze, slim, make tighter, make smaller, make lower, make shorter, turn "
        "down, move down the, drop it to, drop it down to, nearer, lessen, slash, bring it down, lower it, reduce "
        "it, tighten it, shorten it, shrink it, decrease it, cut it down, trim it, bring it in, less room, less by, "
        "tighten up, clip, make it tighter, make it smaller, make it shorter, make it lower, pull in, pull it in, "
        "scale back, ease down, closer in, dial it down, dial it back, drop it a bit"
    ),
    "HALVE": (
        "halve, halves, in half, by half, cut in half, half of what it is, half as, halved, cut by half, cut it in "
        "half, in two, half the size of, reduce by half, half it, by a half, half as big, half as much, half as "
        "long, half as wide, half its size, half the current, half of the current, half of what it was, half of "
        "what it is now, down to half, to half, by fifty percent, chop in half, slice in half, split in half, "
        "reduce it by half"
    ),
    "REMOVE": (
        "remove, removes, removing, delete, deletes, deleting, clear, ditch, scrap, scratch, kill, disable, get rid "
        "of, take out, take off, take it out, take it off, turn off, switch off, throw out, strip, eliminate, "
        "erase, no more, drop the, drop my, drop that, lose the, discard, deactivate, rm, cancel the, cut out, axe, "
        "get rid, leave out, drop all, dump the, stop using, erase the, without the, toss, nix, turn it off, do "
        "away with, unset, wipe the, removed, deleted, drop both, take away, take away the, get rid of the, throw "
        "away, throw out the, bin, drop out the, discard the, switch it off, dont use the, disable the, off with, "
        "lose my, lose that, cut out the, delete the, erase my, cancel my, kill my, kill off, wipe, wipe out, wipe "
        "off, pull the, drop this, drop any, drop every, drop its, forget the, forget about the, forget my, rip "
        "out, yank, yeet, chuck, chuck out, dump my, dump that, dismiss, revoke, nuke the, nuke my, strip out, "
        "strip off, kick out, drop off the, leave off, without any, cross out, exclude, omit, skip the, rid of, rid "
        "me of, disregard the, ignore the, nuke that, get that out, pull out the, take that out, turn that off, "
        "remove that, kill that, scrap that, scrap the, delete that, strip away, take out my, take out the, no "
        "longer want, no longer need, no longer use, no longer like, no longer want the, no longer need the, no "
        "longer want a, no longer need a"
    ),
    "REPLACE": ("replace, substitute, swap out, exchange, replacing, swap the, exchange the, substitutes, instead put"),
    "RESET": (
        "start over, reset, start from scratch, from scratch, start fresh, start again, begin again, wipe "
        "everything, clear everything, clear it all, delete everything, remove everything, new strategy, start "
        "anew, fresh start, clean slate, wipe it clean, wipe the slate, wipe the strategy, clear the strategy, "
        "clear my strategy, delete the strategy, delete my strategy, remove the strategy, remove my strategy, reset "
        "everything, reset the strategy, begin anew, begin from scratch, start all over, do it over, wipe it, erase "
        "everything, scrap everything, scrap it all, throw everything out, throw it all out"
    ),
    "ADD": (
        "require, requires, add, adds, adding, also, plus, additionally, as well, too, in addition, another "
        "condition, include, on top, extra condition, append, as an extra, and also, extra filter, extra rule, "
        "extra confirmation, add on, additional, additional condition, further condition, along with that, on top "
        "of that, besides that, moreover, furthermore, combine with, combine it with, together with, throw in, tack "
        "on, put in also, plus also, tag on, mix in, throw on, put on top, attach, also include, with an extra, "
        "with an additional, one more condition, one more filter, one more rule, one more requirement, one more "
        "thing to check, an additional filter, an extra filter, an extra condition, another filter, another rule, "
        "another requirement, and another, combined with, in combination with, besides, as another condition, as an "
        "additional condition, on top of it, on top of this, must also, should also, needs to also, has to also, it "
        "should also, confirm with, confirmed by, with confirmation of, provided that, provided, as long as, so "
        "long as, given that, on the condition that, only as long as, add another condition, add another filter, "
        "add another rule, add a new condition, add a new filter, add a new rule"
    ),
    "NOT": (
        "not, dont, do not, never, no, isnt, arent, didnt, doesnt, does not, did not, cant, cannot, wont, wouldnt, "
        "shouldnt, havent, hasnt, wasnt, werent, none, neither, nah, nope, no need, no need to, not gonna, without, "
        "couldnt, nothing, refuse, avoid, aint, hold off, stop asking, dnt, doesn t, don t, nor, donot, dont you, "
        "do nt, dont ever, no longer, nvr, please stop, dont wanna, never ever, wouldn t, can t, won t, isn t, "
        "shouldn t, stop telling me, stop suggesting, hasn t, didn t, aren t, wasn t, havent got, by no means, "
        "under no circumstances, not yet, never again, neither of, nowhere, no intention, hell no, rather not, id "
        "rather not, not going to, not planning, quit asking, stop it with, anything but, everything but, all but, "
        "in no case, please dont, pls dont"
    ),
    "FORGET": (
        "never mind, nevermind, nvm, forget it, forget that, cancel, cancel that, scratch that, drop it, leave it, "
        "abort that, ignore that, forget about it, disregard, skip it, forget everything, forget all that, forget "
        "what i said, never mind that, nm, forget this, cancel this, ignore me, ignore my last message, ignore what "
        "i said, drop that idea, leave that, leave it be, skip that, dont bother, dont worry, my bad, cancel it, "
        "let it be, leave it as is, leave it alone, leave it like that, keep it as is, keep it like that, cancel "
        "all that, ignore my message, scratch it, disregard that, forget what i just said, forget i said that, "
        "forget i asked, just kidding, jk, no worries, all good"
    ),
    "INSTEAD": "instead of, rather than, in place of, in lieu of, as opposed to, replacing the",
    "ANY": (
        "one is enough, or instead of and, make it or, use or, match any, any, either, any of, either of, either "
        "one, any one, one of, at least one of, any one of, whichever, use any, match either, only one of, one or "
        "the other, just one of them, just one of, any single one, one of them, either or, any condition, one of "
        "the two, one of these, or logic, an or, just one of the two, either of them, either of these, either of "
        "those, any of these, any of those, any of them, any one of them, one of them is enough, one of these is "
        "enough, one of those, one of those is enough, one suffices, one will do, one of the conditions, at least "
        "one condition, or condition, use or logic, or between, with or, one condition is sufficient, one condition "
        "is enough, one is sufficient, one rule is enough, one rule is sufficient, a single condition is enough, a "
        "single one is enough, a single condition is sufficient, just one condition is enough, one alone is enough, "
        "one condition suffices, one of the two is enough, either one is enough, either is enough, either one is "
        "sufficient, either is sufficient"
    ),
    "ALL": (
        "and instead of or, make it and, use and, match all, both, all, all of, every condition, both of, all "
        "three, all conditions, all of these, all of them, each condition, match both, need both, needs both, all "
        "must hold, both must hold, all at once, both at once, both at the same time, all at the same time, "
        "simultaneously, all together, each of them, every one of them, all of those, both of them, both "
        "conditions, and logic, an and, every rule, all rules, both rules, require both, require all, every single "
        "condition, all of the conditions, all of the rules, both together, both of these, both of those, must "
        "both, all have to, both have to, all must be, both must be, all need to, both need to, and condition, and "
        "between, use and logic, with and, all need to hold, both need to hold, all need to be true, both need to "
        "be true, must all, everything must hold, all together now, both at the same moment"
    ),
    "TEST": (
        "backtest, back test, backtests, backtesting, backtested, retest, re test, test, tests, testing, test it, "
        "backtst, test run, run a test, bt, back testing, re run, rerun, historical test, try it out, try it, run "
        "it, run this, run the strategy, run my strategy, test drive, btest, past data, historical data, historic "
        "data, old data, historical prices, past prices, price history, market history, on history, against "
        "history, through history, over history, historical run, history test, give it a spin, give it a whirl, "
        "give it a go, give it a try, give it a shot, give this a spin, give this a go, give this a try, give that "
        "a go, give that a try, take it for a spin, put it to the test, put this to the test, test this, test that, "
        "test this out, test it out, test the strategy, test my strategy, test the bot, run a back test, run a "
        "backtest, run the backtest, run backtest, run the numbers, crunch the numbers, evaluate it, validate it, "
        "verify it on, try this, try this out, try that out, try the strategy, try my strategy, try this strategy, "
        "try that strategy, run that, run that strategy, run this strategy, run this thing, run my bot on, bactest, "
        "backtester, re backtest, rebacktest, redo the test, redo the backtest, repeat the test, repeat the "
        "backtest, bktest, bckt, past performance, historical performance, simulate the past, simulate the last, "
        "see how it does, see how it performs, see how it would perform, see how it would do, see how it holds up, "
        "see how this does, see how this performs, historically, hist test, historical backtest, check it against "
        "history, check this against history, check against history, run it on history, run through history, run it "
        "through history, run it through the past, run on past data, run the test, run that test, run test, run "
        "tests, do the test, do a test, make a test, make a backtest, perform a backtest, perform a test, test that "
        "out, test the thing, test run it, lets test, back-test, back tst, bakctest, backest, bcaktest, backtets, "
        "baktest, test against the past, over the past data, past market data, check the history, see if it works, "
        "see if this works, see if it would work, see whether it works, see how it did, see how it fares, see how "
        "it would have, see how this would, play it back, do a dry backtest, run a simulation of the past, give it "
        "a test, give this a test, give that a test, put it through its paces, stress test, try that, try that on, "
        "check how it did, check how it performs, check how this performs, check how this did, check how it would, "
        "check its performance"
    ),
    "SIMULATION": (
        "simulation, simulations, simulate, simulates, simulating, sim, sims, paper trade, paper trading, "
        "papertrade, paper trades, papertrading, dry run, paper mode, paper run, replay, paper, forward test, "
        "simulated, paper trading session, paper session, sim run, demo trade, demo trading, practice run, paper "
        "bot, fake money, play money, pretend money, virtual money, monopoly money, paper money, fake cash, play "
        "cash, virtual cash, pretend cash, fake funds, virtual funds, toy money, dummy money, without real money, "
        "no real money, not real money, simulated money, demo, demo mode, demo account, sandbox, sandbox mode, "
        "practice, practice mode, practice trading, practice trade, virtual trading, virtual trade, mock trading, "
        "mock trade, mock run, shadow trading, shadow mode, forward testing, forward run, paper account, paper "
        "trader, paper tradin, paper money mode, simul, simulator, papertrader, pretend trading, fake trading, fake "
        "trade, fake trades, fake trading session, simulation mode, sim mode, trial run, dummy trading, trade on "
        "paper, trading on paper, without risking money, without risking anything, without risking real money, "
        "without using real money, no real cash, without real cash, risk free, without risk, on paper, put it on "
        "paper, with fake money, with play money, with pretend money, sim trade, sim trading, simulated trading, "
        "simulated trade, paper trade it, practise, practise run, test trade, test trading, trial trading, demo "
        "run, pretend run, virtual run, virtual portfolio, paper portfolio, paper test, simulashun, simulaton, "
        "simualtion, simlation, simualte, siumlate, simulat, simluate, ghost trading, live sim"
    ),
    "START": (
        "start, starts, starting, begin, launch, run, runs, running, fire up, kick off, spin up, do, go, execute, "
        "start up, try, boot, activate, turn on, switch on, get going, get started, commence, initiate, engage, set "
        "off, trigger a, bring online, boot up, open up, resume, crank up the, lets begin, lets go, get it going, "
        "get it running, set it going, set it loose, let it loose, let it rip, fire it up, fire off, kick it off, "
        "start it up, spin it up, boot it up, crank it, go ahead with, proceed with, roll out, deploy it, unleash, "
        "trigger the simulation, power up, lets run, lets start, let it run, let this run, let the bot run"
    ),
    "END": (
        "end, halt, quit, terminate, abort, shut down, shut off, stop it, finish, pull the plug on, kill it, shut "
        "it down, shut, ending, end it, cease, stop now, wrap up, call it off, call off, terminates, interrupt, "
        "pull the plug, discontinue, knock off, stop this, stop that, end this, kill this, halt it, halt this, "
        "cease it, close down, power down, wind down, turn it off now, switch it off now, thats enough, enough of, "
        "finish up, stop everything, stop all, cut short, call it a day, call it quits, bring to an end, put an end "
        "to"
    ),
    "CANDLE": (
        "candle, candles, kline, klines, bar, bars, chart, charts, interval, candlestick, candlesticks, ticks, tf, "
        "candle size, candle length, minute candles, timeframe candles, resolution, granularity, candle interval, "
        "kline interval, bar size, candle width, timeframe of, bar length, bar interval, minute bars, hourly bars, "
        "candlestick size"
    ),
    "FEE": (
        "fee, fees, commission, commissions, trading fee, trading fees, fee percent, trading cost, trading costs, "
        "costs, cost per trade, transaction fee, transaction fees, transaction costs, maker fee, taker fee, "
        "exchange fee, exchange fees, fee rate, fees per trade, fee per trade, percent fees, swap fee, swap fees, "
        "taker fees, maker fees"
    ),
    "SLIPPAGE": "slippage",
    "AGAIN": (
        "again, once more, one more time, another run, another time, another go, over again, one more run, afresh, "
        "repeat it, redo it, repeat that, do it again, run it back, do over"
    ),
    "LIVE": (
        "live, real time, realtime, live mode, live market, live data, live prices, real market, real time market, "
        "real time data, as it happens"
    ),
    "CHECK": "check, checks, checking, every, each, poll, polling, tick",
    "BOT": "bot, bots, robot, robots, trading bot, tradebot, trade bot, trader bot, bott",
    "STRATEGY": (
        "strategy, strat, strats, strategies, setup, plan, rules of the bot, config, configuration, ruleset, rule "
        "set, current rules, settings, setting, my rules, game plan, gameplan, system, approach, trading plan, "
        "trading strategy, params, parameters, logic"
    ),
    "TOKEN": (
        "token, tokens, coin, coins, ticker, crypto, pair, asset, memecoin, shitcoin, altcoin, cryptocurrency, "
        "cryptos, meme coin, memecoins, meme coins, altcoins, shitcoins, symbol, currency, project, pool"
    ),
    "CREATE": (
        "create, creates, new, build, creating, set up, make me, setup a, spin up a, another, make a, make an, make "
        "new, make another, make one, set me up, build me, build a, create me, spin up another, brand new, "
        "generate, a fresh, start a new, begin a new, open a new, set up another, set up a, set up a new, make me a "
        "new, make me another, create me a, create another, create a new, create one, i need a new, i want a new, i "
        "need another, i want another, new one, one more, spin me up, start another, launch a new, whip up, cook "
        "up, whip me up, get me a new"
    ),
    "CALLED": (
        "called, named, name it, call it, with the name, name, titled, by the name of, naming, calling it, "
        "labelled, labeled, by name, name as, whose name, with name, named it, lets call it, lets name it, its "
        "name, i call it, we call it, the name, dubbed, label it, title it, call this, call this one, call the bot, "
        "call that, call him, call her, name this, name this one, name the bot, name him, name her, name that, lets "
        "call him, lets call her, give it the name, with the title, going by, that goes by, known as, goes by the "
        "name of, nicknamed, with the nickname, it is called, its called, to be called, to be named, should be "
        "called, should be named"
    ),
    "SWITCH": (
        "switch, swap, select, choose, open, load, activate the, change bot, switch over, use bot, go to bot, "
        "switch back, work on, jump to, change to, lets do, let us do, go with, work with, pick, talk about, change "
        "over to, hop to, hop over to, move over to, jump over to, flip to, swap to, swap over to, go over to, take "
        "me to, bring me to, lets go to, lets talk about, speak about, focus on, continue with, lets work on, lets "
        "use, lets look at, get me to, switch me to, move me to, put me on, change me to, hop on to, lets switch, "
        "move on to, return to, take me back to, go back over to, change my bot to, change the bot to, make active, "
        "set active, set as active, use the bot, link, connect, link to, connect to, i want to work on, i wanna "
        "work on, i want to use, lets continue with, now use, now lets use, work with the"
    ),
    "SEARCH": (
        "info on, info about, any info on, details on, details about, search, find, lookup, look up, look for, "
        "search for, find me, search token, searching, looking for, search up, hunt for, locate, get info on, info "
        "for, information on, information about, tell me about the token, tell me about the coin, look into, scan "
        "for, browse, find token, find the token, find coin, find the coin, find a token, find a coin, tell me "
        "about token, tell me about coin, check out, dig up, google, token search, search coin, coin search, search "
        "the market for, search tokens, search coins, search a token, show token, show coin, show me the token, "
        "show me the coin, look for token, look for coin, look up token, look up coin, look for a token called, "
        "quote for, quote of"
    ),
    "RISK": (
        "risk, risky, risks, rug, rugpull, rug pull, scam, scammy, safe, honeypot, honey pot, trust, legit, tax, "
        "taxes, dangerous, audit, sketchy, secure, sell tax, buy tax, rugged, security, shady, sus, trustworthy, "
        "red flag, red flags, fishy, dodgy, shitty contract, reliable, reputable, trusted, trustable, unsafe, "
        "safety, safety check, risk check, risk score, risk level, rug risk, rug check, scam check, hazardous, "
        "malicious, danger, audited, backdoor, mintable, exit scam, honeypotted, buy or sell tax, can i sell, sell "
        "taxes, buy taxes, rugging, rugs, scams, legitimate, ok to trade, safe to trade, safe to buy, warning "
        "signs, worry about, worried about, be careful with, rug me, rugpulls, is it a rug, get rugged, be rugged, "
        "be trusted, any warnings, warnings, honeypots, can be sold, sellable, is it safe, how safe, how risky, how "
        "dangerous, scam or not, rug or not, legit or not, legit or scam, a scam, a rug, a honeypot, contract risk, "
        "token risk, safety score, safety of, risk of, risk for, security of, security check, trust score, due "
        "diligence, dyor, vet, ponzi, fraud, fraudulent, suspicious"
    ),
    "UNDO": (
        "old strategy back, previous strategy back, reverse the last change, reverse the change, old one back, "
        "undo, revert, rollback, roll back, ctrl z, control z, take that back, take it back, put it back, go back "
        "to the old, go back to the previous, restore, go back, back to the old, back to the previous, back to how "
        "it was, as it was before, how it was before, reverse that, put that back, cmd z, undo that, roll that "
        "back, change it back, change that back, bring back the old, bring it back, bring back the previous, set it "
        "back, undo it, undone, undo everything, undo my change, undo my last change, undo the change, undo "
        "changes, unchange, unde, undu, one step back, go one back, back out that, back that out, back out of that, "
        "reinstate, return to the previous, return to the old, return to how it was, revert back, revert it, "
        "rewind, reset to the previous, reset to previous, wind back, walk that back, walk it back, unmake, unset "
        "that, un do, back up one step, reverse, take back, back to before, back to what it was, back to where it "
        "was, back to what we had, back to what i had, to what it was, to what it was before, as it was earlier, "
        "how it was earlier, as before the change, restore it, restore that, undo last, undo the last, undo my "
        "last, undo your last, reverse it, reverse my last, put things back, set things back, change things back, "
        "bring that back, get it back, get that back, give it back, go back one, go back a step, step back, one "
        "back, back one step, back a step, back up a step, unod, udno, undoo, unddo, revet, revrt, rever, reversal "
        "of that, take that change back, take the change back, cancel the last change, cancel my last change, "
        "cancel that change, cancel the change, drop the last change, drop that change, forget the last change, "
        "forget that change, scrap that change, scrap the last change, scrap the change, scratch that change, "
        "discard that change, discard the last change, discard the change, ditch that change, remove that change, "
        "remove the last change, kill that change, throw that change out, reject that change, nix that, nix that "
        "change, leave it as it was before, leave it as it was, leave it how it was, keep it as it was, keep it how "
        "it was, keep the old one, keep the old strategy, keep the previous one, i want the old one back, i want it "
        "back, i preferred the old one, i preferred it before, i liked it before, liked it better before, put back "
        "the old, put the old, set back, return it, back to normal, back to original, back to the original, back to "
        "the first, turn it back, turn that back, switch it back, switch that back, flip it back, change back, "
        "change everything back, swap it back, roll it back, roll this back, roll things back, roll everything "
        "back, roll them back, put this back, put everything back, put them back, set that back, set this back, set "
        "everything back, set them back, change this back, change them back, take this back, take things back, take "
        "everything back, take them back, bring this back, bring things back, bring everything back, bring them "
        "back, turn this back, turn things back, turn everything back, turn them back, switch this back, switch "
        "things back, switch everything back, switch them back, get this back, get things back, get everything "
        "back, get them back, wind it back, wind that back, wind this back, wind things back, wind everything back, "
        "wind them back, walk this back, walk things back, walk everything back, walk them back, give that back, "
        "give this back, give things back, give everything back, give them back, flip that back, flip this back, "
        "flip things back, flip everything back, flip them back, swap that back, swap this back, swap things back, "
        "swap everything back, swap them back, move it back, move that back, move this back, move things back, move "
        "everything back, move them back"
    ),
    "SHOW": (
        "show, explain, describe, tell, summarize, summarise, display, see, print, read, remind, walk me through, "
        "recap, summary, elaborate, clarify, pull up, bring up my, show me, give me a summary, sum up, list out, "
        "spell out, lay out, outline, read back, read me, read out, take a look at, status of, overview, overview "
        "of, tell me about, talk me through, run me through, what is in, refresh my memory, give me the details, "
        "details of, break down my, break it down, in plain english, in plain words, give me an overview, give me a "
        "rundown, rundown, rundown of, fill me in, bring me up to speed, remind me of, remind me what, let me see, "
        "i want to see, can i see, may i see, wanna see, list the rules, list my rules, list all rules, print out, "
        "describe to me, talk through, go over my, go over the, read my, repeat my, repeat the strategy"
    ),
    "RESULT": (
        "result, results, outcome, performance, perform, performed, performing, pnl, returns, return, win rate, "
        "winrate, report, numbers, stats, metrics, outcomes, backtest results, test results, backtest result, test "
        "result, figures, win ratio, drawdown of it, how it went, profit and loss, p and l, scorecard, sharpe, "
        "sharpe ratio, max drawdown, roi, total return, total returns, final balance, equity curve, how many wins, "
        "number of trades, trade count, outcome of, track record, payoff, bottom line, the score, profit factor, "
        "net profit, net result, how well did, final result, overall result, last results, test stats, test report, "
        "ending balance, end balance, net return"
    ),
    "SAME": (
        "same, same thing, same again, the same, as before, like before, identical, unchanged period, just like "
        "before, same as before, same as last time, same settings, same period, same as is, same window, the same "
        "as before, same test, same run, same backtest"
    ),
    "TOOMUCH": (
        "too tight, too loose, too small, too big, too wide, too short, too long, too much, too little, too low, "
        "too high, too close, too far, too risky, too early, too late, too soon, too narrow, too strict, too large, "
        "too slow, too fast, too greedy, too conservative, too aggressive, not enough, not tight enough, not wide "
        "enough, way too much, insufficient, too few, too many, too generous, too deep, too shallow, a bit much, a "
        "bit low, a bit high, a bit tight, a bit loose, too cautious, too careful, too jumpy, too nervous, too "
        "twitchy, too sensitive, too ambitious, too optimistic, too rich, too stingy, too steep, too thin, too "
        "nearby, too near, too far away, too far off, too quick, too hasty, too lax, too slack, too safe, too "
        "brave, too crazy, a bit wide, a bit short, a bit long, a bit small, a bit big, a bit far, a bit close, a "
        "bit greedy, a little tight, a little low, a little high, a little wide, a little short, a little long, a "
        "little much, a little loose, a tad low, a tad high, a tad tight, a tad much, kinda tight, kinda low, kinda "
        "high, kinda wide, kinda short, kinda long, pretty tight, very tight, super tight, really tight, so tight, "
        "quite tight, feels tight, feels wide, feels short, feels long, feels small, feels low, feels high, feels "
        "loose, feels greedy, feels risky, feels close, feels far, feels big, feels deep, feels shallow, feels "
        "narrow, feels strict, seems tight, seems wide, seems short, seems long, seems small, seems low, seems "
        "high, seems loose, seems greedy, seems risky, seems close, seems far, seems big, seems deep, seems "
        "shallow, seems narrow, seems strict, feels too much, bit tight, bit low, bit high, bit wide, bit much"
    ),
    "FOREVER": (
        "forever, for ever, indefinitely, as long as it takes, as long as it wants, as long as needed, no matter "
        "how long, however long it takes, for as long as it takes, without a time limit, until kingdom come, for "
        "all eternity"
    ),
    "EARLIER": (
        "previous settings, old settings, previous setting, old setting, previous setup, old setup, earlier "
        "version, earlier settings, prior version, last version, former settings, previous state, previous one, old "
        "one, previous strategy, old strategy, earlier strategy, prior strategy, previous version, old version, "
        "original version, original settings, original strategy, old values, previous values, old rules, previous "
        "rules, old config, previous config, old strat, previous strat, before this change, before that change, "
        "before the change, before the last change, before my change, before my last change, the way it was, like "
        "it was, like it was before, the way it was before, how it was, as it was, how it used to be"
    ),
    "EXCEPT": "except, except for, apart from, aside from, other than, with the exception of",
}
