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
        "turn up, bring up, dial up, up my, up your"
    ),
    "REDUCE": (
        "lower, shallower, reduce, reduces, decrease, decreases, decreased, decreasing, tighten, shorten, shrink, "
        "trim, narrow, lowering, reducing, tightening, bring down, tighter, smaller, shorter, bring in, drop it by,"
        " dial down, knock, shave, dial back, take down, closer, cut down, cut back, ratchet down, scale down, "
        "downsize, compress, restrict, squeeze, slim, make tighter, make smaller, make lower, make shorter, turn "
        "down, move down the, drop it to, drop it down to, nearer, lessen, diminish, slash, bring it down"
    ),
    "HALVE": (
        "halve, halves, in half, by half, cut in half, half of what it is, half as, halved, cut by half, cut it in "
        "half, in two, half the size of, reduce by half, half it, by a half"
    ),
    "REMOVE": (
        "remove, removes, removing, delete, deletes, deleting, clear, ditch, scrap, scratch, kill, disable, get rid"
        " of, take out, take off, take it out, take it off, turn off, switch off, throw out, strip, eliminate, "
        "erase, no more, drop the, drop my, drop that, lose the, discard, deactivate, rm, cancel the, cut out, axe,"
        " get rid, leave out, drop all, dump the, stop using, erase the, without the, toss, nix, turn it off, do "
        "away with, unset, wipe the, removed, deleted, drop both, take away, take away the, get rid of the, throw "
        "away, throw out the, bin, drop out the, discard the, switch it off, dont use the, disable the, off with, "
        "lose my, lose that, cut out the, delete the, erase my, cancel my, kill my, kill off, wipe, wipe out, wipe "
        "off, pull the, drop this, drop any, drop every, drop its, forget the, forget about the, forget my, rip "
        "out, yank, yeet, chuck, chuck out, dump my, dump that, dismiss, revoke, nuke the, nuke my, strip out, "
        "strip off"
    ),
    "REPLACE": ("replace, substitute, swap out, exchange, replacing, swap the, exchange the, substitutes, instead put"),
    "RESET": (
        "start over, reset, start from scratch, from scratch, start fresh, start again, begin again, wipe "
        "everything, clear everything, clear it all, delete everything, remove everything, new strategy, start "
        "anew, fresh start, clean slate, wipe it clean, wipe the slate, wipe the strategy, clear the strategy, "
        "clear my strategy, delete the strategy, delete my strategy, remove the strategy, remove my strategy, reset"
        " everything, reset the strategy, begin anew, begin from scratch, start all over, do it over, wipe it, "
        "erase everything, scrap everything, scrap it all, throw everything out, throw it all out"
    ),
    "ADD": (
        "require, requires, add, adds, adding, also, plus, additionally, as well, too, in addition, another "
        "condition, include, on top, extra condition, append, as an extra, and also, extra filter, extra rule, "
        "extra confirmation, add on, additional, additional condition, further condition, along with that, on top "
        "of that, besides that, moreover, furthermore, combine with, combine it with, together with, throw in, tack"
        " on, put in also, plus also, tag on, mix in"
    ),
    "NOT": (
        "not, dont, do not, never, no, isnt, arent, didnt, doesnt, does not, did not, cant, cannot, wont, wouldnt, "
        "shouldnt, havent, hasnt, wasnt, werent, none, neither, nah, nope, no need, no need to, not gonna, without,"
        " couldnt, nothing, refuse, avoid, aint, hold off, stop asking, dnt, doesn t, don t, nor, donot, dont you, "
        "do nt, dont ever, no longer, nvr, please stop, dont wanna, never ever, wouldn t, can t, won t, isn t, "
        "shouldn t, stop telling me, stop suggesting"
    ),
    "FORGET": (
        "never mind, nevermind, nvm, forget it, forget that, cancel, cancel that, scratch that, drop it, leave it, "
        "abort that, ignore that, forget about it, disregard, skip it, forget everything, forget all that, forget "
        "what i said, never mind that, nm, forget this, cancel this, ignore me, ignore my last message, ignore what"
        " i said, drop that idea, leave that, leave it be, skip that, dont bother, dont worry, my bad, cancel it, "
        "let it be, leave it as is, leave it alone, leave it like that, keep it as is, keep it like that"
    ),
    "INSTEAD": "instead of, rather than, in place of, in lieu of, as opposed to, replacing the",
    "ANY": (
        "one is enough, or instead of and, make it or, use or, match any, any, either, any of, either of, either "
        "one, any one, one of, at least one of, any one of, whichever, use any, match either, whichever comes "
        "first, only one of, one or the other, just one of them, just one of, any single one, one of them, either "
        "or, any condition, one of the two, one of these, or logic, an or"
    ),
    "ALL": (
        "and instead of or, make it and, use and, match all, both, all, all of, every condition, both of, all "
        "three, all conditions, all of these, all of them, each condition, match both, need both, needs both, all "
        "must hold, both must hold, all at once, both at once, both at the same time, all at the same time, "
        "simultaneously, all together, each of them, every one of them, all of those, both of them, both "
        "conditions, and logic, an and, every rule, all rules, both rules, require both, require all, every single "
        "condition"
    ),
    "TEST": (
        "backtest, back test, backtests, backtesting, backtested, retest, re test, test, tests, testing, test it, "
        "backtst, test run, run a test, bt, back testing, re run, rerun, historical test, try it out, try it, run "
        "it, run this, run the strategy, run my strategy, test drive, btest, past data, historical data, historic "
        "data, old data, historical prices, past prices, price history, market history, on history, against "
        "history, through history, over history, historical run, history test, give it a spin, give it a whirl, "
        "give it a go, give it a try, give it a shot, give this a spin, give this a go, give this a try, give that "
        "a go, give that a try, take it for a spin, put it to the test, put this to the test, test this, test that,"
        " test this out, test it out, test the strategy, test my strategy, test the bot, run a back test, run a "
        "backtest, run the backtest, run backtest, run the numbers, crunch the numbers, evaluate it, validate it, "
        "verify it on, try this, try this out, try that out, try the strategy, try my strategy, try this strategy, "
        "try that strategy, run that, run that strategy, run this strategy, run this thing, run my bot on, bactest,"
        " backtester, re backtest, rebacktest, redo the test, redo the backtest, repeat the test, repeat the "
        "backtest, bktest, bckt, past performance, historical performance, simulate the past, simulate the last, "
        "see how it does, see how it performs, see how it would perform, see how it would do, see how it holds up, "
        "see how this does, see how this performs"
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
        "trader, paper tradin, paper money mode, simul, simulator, papertrader, pretend trading, fake trading, fake"
        " trade, fake trades, fake trading session, simulation mode, sim mode, trial run, dummy trading, trade on "
        "paper, trading on paper, without risking money, without risking anything, without risking real money, "
        "without using real money, no real cash, without real cash, risk free, without risk"
    ),
    "START": (
        "start, starts, starting, begin, launch, run, runs, running, fire up, kick off, spin up, do, go, execute, "
        "start up, try, boot, activate, turn on, switch on, get going, get started, commence, initiate, engage, set"
        " off, trigger a, bring online, boot up, open up, resume, crank up the"
    ),
    "END": (
        "end, halt, quit, terminate, abort, shut down, shut off, stop it, finish, pull the plug on, kill it, shut "
        "it down, shut, ending, end it, cease, stop now, wrap up, call it off, call off, terminates, interrupt, "
        "pull the plug, discontinue, knock off"
    ),
    "CANDLE": (
        "candle, candles, kline, klines, bar, bars, chart, charts, interval, candlestick, candlesticks, ticks, tf, "
        "candle size, candle length, minute candles, timeframe candles, resolution, granularity, candle interval, "
        "kline interval, bar size"
    ),
    "FEE": (
        "fee, fees, commission, commissions, trading fee, trading fees, fee percent, trading cost, trading costs, "
        "costs, cost per trade, transaction fee, transaction fees, transaction costs, maker fee, taker fee, "
        "exchange fee, exchange fees"
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
        "create, creates, new, build, creating, set up, make me, setup a, spin up a, another, make a, make an, make"
        " new, make another, make one, set me up, build me, build a, create me, spin up another, brand new, "
        "generate, a fresh, start a new, begin a new, open a new"
    ),
    "CALLED": (
        "called, named, name it, call it, with the name, name, titled, by the name of, naming, calling it, "
        "labelled, labeled, by name, name as, whose name, with name, named it, lets call it, lets name it, its "
        "name, i call it, we call it, the name, dubbed, label it, title it"
    ),
    "SWITCH": (
        "switch, swap, select, choose, open, load, activate the, change bot, switch over, use bot, go to bot, "
        "switch back, work on, jump to, change to, lets do, let us do, go with, work with, pick, talk about, change"
        " over to, hop to, hop over to, move over to, jump over to, flip to, swap to, swap over to, go over to, "
        "take me to, bring me to, lets go to, lets talk about, speak about, focus on, continue with, lets work on, "
        "lets use, lets look at, get me to"
    ),
    "SEARCH": (
        "info on, info about, any info on, details on, details about, search, find, lookup, look up, look for, "
        "search for, find me, search token, searching, looking for, search up, hunt for, locate, get info on, info "
        "for, information on, information about, tell me about the token, tell me about the coin, look into, scan "
        "for, browse, find token, find the token, find coin, find the coin, find a token, find a coin"
    ),
    "RISK": (
        "risk, risky, risks, rug, rugpull, rug pull, scam, scammy, safe, honeypot, honey pot, trust, legit, tax, "
        "taxes, dangerous, audit, sketchy, secure, sell tax, buy tax, rugged, security, shady, sus, trustworthy, "
        "red flag, red flags, fishy, dodgy, shitty contract, reliable, reputable, trusted, trustable, unsafe, "
        "safety, safety check, risk check, risk score, risk level, rug risk, rug check, scam check, hazardous, "
        "malicious, danger, audited, backdoor, mintable, exit scam, honeypotted, buy or sell tax, can i sell, sell "
        "taxes, buy taxes, rugging, rugs, scams, legitimate, ok to trade, safe to trade, safe to buy, warning "
        "signs, worry about, worried about, be careful with"
    ),
    "UNDO": (
        "old strategy back, previous strategy back, reverse the last change, reverse the change, old one back, "
        "undo, revert, rollback, roll back, ctrl z, control z, take that back, take it back, put it back, go back "
        "to the old, go back to the previous, restore, go back, back to the old, back to the previous, back to how "
        "it was, as it was before, how it was before, reverse that, put that back, cmd z, undo that, roll that "
        "back, change it back, change that back, bring back the old, bring it back, bring back the previous, set it"
        " back, undo it, undone, undo everything, undo my change, undo my last change, undo the change, undo "
        "changes, unchange, unde, undu, one step back, go one back, back out that, back that out, back out of that,"
        " reinstate, return to the previous, return to the old, return to how it was, revert back, revert it, "
        "rewind, reset to the previous, reset to previous, wind back, walk that back, walk it back, unmake, unset "
        "that, un do, back up one step, reverse, take back"
    ),
    "SHOW": (
        "show, explain, describe, tell, summarize, summarise, display, see, print, read, remind, walk me through, "
        "recap, summary, elaborate, clarify, pull up, bring up my, show me, give me a summary, sum up, list out, "
        "spell out, lay out, outline, read back, read me, read out, take a look at, status of, overview, overview "
        "of, tell me about, talk me through, run me through, what is in, refresh my memory, give me the details, "
        "details of, break down my, break it down, in plain english, in plain words"
    ),
    "RESULT": (
        "result, results, outcome, performance, perform, performed, performing, pnl, returns, return, win rate, "
        "winrate, report, numbers, stats, metrics, outcomes, backtest results, test results, backtest result, test "
        "result, figures, win ratio, drawdown of it, how it went, profit and loss, p and l, scorecard, sharpe, "
        "sharpe ratio, max drawdown, roi, total return, total returns, final balance, equity curve, how many wins, "
        "number of trades, trade count"
    ),
    "SAME": (
        "same, same thing, same again, the same, as before, like before, identical, unchanged period, just like "
        "before, same as before, same as last time, same settings, same period"
    ),
    "TOOMUCH": (
        "too tight, too loose, too small, too big, too wide, too short, too long, too much, too little, too low, "
        "too high, too close, too far, too risky, too early, too late, too soon, too narrow, too strict, too large,"
        " too slow, too fast, too greedy, too conservative, too aggressive, not enough, not tight enough, not wide "
        "enough, way too much, insufficient, too few, too many, too generous, too deep, too shallow, a bit much, a "
        "bit low, a bit high, a bit tight, a bit loose"
    ),
    "FOREVER": (
        "forever, for ever, indefinitely, as long as it takes, as long as it wants, as long as needed, no matter "
        "how long, however long it takes, for as long as it takes, without a time limit, until kingdom come, for "
        "all eternity"
    ),
    "EARLIER": (
        "previous settings, old settings, previous setting, old setting, previous setup, old setup, earlier "
        "version, earlier settings, prior version, last version, former settings, previous state, previous one, old"
        " one, previous strategy, old strategy, earlier strategy, prior strategy, previous version, old version, "
        "original version, original settings, original strategy, old values, previous values, old rules, previous "
        "rules, old config, previous config, old strat, previous strat, before this change, before that change, "
        "before the change, before the last change, before my change, before my last change, the way it was, like "
        "it was, like it was before, the way it was before, how it was, as it was, how it used to be"
    ),
}
