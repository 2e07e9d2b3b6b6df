"""The words by which a remark is known, and those that make more of it. All are matched on small letters."""

import re

LEADING = re.compile(
    r"^(?:(?:so|well|ok|okay|and|but|oh|ah|hm+|look|listen|honestly|basically|actually|tbh|ngl|btw|by the way|"
    r"you know|because|since|cause|cuz|as you know|fyi|also|i think|i feel like|lol|man|dude|bro|anyway)\b[,:]?\s*)+"
)
# Each of these makes a sentence suppose, wait, quote, refuse, wish or speak of another bot.
DOUBT = re.compile(
    r"""["“”«»?]|'ll\b|'d\b|\b(?:if|when|whenever|unless|until|till|once|while|provided|only|except|maybe|perhaps|might|
    may|could|would|should|must|shall|can|suppos\w*|imagin\w*|pretend\w*|assum\w*|hypothe\w*|theor\w*|jok\w+|kidding|
    examples?|instance|note|reads?|saw|seen|found|noticed|learn\w*|
    stumbled|agree\w*|approv\w*|permi\w+|exercise|homework|quiz|lesson|repeat\w*|first|(?:has|have|had)\ to|
    remind\w*|wonder\w*|consider\w*|tempted|tomorrow|later|soon|next|eventually|someday|told|
    says?|said|saying|tells?|heard|hear|wrote|writ\w+|quot\w+|post(?:s|ed)?|tweet\w*|suggest\w*|recommend\w*|
    advi[sc]\w+|accord\w+|claim\w*|ask\w*|message\w*|wait|nvm|nevermind|forget|cancel\w*|undo|scratch|ignore\w*|
    instead|rather|bluff\w*|troll\w*|lying|liar|pulling|drunk|dream\w*|other|another|else|elsewhere|both|bots?|alerts?|
    case|sure|unsure|guess|think\w*|thought|believe\w*|hop(?:e|es|ing)|wish\w*|plan\w*|intend\w*|going|gonna|will|
    want\w*|need\w*|prefer\w*|test\w*|this|these|those|that|here's|changed|mind|mean\w*|decide\w*|sarcas\w+|poems?|
    songs?|story|stories|game|following|rules?|tips?|motto|mantra|principles?|lessons?|instructions?|orders?|
    tricks?|secrets?|formula|recipe|methods?|setups?|system|not|never|no|don'?t|doesn'?t|didn'?t|isn'?t|wasn'?t|aren'?t|won'?t|can'?t|
    cannot|nothing|nobody|none|without|hardly|neither|nor|usually|sometimes|real|live)\b""",
    re.VERBOSE,
)
# What would be doubtful elsewhere: "told me about", "i can't watch it", "i'm going to bed".
HARMLESS = re.compile(
    r"\b(?:told (?:me|us) about|(?:heard|read|learn(?:ed|t)) (?:about|of)|(?:all|into|to|of) this|"
    r"this (?:morning|week|month|year|afternoon|evening|coin|token|thing|market|one|chart|app|tool|"
    r"is (?:great|cool|fun))|these days|that (?:back ?test|test|run|trade|dump|pump|drop|dip|crash|move|candle) "
    r"(?:was|went|did|looked|hurt)|that (?:was|went|worked|looked|hurt)|"
    r"the last (?:back ?test|test|run)|back ?test (?:was|went|looked|did)|"
    r"(?:in )?no (?:hurry|rush|expert|pro)|not in a (?:hurry|rush)|not (?:a|an|very|so|that|really|great|good|"
    r"young|rich|much of)\b|going (?:crazy|wild|nuts|on (?:holiday|vacation|a trip)|to (?:bed|sleep|work|lunch))|"
    r"no (?:clue|idea about|experience)|(?:i|we)(?:'ll| will) be (?:away|out|gone|busy|offline|asleep|travell?ing|"
    r"at work|on (?:holiday|vacation)|back)|live in|(?:i|we) live|"
    r"(?:i'?m|i am|we'?re|we are) (?:just |only )?testing(?: you| the app)?|"
    r"(?:i|we) (?:can'?t|cannot|won'?t|don'?t|didn'?t|haven'?t|never) (?:be|watch|sleep|have|trust|get|check|look|"
    r"speak|see|like|liked|work|sit|really|had|got|been|understand|know much|know a lot|always))\b"
)
ORDERING = re.compile(  # "i am from Hamburg and set the stop to 5" holds an order
    r"(?:[,;:]\s|\b(?:and|so|then|please|pls|just)\s)(?:please |just |also |now |then |lets |let's )*"
    r"(?:set|make|change|put|use|add|remove|raise|lower|increase|decrease|buy|sell|start|run|backtest|simulate|give|"
    r"move|keep|leave|delete|kill|tighten|widen|sl|tp|stop|target|trail\w*|cooldown)\b"
)
FRAGMENT = re.compile(  # what is said without a verb
    r"(?:(?:my )?(?:first|second) (?:time|day)(?: here| user| trader)?|(?:(?:a |an )?(?:newbie|noob|beginner|new|"
    r"complete beginner)) here|(?:(?:i'?m )?(?:so |very )?sorry|excuse me|apologies) (?:for|about) (?:my|the) (?:bad |"
    r"poor |broken )?(?:english|writing|typos|spelling|grammar|language)|(?:excuse|pardon|forgive) my (?:bad |poor |"
    r"broken )?(?:english|french|typos|spelling|grammar)|(?:long ?time|happy) (?:user|lurker|trader)(?: here)?|"
    r"(?:a )?quick (?:one|request)|(?:dear|hello|hi|hey|good day|good morning|good evening)(?: dear| my| kind)? "
    r"(?:team|friends?|sirs?|madam|sir or madam|all|everyone|everybody|folks|support|bot|robot|assistant|mate|people|"
    r"ladies and gentlemen)|to whom it may concern|"
    r"greetings(?: from [a-z]+(?: [a-z]+)?)?|(?:kind|best|warm) regards(?: from "
    r"[a-z ]+)?|(?:thanks|thank you|thx|cheers)(?: (?:so much|very much|a lot|again))?(?: for "
    r"(?:the|your|all the|all your|that)?(?: [a-z]+)? ?(?:help|support|answers?|repl(?:y|ies)|info|tips?|explanation|"
    r"work|service|patience)(?: (?:earlier|yesterday|last time|so far|today))?)?|"
    r"lol|haha+|ugh+|omg|wow|ouch|damn|man|jeez|phew|yikes|argh+|what a (?:day|week|mess|ride|dump|month|night)|"
    r"(?:no|not in a) (?:rush|hurry)|all good|great work|"
    r"(?:nice|good|great|bad|poor) (?:app|tool|bot|work|one|results?|numbers|return)|love (?:it|this app|the app)|"
    r"(?:i )?hope (?:you(?: are|'re)|all is|this finds you|you'?re doing) "
    r"(?:well|good|fine|great)|(?:it'?s )?me again|(?:so )?sorry to (?:bother|disturb|trouble|annoy) you(?: again)?|"
    r"no complaints|(?:my )?(?:last|one last|one more|one final|final) (?:request|thing|change|wish)(?: (?:for|before) "
    r"(?:today|now|tonight|i go|i leave|bed|lunch))?|let(?:'?s| us) (?:do (?:this|that)|go|get started|begin)|"
    r"let(?:'?s| us) (?:go|do|try|play|trade) (?:for )?(?:momentum|dips?|breakouts?|trends?|mean reversion)"
    r"(?: instead| now)?|(?:i )?give (?:in|up)|you (?:win|convinced me|were right|are right)(?: about (?:the|my) "
    r"(?:stop(?: loss)?|target|take profit|trailing stop|cooldown|size|drop|volume))?|"
    r"(?:it|the bot) (?:hardly|rarely|barely|never|seldom) (?:trades|buys|triggers|does anything)|"
    r"(?:there were )?(?:no|only \d+|just \d+|hardly any|too few|too many|barely any) trades(?: at all)?"
    r"(?: in (?:the last|that|\d+|the) ?(?:test|back ?test|run|days|weeks|month|week)?)?)"
    r"(?: (?:lol|haha|btw|tho|though))*"
)
CONSIDERED = re.compile(  # "after thinking about it all weekend", "as a careful person", "being new to crypto"
    r"(?:after|upon|on|following) (?:(?:careful|some|much|long|further|due|a lot of|lots of|years of) )*"
    r"(?:consideration|thought|reflection|deliberation|thinking|reading|sleeping|reflecting|talking|discussing|"
    r"pondering|studying)\b(?P<of>[^,.;:%]*)|"
    r"as an? (?!rule|start|condition|exception|reward|last)(?P<role>[a-z' -]{3,40})|being an? (?P<who>[a-z' -]{3,40})|"
    r"being (?:new|old|retired|cautious|careful|conservative|nervous)\b(?P<how>[a-z' -]*)"
)
WHEN = re.compile(  # "on 12 March", "in the last backtest", "last week"
    r"^(?:(?:on|in|at|during|over|since) (?:the |my |our )?(?:last |past )?(?:\d{1,2}(?:st|nd|rd|th)? )?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|backtest|test|run|week|month|year|weekend|days?|hours?|"
    r"night)(?: \d{1,2}(?:st|nd|rd|th)?| \d{4})?|last (?:week|month|year|night|time)|yesterday(?! was)|"
    r"today(?! (?:is|was))|this morning|recently|lately|(?:a|two|three|\d+) (?:days?|weeks?|months?|years?) ago),?\s+"
)
LIMITING = re.compile(  # "at night, …" and "in bear markets, …" limit an order, "is it wise to …" asks
    r"(?:is|are|was|were|am|do|does|did|has|have|what|whats|how|why|who|which|where|whose|whether|let|lets|on|at|in|for|with|during|by|under|over|per|from|to|after|before|between|above|below|within|inside|against|"
    r"across|through|upon|like|than|given|as|every|each|any|all|or)\b"
)
CHANGING = re.compile(  # a verb of changing, ordered or told: either way more than a remark
    r"\b(?:set|put|changed?|moved? the|removed?|raised?|lower(?:ed)?|add(?:ed)?|switch(?:ed)?|uses?|using|typed|meant|"
    r"mistake|make|increase|decrease|buy|sell|leave|delete|kill|tighten|widen|give|run|please|pls|try|do it|stay)\b"
)
_BUSY = (  # what the speaker is about to do, or would bear, is no remark
    r"(?:setting|changing|putting|buying|selling|trading|looking|running|trying|about|at|on|with|ok|okay|fine|happy|"
    r"willing|ready|prepared|comfortable|interested|for|after|against|adding|removing|moving|holding)\b"
)
_BEING = rf"(?:i'?m|i am|we'?re|we are)\s+(?:(?:just|already|only|now|still) )*(?!{_BUSY})"
_OWNING = r"(?:i|we) (?:have|got|'ve got|have got)(?! to\b)"
_IRREGULAR = (
    r"lost|made|got|bought|sold|slept|woke|spent|blew|burnt|went|came|was|were|had|held|saw|won|bled|paid|grew|quit|"
    r"fell|rose|hit|sank|slid|swung|broke|ran|stood|kept|did|learnt|took|felt|met|left|lent|drove|flew|forgot|found|"
    r"began|fought|shook|read about|has been|have been|'s been|'ve been|been \w+ing|has lost|has gained"
)
PAST = re.compile(rf"\b(?:{_IRREGULAR}|(?!need|speed|indeed|hundred|bleed|feed|exceed|proceed)[a-z]{{2,}}ed)\b")
PAST_TIME = re.compile(
    r"\b(?:yesterday|today|last (?:week|month|year|night|time)|ago|overnight|"
    r"this (?:morning|week|month|year|afternoon)|lately|recently|already|just|straight)\b"
)
FINITE = re.compile(  # anything that says what is: "christmas is coming", "my broker charges too much"
    r"\b(?:is|are|am|'s|'m|'re|has|have|'ve|does|do|keeps?|gets?|feels?|looks?|seems?|sounds?)\b|'(?:s|m|re|ve)\b|\bim\b|"
    r"^(?:i|we) [a-z]+|^(?:my|our|the|a|an|his|her|people|everyone|everybody|someone) (?:[a-z']+ ){0,3}?[a-z]{2,}s\b|"
    r"^(?:my|our|his|her) [a-z']+ [a-z]+"
)
SUBJECT = re.compile(  # a bare name may be that of another bot: "Moonshot lost 5%"
    r"(?:i|i'?m|i'?ve|we|we'?re|we'?ve|my|our|the|an?|his|her|their|it|it'?s|there|there'?s|they|he|she|people|"
    r"everyone|everybody|everything|someone|somebody|some|this|that|ticker|bitcoin|ethereum|solana|crypto|btc|eth|sol|"
    r"doge|christmas|summer|winter|spring|autumn|work|life|trading|things|yesterday|today|times|money|prices|markets|"
    r"volume|price|just|been|lost|got|had|made|woke|went|took|long|rough|bad)\b|"
    r"(?:[a-z]+ )?[a-z]+s (?:are|were|have|keep|look)\b"
)
VAGUE = re.compile(  # with "it is" it may be the order that is meant, or what it is for
    r"(?:it'?s|it is|it was|that'?s|that is|that was|there'?s|there is) "
    r"(?!(?:just |only |been |a |an |really |so |too |very |super |quite |pretty |all )*(?:bad|good|rough|great|awful|"
    r"brutal|long|crazy|wild|volatile|terrible|nice|fun|hard|pumping|dumping|falling|rising|raining|snowing|late|early|"
    r"cold|hot|down|up|slow|boring|awesome|scary|painful|monday|friday|sunday|christmas)\b)|"
    r".*\b(?:about|for|on|of|regarding|concerning|with) (?:the )?ticker\b"
)
_COIN = (
    r"(?:it|(?:the |this |my )?(?:price|market|volume|coin|token|chart|crypto|candle|bag)|things|"
    r"ticker|btc|eth|sol|bitcoin|ethereum|solana|doge)"
)
MARKET_NOW = re.compile(
    rf"^{_COIN}(?:\s+|(?='))(?:(?:is|are|'s|tends to|moves?|swings?|goes|jumps?|bleeds?|pumps?|dumps?|trades|does|"
    r"easily|often|usually|just|about|at) ?)+\b.*\b(?:now|today|a day|per day|daily|each day|every day|currently|"
    r"at the moment|right now|this (?:morning|week|afternoon|month)|lately|these days|a week|per hour|an hour|"
    r"every hour|within minutes|in minutes|in no time)\b"
)
OF_ONESELF = re.compile(
    rf"^(?:{_BEING}(?:only |already |over |nearly |almost )?\d{{1,2}}(?: years old| y/?o| now)?$|"
    rf"(?:i'?m|i am|we'?re|we are) (?:already |now |still )?(?:up|down) \S+(?: (?:today|now|already|so far|on it))*$|"
    r"(?:my|the) (?:account|portfolio|balance|bags?|wallet|position)(?: is|'s| are) (?:up|down) \S+"
    r"(?: (?:today|now|already|so far))*$|"
    rf"{_OWNING} \d+ [a-z]+(?: and \d+ [a-z]+)*$)"
)
COUNTED = re.compile(r"\d+ [a-z]+")  # "… and 1 mortgage"
