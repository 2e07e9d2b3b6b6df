"""Conversion of AVE's contract check to our risk record: a level from its score, and its flags as sentences."""

import math

from pydantic_core import from_json

from strategybot.market.addresses import BURN_ADDRESS
from strategybot.market.ave_records import risk_score_of
from strategybot.market.fields import Row, amount, count, each, flag, percent, risk_level, text, whole
from strategybot.market.schemas import Risk, RiskLevel

CONDEMNED, LISTED = -1, 1
TOP_HOLDERS = 10
HIGH_TAX_PERCENT = 10
NOBODY = ("0x0000000000000000000000000000000000000000", BURN_ADDRESS)

WARNINGS = {
    "is_honeypot": "Holders cannot sell it again: it is a honeypot.",
    "honeypot_with_same_creator": "Its creator has made a honeypot before.",
    "is_fake_token": "It imitates another token.",
    "cannot_buy": "It cannot be bought.",
    "cannot_sell_all": "Holders cannot sell all they have.",
    "has_mint_method": "The owner can create more of it.",
    "has_black_method": "The owner can bar addresses from trading.",
    "has_white_method": "The owner can let chosen addresses trade on better terms.",
    "owner_change_balance": "The owner can change balances.",
    "hidden_owner": "The contract hides an owner.",
    "can_take_back_ownership": "Given-up ownership can be taken back.",
    "transfer_pausable": "The owner can halt transfers.",
    "trading_cooldown": "There is a waiting time between trades.",
    "slippage_modifiable": "The owner can change the taxes.",
    "personal_slippage_modifiable": "The owner can set a tax for a single address.",
    "anti_whale_modifiable": "The owner can change the largest trade allowed.",
    "is_proxy": "The contract can be replaced behind a proxy.",
    "external_call": "The contract depends on calls to other contracts.",
    "selfdestruct": "The contract can destroy itself.",
    "has_not_burned_lp": "The liquidity tokens are not burned.",
    "big_lp_without_any_lock": "A large share of the liquidity is not locked.",
    "analysis_big_wallet": "A single wallet holds a large share.",
    "analysis_scam_wallet": "A known scam wallet holds it.",
    "analysis_creator_gt_5percent": "The creator holds more than 5 % of it.",
    "analysis_lp_creator_gt_5percent": "The creator holds more than 5 % of the liquidity.",
}


def risk_of(token_id: str, row: Row) -> Risk:
    score, honeypot, verdict = risk_score_of(row), flag(row.get("is_honeypot")), whole(row.get("risk_level"))
    return Risk(
        token_id=token_id,
        risk_score=score,
        risk_level=_level(score, CONDEMNED if honeypot else verdict),
        is_honeypot=honeypot,
        buy_tax_percent=amount(row.get("buy_tax")),
        sell_tax_percent=amount(row.get("sell_tax")),
        is_mintable=flag(row.get("has_mint_method")),
        is_open_source=flag(row.get("is_open_source")),
        owner_renounced=_is_renounced(row),
        liquidity_locked_percent=percent(row.get("pair_lock_percent")),
        top_holders_percent=_top_holders(row),
        holders=count(row.get("holders")),
        warnings=_warnings(row),
    )


def _level(score: float | None, verdict: int | None) -> RiskLevel:
    """Return the risk level by AVE's own scale. The score alone never makes a token that AVE has listed itself high
    risk.
    """
    if verdict == CONDEMNED:
        return "high"
    level = risk_level(score)
    return "medium" if level == "high" and verdict == LISTED else level


def _is_renounced(row: Row) -> bool | None:
    owner = text(row.get("owner"))
    if owner is None:
        return None
    regained = flag(row.get("hidden_owner")) or flag(row.get("can_take_back_ownership"))
    return owner.lower() in NOBODY and not regained


def _top_holders(row: Row) -> float | None:
    """Return the percentage that the ten largest addresses hold. Pools are included: AVE does not always mark them."""
    if not row.get("token_holders_rank"):
        return None
    shares = each(row.get("token_holders_rank"), lambda holder: amount(holder.get("percent")), "token_holders_rank")
    return percent(math.fsum(sorted(shares, reverse=True)[:TOP_HOLDERS]))


def _warnings(row: Row) -> list[str]:
    found = [sentence for name, sentence in WARNINGS.items() if flag(row.get(name))]
    if flag(row.get("is_open_source")) is False:
        found.append("Its source code is not public.")
    if whole(row.get("is_honeypot")) == -1:
        found.append("Nobody has checked whether it can be sold again.")
    for side, name in (("Buying", "buy_tax"), ("Selling", "sell_tax")):
        if (tax := amount(row.get(name)) or 0) > HIGH_TAX_PERCENT:
            found.append(f"{side} it costs a tax of {tax:g} %.")
    return [*found, *_remark(row)]


def _remark(row: Row) -> list[str]:
    """Return AVE's own note, which is a JSON object by language inside a JSON string."""
    info = row.get("risk_info")
    try:
        notes = from_json(info, allow_inf_nan=False) if isinstance(info, str) and info else {}
    except ValueError:
        return []
    note = text(notes.get("en")) if isinstance(notes, dict) else None
    return [f"The provider notes: {note}."] if note else []
