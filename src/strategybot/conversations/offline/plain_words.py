"""Words by how much they matter: read over, beyond a strategy, ordinary, or telling of the past."""


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Read over: a message may hold any of these and still be clear.
FILLER = words_of(
    """
    a able about absolutely accept across actually adjust adjusts afford after afterward afterwards again
    against aggressive ago ah aha aight alone already alright alrighty also always am amount an and anon another
    any anyhow anymore anything anyway anyways ape appears applies apply approx approximately are around as asap
    at atleast atm auto automated automatic automatically average avg away back bad base based basic basically
    basis bc be bearish because been before being believe between big bit both bots boy bring bro bruh btw buck
    bucket bucks buddy bullish but by ca can careful case cases cash catch catching cause cautious cent cents
    certain certainly chain change changed changes changing cheers chief chunk classic clearly combination
    combined combo come comes coming completely conservative contrarian cool could count counted course coz
    current currently cuz d damn dang day days deal deals decent deep definitely degen detect detected detects
    did do does dollar dollars done dont downside downward downwards dude duration during each easy edit edits
    either else ending enough entire entirely er erm even ever every everybody everyone everything everytime
    exact exactly extra fairly fam far fast ffs figure fill filled fills final fine fire fires firing first
    fixed flash flat folks for fourth fr fraction frame from fulfilled full fully further fyi gents get gets
    getting gg give given gives giving gm go goes going gonna good got great guess guys had haha handle happen
    happening happens hard has have having he healthy hehe hello hence here hereby heres hey hi hit hm hmm hmmm
    hold holds homie honestly hour hours how hows huge i id idea ideally if iirc ill im imho immediately imo in
    inside instantly instead into is ish it its itself ive just k keep keeps kick kicks kind kindly king kk
    knife knives lads large last later latest least leave legend length less let lets level lfg like likes limit
    literally little ll lmao lol looking lot lots m major make makes making man market massive match matches
    mate matter max maximum may maybe me mean meanwhile measure measured measuring met mhm might min mind mine
    minimum minor minute minutes mistake mm mode modest modify momentum momo month months more most move moved
    moves much multiple multiplier must my myself necessary need needed needing needs neither network new next
    ngl ngmi nice nicely nobody nor normal normally notice notices now np number numbers observe obviously occur
    occurring occurs of ofc off oh ok okay old omg on once one ones only onto ooh oops or order orders other
    others our ours overall own pal part particular past patient pct people per percent percentage percentages
    percents perhaps piece place plain play please plox pls plss plus plz portfolio portion position positions
    precisely prefer preferably pretty previous price priced prices proper put puts putting quick
    quickly quite rapid rapidly rather re really reasonable recent reference regular relatively remain remains
    require required requires rest reversion reverting right rn roughly s same satisfied scalp scalper scalping
    second see seen sees sensible ser serious seriously session sessions set sets setting shall share sharp
    sharply she shift should show shows side simple simply simultaneously since sir slice slight small so solid
    some somebody something somewhat soon sorry sort span specific spot spots spotted standard start starting
    static stay stays steep still stomach stops straight strategys strength strong stuff style such sudden
    suddenly sufficient suitable sup super sure surely swing switch switched t take takes taking targets tbf tbh
    tell than thank thanks that thats the them themselves then there thereby therefore theres these they thing
    things think third this thnx tho those though thought three through throughout thus thx till time times
    timespan tiniest tiny to together tolerate too total totally trade traded trades trading trend trends
    trigger triggered triggering triggers true try trying turn turns two ty typical tysm u uh um umm unchanged
    until untouched up update updates upside upward upwards ur us usd usdt use used uses using usual value
    values ve very via w wagmi wanna want wanted wanting wants was way ways we weakness wed week weeks were what
    whatever whats when whenever where wheres wherever which whichever while who whoever whole whoops whos whose
    why will with within without worth would wow wrong wtf yeah year years yep yes yet yikes yo you youd youll
    your youre yours yup
    """
)

# Known, and beyond what a strategy can say: never taken for something else, nor for the name of a token.
UNSUPPORTED = words_of(
    """
    adx airdrop april atr august bollinger breakeven cci consecutive correlated correlation cpi crossover cvd
    daytime dca december developer divergence doji dominance donchian elon ema emas engulfing evening except fdv
    fear february fed fib fibonacci followers fomc friday fridays funding futures gas gold greed grid halving
    hammer hedge heikin holders hype ichimoku imbalance indicator indicators inflation inflow inflows january
    july june keltner leverage leveraged liquidation liquidations liquidity ma macd march margin marketcap
    martingale mcap mentions mfi midnight monday mondays morning moving nasdaq neckline news night noon november
    obv oclock october oi options orderbook outflow outflows pattern patterns pennant perp perps pivot pivots
    pyramid pyramiding resistance ribbon rsi saturday saturdays scale sentiment september short shorting shorts
    shoulders sma smas spread spx stoch stochastic sunday sundays supertrend supply support thursday thursdays
    today tomorrow tonight trendline triangle tuesday tuesdays tvl twap tweet tweets twitter unless unlock vix
    volatility vwap wallets wedge wednesday wednesdays weekday weekdays weekend weekends whale whales wick wicks
    yesterday
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
    "wen": "when",
    "whn": "when",
    "n": "and",
    "nd": "and",
    "iff": "if",
    "ur": "your",
    "ya": "you",
    "gimme": "give",
    "bout": "about",
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
    imagine suppose supposing hypothetically thinking wondering wonder wish someday considering dreaming tempted
    theoretically guess unsure eventually tomorrow hope hoping believe think thought remember heard read said says
    saying repeat repeating pretend pretending quote quoting quoted tweeted posted claims claimed claim recommends
    recommended suggests suggested advises advised according poem song story essay joke joking kidding sarcasm
    translate rhyme novel haiku lyrics article tutorial quiz homework yesterday told tells write wrote writing writes
    spell sing whisper shout example usually sometimes often typically generally rarely mostly
    """
)
