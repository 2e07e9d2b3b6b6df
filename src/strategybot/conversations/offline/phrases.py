"""The phrases that mean something here, by what they mean: a concept is written in capitals and gathers them all."""

CONCEPTS = {
    "FILL": (
        "up to, at least, at most, at the least, no matter what, falling knife, falling knives, longer than, no "
        "longer than, not longer than, no more than, not more than, no later than, no less than, the way down, as"
        " far, by the way, right now, stay the same, stays the same, leave the rest, keep the rest, keep "
        "everything else, rest stays, the rest stays, nothing else, as is, the rest as is, no matter, at the "
        "latest, at latest, of the time, for me, a bit of, a drop of rum, look like, looks like, set to, in "
        "total, everything else, all else, leave everything else, leave everything, keep everything, keep "
        "everything else the same, everything stays, everything the same, rest unchanged, the rest unchanged, "
        "leave the others, keep the others, the other settings, other settings, the other values, all other "
        "settings, no less, not less than, not under, mean reversion, trend following, swing trade, swing "
        "trading, dip buying, dip buyer, on the way, if possible, as usual, in general, in one go, at a time, for"
        " now, for the moment, from now on, as of now, going forward, at once, right away, straight away, one "
        "more thing, by default, or so, or more, and more, or higher, or lower, or better, or less, or greater, "
        "or above, or below, or so percent, as soon as, with a bit of, more or less, give or take, no problem, so"
        " to say, kind of, sort of, what i want is, the thing is, i would say, let us say, lets say"
    ),
    "BUY": (
        "buy, buys, buying, bought, purchase, enter, enters, entering, entry, entries, long, longs, go long, "
        "going long, goes long, go in, get in, gets in, getting in, jump in, ape, ape in, aping, apes, scoop, "
        "scoop up, accumulate, pick up, open a position, open a trade, open a long, open position, take a "
        "position, get long, load up, buy in, long entry, grab, snap up, trigger the buy, trigger a buy, buy "
        "signal, entry signal, enter a trade, enter the trade, buy order, buyin, purchases, purchasing, acquire, "
        "enter long, enter position, enters a position, enter a position, bid, bids, longing, snipe, snipes, "
        "trigger buy, trigger buys, buy trigger, open long, opens a position, opens a trade, add to position, buy"
        " some, buy it, buys it, go all long, place a buy, place a buy order, hop in, dive in, step in, get a "
        "position, take a long, start a position, scoops, grabs, buying in, longs it"
    ),
    "SELL": (
        "sell, sells, selling, sold, exit, exits, exiting, close, closes, closing, get out, gets out, getting "
        "out, cash out, bail, bail out, liquidate, offload, unload, dump it, dump everything, dump all, dump the "
        "bag, dump my bag, dump the position, close out, close it, close the trade, close the position, close "
        "position, exit the trade, exit the position, sell everything, sell it, sell it all, sell all, take me "
        "out, get me out, sale, sales, ditch the position, out, sell off my position, sell the position, sell my "
        "position, sell the whole thing, sell the whole position, sell the whole bag, sell off everything, "
        "flatten, take me out of the trade, get out of the trade, get out of it, get out of the position, exit "
        "position, closing out, closes the position, closes out, drop out, step out, hop out, leave the trade, "
        "out of the trade, out of it, sell signal, trigger a sell, dump my position, dump my bags, dump bags, "
        "unwind, exit trade, close my position, close trade, close trades, sells it, sell them, sell it off"
    ),
    "STOP": (
        "stop loss, stop losses, stoploss, stop los, stop lose, sl, s l, hard stop, stop, stops, fixed stop, stop"
        " limit, cut loss, cut losses, cut my losses, cut the losses, cut the loss, cut my loss, cut losers, cut "
        "my losers, cut the losers, max loss, maximum loss, limit my loss, limit my losses, limit losses, limit "
        "the loss, limit the losses, limit loss, stop me out, stop out, stopped out, max pain, protective stop, "
        "loss limit, cap the loss, cap my losses, cap losses, safety stop, stop price, stop level, losers, sl "
        "level, cut it, cut, emergency exit, stoplosses, stop losss, stop-loss, disaster stop, stop loss level, "
        "maximum risk, max risk, cap losses at, cap the losses, cap my loss, cap loss, limit my risk, limit the "
        "risk, limit risk, limit the downside, limit downside, cut my loss at, cut the losing trades, cut losing "
        "trades, losing trades, stop loss limit, loss cap, bail level, stops out"
    ),
    "LOSS": "loss, losses, lose, loses, losing, lost",
    "TARGET": (
        "take profit, take profits, takes profit, taking profit, takeprofit, tp, t p, profit target, target "
        "profit, target, targets, profit goal, take gains, take the gain, take the gains, take the profit, take "
        "my profit, take the profits, take my profits, lock in profit, lock in profits, lock in gains, lock "
        "profit, lock profits, let winners run, let my winners run, let winners run to, winners, tp level, take "
        "profit level, goal, bank profits, bank profit, realize profit, realise profit, secure profits, secure "
        "profit, profit taking, price target, tgt, takeprofits, tps, profit target of, take some profit, profit "
        "level, profit exit, lock in the profit, lock in the profits, lock in the gain, lock in my profit, lock "
        "in my profits, lock in my gains, bank the profit, bank the profits, bank gains, bank the gain, book "
        "profit, book profits, booking profits, book the profit, collect profit, collect profits, grab profit, "
        "grab profits, cash in, cashes in, let profits run, let my profits run, let the profits run, let profit "
        "run, let gains run, let the winners run, let it run, let it ride, let profits ride, profit limit, upside"
        " target, sell target, exit target, gain target"
    ),
    "PROFIT": (
        "profit, profits, gain, gains, gaining, win, wins, winning, made, in profit, in the green, earn, earned, "
        "earning, in the money, ahead, winner, gained, in profits, return of, profitable by, plus of, to the good"
    ),
    "TRAIL": (
        "trailing stop, trailing stop loss, trailing stoploss, trailing sl, trailing, trail, trails, tsl, trail "
        "stop, trailing exit, stop trailing, trail it, trail the stop, trail my stop, trailing stops, trailing "
        "stop of, moving stop, dynamic stop, trailer, trailing take profit, follow the price, follow price, "
        "following stop, trails by, trails behind, trail behind"
    ),
    "HOLDMAX": (
        "max hold, max holding, maximum hold, max hold time, max holding time, holding time, hold time, maximum "
        "holding time, maximum hold time, time stop, time limit, holding period, max holding period, maximum "
        "holding, maximum holding period, timeout, time out, max time, time exit, max duration, time based exit, "
        "maximum time in a trade, max time in trade, max trade duration, max trade length, trade duration, "
        "maximum trade duration, maximum duration, hold limit, holding limit, holding max, hold max, time cap, "
        "max age, expiry, time based stop, maximum time, longest holding time, longest hold"
    ),
    "HOLD": (
        "hold, holds, holding, keep the position, keep it, keep a position, keep positions, keep it open, stay "
        "in, stay in the trade, keep the trade, hang on, keep holding, in a trade, in the trade, hold on, sit in,"
        " sit on it, keep open, keep them open, keep it for, stay in it, stay invested, remain in the trade, "
        "stuck in a trade, keep trades open, keep positions open"
    ),
    "COOLDOWN": (
        "cooldown, cool down, cooldowns, cooling off, cool off, cooldown time, cooldown period, cooling down, "
        "pause, pauses, wait, waits, waiting, break of, rest period, a break of, sit out, chill, lay off, take a "
        "break, sleep, stand by, cooldown timer, breather, breathing room, take a breather, timeout between, rest"
        " between, waiting time, waiting period, wait time, time off, hold fire, stay out, stays out, sit on its "
        "hands, stay flat, pause for, off time"
    ),
    "BREAK": "reclaim, reclaims, break, breaks, breaking, broke, breaks out, break out, breakout, breakouts",
    "SIZE": (
        "position size, position sizing, positionsize, size, sizing, position percent, trade size, bet size, "
        "position, stake, allocation, order size, invest, invests, investing, allocate, bet, bets, risk per "
        "trade, spend, spends, spending, position size per trade, position sizes, trade sizing, bets of, per "
        "trade size, amount per trade, buy size, buy amount, exposure, commit, commits, deploy, deploys, put in, "
        "puts in, capital per trade, cash per trade, lot size"
    ),
    "CASH": (
        "cash, money, balance, capital, portfolio, funds, bankroll, account, wallet, equity, stack, bag, savings,"
        " bank roll, buying power, my account, cash balance, holdings, net worth, purse, dry powder, available "
        "cash, usable cash, budget"
    ),
    "ALLIN": (
        "all in, everything i have, all my money, all my cash, full size, full position, all of my cash, all of "
        "it, whole balance, the whole balance, all of my money, all the money, full send, max size, full port, go"
        " all in, everything we have, whole account, entire account, full balance, entire balance, whole "
        "bankroll, max out the size, all available cash, all the cash, all of the cash, full stack, whole stack, "
        "maximum size, maximum position size, max position size, max position, the whole lot, full capital"
    ),
    "DROP": (
        "drop, drops, dropped, dropping, dip, dips, dipped, dipping, fall, falls, fell, fallen, falling, dump, "
        "dumps, dumped, dumping, crash, crashes, crashed, crashing, decline, declines, declined, declining, sink,"
        " sinks, sank, sunk, sinking, tank, tanks, tanked, tanking, plunge, plunges, plunged, bleed, bleeds, "
        "bled, bleeding, slip, slips, slipped, slide, slides, slid, sliding, retrace, retraces, retraced, "
        "retracement, tumble, tumbles, nosedive, nosedives, plummet, plummets, plummeted, pullback, pullbacks, "
        "pull back, pulls back, pulled back, correction, corrects, selloff, sell off, sells off, down, go down, "
        "goes down, going down, went down, gone down, come down, comes down, red, in the red, cheaper, shed, "
        "sheds, shedding, discount, depreciate, depreciates, downswing, drawdown, flush, flushes, wick down, goes"
        " lower, go lower, move down, moves down, moved down, downmove, nuke, nukes, nuked, collapses, collapse, "
        "dive, dives, dropoff, drop off, slump, slumps, slumped, slumping, sag, sags, dips down, drops down, "
        "falls down, fall down, fall off, falls off, cratered, crater, craters, cratering, rekt, gets rekt, "
        "bleeds out, bleed out, weaken, weakens, loses value, lose value, lost value, cools off by, downturn, "
        "downtick, tick down, ticks down, goes red, gone red, decrease in price, price decrease, price drop, "
        "price drops, price fall, price falls, price dip, price dips, drop in price, fall in price, dip in price,"
        " drop of price, dipz, red candle, gets cheaper, sell-off, pullback of, retreats, retreat, retreated, off"
        " by, down move, downward move, move lower, moves lower, trade lower, trades lower, lower by, breaks "
        "down, break down, breakdown"
    ),
    "RISE": (
        "rise, rises, rose, risen, rising, pump, pumps, pumped, pumping, rally, rallies, rallied, jump, jumps, "
        "jumped, jumping, climb, climbs, climbed, climbing, moon, moons, mooned, mooning, surge, surges, surged, "
        "soar, soars, soared, rip, rips, ripped, ripping, up, go up, goes up, going up, went up, gone up, green, "
        "spike up, spikes up, bounce, bounces, bounced, bouncing, recover, recovers, recovered, rebound, "
        "rebounds, grow, grows, grew, appreciate, appreciates, skyrocket, skyrockets, move up, moves up, moved "
        "up, uptick, run up, runs up, shoots up, shoot up, goes higher, go higher, advance, advances, explode, "
        "explodes, upswing, increase in price, is higher, fly, flies, flying, takes off, popping, pop, pops, "
        "popped, comes back, come back, price rise, price rises, price jump, price jumps, price pump, price gain,"
        " price increase, rise in price, jump in price, increase of price, price increases, price goes up, goes "
        "green, gone green, gets green, is green, tick up, ticks up, up move, upward move, move higher, moves "
        "higher, trade higher, trades higher, higher by, rockets, rocketing, rocketed, sends, sending, gaps up, "
        "gap up, leaps, leap, leaped, zooms, zoom up, boom, booms, rallying, surging, soaring, bounces back, "
        "bounce back, bounced back, recovery, strengthen, strengthens, up only, ascend, ascends, push higher, "
        "pushes higher, breaks higher"
    ),
    "VOLUME": (
        "volume, volumes, vol, vols, volume spike, volume spikes, spike in volume, volume surge, volume surges, "
        "volume filter, trading volume, vol spike, volume explodes, volume jumps, surge in volume, volume rises, "
        "volume increases, volume goes up, volume pops, volume spiking, turnover, volume breakout, buying volume,"
        " volume condition, volume jumps to, volume shoots up, volume up, volume is up, volume multiplier, volume"
        " multiple, volume surge of, volume bursts, burst of volume, burst in volume, jump in volume, rise in "
        "volume, increase in volume, volume rise, volume increase, volume jump, volume pump, volume confirmation,"
        " volume check, relative volume, rvol, high volume, heavy volume, big volume, strong volume, volume spike"
        " filter, volume trigger, volume rule, volume requirement, volume threshold, traded volume, trade volume,"
        " higher volume, volume doubles up"
    ),
    "SPIKE": "spike, spikes, spiked, spiking",
    "ABOVE": (
        "above, over, exceeds, exceed, past, higher than, greater than, more than, surpasses, upwards of, upward "
        "of, beyond, tops, at or above, exceeding, north of, upside of, in excess of, at above, higher then, "
        "bigger than, larger than, greater then, over the top of, higher as, at least at"
    ),
    "BELOW": (
        "below, under, beneath, less than, underneath, at or below, lower than, south of, lower then, smaller "
        "than, less then, sub, beneath the, no higher than, not above"
    ),
    "CROSS": (
        "cross, crosses, crossed, crossing, hit, hits, hitting, reach, reaches, reached, touch, touches, tags, "
        "gets to, get to, goes to, go to, gets down to, drops to, falls to, dips to, rises to, pumps to, trades "
        "at, climbs to, rallies to, gets up to, moves to, through, moons to, sinks to, crashes to, falls back to,"
        " runs to, comes to, gets back to, arrives at, gets above, gets over, gets below, gets under, hits the, "
        "goes through, trades through, pushes through, falls through, trading at, is at, sits at, slides to, "
        "slips to, plunges to, jumps to, pops to, surges to, soars to, tanks to, dumps to, retraces to, gets as "
        "low as, gets as high as, revisits, taps"
    ),
    "HIGH": (
        "high, highs, peak, peaks, top, tops out, ath, all time high, recent high, local high, highest, highest "
        "price, highest high, local top, session high, day high, daily high, recent peak, recent top, local peak,"
        " swing high, top price, peak price, previous high, max price, maximum price, its highs"
    ),
    "LOW": (
        "low, lows, bottom, bottoms, all time low, recent low, local low, lowest, lowest price, lowest low, atl, "
        "local bottom, session low, day low, daily low, recent bottom, swing low, bottom price, previous low, min"
        " price, minimum price, its lows"
    ),
    "CLOSE": "the close, closing price, close price, the closing price, last close",
    "WINDOW": (
        "window, windows, lookback, look back, look back window, time window, timeframe, time frame, lookback "
        "window, lookback period, look back period, period, time period, time span, timespan, time range, "
        "measuring window, window size, window length, lookback time, measuring period, time horizon, lookback "
        "length"
    ),
    "LEVEL": "level, levels, price level, exit level, exit price, sell price, sell level, entry level, buy level",
    "CONDITION": (
        "condition, conditions, filter, filters, rule, rules, trigger, triggers, requirement, criteria, "
        "criterion, threshold, thresholds, signal, signals, part, constraint, constraints, gate, clause, entry "
        "rule, entry rules, entry condition, entry conditions, buy condition, buy conditions, buy rule, buy "
        "rules, leg"
    ),
    "RAISE": (
        "raise, raises, increase, increases, increasing, bump, bump up, boost, widen, loosen, extend, lengthen, "
        "raising, move up the, crank up, higher, bigger, wider, looser, longer, larger, up the, push up, push, "
        "expand, ratchet up, lift, lifts, jack up, hike, upsize, add more to, enlarge, relax, ease, more room, "
        "make larger, make bigger, make higher, make wider, make longer, give more, greater, stretch, turn up, "
        "bring up, dial up, up my, up your"
    ),
    "REDUCE": (
        "lower, reduce, reduces, decrease, decreases, decreased, decreasing, tighten, shorten, shrink, trim, "
        "narrow, lowering, reducing, tightening, bring down, tighter, smaller, shorter, bring in, drop it by, "
        "dial down, knock, shave, dial back, take down, closer, cut down, cut back, ratchet down, scale down, "
        "downsize, compress, restrict, squeeze, slim, make tighter, make smaller, make lower, make shorter, turn "
        "down, move down the, drop it to, drop it down to, nearer, lessen, diminish, slash, bring it down"
    ),
    "HALVE": (
        "halve, halves, in half, by half, cut in half, half of what it is, half as, halved, cut by half, cut it "
        "in half, in two, half the size of, reduce by half, half it, by a half"
    ),
    "REMOVE": (
        "remove, removes, removing, delete, deletes, deleting, clear, ditch, scrap, scratch, kill, disable, get "
        "rid of, take out, take off, take it out, take it off, turn off, switch off, throw out, strip, eliminate,"
        " erase, no more, drop the, drop my, drop that, lose the, discard, deactivate, rm, cancel the, cut out, "
        "axe, get rid, leave out, drop all, dump the, stop using, erase the, without the, toss, nix, turn it off,"
        " do away with, unset, wipe the, removed, deleted, drop both, take away, take away the, get rid of the, "
        "throw away, throw out the, bin, drop out the, discard the, switch it off, dont use the, disable the, off"
        " with, lose my, lose that, cut out the, delete the, erase my, cancel my, kill my, kill off, wipe, wipe "
        "out, wipe off, pull the, drop this, drop any, drop every, drop its, forget the, forget about the, forget"
        " my, rip out, yank, yeet, chuck, chuck out, dump my, dump that, dismiss, revoke, nuke the, nuke my, "
        "strip out, strip off"
    ),
    "REPLACE": "replace, substitute, swap out, exchange, replacing, swap the, exchange the, substitutes, instead put",
    "RESET": (
        "start over, reset, start from scratch, from scratch, start fresh, start again, begin again, wipe "
        "everything, clear everything, clear it all, delete everything, remove everything, new strategy, start "
        "anew, fresh start, clean slate, wipe it clean, wipe the slate, wipe the strategy, clear the strategy, "
        "clear my strategy, delete the strategy, delete my strategy, remove the strategy, remove my strategy, "
        "reset everything, reset the strategy, begin anew, begin from scratch, start all over, do it over, wipe "
        "it, erase everything, scrap everything, scrap it all, throw everything out, throw it all out"
    ),
    "ADD": (
        "require, requires, add, adds, adding, also, plus, additionally, as well, too, in addition, another "
        "condition, include, on top, extra condition, append, as an extra, and also, extra filter, extra rule, "
        "extra confirmation, add on, additional, additional condition, further condition, along with that, on top"
        " of that, besides that, moreover, furthermore, combine with, combine it with, together with, throw in, "
        "tack on, put in also, plus also, tag on, mix in"
    ),
    "NOT": (
        "not, dont, do not, never, no, isnt, arent, didnt, doesnt, does not, did not, cant, cannot, wont, "
        "wouldnt, shouldnt, havent, hasnt, wasnt, werent, none, neither, nah, nope, no need, no need to, not "
        "gonna, without, couldnt, nothing, refuse, avoid, aint, hold off, stop asking, dnt, doesn t, don t, nor, "
        "donot, dont you, do nt, dont ever, no longer, nvr, please stop, dont wanna, never ever, wouldn t, can t,"
        " won t, isn t, shouldn t, stop telling me, stop suggesting"
    ),
    "FORGET": (
        "never mind, nevermind, nvm, forget it, forget that, cancel, cancel that, scratch that, drop it, leave "
        "it, abort that, ignore that, forget about it, disregard, skip it, forget everything, forget all that, "
        "forget what i said, never mind that, nm, forget this, cancel this, ignore me, ignore my last message, "
        "ignore what i said, drop that idea, leave that, leave it be, skip that, dont bother, dont worry, my bad,"
        " cancel it, let it be, leave it as is, leave it alone, leave it like that, keep it as is, keep it like "
        "that"
    ),
    "INSTEAD": "instead of, rather than, in place of, in lieu of, as opposed to, replacing the",
    "ANY": (
        "one is enough, or instead of and, make it or, use or, match any, any, either, any of, either of, either "
        "one, any one, one of, at least one of, any one of, whichever, use any, match either, whichever comes "
        "first, only one of, one or the other, just one of them, just one of, any single one, one of them, either"
        " or, any condition, one of the two, one of these, or logic, an or"
    ),
    "ALL": (
        "and instead of or, make it and, use and, match all, both, all, all of, every condition, both of, all "
        "three, all conditions, all of these, all of them, each condition, match both, need both, needs both, all"
        " must hold, both must hold, all at once, both at once, both at the same time, all at the same time, "
        "simultaneously, all together, each of them, every one of them, all of those, both of them, both "
        "conditions, and logic, an and, every rule, all rules, both rules, require both, require all, every "
        "single condition"
    ),
    "TEST": (
        "backtest, back test, backtests, backtesting, backtested, retest, re test, test, tests, testing, test it,"
        " backtst, test run, run a test, bt, back testing, re run, rerun, historical test, try it out, try it, "
        "run it, run this, run the strategy, run my strategy, test drive, btest, past data, historical data, "
        "historic data, old data, historical prices, past prices, price history, market history, on history, "
        "against history, through history, over history, historical run, history test, give it a spin, give it a "
        "whirl, give it a go, give it a try, give it a shot, give this a spin, give this a go, give this a try, "
        "give that a go, give that a try, take it for a spin, put it to the test, put this to the test, test "
        "this, test that, test this out, test it out, test the strategy, test my strategy, test the bot, run a "
        "back test, run a backtest, run the backtest, run backtest, run the numbers, crunch the numbers, evaluate"
        " it, validate it, verify it on, try this, try this out, try that out, try the strategy, try my strategy,"
        " try this strategy, try that strategy, run that, run that strategy, run this strategy, run this thing, "
        "run my bot on, bactest, backtester, re backtest, rebacktest, redo the test, redo the backtest, repeat "
        "the test, repeat the backtest, bktest, bckt, past performance, historical performance, simulate the "
        "past, simulate the last, see how it does, see how it performs, see how it would perform, see how it "
        "would do, see how it holds up, see how this does, see how this performs"
    ),
    "SIMULATION": (
        "simulation, simulations, simulate, simulates, simulating, sim, sims, paper trade, paper trading, "
        "papertrade, paper trades, papertrading, dry run, paper mode, paper run, replay, paper, forward test, "
        "simulated, paper trading session, paper session, sim run, demo trade, demo trading, practice run, paper "
        "bot, fake money, play money, pretend money, virtual money, monopoly money, paper money, fake cash, play "
        "cash, virtual cash, pretend cash, fake funds, virtual funds, toy money, dummy money, without real money,"
        " no real money, not real money, simulated money, demo, demo mode, demo account, sandbox, sandbox mode, "
        "practice, practice mode, practice trading, practice trade, virtual trading, virtual trade, mock trading,"
        " mock trade, mock run, shadow trading, shadow mode, forward testing, forward run, paper account, paper "
        "trader, paper tradin, paper money mode, simul, simulator, papertrader, pretend trading, fake trading, "
        "fake trade, fake trades, fake trading session, simulation mode, sim mode, trial run, dummy trading, "
        "trade on paper, trading on paper, without risking money, without risking anything, without risking real "
        "money, without using real money, no real cash, without real cash, risk free, without risk"
    ),
    "START": (
        "start, starts, starting, begin, launch, run, runs, running, fire up, kick off, spin up, do, go, execute,"
        " start up, try, boot, activate, turn on, switch on, get going, get started, commence, initiate, engage, "
        "set off, trigger a, bring online, boot up, open up, resume, crank up the"
    ),
    "END": (
        "end, halt, quit, terminate, abort, shut down, shut off, stop it, finish, pull the plug on, kill it, shut"
        " it down, shut, ending, end it, cease, stop now, wrap up, call it off, call off, terminates, interrupt, "
        "pull the plug, discontinue, knock off"
    ),
    "CANDLE": (
        "candle, candles, kline, klines, bar, bars, chart, charts, interval, candlestick, candlesticks, ticks, "
        "tf, candle size, candle length, minute candles, timeframe candles, resolution, granularity, candle "
        "interval, kline interval, bar size"
    ),
    "FEE": (
        "fee, fees, commission, commissions, trading fee, trading fees, fee percent, trading cost, trading costs,"
        " costs, cost per trade, transaction fee, transaction fees, transaction costs, maker fee, taker fee, "
        "exchange fee, exchange fees"
    ),
    "SLIPPAGE": "slippage",
    "AGAIN": (
        "again, once more, one more time, another run, another time, another go, over again, one more run, "
        "afresh, repeat it, redo it, repeat that, do it again, run it back, do over"
    ),
    "LIVE": (
        "live, real time, realtime, live mode, live market, live data, live prices, real market, real time "
        "market, real time data, as it happens"
    ),
    "CHECK": "check, checks, checking, every, each, poll, polling, tick",
    "BOT": "bot, bots, robot, robots, trading bot, tradebot, trade bot, trader bot, bott",
    "STRATEGY": (
        "strategy, strat, strats, strategies, setup, plan, rules of the bot, config, configuration, ruleset, rule"
        " set, current rules, settings, setting, my rules, game plan, gameplan, system, approach, trading plan, "
        "trading strategy, params, parameters, logic"
    ),
    "TOKEN": (
        "token, tokens, coin, coins, ticker, crypto, pair, asset, memecoin, shitcoin, altcoin, cryptocurrency, "
        "cryptos, meme coin, memecoins, meme coins, altcoins, shitcoins, symbol, currency, project, pool"
    ),
    "CREATE": (
        "create, creates, new, build, creating, set up, make me, setup a, spin up a, another, make a, make an, "
        "make new, make another, make one, set me up, build me, build a, create me, spin up another, brand new, "
        "generate, a fresh, start a new, begin a new, open a new"
    ),
    "CALLED": (
        "called, named, name it, call it, with the name, name, titled, by the name of, naming, calling it, "
        "labelled, labeled, by name, name as, whose name, with name, named it, lets call it, lets name it, its "
        "name, i call it, we call it, the name, dubbed, label it, title it"
    ),
    "SWITCH": (
        "switch, swap, select, choose, open, load, activate the, change bot, switch over, use bot, go to bot, "
        "switch back, work on, jump to, change to, lets do, let us do, go with, work with, pick, talk about, "
        "change over to, hop to, hop over to, move over to, jump over to, flip to, swap to, swap over to, go over"
        " to, take me to, bring me to, lets go to, lets talk about, speak about, focus on, continue with, lets "
        "work on, lets use, lets look at, get me to"
    ),
    "SEARCH": (
        "info on, info about, any info on, details on, details about, search, find, lookup, look up, look for, "
        "search for, find me, search token, searching, looking for, search up, hunt for, locate, get info on, "
        "info for, information on, information about, tell me about the token, tell me about the coin, look into,"
        " scan for, browse, find token, find the token, find coin, find the coin, find a token, find a coin"
    ),
    "RISK": (
        "risk, risky, risks, rug, rugpull, rug pull, scam, scammy, safe, honeypot, honey pot, trust, legit, tax, "
        "taxes, dangerous, audit, sketchy, secure, sell tax, buy tax, rugged, security, shady, sus, trustworthy, "
        "red flag, red flags, fishy, dodgy, shitty contract, reliable, reputable, trusted, trustable, unsafe, "
        "safety, safety check, risk check, risk score, risk level, rug risk, rug check, scam check, hazardous, "
        "malicious, danger, audited, backdoor, mintable, exit scam, honeypotted, buy or sell tax, can i sell, "
        "sell taxes, buy taxes, rugging, rugs, scams, legitimate, ok to trade, safe to trade, safe to buy, "
        "warning signs, worry about, worried about, be careful with"
    ),
    "UNDO": (
        "old strategy back, previous strategy back, reverse the last change, reverse the change, old one back, "
        "undo, revert, rollback, roll back, ctrl z, control z, take that back, take it back, put it back, go back"
        " to the old, go back to the previous, restore, go back, back to the old, back to the previous, back to "
        "how it was, as it was before, how it was before, reverse that, put that back, cmd z, undo that, roll "
        "that back, change it back, change that back, bring back the old, bring it back, bring back the previous,"
        " set it back, undo it, undone, undo everything, undo my change, undo my last change, undo the change, "
        "undo changes, unchange, unde, undu, one step back, go one back, back out that, back that out, back out "
        "of that, reinstate, return to the previous, return to the old, return to how it was, revert back, revert"
        " it, rewind, reset to the previous, reset to previous, wind back, walk that back, walk it back, unmake, "
        "unset that, un do, back up one step, reverse, take back"
    ),
    "SHOW": (
        "show, explain, describe, tell, summarize, summarise, display, see, print, read, remind, walk me through,"
        " recap, summary, elaborate, clarify, pull up, bring up my, show me, give me a summary, sum up, list out,"
        " spell out, lay out, outline, read back, read me, read out, take a look at, status of, overview, "
        "overview of, tell me about, talk me through, run me through, what is in, refresh my memory, give me the "
        "details, details of, break down my, break it down, in plain english, in plain words"
    ),
    "RESULT": (
        "result, results, outcome, performance, perform, performed, performing, pnl, returns, return, win rate, "
        "winrate, report, numbers, stats, metrics, outcomes, backtest results, test results, backtest result, "
        "test result, figures, win ratio, drawdown of it, how it went, profit and loss, p and l, scorecard, "
        "sharpe, sharpe ratio, max drawdown, roi, total return, total returns, final balance, equity curve, how "
        "many wins, number of trades, trade count"
    ),
    "SAME": (
        "same, same thing, same again, the same, as before, like before, identical, unchanged period, just like "
        "before, same as before, same as last time, same settings, same period"
    ),
    "TOOMUCH": (
        "too tight, too loose, too small, too big, too wide, too short, too long, too much, too little, too low, "
        "too high, too close, too far, too risky, too early, too late, too soon, too narrow, too strict, too "
        "large, too slow, too fast, too greedy, too conservative, too aggressive, not enough, not tight enough, "
        "not wide enough, way too much, insufficient, too few, too many, too generous, too deep, too shallow, a "
        "bit much, a bit low, a bit high, a bit tight, a bit loose"
    ),
    "FOREVER": (
        "forever, for ever, indefinitely, as long as it takes, as long as it wants, as long as needed, no matter "
        "how long, however long it takes, for as long as it takes, without a time limit, until kingdom come, for "
        "all eternity"
    ),
    "EARLIER": (
        "previous settings, old settings, previous setting, old setting, previous setup, old setup, earlier "
        "version, earlier settings, prior version, last version, former settings, previous state, previous one, "
        "old one, previous strategy, old strategy, earlier strategy, prior strategy, previous version, old "
        "version, original version, original settings, original strategy, old values, previous values, old rules,"
        " previous rules, old config, previous config, old strat, previous strat, before this change, before that"
        " change, before the change, before the last change, before my change, before my last change, the way it "
        "was, like it was, like it was before, the way it was before, how it was, as it was, how it used to be"
    ),
}
