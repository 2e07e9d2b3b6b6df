/** Every term that a reader may not know: how the app calls it, and what it means in a sentence or two. */
const TERMS = {
  // Results of a run, by the names that the API gives them.
  total_return: ["Total return", "How much the account gained or lost from the start to the end, after all costs."],
  buy_and_hold_return: [
    "Buy and hold",
    "What the same money would have made by buying at the start and never selling.",
  ],
  max_drawdown: ["Max drawdown", "The deepest fall of the account below its highest value so far."],
  win_rate: ["Win rate", "How many of 100 closed trades made money. A high rate can still lose money."],
  total_trades: ["Trades", "How many positions were bought and sold again. Few trades prove little."],
  sharpe_ratio: [
    "Sharpe ratio",
    "Gain compared with how much the account moves up and down. Above 1 is good, below 0 it lost.",
  ],
  final_equity: ["Final equity", "What the account was worth at the end, with open positions at the market price."],
  profit_factor: ["Profit factor", "Dollars won for each dollar lost. Below 1 it lost money."],
  expectancy_percent: ["Expectancy", "What an average trade made or lost."],
  average_win_percent: ["Average win", "What an average winning trade made."],
  average_loss_percent: ["Average loss", "What an average losing trade lost."],
  best_trade_percent: ["Best trade", "The trade that made the most."],
  worst_trade_percent: ["Worst trade", "The trade that lost the most."],
  sortino_ratio: ["Sortino ratio", "Like the Sharpe ratio, but only falls of the account count against it, not rises."],
  calmar_ratio: [
    "Calmar ratio",
    "Yearly growth compared with the deepest fall. Above 1, a year earns more than the worst fall cost.",
  ],
  cagr: ["Yearly growth (CAGR)", "The growth of the account in one year, if every year were like this time."],
  exposure_percent: ["Time in the market", "How much of the time it held a position."],
  average_holding_seconds: ["Average holding", "How long a position was held on average."],
  longest_drawdown_seconds: ["Longest drawdown", "The longest time until the account was back at its highest value."],
  fees_paid: ["Fees paid", "What the exchange took from all buys and sales."],
  slippage_paid: [
    "Slippage paid",
    "What was lost because buys and sales got a slightly worse price than the market showed.",
  ],
  tax_paid: ["Token tax paid", "What the token itself took from buys and sales."],
  impact_paid: ["Price impact paid", "What was lost because the run's own buys and sales moved the price."],
  return_without_pool_costs: [
    "Without tax and impact",
    "The total return as if the token took no tax and orders did not move the price.",
  ],
  // Costs.
  fee: ["Fee", "What the exchange takes from each buy and each sale."],
  slippage: ["Slippage", "How much worse than the market price each buy and each sale is."],
  liquidity: ["Liquidity", "The money in the pool. In a small pool your own orders move the price."],
  tax: ["Token tax", "What the token itself takes from each buy or sale."],
  impact: ["Price impact", "How far your own order moves the price against you."],
  // Trades and positions.
  run_up: ["Run-up", "The most that a trade was in gain while it was held."],
  trade_drawdown: ["Drawdown", "The most that a trade was in loss while it was held."],
  drawdown: ["Drawdown", "How far the account is below its highest value so far."],
  average_entry: ["Entry Price", "What the tokens that are held cost on average, over all buys of the position."],
  unrealized: ["Unrealized P&L", "What the position would gain or lose if it were sold now."],
  pnl: ["P&L", "Profit and loss: what was gained or lost since the start."],
  revision: ["Revision", "The number of a version of the rules. Each saved change makes a new one."],
  // One purse, many tokens.
  contribution: ["Contribution", "What the token added to the total return, in percent of the cash at the start."],
  plain_return: ["Alone", "The return of the same strategy with all the cash on this token alone."],
  turned_away: [
    "Turned away",
    "How often a token met the buy conditions while no place was free, counted at the close of each candle.",
  ],
  places: ["Places", "How many tokens the purse may hold at the same time."],
  correlation: [
    "Correlation",
    "How alike the daily returns of two tokens are: 1 is exactly alike, 0 not at all. Alike tokens fall together.",
  ],
  // Searches and surveys.
  unseen: [
    "On data it had not seen",
    "Also called walk-forward: in each part of the time, only values are traded that were best in the time before it. So the result was not known when they were chosen.",
  ],
  hindsight: [
    "best in hindsight",
    "The values with the best result on the searched time. They were chosen after the fact, so expect less of them.",
  ],
  neighbours: [
    "its neighbours",
    "The values next to the recommended ones (its plateau). Where these do well too, the result is less likely to be luck.",
  ],
  halves: [
    "halves",
    "The time is split into two halves in 70 ways. The best values of one half are then traded in the other.",
  ],
  evidence: [
    "Strength of the evidence",
    "A t-value: how far the average trade is from making nothing, compared with chance. Above 2 is hard to explain by luck.",
  ],
} as const satisfies Record<string, readonly [label: string, meaning: string]>;

export type TermName = keyof typeof TERMS;

export function labelOf(name: TermName): string {
  return TERMS[name][0];
}

export function meaningOf(name: TermName): string {
  return TERMS[name][1];
}

export const TERM_NAMES = Object.keys(TERMS) as TermName[];
