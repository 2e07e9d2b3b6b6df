"""The signs by which an intent is known: patterns on the plain text, and on lines of concepts."""

import re

YES = re.compile(
    r"(?:yes|yeah|yep|yup|yea|ye|y|sure|ok|okay|k|please|please do|do it|do that|go ahead|apply|apply it|"
    r"confirm|confirmed|"
    r"sounds good|go for it|yes please|of course|absolutely|correct|right|exactly|yes do it|ok do it|sure thing|"
    r"yes apply it|yes go ahead|yes do that|yeah do that|yes do|yep do it|yeah do it|sure do it|"
    r"sure why not|why not|yes why not|ok why not|yes thats right|"
    r"(?:(?:ok|okay|alright|great|good|fine|cool|perfect|nice|sure|yes|yeah|yep) )*(?:please )?(?:lets )?"
    r"(?:do (?:it|that|this)|go ahead|apply (?:it|that)|go for it)(?: (?:then|now|please|pls))*)[.! ]*"
)
HALF_YES = re.compile(r"(?:yes|yeah|yep|yup|yea|sure|absolutely|exactly)\b")  # and something besides
NO = re.compile(
    r"(?:no|nope|nah|n|no thanks|no thank you|dont|do not|rather not|not now|no dont|no way|please dont|cancel)[.! ]*"
)
THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate)\b")
GREETING = re.compile(r"^(?:hi|hello|hey|gm|yo|good (?:morning|evening|afternoon)|sup|hola|howdy)\b[^?]*$")
HELP = re.compile(
    r"\b(?:help|what can you do|what can i (?:do|say)|how do(?:es)? (?:this|you|it) work|commands|how to use|"
    r"how do i start)\b"
)
STRATEGIC = "BUY|SELL|STOP|TARGET|TRAIL|HOLDMAX|COOLDOWN|SIZE|DROP|RISE|VOLUME|REMOVE|WINDOW|ANY|ALL"
MANY_BOTS = re.compile(
    r"\b(?:list|show|which|what|whats|how many|see|display|my|all|got any|have|any|other)\b.*\b(?:bots|robots)\b"
)
OTHERS = re.compile(
    r"\b(?:other (?:user|people|person|trader|account)s?|others|users?|everyone|someone|people|their|friends?)\b"
)
RENAMING = re.compile(r"\brename\b|\bchange (?:the|its|my bots?) name\b|\bcall (?:it|this bot|the bot) \w+")
DELETING = re.compile(
    r"\b(?:delete|remove|erase|get rid of|trash) (?:the |my |this |that |a )*(?:whole )?(?:bots?|robots?)\b"
)
REAL_MONEY = re.compile(
    r"\b(?:real|actual) (?:money|cash|funds|trad(?:es?|ing)|orders?)\b|\b(?:my|real) wallet\b|\bfor real\b"
)
CHANGING_TO = re.compile(r"\b(?:go|lets go|change|switch|move) (?:back )?to\b|\binstead of\b")
TOKENS_LIKE = re.compile(
    r"\b(?:which|what|any|some|all|list|show|got)\b.*\b(?:tokens?|coins?)\b.*\b(?:match(?:es|ing)?|like|named|called|with|"
    r"contain(?:s|ing)?|on|available|exist|there|have)\b"
)
LAST_TEST = (
    r"(?:SHOW|give|get|what|whats|how|where|wheres|see|open|SWITCH)(?: \S+){0,4} "
    r"(?:(?:last|latest|previous|recent|my|the) TEST|(?:last|latest|previous) START)"
)
TRADING = (
    r"START(?: (?:the|my|this|up|on|a))* (?:BOT|trading)(?: (?:on|now|up|please|pls|it|for|me|FILL))*$|"
    r"(?:SWITCH|turn)(?: (?:the|my|this))* BOT on$"
)
ON_PAPER = (
    r"(?:looks?|sounds?|seems?|good|great|nice|works?|fine|easy|profitable|is|was|only) (?:[^,;.\s]+ )?SIMULATION$"
)
BACK_TO = r"back to (?:the |my )*(?:UNKNOWN|«)"
SHOWN = (
    r"(?:STRATEGY|BOT|CONDITION|STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|SIZE|WINDOW|EARLIER|BUY|SELL)"
    r"(?: (?:STRATEGY|CONDITION|to|me|in|again|AGAIN|please|pls|now|for|once|more|simple|plain|easy|words|like|i|am|"
    r"UNKNOWN|FILL|of|my|the|BOT|and|or|does|do|is|are|looks|look|,|\.))*$"
)
OWN_RISK = re.compile(r"\b(?:is|are) (?:it|this|that|the bot) (?:safe|risky|legit)\b(?! to (?:buy|trade|hold|sell))")
ASKING_FOR_TOKEN = re.compile(
    r"\b(?:(?:contract|address|price|ticker|ca)(?: address)? (?:of|for)|how much is|whats the price|trending|"
    r"(?:token|coin|something|anything) (?:called|named)|(?:whats|what is|anything|something) hot|"
    r"hot (?:tokens?|coins?)|hottest|top (?:tokens?|coins?)|popular (?:tokens?|coins?))\b"
)
ITSELF = r"(?:it|this|that|i|we|the (?:strategy|bot|strat)|my (?:strategy|bot|strat))"
ASKING_FOR_RESULT = re.compile(
    r"\b(?:how was (?:it|the (?:back ?test|test|run))|did (?:it|the (?:back ?test|test|run)) finish|"
    r"how did (?:it|that|this|the|my|we|i)\b.*\b(?:go|do|perform|fare|work out|turn out)|"
    r"is (?:it|the (?:back ?test|test|run)) (?:done|finished|ready|over|complete)|how(?:s|"
    r" is) the (?:back ?test|test|run)|"
    rf"how(?:s| is| are) {ITSELF} (?:doing|going|performing|looking|working|holding up)|"
    rf"is {ITSELF} (?:any )?(?:good|profitable|working|worth it|making money|winning|losing)|"
    rf"what do you (?:think|make) of {ITSELF}|"
    r"was (?:it|that|this) (?:profitable|any good|good|worth it|a win)|"
    r"did (?:it|i|we|the bot|my bot|that) (?:make|lose|win|earn)|"
    r"how many trades|how much (?:did|profit|money)|(?:back ?test|test|run) (?:done|finished|ready)|how (?:it|"
    r"that) went)\b"
)
FARED = (
    r"(?:done|performed?|worked|made|earned|happened|gone|fared|looked|do|did|fare|been|lost|won|paid|played|turned|panned|"
    r"held|returned|behaved|gotten|survived)"
)
WOULD_HAVE = re.compile(
    rf"\bwould(?:a|ve| of)?\b.*\b{ITSELF}\b.*\b{FARED}\b|\b{ITSELF} would(?:a|ve| of)? (?:have |of )?{FARED}\b|"
    r"\bwhat if (?:i|we) (?:had|would have) (?:run|ran|used|traded|tested|started)\b|"
    r"\bwhat would (?:have happened|(?:my|the|its) (?:profit|return|result|pnl|gain)s? have been)\b"
)
ABOUT_CHANGE = re.compile(
    r"\d ?(?:%|percent|pct|x\b)|\b(?:stop|target|take profit|tp|sl|window|trailing|volume|drop|dip)\b"
)
HOW_IT_DID = re.compile(
    rf"\bhow {ITSELF} (?:did|does|performed|went|worked)\b|\bhow did {ITSELF} (?:do|perform|work|go)\b"
)
WOULD_PAY = re.compile(
    rf"\bwould {ITSELF} (?:be (?:profitable|in profit|green|winning|up|worth)|make money|lose money|earn|pay|win|work)"
)
LOOKING = "START|CHECK|SHOW|try|look|let|see"
BARE_BACK = r"^(?:(?:no|ok|please|wait|,|\.) )*back(?: please| pls)*$"
ELLIPTIC = re.compile(r"(?:ok |now |and |so )*(?:what about|how about|and|for|over)\b")
