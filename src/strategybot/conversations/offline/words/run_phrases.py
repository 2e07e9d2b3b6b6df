"""Phrases about bots, tokens and runs: testing, simulating, searching."""

RUNS = {
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
    "CHECK": "check, check interval, checking interval, checks, checking, every, each, poll, polling, tick",
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
    "BOT": "bot, bots, robot, robots, trading bot, tradebot, trade bot, trader bot, bott",
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
        "up, whip me up, get me a new, write me, write me a, draft me, draft me a, code me, code me a"
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
    "STRATEGY": (
        "strategy, strat, strats, strategies, setup, plan, rules of the bot, config, configuration, ruleset, rule "
        "set, current rules, settings, setting, my rules, game plan, gameplan, system, approach, trading plan, "
        "trading strategy, params, parameters, logic"
    ),
}
