"""Words by how much they matter: read over, beyond a strategy, ordinary, or telling of the past."""


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Read over: a message may hold any of these and still be clear.
FILLER = words_of(
    """
    chain network
    a able about accept across actually adjust adjusts afford after again against ago alone alright alrighty also
    always am amount an and another any anymore ape applies apply approx approximately are around as asap at atleast
    auto automatically average avg away back bad basically be because been before being between bit both bots boy
    bring bro bruh btw buddy but by ca can case cases cash catch catching change changed changes changing cheers
    come comes coming completely cool could count counted course current currently d deal deals degen did do does
    dollar dollars done downside downward downwards dude during each edit edits else enough entire even ever every
    everybody everyone everytime exactly fam far final fine fire first folks for from fulfilled full fully fyi get
    gets give gives gm go goes going gonna good got great guys had haha handle happen happens has have having he
    hehe hello here hey hi hit hold holds how hows i id idea if ill im imho immediately imo in inside instead into
    is it its ive just k keep keeps kind kindly kk knife knives last latest least leave less let lets like likes
    little ll lmao lol lot lots m make makes making man market match matches mate matter max maximum may maybe me
    mean measure measured measuring met might min mind mine minimum mistake mode modify momentum momo more most move
    moved moves much multiple multiplier must my myself necessary need needed needs new next ngl nice nicely nobody
    nor normal normally now number of off ok okay old on once one ones only onto oops or order orders other others
    our ours overall own pal past people per percent percentage perhaps place play please pls plss plus plz
    portfolio position positions precisely prefer pretty previous price priced prices put puts putting quite re
    really recent reference remain remains require required requires rest right roughly s same satisfied scalp
    scalping second ser session sessions set sets setting shall she shift should side simply since sir so some
    somebody soon sorry sort span start starting stay stays still stomach straight strategys stuff style such
    sufficient sup super sure swing switch switched t take takes taking tbh tell than thank thanks that thats the
    them then there these they thing things third this tho those though three through thx till time times to
    tolerate too total trade traded trades trading trigger triggered triggering triggers true try turn turns two ty
    typical u unchanged until untouched up update updates upside upward upwards ur us usd usdt use used uses using
    usual value ve very via w wanna want wanted wants was way ways we wed were what whatever whats when whenever
    where wheres which while who whole whoops whos whose why will with within without worth would wrong yeah yep yes
    yet yo you your yup
    """
)

# Known, and beyond what a strategy can say: never taken for something else, nor for the name of a token.
UNSUPPORTED = words_of(
    """
    adx april atr august bollinger breakeven daytime dca december divergence doji elon ema emas engulfing evening
    february fib fibonacci friday fridays funding futures grid hammer hedge holders ichimoku indicator indicators
    january july june leverage leveraged liquidity ma macd march margin marketcap martingale mcap midnight monday
    mondays morning moving news night noon november obv oclock october options perp perps pyramid pyramiding
    resistance rsi saturday saturdays scale sentiment september short shorting shorts sma smas stochastic sunday
    sundays support thursday thursdays trendline tuesday tuesdays twap tweet tweets twitter vwap wednesday
    wednesdays weekday weekdays weekend weekends whale whales
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
