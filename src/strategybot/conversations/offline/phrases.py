"""The phrases that mean something here, by what they mean: a concept is written in capitals and gathers them all."""

CONCEPTS = {
    "FILL": (
        "up to, at least, at most, at the least, no matter what, falling knife, falling knives, longer than, no "
        "longer than, not longer than, no more than, not more than, no later than, no less than, the way down, as "
        "far, by the way, right now, stay the same, stays the same, leave the rest, keep the rest, keep everything "
        "else, rest stays, the rest stays, nothing else, as is, the rest as is, no matter, at the latest, at "
        "latest, of the time, for me, a bit of, a drop of rum, look like, looks like, set to, in total"
    ),
    "BUY": (
        "buy, buys, buying, bought, purchase, enter, enters, entering, entry, entries, long, longs, go long, going "
        "long, goes long, go in, get in, gets in, getting in, jump in, ape, ape in, aping, apes, scoop, scoop up, "
        "accumulate, pick up, open a position, open a trade, open a long, open position, take a position, get "
        "long, load up, buy in, long entry, grab, snap up, trigger the buy, trigger a buy, buy signal, entry "
        "signal, enter a trade, enter the trade, buy order"
    ),
    "SELL": (
        "sell, sells, selling, sold, exit, exits, exiting, close, closes, closing, get out, gets out, getting out, "
        "cash out, bail, bail out, liquidate, offload, unload, dump it, dump everything, dump all, dump the bag, "
        "dump my bag, dump the position, close out, close it, close the trade, close the position, close position, "
        "exit the trade, exit the position, sell everything, sell it, sell it all, sell all, take me out, get me "
        "out, sale, sales, ditch the position, out"
    ),
    "STOP": (
        "stop loss, stop losses, stoploss, stop los, stop lose, sl, s l, hard stop, stop, stops, fixed stop, stop "
        "limit, cut loss, cut losses, cut my losses, cut the losses, cut the loss, cut my loss, cut losers, cut my "
        "losers, cut the losers, max loss, maximum loss, limit my loss, limit my losses, limit losses, limit the "
        "loss, limit the losses, limit loss, stop me out, stop out, stopped out, max pain, protective stop, loss "
        "limit, cap the loss, cap my losses, cap losses, safety stop, stop price, stop level, losers, sl level, "
        "cut it, cut, emergency exit"
    ),
    "LOSS": "loss, losses, lose, loses, losing, lost",
    "TARGET": (
        "take profit, take profits, takes profit, taking profit, takeprofit, tp, t p, profit target, target "
        "profit, target, targets, profit goal, take gains, take the gain, take the gains, take the profit, take my "
        "profit, take the profits, take my profits, lock in profit, lock in profits, lock in gains, lock profit, "
        "lock profits, let winners run, let my winners run, let winners run to, winners, tp level, take profit "
        "level, goal, bank profits, bank profit, realize profit, realise profit, secure profits, secure profit, "
        "profit taking, price target, tgt, takeprofits"
    ),
    "PROFIT": (
        "profit, profits, gain, gains, gaining, win, wins, winning, made, in profit, in the green, earn, earned, "
        "earning, in the money, ahead, winner"
    ),
    "TRAIL": (
        "trailing stop, trailing stop loss, trailing stoploss, trailing sl, trailing, trail, trails, tsl, trail "
        "stop, trailing exit, stop trailing, trail it, trail the stop, trail my stop"
    ),
    "HOLDMAX": (
        "max hold, max holding, maximum hold, max hold time, max holding time, holding time, hold time, maximum "
        "holding time, maximum hold time, time stop, time limit, holding period, max holding period, maximum "
        "holding, maximum holding period, timeout, time out, max time, time exit, max duration, time based exit"
    ),
    "HOLD": (
        "hold, holds, holding, keep the position, keep it, keep a position, keep positions, keep it open, stay in, "
        "stay in the trade, keep the trade, hang on, keep holding, in a trade, in the trade, hold on"
    ),
    "COOLDOWN": (
        "cooldown, cool down, cooldowns, cooling off, cool off, cooldown time, cooldown period, cooling down, "
        "pause, pauses, wait, waits, waiting, break of, rest period, a break of, sit out, chill, lay off, take a "
        "break, sleep, stand by"
    ),
    "BREAK": "reclaim, reclaims, break, breaks, breaking, broke, breaks out, break out, breakout, breakouts",
    "SIZE": (
        "position size, position sizing, positionsize, size, sizing, position percent, trade size, bet size, "
        "position, stake, allocation, order size, invest, invests, investing, allocate, bet, bets, risk per trade, "
        "spend, spends, spending, position size per trade"
    ),
    "CASH": ("cash, money, balance, capital, portfolio, funds, bankroll, account, wallet, equity, stack, bag, savings"),
    "ALLIN": (
        "all in, everything i have, all my money, all my cash, full size, full position, all of my cash, all of "
        "it, whole balance, the whole balance, all of my money, all the money, full send, max size, full port"
    ),
    "DROP": (
        "drop, drops, dropped, dropping, dip, dips, dipped, dipping, fall, falls, fell, fallen, falling, dump, "
        "dumps, dumped, dumping, crash, crashes, crashed, crashing, decline, declines, declined, declining, sink, "
        "sinks, sank, sunk, sinking, tank, tanks, tanked, tanking, plunge, plunges, plunged, bleed, bleeds, bled, "
        "bleeding, slip, slips, slipped, slide, slides, slid, sliding, retrace, retraces, retraced, retracement, "
        "tumble, tumbles, nosedive, nosedives, plummet, plummets, plummeted, pullback, pullbacks, pull back, pulls "
        "back, pulled back, correction, corrects, selloff, sell off, sells off, down, go down, goes down, going "
        "down, went down, gone down, come down, comes down, red, in the red, cheaper, shed, sheds, shedding, "
        "discount, depreciate, depreciates, downswing, drawdown, flush, flushes, wick down, goes lower, go lower, "
        "move down, moves down, moved down, downmove, nuke, nukes, nuked, collapses, collapse, dive, dives"
    ),
    "RISE": (
        "rise, rises, rose, risen, rising, pump, pumps, pumped, pumping, rally, rallies, rallied, jump, jumps, "
        "jumped, jumping, climb, climbs, climbed, climbing, moon, moons, mooned, mooning, surge, surges, surged, "
        "soar, soars, soared, rip, rips, ripped, ripping, up, go up, goes up, going up, went up, gone up, green, "
        "spike up, spikes up, bounce, bounces, bounced, bouncing, recover, recovers, recovered, rebound, rebounds, "
        "grow, grows, grew, appreciate, appreciates, skyrocket, skyrockets, move up, moves up, moved up, uptick, "
        "run up, runs up, shoots up, shoot up, goes higher, go higher, advance, advances, explode, explodes, "
        "upswing, increase in price, is higher, fly, flies, flying, takes off, popping, pop, pops, popped, comes "
        "back, come back"
    ),
    "VOLUME": (
        "volume, volumes, vol, vols, volume spike, volume spikes, spike in volume, volume surge, volume surges, "
        "volume filter, trading volume, vol spike, volume explodes, volume jumps, surge in volume, volume rises, "
        "volume increases, volume goes up, volume pops, volume spiking, turnover, volume breakout, buying volume, "
        "volume condition, volume jumps to, volume shoots up, volume up"
    ),
    "SPIKE": "spike, spikes, spiked, spiking",
    "ABOVE": (
        "above, over, exceeds, exceed, past, higher than, greater than, more than, surpasses, upwards of, upward "
        "of, beyond, tops, at or above"
    ),
    "BELOW": "below, under, beneath, less than, underneath, at or below, lower than",
    "CROSS": (
        "cross, crosses, crossed, crossing, hit, hits, hitting, reach, reaches, reached, touch, touches, tags, "
        "gets to, get to, goes to, go to, gets down to, drops to, falls to, dips to, rises to, pumps to, trades "
        "at, climbs to, rallies to, gets up to, moves to, through, moons to, sinks to, crashes to, falls back to, "
        "runs to, comes to, gets back to"
    ),
    "HIGH": (
        "high, highs, peak, peaks, top, tops out, ath, all time high, recent high, local high, highest, highest "
        "price, highest high, local top"
    ),
    "LOW": (
        "low, lows, bottom, bottoms, all time low, recent low, local low, lowest, lowest price, lowest low, atl, "
        "local bottom"
    ),
    "CLOSE": "the close, closing price, close price, the closing price, last close",
    "WINDOW": (
        "window, windows, lookback, look back, look back window, time window, timeframe, time frame, lookback "
        "window, lookback period, look back period, period, time period"
    ),
    "LEVEL": "level, levels, price level, exit level, exit price, sell price, sell level, entry level, buy level",
    "CONDITION": (
        "condition, conditions, filter, filters, rule, rules, trigger, triggers, requirement, criteria, criterion, "
        "threshold, thresholds, signal, signals, part"
    ),
    "RAISE": (
        "raise, raises, increase, increases, increasing, bump, bump up, boost, widen, loosen, extend, lengthen, "
        "raising, move up the, crank up, higher, bigger, wider, looser, longer, larger, up the, push up, push, "
        "expand"
    ),
    "REDUCE": (
        "lower, reduce, reduces, decrease, decreases, decreased, decreasing, tighten, shorten, shrink, trim, "
        "narrow, lowering, reducing, tightening, bring down, tighter, smaller, shorter, bring in, drop it by, dial "
        "down, knock, shave, dial back, take down, closer"
    ),
    "HALVE": "halve, halves, in half, by half, cut in half, half of what it is, half as, halved",
    "REMOVE": (
        "remove, removes, removing, delete, deletes, deleting, clear, ditch, scrap, scratch, kill, disable, get "
        "rid of, take out, take off, take it out, take it off, turn off, switch off, throw out, strip, eliminate, "
        "erase, no more, drop the, drop my, drop that, lose the, discard, deactivate, rm, cancel the, cut out, "
        "axe, get rid, leave out, drop all, dump the, stop using, erase the, without the, toss, nix, turn it off, "
        "do away with, unset, wipe the"
    ),
    "REPLACE": "replace, substitute, swap out, exchange, replacing",
    "RESET": (
        "start over, reset, start from scratch, from scratch, start fresh, start again, begin again, wipe "
        "everything, clear everything, clear it all, delete everything, remove everything, new strategy, start "
        "anew, fresh start, clean slate"
    ),
    "ADD": (
        "require, requires, add, adds, adding, also, plus, additionally, as well, too, in addition, "
        "another condition, include, on "
        "top, extra condition, second condition, append, as an extra, and also"
    ),
    "NOT": (
        "not, dont, do not, never, no, isnt, arent, didnt, doesnt, does not, did not, cant, cannot, wont, wouldnt, "
        "shouldnt, havent, hasnt, wasnt, werent, none, neither, nah, nope, no need, no need to, not gonna, "
        "without, couldnt, nothing, refuse, avoid, aint, hold off, stop asking, dnt, doesn t, don t, nor"
    ),
    "FORGET": (
        "never mind, nevermind, nvm, forget it, forget that, cancel, cancel that, scratch that, drop it, leave it, "
        "abort that, ignore that, forget about it, disregard, skip it, forget everything"
    ),
    "INSTEAD": "instead of, rather than, in place of",
    "ANY": (
        "one is enough, or instead of and, make it or, use or, match any, any, either, any of, either of, either "
        "one, any one, one of, at least one of, any one of, whichever"
    ),
    "ALL": (
        "and instead of or, make it and, use and, match all, both, all, all of, every condition, both of, all "
        "three, all conditions, all of these, all of them, each condition"
    ),
    "TEST": (
        "backtest, back test, backtests, backtesting, backtested, retest, re test, test, tests, testing, test it, "
        "backtst, test run, run a test, bt, back testing, re run, rerun, historical test, try it out, try it, run "
        "it, run this, run the strategy, run my strategy, test drive, btest"
    ),
    "SIMULATION": (
        "simulation, simulations, simulate, simulates, simulating, sim, sims, paper trade, paper trading, "
        "papertrade, paper trades, papertrading, dry run, paper mode, paper run, replay, paper, forward test, "
        "simulated, paper trading session, paper session, sim run, demo trade, demo trading, practice run, paper "
        "bot"
    ),
    "START": (
        "start, starts, starting, begin, launch, run, runs, running, fire up, kick off, spin up, do, go, execute, "
        "start up, try, boot, activate, turn on, switch on"
    ),
    "END": "end, halt, quit, terminate, abort, shut down, shut off, stop it, finish, pull the plug on, kill it",
    "CANDLE": (
        "candle, candles, kline, klines, bar, bars, chart, charts, interval, candlestick, candlesticks, ticks, tf"
    ),
    "FEE": "fee, fees, commission, commissions, trading fee, trading fees, fee percent",
    "SLIPPAGE": "slippage",
    "AGAIN": "again, once more, one more time, another run",
    "LIVE": "live, real time, realtime, live mode",
    "CHECK": "check, checks, checking, every, each, poll, polling, tick",
    "BOT": "bot, bots, robot, robots",
    "STRATEGY": "strategy, strat, strats, strategies, setup, plan, rules of the bot, config, configuration",
    "TOKEN": "token, tokens, coin, coins, ticker, crypto, pair, asset, memecoin, shitcoin, altcoin",
    "CREATE": (
        "create, creates, new, build, creating, set up, make me, setup a, spin up a, another, make a, make an, make new"
    ),
    "CALLED": "called, named, name it, call it, with the name, name, titled, by the name of, naming",
    "SWITCH": (
        "switch, swap, select, choose, open, load, activate the, change bot, switch over, use bot, go to bot, "
        "switch back, work on, jump to, change to, lets do, let us do, go with, work with, pick, talk about"
    ),
    "SEARCH": (
        "info on, info about, any info on, details on, details about, search, find, lookup, look up, look for, "
        "search for, find me, search token, searching, looking for"
    ),
    "RISK": (
        "risk, risky, risks, rug, rugpull, rug pull, scam, scammy, safe, honeypot, honey pot, trust, legit, tax, "
        "taxes, dangerous, audit, sketchy, secure, sell tax, buy tax, rugged, security, shady, sus, trustworthy"
    ),
    "UNDO": (
        "old strategy back, previous strategy back, reverse the last change, reverse the change, old one back, "
        "undo, revert, rollback, roll back, ctrl z, control z, take that back, take it back, put it back, go back "
        "to the old, go back to the previous, restore, go back, back to the old, back to the previous, back to how "
        "it was, as it was before, how it was before, reverse that, put that back, cmd z, undo that, previous "
        "version, old version, roll that back, change it back, change that back, bring back the old, bring it "
        "back, bring back the previous, set it back, undo it"
    ),
    "SHOW": (
        "show, explain, describe, tell, summarize, summarise, display, see, print, read, remind, walk me through, "
        "recap, summary, elaborate, clarify"
    ),
    "RESULT": (
        "result, results, outcome, performance, perform, performed, performing, pnl, returns, return, win rate, "
        "winrate, report, numbers, stats, metrics"
    ),
    "SAME": "same, same thing, same again, the same, as before, like before",
}
