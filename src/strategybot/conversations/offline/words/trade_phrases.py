"""Phrases about trades: buying, selling, what limits them, and how much is at stake."""

TRADES = {
    "BUY": (
        "i want in, get me in, "
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
        "signal, bail out of it, im gone, be out, get us out, take us out, closed, exited, liquidated, be closed, "
        "be sold, gets sold, get sold, be liquidated"
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
        "profits, grab profit, grab profits, cashes in, let profits run, let my profits run, let the "
        "profits run, let profit run, let gains run, let the winners run, let it ride, let profits ride, profit "
        "limit, upside target, sell target, exit target, gain target, above entry, above my entry, above the entry, "
        "above entry price, above my entry price, above the entry price, above what i paid, over what i paid, over "
        "my entry, pocket, pockets, skim, ring the register, profit aim, gain goal, take proft, profit-taking, aims "
        "for, aim at, target price, profit objective, objective, take the win, take my win, take wins, cash in at, "
        "sell for a profit of, sell for a gain of, take my gains, cash the profit, cash profits, profit order, tp "
        "order, let it run to, let it run up to, let it run until, take the money, take the cash, take my money, "
        "take money off the table"
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
        "trade open, leave positions open, have a position open, remain open, stays open, stay open, in a position, "
        "in the position, in any trade, in one trade, in a single trade, in each trade, in every trade, in any "
        "position"
    ),
    "COOLDOWN": (
        "cooldown, cd, cool down, cooldowns, cooling off, cool off, cooldown time, cooldown period, cooling down, "
        "pause, pauses, wait, waits, waiting, rest period, sit out, chill, lay off, take a break, sleep, stand by, "
        "cooldown timer, breather, breathing room, take a breather, timeout between, rest between, waiting time, "
        "waiting period, wait time, time off, hold fire, stay out, stays out, sit on its hands, stay flat, pause "
        "for, off time, no buying for, dont buy for, no new trades for, no trades for, no entries for, no new "
        "entries for, cool it, pause of, downtime, idle time, idle, stay on the sidelines, sidelines, take a rest, "
        "take a pause, wait period, lockout, lock out, timeout after, quiet period, recess"
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
}
