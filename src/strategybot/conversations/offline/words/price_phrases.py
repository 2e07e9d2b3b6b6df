"""Phrases about prices and volume: how they move, and over which time."""

PRICES = {
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
        "weaker by, depreciation, cheaper by, shaves off, shave off, shaved off, loses about, haircut"
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
        "appreciation, bounce up, bounces up, rises up, rising up, rallys, pumpin, mooning by"
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
    "BREAK": (
        "reclaim, reclaims, break, breaks, breaking, broke, breaks out, break out, breakout, breakouts, clears, "
        "busts, busts through, bust through, punches through, smashes through, smashes, overcomes, retakes, retake, "
        "regains, regain, recaptures, break above, takes back, wins back, blows through, breaks through, break "
        "through, breaking through, broke through"
    ),
    "ABOVE": (
        "above, over, exceeds, exceed, past, higher than, greater than, more than, surpasses, upwards of, upward "
        "of, beyond, tops, at or above, exceeding, north of, upside of, in excess of, at above, bigger "
        "than, larger than, over the top of, higher as, at least at, on top of, overshoots, upwards "
        "from"
    ),
    "BELOW": (
        "below, under, beneath, less than, underneath, at or below, lower than, south of, smaller than, "
        "sub, beneath the, no higher than, not above, undercuts, undercut, dips beneath, loses the level "
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
