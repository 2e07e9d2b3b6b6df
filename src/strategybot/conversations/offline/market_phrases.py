"""Phrases about prices, volume, positions and what limits them."""

MARKET = {
    "FILL": (
        "up to, at least, at most, at the least, no matter what, falling knife, falling knives, longer than, no "
        "longer than, not longer than, no more than, not more than, no later than, no less than, the way down, as "
        "far, by the way, right now, stay the same, stays the same, leave the rest, keep the rest, keep everything "
        "else, rest stays, the rest stays, nothing else, as is, the rest as is, no matter, at the latest, at "
        "latest, of the time, for me, a drop of rum, look like, looks like, set to, in total, everything else, all "
        "else, leave everything else, leave everything, keep everything, keep everything else the same, everything "
        "stays, everything the same, rest unchanged, the rest unchanged, leave the others, keep the others, the "
        "other settings, other settings, the other values, all other settings, no less, not less than, not under, "
        "mean reversion, trend following, swing trade, swing trading, dip buying, dip buyer, on the way, if "
        "possible, as usual, in general, in one go, at a time, for now, for the moment, from now on, as of now, "
        "going forward, at once, right away, straight away, one more thing, by default, or so, and more, or better, "
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
        "thinking about it, whichever is first, whatever is first, whatever comes first, whatever happens first, "
        "whichever happens first, whichever hits first, whatever hits first, whichever comes first, whichever is "
        "sooner, whatever is sooner, whichever is earlier, whichever comes sooner"
    ),
    "BUY": (
        "buy, buys, buying, bought, purchase, enter, enters, entering, entry, entries, long, longs, go long, going "
        "long, goes long, go in, get in, gets in, getting in, jump in, ape, ape in, aping, apes, scoop, scoop up, "
        "accumulate, pick up, open a position, open a trade, open a long, open position, take a position, get long, "
        "load up, buy in, long entry, grab, snap up, trigger the buy, trigger a buy, buy signal, entry signal, "
        "enter a trade, enter the trade, buy order, buyin, purchases, purchasing, acquire, enter long, enter "
        "position, enters a position, enter a position, bid, bids, longing, trigger buy, trigger buys, buy trigger, "
        "open long, opens a position, opens a trade, add to position, buy some, buy it, buys it, go all long, place "
        "a buy, place a buy order, hop in, dive in, step in, get a position, take a long, start a position, scoops, "
        "grabs, buying in, longs it, nibble, nibbles, snag, snags, hop on, get on board, jump on, jump on it, "
        "chase, chases, chasing, get me in, put me in, pull the trigger, market buy, take a bite, buy up, take a "
        "trade, open up a position, start buying, initiate a position, initiate a long, establish a position, take "
        "an entry, enter in, fomo in, get some, grab some, scoop some, pick some up, pick it up, pick some, scoop "
        "it up, scoop it, grab it, snag it, snag some, buy the thing, gets me in, hop into it, jump into it, get "
        "into it, get into a trade, buy a position, get a bag, grab a bag, place a long, place an entry, place a "
        "trade, enters the market, enter the market, entry point, snipe, snipes"
    ),
    "SELL": (
        "sell, sells, selling, sold, exit, exits, exiting, close, closes, closing, get out, gets out, getting out, "
        "cash out, bail, bail out, liquidate, offload, unload, dump it, dump everything, dump all, dump the bag, "
        "dump my bag, dump the position, close out, close it, close the trade, close the position, close position, "
        "exit the trade, exit the position, sell everything, sell it, sell it all, sell all, take me out, get me "
        "out, sale, sales, ditch the position, out, sell off my position, sell the position, sell my position, sell "
        "the whole thing, sell the whole position, sell the whole bag, sell off everything, flatten, take me out of "
        "the trade, get out of the trade, get out of it, get out of the position, exit position, closing out, "
        "closes the position, closes out, drop out, step out, hop out, leave the trade, out of the trade, out of "
        "it, sell signal, trigger a sell, dump my position, dump my bags, dump bags, unwind, exit trade, close my "
        "position, close trade, close trades, sells it, sell them, sell it off, let go of it, take it off the "
        "table, im out, want out, pull out, jump out, close it out, sell out, get me out of there, flip it, part "
        "with it, unload it, cash me out, square off, square up, close all, dump them, offload it, liquidate it, "
        "sell what i have, sell my bag, sell my bags, sell my stuff, gets me out, kick me out, close the deal, "
        "close down the position, close any position, close any open position, sell signal is, exit point, exit "
        "signal, bail out of it, im gone, be out, get us out, take us out"
    ),
    "STOP": (
        "stop loss, stop losses, stoploss, stop los, stop lose, sl, s l, hard stop, stop, stops, fixed stop, stop "
        "limit, cut loss, cut losses, cut my losses, cut the losses, cut the loss, cut my loss, cut losers, cut my "
        "losers, cut the losers, max loss, maximum loss, limit my loss, limit my losses, limit losses, limit the "
        "loss, limit the losses, limit loss, stop me out, stop out, stopped out, max pain, protective stop, loss "
        "limit, cap the loss, cap my losses, cap losses, safety stop, stop price, stop level, losers, sl level, cut "
        "it, cut, emergency exit, stoplosses, stop losss, stop-loss, disaster stop, stop loss level, maximum risk, "
        "max risk, cap losses at, cap the losses, cap my loss, cap loss, limit my risk, limit the risk, limit risk, "
        "limit the downside, limit downside, cut my loss at, cut the losing trades, cut losing trades, losing "
        "trades, stop loss limit, loss cap, bail level, stops out, invalidation, invalidated, against me, against "
        "us, against my position, against the position, underwater, under water, in the hole, below entry, below my "
        "entry, under my entry, under entry, below the entry, under the entry, below entry price, under entry "
        "price, below my entry price, below the entry price, below what i paid, under what i paid, below my buy "
        "price, below the buy price, below cost, risk cap, safety net, loss threshold, loss tolerance, risk "
        "tolerance, tap out, pain threshold, pain limit, hard sl, stop lss, stp loss, stopplos, stop lossa, cut my "
        "losing trades, stop it out, stop losses at, max acceptable loss, acceptable loss, largest loss, biggest "
        "loss, cut my position, cut the position, cut the trade, cut my trade, stop order"
    ),
    "LOSS": "loss, losses, lose, loses, losing, lost",
    "TARGET": (
        "take profit, aim for, aiming for, shoot for, shooting for, take profits, takes profit, taking profit, "
        "takeprofit, tp, t p, profit target, target profit, target, targets, profit goal, take gains, take the "
        "gain, take the gains, take the profit, take my profit, take the profits, take my profits, lock in profit, "
        "lock in profits, lock in gains, lock profit, lock profits, let winners run, let my winners run, let "
        "winners run to, winners, tp level, take profit level, goal, bank profits, bank profit, realize profit, "
        "realise profit, secure profits, secure profit, profit taking, price target, tgt, takeprofits, tps, profit "
        "target of, take some profit, profit level, profit exit, lock in the profit, lock in the profits, lock in "
        "the gain, lock in my profit, lock in my profits, lock in my gains, bank the profit, bank the profits, bank "
        "gains, bank the gain, book profit, book profits, booking profits, book the profit, collect profit, collect "
        "profits, grab profit, grab profits, cash in, cashes in, let profits run, let my profits run, let the "
        "profits run, let profit run, let gains run, let the winners run, let it run, let it ride, let profits "
        "ride, profit limit, upside target, sell target, exit target, gain target, above entry, above my entry, "
        "above the entry, above entry price, above my entry price, above the entry price, above what i paid, over "
        "what i paid, over my entry, pocket, pockets, skim, ring the register, profit aim, gain goal, take proft, "
        "profit-taking, aims for, aim at, target price, profit objective, objective, take the win, take my win, "
        "take wins, cash in at, sell for a profit of, sell for a gain of, take my gains, cash the profit, cash "
        "profits, profit order, tp order"
    ),
    "PROFIT": (
        "profit, profits, gain, gains, gaining, win, wins, winning, made, in profit, in the green, earn, earned, "
        "earning, in the money, ahead, winner, gained, in profits, return of, profitable by, plus of, to the good"
    ),
    "TRAIL": (
        "trailing stop, follow the price up with, follow it up with, trailing stop loss, trailing stoploss, "
        "trailing sl, trailing, trail, trails, tsl, trail stop, trailing exit, stop trailing, trail it, trail the "
        "stop, trail my stop, trailing stops, trailing stop of, moving stop, dynamic stop, trailer, trailing take "
        "profit, follow the price, follow price, following stop, trails by, trails behind, trail behind"
    ),
    "HOLDMAX": (
        "max hold, max holding, maximum hold, max hold time, max holding time, holding time, hold time, maximum "
        "holding time, maximum hold time, time stop, time limit, holding period, max holding period, maximum "
        "holding, maximum holding period, timeout, time out, max time, time exit, max duration, time based exit, "
        "maximum time in a trade, max time in trade, max trade duration, max trade length, trade duration, maximum "
        "trade duration, maximum duration, hold limit, holding limit, holding max, hold max, time cap, max age, "
        "expiry, time based stop, maximum time, longest holding time, longest hold, max time in position, time in "
        "trade, time in a trade, longest time, maximum time in trade, auto close, auto exit, auto sell, trade "
        "timeout, hold timer, position timeout, time stop at"
    ),
    "HOLD": (
        "hold, holds, holding, keep the position, keep it, keep a position, keep positions, keep it open, stay in, "
        "stay in the trade, keep the trade, hang on, keep holding, in a trade, in the trade, hold on, sit in, sit "
        "on it, keep open, keep them open, keep it for, stay in it, stay invested, remain in the trade, stuck in a "
        "trade, keep trades open, keep positions open, sit in a trade, sit in a position, keep a trade, keep a "
        "trade open, keep any trade, keep any position, keep my position, keep my position open, keep it running, "
        "keep anything, hold anything, hold a position, hold the position, hold positions, hold it, hold on to it, "
        "hold onto it, stay in a trade, stay in a position, stay in one trade, hold a trade, hold trades, hold the "
        "trade, hold my position, sit on a position, be in a trade, stay in the position, leave it open, leave the "
        "trade open, leave positions open, have a position open, remain open, stays open, stay open"
    ),
    "COOLDOWN": (
        "cooldown, cool down, cooldowns, cooling off, cool off, cooldown time, cooldown period, cooling down, "
        "pause, pauses, wait, waits, waiting, break of, rest period, a break of, sit out, chill, lay off, take a "
        "break, sleep, stand by, cooldown timer, breather, breathing room, take a breather, timeout between, rest "
        "between, waiting time, waiting period, wait time, time off, hold fire, stay out, stays out, sit on its "
        "hands, stay flat, pause for, off time, no buying for, dont buy for, no new trades for, no trades for, no "
        "entries for, no new entries for, cool it, pause of, downtime, idle time, idle, stay on the sidelines, "
        "sidelines, take a rest, take a pause, wait period, lockout, lock out, timeout after, quiet period, recess"
    ),
    "BREAK": (
        "reclaim, reclaims, break, breaks, breaking, broke, breaks out, break out, breakout, breakouts, clears, "
        "busts, busts through, bust through, punches through, smashes through, smashes, overcomes, retakes, retake, "
        "regains, regain, recaptures, break above, takes back, wins back, blows through, breaks through, break "
        "through, breaking through, broke through"
    ),
    "SIZE": (
        "position size, position sizing, positionsize, size, sizing, position percent, trade size, bet size, "
        "position, stake, allocation, order size, invest, invests, investing, allocate, bet, bets, risk per trade, "
        "spend, spends, spending, position size per trade, position sizes, trade sizing, bets of, per trade size, "
        "amount per trade, buy size, buy amount, exposure, commit, commits, deploy, deploys, put in, puts in, "
        "capital per trade, cash per trade, lot size, per position, sized at, order amount, trade amount, position "
        "amount, stake size, put up, each position, every position"
    ),
    "CASH": (
        "cash, money, balance, capital, portfolio, funds, bankroll, account, wallet, equity, stack, bag, savings, "
        "bank roll, buying power, my account, cash balance, holdings, net worth, purse, dry powder, available cash, "
        "usable cash, budget, my bankroll, the pot, pot, kitty, net liq, account balance, account size, whole "
        "wallet, free cash, starting capital, bank, treasury"
    ),
    "ALLIN": (
        "all in, everything i have, all my money, all my cash, full size, full position, all of my cash, all of it, "
        "whole balance, the whole balance, all of my money, all the money, full send, max size, full port, go all "
        "in, everything we have, whole account, entire account, full balance, entire balance, whole bankroll, max "
        "out the size, all available cash, all the cash, all of the cash, full stack, whole stack, maximum size, "
        "maximum position size, max position size, max position, the whole lot, full capital"
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
        "move down, moves down, moved down, downmove, nuke, nukes, nuked, collapses, collapse, dive, dives, "
        "dropoff, drop off, slump, slumps, slumped, slumping, sag, sags, dips down, drops down, falls down, fall "
        "down, fall off, falls off, cratered, crater, craters, cratering, rekt, gets rekt, bleeds out, bleed out, "
        "weaken, weakens, loses value, lose value, lost value, cools off by, downturn, downtick, tick down, ticks "
        "down, goes red, gone red, decrease in price, price decrease, price drop, price drops, price fall, price "
        "falls, price dip, price dips, drop in price, fall in price, dip in price, drop of price, dipz, red candle, "
        "gets cheaper, sell-off, pullback of, retreats, retreat, retreated, off by, down move, downward move, move "
        "lower, moves lower, trade lower, trades lower, lower by, breaks down, break down, breakdown, gives back, "
        "give back, gave back, on sale, melts, melt, melts down, backs off, comes off, come off, came off, coming "
        "off, rolls over, capitulates, gets hammered, gets crushed, gets smashed, gets dumped, diminish, "
        "diminishes, diminished, devalues, deflates, descends, descend, goes south, heads south, heads down, heads "
        "lower, crumbles, crumble, swan dive, free fall, freefall, drops back, falls back, skids, caves, pukes, "
        "puke, corrected, price slump, price crash, price decline, decline in price, gets slammed, loses ground, "
        "lost ground, negative by, in the minus, minus of, down tick, price slide, dump down, dumps down, gives up, "
        "sell offs, selloffs, pull backs, drawn down, bleeding out, gets nuked, on a dip of, trending down by, "
        "weaker by, cheaper by"
    ),
    "RISE": (
        "rise, rises, rose, risen, rising, pump, pumps, pumped, pumping, rally, rallies, rallied, jump, jumps, "
        "jumped, jumping, climb, climbs, climbed, climbing, moon, moons, mooned, mooning, surge, surges, surged, "
        "soar, soars, soared, rip, rips, ripped, ripping, up, go up, goes up, going up, went up, gone up, green, "
        "spike up, spikes up, bounce, bounces, bounced, bouncing, recover, recovers, recovered, rebound, rebounds, "
        "grow, grows, grew, appreciate, appreciates, skyrocket, skyrockets, move up, moves up, moved up, uptick, "
        "run up, runs up, shoots up, shoot up, goes higher, go higher, advance, advances, explode, explodes, "
        "upswing, increase in price, is higher, fly, flies, flying, takes off, popping, pop, pops, popped, comes "
        "back, come back, price rise, price rises, price jump, price jumps, price pump, price gain, price increase, "
        "rise in price, jump in price, increase of price, price increases, price goes up, goes green, gone green, "
        "gets green, is green, tick up, ticks up, up move, upward move, move higher, moves higher, trade higher, "
        "trades higher, higher by, rockets, rocketing, rocketed, sends, sending, gaps up, gap up, leaps, leap, "
        "leaped, zooms, zoom up, boom, booms, rallying, surging, soaring, bounces back, bounce back, bounced back, "
        "recovery, strengthen, strengthens, up only, ascend, ascends, push higher, pushes higher, breaks higher, "
        "lifts off, heads up, heads higher, heads north, goes north, blasts, blasts off, erupts, ramps, ramps up, "
        "inflates, swells, spurts, spurt, goes parabolic, hops, flies up, perks up, jumps up, jump up, climbs up, "
        "pumps up, surges up, thrusts, levitates, price surge, price spike, price climb, price climbs, stronger by, "
        "positive by, in the plus, upmove, leg up, legs up, pushes up, push up of, moves higher by, gains in price, "
        "bounce up, bounces up, rises up, rising up, rallys, pumpin, mooning by"
    ),
    "VOLUME": (
        "volume, volumes, vol, vols, volume spike, volume spikes, spike in volume, volume surge, volume surges, "
        "volume filter, trading volume, vol spike, volume explodes, volume jumps, surge in volume, volume rises, "
        "volume increases, volume goes up, volume pops, volume spiking, turnover, volume breakout, buying volume, "
        "volume condition, volume jumps to, volume shoots up, volume up, volume is up, volume multiplier, volume "
        "multiple, volume surge of, volume bursts, burst of volume, burst in volume, jump in volume, rise in "
        "volume, increase in volume, volume rise, volume increase, volume jump, volume pump, volume confirmation, "
        "volume check, relative volume, rvol, high volume, heavy volume, big volume, strong volume, volume spike "
        "filter, volume trigger, volume rule, volume requirement, volume threshold, traded volume, trade volume, "
        "higher volume, volume doubles up, volume picks up, volume goes, volume shoots, volume climbs, volume hits, "
        "volume reaches, volume grows, volume gets, volume swells, volume booms, volume size, the volumes, vol "
        "filter, vol condition, vol confirmation, activity spike, volume expansion, volume burst, volume bar, "
        "volume bars, volume candle"
    ),
    "SPIKE": "spike, spikes, spiked, spiking",
    "ABOVE": (
        "above, over, exceeds, exceed, past, higher than, greater than, more than, surpasses, upwards of, upward "
        "of, beyond, tops, at or above, exceeding, north of, upside of, in excess of, at above, higher then, bigger "
        "than, larger than, greater then, over the top of, higher as, at least at, on top of, overshoots, upwards "
        "from"
    ),
    "BELOW": (
        "below, under, beneath, less than, underneath, at or below, lower than, south of, lower then, smaller than, "
        "less then, sub, beneath the, no higher than, not above, undercuts, undercut, dips beneath, loses the level "
        "of, down below"
    ),
    "CROSS": (
        "cross, crosses, crossed, crossing, hit, hits, hitting, reach, reaches, reached, touch, touches, tags, gets "
        "to, get to, goes to, go to, gets down to, drops to, falls to, dips to, rises to, pumps to, trades at, "
        "climbs to, rallies to, gets up to, moves to, through, moons to, sinks to, crashes to, falls back to, runs "
        "to, comes to, gets back to, arrives at, gets above, gets over, gets below, gets under, hits the, goes "
        "through, trades through, pushes through, falls through, trading at, is at, sits at, slides to, slips to, "
        "plunges to, jumps to, pops to, surges to, soars to, tanks to, dumps to, retraces to, gets as low as, gets "
        "as high as, revisits, taps"
    ),
    "HIGH": (
        "high, highs, peak, peaks, top, tops out, ath, all time high, recent high, local high, highest, highest "
        "price, highest high, local top, session high, day high, daily high, recent peak, recent top, local peak, "
        "swing high, top price, peak price, previous high, max price, maximum price, its highs, recent highs, local "
        "highs, swing highs, top of the range, the top, its top, its peak, its high, highpoint, high point, highest "
        "point, daily top, day top"
    ),
    "LOW": (
        "low, lows, bottom, bottoms, all time low, recent low, local low, lowest, lowest price, lowest low, atl, "
        "local bottom, session low, day low, daily low, recent bottom, swing low, bottom price, previous low, min "
        "price, minimum price, its lows, recent lows, local lows, lowpoint, low point, lowest point, its bottom, "
        "its low, the bottom, day bottom, daily bottom, trough"
    ),
    "CLOSE": (
        "the close, closing price, close price, the closing price, last close, close to close, the last closing "
        "price, candle close, the candle close, previous close"
    ),
    "WINDOW": (
        "window, windows, lookback, look back, look back window, time window, timeframe, time frame, lookback "
        "window, lookback period, look back period, period, time period, time span, timespan, time range, measuring "
        "window, window size, window length, lookback time, measuring period, time horizon, lookback length, look "
        "back over, lookbacks, measuring time, window of, time interval, time window of, timeframes, horizon"
    ),
    "LEVEL": (
        "level, levels, price level, exit level, exit price, sell price, sell level, entry level, buy level, sell "
        "limit, exit limit, buy limit, limit price, selling price, selling level, buying price, buying level, entry "
        "price, exit at a price of"
    ),
    "when": (
        "the moment, the instant, the second it, the minute it, the moment that, the moment when, every time that, "
        "at the moment when, the very moment, anytime, any time"
    ),
    "once": (
        "as soon as, soon as, as soon as the, right after, directly after, the second that, just after, immediately "
        "after, straight after"
    ),
}
