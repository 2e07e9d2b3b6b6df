"""AVE's chain wallet: its request bodies, and its responses as our records.

It trades on four chains. Tokens are traded against a currency: the native coin or a stablecoin. A trade that receives a
currency is a sell; any other trade is a buy. AVE itself rejects currencies that it does not support.
"""

import re

from strategybot.market.addresses import NATIVE_COIN, is_evm_address, normal_address
from strategybot.market.fields import Row, count, digits, fields, number, text
from strategybot.market.provider import ProviderFailure
from strategybot.market.schemas import Quote, QuoteRequest, Swap, SwapRequest, UnsignedTransaction

TradeBody = dict[str, str]

NO_TRANSACTION = "the provider's answer has an unexpected shape: it holds no transaction"
_HEX, _BASE64 = re.compile(r"(?:0x)?[0-9a-fA-F]*"), re.compile(r"[A-Za-z0-9+/]+={0,2}")
SOLANA_FEE_LAMPORTS = "1000000"  # network and priority fee together; AVE requires a value

# Currencies by chain, and their names in a request. EVM chains use the addresses of the native coin, USDT and USDC;
# Solana uses a word, and AVE rejects the address of SOL.
MONEY: dict[str, dict[str, str]] = {
    "bsc": {
        NATIVE_COIN: NATIVE_COIN,
        "0x55d398326f99059ff775485246999027b3197955": "0x55d398326f99059ff775485246999027b3197955",
        "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d": "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    },
    "eth": {
        NATIVE_COIN: NATIVE_COIN,
        "0xdac17f958d2ee523a2206206994597c13d831ec7": "0xdac17f958d2ee523a2206206994597c13d831ec7",
        "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    },
    "base": {
        NATIVE_COIN: NATIVE_COIN,
        "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2": "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
        "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    },
    "solana": {
        "sol": "sol",
        "usdt": "usdt",
        "usdc": "usdc",
        "So11111111111111111111111111111111111111112": "sol",
        "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB": "usdt",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v": "usdc",
    },
}


def trade_body(request: QuoteRequest) -> TradeBody | None:
    """Return the fields that a quote and a swap share, or None if the chain wallet does not support the chain."""
    money = MONEY.get(request.chain)
    if money is None:
        return None
    spent, wanted = (normal_address(token, request.chain) for token in (request.from_token, request.to_token))
    return {
        "inAmount": request.amount,
        "inTokenAddress": money.get(spent, spent),
        "outTokenAddress": money.get(wanted, wanted),
        "swapType": "sell" if wanted in money and spent not in money else "buy",
    }


def quote_body(request: QuoteRequest) -> TradeBody | None:
    body = trade_body(request)
    return body and {"chain": request.chain, **body}


def swap_call(request: SwapRequest) -> tuple[str, TradeBody] | None:
    """Return the name of the operation and its body, or None if the chain wallet does not support the chain."""
    body = trade_body(request)
    if body is None:
        return None
    body["creatorAddress"] = normal_address(request.wallet_address, request.chain)
    body["slippage"] = str(round(request.slippage * 100))  # basis points
    if request.chain == "solana":
        return "createSolanaTx", {**body, "fee": SOLANA_FEE_LAMPORTS}
    return "createEvmTx", {**body, "chain": request.chain}


def quote_of(request: QuoteRequest, row: Row) -> Quote:
    return Quote(
        **_question(request),
        slippage=request.slippage,
        estimated_out=_estimated_out(row),
        decimals=count(row.get("decimals")),
        spender=text(row.get("spender")),
    )


def swap_of(request: SwapRequest, row: Row) -> Swap:
    """Return the swap with the slippage that AVE applied, which may be higher than the requested one."""
    applied = number(row.get("slippage"))
    return Swap(
        **_question(request),
        slippage=request.slippage if applied is None else applied / 100,
        estimated_out=_estimated_out(row),
        wallet_address=request.wallet_address,
        minimum_out=digits(row.get("minReturn")),
        transaction=_solana_transaction(row) if request.chain == "solana" else _evm_transaction(row),
    )


def _question(request: QuoteRequest) -> TradeBody:
    return {
        "chain": request.chain,
        "from_token": request.from_token,
        "to_token": request.to_token,
        "amount": request.amount,
    }


def _estimated_out(row: Row) -> str:
    estimate = digits(row.get("estimateOut"))
    if estimate is None:
        raise ProviderFailure("the provider's answer has an unexpected shape: estimateOut is no whole number")
    return estimate


def _evm_transaction(row: Row) -> UnsignedTransaction:
    """Return the transaction. Raise ProviderFailure if a part is missing: the user signs exactly this."""
    content = fields(row.get("txContent") or row.get("txContext"))
    to, data, value = content.get("to"), content.get("data"), digits(content.get("value", 0))
    if not is_evm_address(to) or not isinstance(data, str) or not _HEX.fullmatch(data) or value is None:
        raise ProviderFailure(NO_TRANSACTION)
    gas_limit = digits(row.get("gasLimit"))
    return UnsignedTransaction(
        to=to,
        data="0x" + data.removeprefix("0x"),
        value=value,
        gas_limit=gas_limit if gas_limit and gas_limit.strip("0") else None,  # 0 lets the wallet choose
    )


def _solana_transaction(row: Row) -> UnsignedTransaction:
    serialized = row.get("txContent") or row.get("txContext")
    if not isinstance(serialized, str) or not _BASE64.fullmatch(serialized):
        raise ProviderFailure(NO_TRANSACTION)
    return UnsignedTransaction(serialized=serialized)
