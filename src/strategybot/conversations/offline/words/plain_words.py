"""Words by how much they matter: read over, beyond a strategy, ordinary, or telling of the past."""


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Read over: a message may hold any of these and still be clear.
FILLER = words_of(
    """
    fresh covering
    alter amend configure define revise specify tweak
    a able about absolutely accept accepting accordingly across actual actually additionally adjust adjusts
    afford after afterward afterwards again against aggressive ago ah aha aight aka alone already alright
    alrighty also always am amigo amigos amount an and anon another any anyhow anymore anything anyway anyways
    anywhere ape apparently appears applies apply approx approximately are argh around as asap aside assume
    assuming at atleast atm auto automated automatic automatically average avg away awesome aye back bad bah
    base based basic basically basis bc be bearish because become becomes becoming been before beginner
    behavior behaviour being believe better between big biggish bit bitte blood bloody bonjour both bots boy
    bra brilliant bring bro brudda bruh bruv btw buck bucket bucks buddy bullish bunch but by ca can captain
    careful case cases cash catch catching catchy cause cautious cent cents certain certainly chain change
    changed changes changing cheers chief chiefly chunk ciao circa classic clean clearly clever closely
    combination combined combo come comes comfortable coming compared complete completely concept concerning
    conservative consistently constantly continuously contrarian cool correctly could count counted course coz
    crap crew crisp current currently cuz d damn damnit dang danke darn data day days deal deals decent deep
    definitely degen detect detected detects did directly do does dollar dollars done dont dope downside
    downward downwards dude duh duration during each easy edit edits eh ehh either elegant else elsewhere
    ending enough entire entirely er erm especially even ever every everybody everyone everything everytime
    everywhere evidently exact exactly excellent exclusively existing explicitly extra fairly fam fancy fantastic
    far fast faster feasible ffs figure fill filled fills final fine finna fire fires firing firmly first
    fixed fking flash flat folks for force forced fourth fr fraction frame frankly freaking fricking friendly
    from fucking fulfilled full fully further fyi gang gently gents get gets getting gg give given gives
    giving glad gm go goes going gonna good gosh got gotta gracias great greedy guess guys had hafta haha
    hahaha hallo handle happen happening happens happily happy hard has have having he healthy heavily heck
    hehe hell hello hence here hereby heres hey hi hit hm hmm hmmm hmmmm hola hold holds homie honestly
    hopefully hour hours how hows huge huh hyper i id idea ideally ideas ie if iirc keeping leaving ill im imho imma
    immediately imo impatient importantly in individually insane inside instant instantly instead into
    irrespective is ish it its itself ive just k keep keeps kick kicks kind kinda kindly king kk knife knives
    lads large largely last later latest laxer lazy least leave legend lemme length less let lets level lfg
    lightly like likes lil limit literally little ll lmao lmfao loads lol lolz longish look looking loosely
    lot lots lovely luckily m mainly major make makes making man manually market massive match matches mate
    mates matter max maximum may maybe me mean meanwhile measure measured measuring mega meh merci merely met
    method methodology mhm might min mind mine mini minimum minor minute minutes mistake mm mode modest modify
    moment momentarily momentum momo month months more most move moved moves much multiple multiplier must my
    myself namaste namely near nearly neat necessary need needed needing needs neither nervous network new
    newbie next ngl ngmi nice nicely nobody noob nor normal normally notably notice notices now np number
    numbers obrigado observe obviously occur occurring occurs of ofc off oh ok okay okayish ola old omg on
    once one ones only onto ooh oops or order orders other others otherwise oughta our ours overall own pal
    part particular particularly past patient patiently pct people per percent percentage percentages percents
    perhaps personal personally pff phew piece place plain play please plenty plox pls plss plus plz portfolio
    portion position positions possible possibly precisely prefer preferably prepared present presently
    presumably pretty previous price priced prices primarily promptly pronto proper properly put puts putting
    quick quicker quickly quite rapid rapidly rather re ready really reasonable recent reference regarding
    regardless regards regular relatively remain remaining remains require required requires respect respectively rest
    reversion reverting ride rides riding right riskier rn rofl rookie roughly s sadly safer salut same
    satisfied scalp scalper scalping scared second see seen sees sensible ser serious seriously servus session
    sessions set sets setting shall share sharp sharply she shift shit shoot shortish shortly should show
    shows sick side simple simply simultaneously since sir sitting slice slight slightly slowly small smart smoothly
    so softer solid some somebody something somewhat soon sooner sorry sort sorta span specific specifically
    speedily spot spots spotted squad standard start starting static stay staying stays steadily steep still stomach
    stops straight strategys strength stricter strictly strong stronger strongly stuff style subsequently such
    sudden suddenly suffices sufficient suitable sup super supposedly sure surely sweet swiftly swing switch
    switched t tactic tad take taken takes taking targets tbf tbh technique teehee tell than thank thankfully
    thanks that thats the them themselves then there thereafter thereby therefore theres these they thing
    things think third this thnx tho those though three through throughout thus thx tidy tightly till time
    times timespan tiniest tiny to together tolerate tons too total totally trade traded trades trading trend
    trends trigger triggered triggering triggers true try trying tryna turn turns two ty typical tysm u ugh uh
    ultra um umm unchanged until untouched up update updates upon upside upward upwards ur us usd usdt use
    used uses using usual value values ve versus very via vs w wagmi wanna want wanted wanting wants was way ways we
    weaker weakness wed wee week weeks well welp were what whatever whats when whenever where wheres wherever
    which whichever while who whoa whoever whole whoops whos whose why wild will willing wish with within
    without woah woo woop worth would wow wrong wtf xd yay yeah year years yep yes yet yikes yo you youd youll
    your youre yours yup
    """
)

# Known, and beyond what a strategy can say: never taken for something else, nor for the name of a token.
UNSUPPORTED = words_of(
    """
    adx airdrop airdrops april arbitrage asia atr august autumn averaging backwardation birthday bollinger
    borrow borrowed breakeven calls cci channel channels chikou christmas collateral consecutive contango
    correlated correlation cpi crossover cup cvd daytime dca december delisting developer deviation deviations
    diamondhands discord divergence doji dominance donchian easter election elliott elon ema emas engulf
    engulfing etf evening except expiries fdv fear february fed fib fibonacci flag flags followers fomc friday
    fridays funding futures gamma gann gas gold gradient greed grid halving halvings hammer harami hedge
    hedging heikin hodl holders holiday holidays hype ichimoku imbalance increments indicator indicators
    inflation inflow inflows influencers insider inverse iv january july june keltner kijun ladder laddering
    lending leverage leveraged leverages leveraging liquidation liquidations liquidity listing listings london
    ma macd march margin margined marketcap martingale marubozu mcap mentions mfi midnight monday mondays
    moonphase morning moving nasdaq neckline news nfp night nighttime noon november obv oclock october oi
    openinterest options orderbook orderflow oscillator oscillators outflow outflows overnight partial
    partially pattern patterns pennant percentile perp perpetual perpetuals perps pivot pivots portions powell
    premarket puts pyramid pyramiding pyramids quantile rebalance rebalancing rebuy rebuys reenter reentry
    regression renko resistance ribbon rsi saturday saturdays scale seasonality senkou sentiment september
    short shorted shorting shorts shoulders sigma skew slope sma smas spread spring spx staking stoch
    stochastic strike sunday sundays supertrend supply support telegram tenkan thanksgiving theta thursday
    thursdays tiers today tomorrow tonight tranche tranches trendline trendlines triangle tuesday tuesdays tvl
    twap tweet tweets twitter unless unlock unlocks upgrade vega vesting vix volatility vwap wallets wedge
    wednesday wednesdays weekday weekdays weekend weekends whale whales wick wickoff wicks winter wyckoff
    yesterday zigzag zscore
    """
)

# Neither filler nor typos: feels is no mistake for fees.
ORDINARY = words_of(
    """
    trader traders some
    advice advise alert almost already although always amazing among angry anyone apart ask asked awesome bad
    beautiful became because become beer behind believe beside best better big billion black blue book books boring
    boss breakfast brother brown busy call called car cat certain city code coffee cold color computer country
    couple crazy dad dance danced data despite die died different difficult dinner dog dozen drive drove easy email
    except exciting fake false family fast father feel feels felt few file finally flew fly folder food forget
    forgot form free friend friends funny game games girl guarantee guy happy hard hardly hate hates hear heard home
    hope hoped horrible hot hour house however hundred husband image important impossible instead instruction
    instructions interesting internet job joke key kid kids knew know knows learn learned life live lived look
    looked looks love loves lunch many mean means meant million minute mom moment month mother movie music news
    office often opinion pair password people perfect person phone picture pizza place play played poor possible
    profitable promise prompt quickly rain rarely read real recently recommend remember rich ride rode room sad said
    sang say says school script second secret seem seems several similar simple sing sister sleep slept slow slowly
    small smart snow someone sometimes song special story strange street strong stupid successful suddenly suggest
    summer sun swim system table talk talks tall team tell terrible therefore think thinks thought thousand together
    told tomorrow tonight toward true ugly understand unless usually video walk walked warm watch watched water weak
    weather website week whether white why wife win winter wish won wonder work worked works world worse worst write
    wrong wrote year yesterday
    """
)

# Outside a condition these tell what has happened, and order nothing.
PAST_FORMS = words_of(
    """
    bled bought bounced broke climbed crashed crossed declined dipped dropped dumped fell flew got grew had jumped
    lost made mooned nuked plummeted plunged popped pulled pumped rallied reached rebounded recovered retraced
    ripped rose sank slid slipped soared sold spiked surged tanked was went were
    """
)

ALIASES = {
    "caled": "called",
    "calld": "called",
    "calle": "called",
    "caleld": "called",
    "clled": "called",
    "namd": "named",
    "naemd": "named",
    "tset": "test",
    "tets": "test",
    "tst": "test",
    "thx": "thanks",
    "tarling": "trailing",
    "traling": "trailing",
    "trialing": "trailing",
    "cooldwon": "cooldown",
    "possition": "position",
    "pozition": "position",
    "chng": "change",
    "chg": "change",
    "adn": "and",
    "hte": "the",
    "teh": "the",
    "tehn": "then",
    "voluem": "volume",
    "droops": "drops",
    "drps": "drops",
    "dorps": "drops",
    "dorp": "drop",
    "prc": "price",
    "sotp": "stop",
    "stpo": "stop",
    "stp": "stop",
    "selll": "sell",
    "slel": "sell",
    "sel": "sell",
    "bought": "bought",
    "bbuy": "buy",
    "buu": "buy",
    "buyt": "buy",
    "byu": "buy",
    "wen": "when",
    "whn": "when",
    "n": "and",
    "nd": "and",
    "iff": "if",
    "ur": "your",
    "ya": "you",
    "gimme": "give",
    "bout": "about",
    "upto": "to",
}

# Whoever else trades: what they do is no order.
PERSONS = words_of(
    """
    he she they people everybody everyone somebody someone anybody anyone nobody who friend friends brother sister dad
    mom mum father mother wife husband boss colleague coworker uncle aunt cousin neighbor neighbour guy guys trader
    traders whale whales influencer influencers youtuber mentor teacher elon others folks kid kids son daughter
    roommate girlfriend boyfriend grandma grandpa
    """
)

# What is repeated, told, made up or only recalled orders nothing.
TOLD = words_of(
    """
    imagine suppose supposing note reminder instance hypothetically hypothetical hypothesis theory theoretical scenario
    thinking wondering wonder wish someday considering dreaming tempted
    theoretically guess unsure eventually tomorrow hope hoping believe think thought remember heard read said says
    saying repeat repeating pretend pretending quote quoting quoted tweeted posted claims claimed claim recommends
    recommended suggests suggested advises advised according poem song story essay joke joking kidding sarcasm
    translate rhyme novel haiku lyrics article tutorial quiz homework yesterday told tells write wrote writing writes
    spell sing whisper shout suggestion suggesting proposal todo example usually sometimes often typically generally
    rarely mostly fact facts
    """
)
