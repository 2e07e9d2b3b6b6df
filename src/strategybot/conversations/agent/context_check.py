"""Checks with one request whether the context of a language model is as long as the settings say.

Some servers, such as Ollama by default, cut a long request silently at its beginning, where the instructions are.
"""

from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from strategybot.conversations.agent.context import is_too_long
from strategybot.conversations.agent.language_models import failure_said

WORD = "marigold"
FILLER = "sun sea day sky "  # a token a word for every usual tokenizer, and four characters each
SHARE_SENT = 0.9  # of the context; the rest is for the answer
SHARE_READ = 0.75  # of what was sent; tokenizers differ a little
SECONDS = 180


class ContextFault(Exception):
    """The model cannot be used as the settings say. The message says why."""


async def check_context(model: Model, tokens: int) -> str:
    """Return a sentence about the context. Raise `ContextFault` if it is shorter than so many tokens, or no answer
    comes.
    """
    words = round(tokens * SHARE_SENT)
    filler = FILLER * (words // len(FILLER.split()))
    prompt = f"Remember this word: {WORD}.\n{filler}\nWhich word were you to remember? Answer with that word only."
    try:
        async with model.request_stream(
            [ModelRequest.user_text_prompt(prompt)],
            ModelSettings(request_timeout=SECONDS),
            ModelRequestParameters(),
        ) as stream:
            async for _ in stream:
                pass
            response = stream.get()
    except ModelAPIError as error:
        if is_too_long(error):
            raise ContextFault(_too_short(tokens, f"it refused about {words:,} tokens")) from error
        raise ContextFault(failure_said(error)) from error
    read, is_remembered = response.usage.input_tokens, WORD in (response.text or "").lower()
    if (read and read < SHARE_READ * words) or not (read or is_remembered):
        told = f"it read {read:,} of" if read else "it forgot the first of"
        raise ContextFault(_too_short(tokens, f"{told} about {words:,} tokens"))
    return f"answers, and its context holds {tokens:,} tokens"


def _too_short(tokens: int, why: str) -> str:
    return (
        f"its context is shorter than STRATEGYBOT_CONTEXT_TOKENS, {tokens:,}: {why}. Give it a longer one; for Ollama "
        f"set OLLAMA_CONTEXT_LENGTH to {tokens + 4000}"
    )
