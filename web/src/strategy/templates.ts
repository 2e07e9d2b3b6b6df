/** Strategies to begin with. */
import type { Strategy } from "@/strategy/words";

export const TEMPLATES: { name: string; about: string; strategy: Strategy }[] = [
  {
    name: "RSI dip",
    about: "Buys when the RSI falls under 30",
    strategy: {
      conditions: [{ kind: "compare", left: { series: "rsi", period: 14 }, operator: "below", right: 30 }],
      risk_management: { stop_loss_percent: 5, take_profit_percent: 8 },
    },
  },
  {
    name: "Golden cross",
    about: "Buys when the fast average crosses above the slow one",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "ema", period: 50 },
          operator: "crosses_above",
          right: { series: "ema", period: 200 },
        },
      ],
      exit_conditions: [
        {
          kind: "compare",
          left: { series: "ema", period: 50 },
          operator: "crosses_below",
          right: { series: "ema", period: 200 },
        },
      ],
      risk_management: { stop_loss_percent: 8 },
    },
  },
  {
    name: "Bollinger bounce",
    about: "Buys under the lower band, sells at the middle",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "close" },
          operator: "below",
          right: { series: "bollinger", line: "lower" },
        },
      ],
      exit_conditions: [
        {
          kind: "compare",
          left: { series: "close" },
          operator: "above",
          right: { series: "bollinger", line: "middle" },
        },
      ],
      risk_management: { stop_loss_percent: 5 },
    },
  },
  {
    name: "Breakout of 20 candles",
    about: "Buys above the highest high of 20 candles",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "close" },
          operator: "crosses_above",
          right: { series: "highest", period: 20 },
        },
      ],
      risk_management: { stop_loss_percent: 4, trailing_stop_percent: 5 },
    },
  },
  {
    name: "MACD turn",
    about: "Buys when the MACD crosses above its signal line",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "macd", line: "macd" },
          operator: "crosses_above",
          right: { series: "macd", line: "signal" },
        },
      ],
      risk_management: { stop_loss_percent: 4, take_profit_percent: 6 },
    },
  },
  {
    name: "Trend filter + dip",
    about: "Buys dips while the price is above its long average",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "close" },
          operator: "above",
          right: { series: "ema", period: 200 },
        },
        { kind: "price_drop", percent: 2, window: "4h" },
      ],
      risk_management: { stop_loss_percent: 4, take_profit_percent: 5 },
    },
  },
  {
    name: "Ladder down, two targets",
    about: "Buys a dip in three parts on the way down, sells in two on the way up",
    strategy: {
      conditions: [{ kind: "price_drop", percent: 4, window: "4h" }],
      risk_management: {
        stop_loss_percent: 12,
        take_profits: [
          { gain_percent: 4, sell_percent: 50 },
          { gain_percent: 8, sell_percent: 50 },
        ],
        break_even_after_percent: 4,
      },
      position_percent: 40,
      ladder: [
        { drop_percent: 3, size_percent: 30 },
        { drop_percent: 6, size_percent: 30 },
      ],
    },
  },
  {
    name: "Golden cross with ATR stop",
    about: "Risks 1 % of the account on each cross, with stops as wide as the market moves",
    strategy: {
      conditions: [
        {
          kind: "compare",
          left: { series: "ema", period: 50 },
          operator: "crosses_above",
          right: { series: "ema", period: 200 },
        },
      ],
      risk_management: {
        stop_loss_atr: { period: 14, times: 2 },
        trailing_stop_atr: { period: 14, times: 4 },
      },
      risk_percent: 1,
    },
  },
  {
    name: "Savings plan",
    about: "Buys for $100 every week, and keeps it",
    strategy: {
      conditions: [{ kind: "every", period: "7d", at: "09:00" }],
      position_amount: 100,
      max_entries: 10_000,
    },
  },
  {
    name: "Night dip",
    about: "Buys dips at night, unless the RSI is high or it is the weekend",
    strategy: {
      conditions: [
        { kind: "price_drop", percent: 3, window: "4h" },
        { kind: "time", from: "22:00", to: "06:00", timezone: "UTC" },
        {
          kind: "group",
          match: "none",
          conditions: [
            { kind: "compare", left: { series: "rsi", period: 14 }, operator: "above", right: 60 },
            { kind: "time", weekdays: ["sat", "sun"], timezone: "UTC" },
          ],
        },
      ],
      risk_management: { stop_loss_percent: 4, take_profit_percent: 5, max_holding: "1d" },
    },
  },
];
