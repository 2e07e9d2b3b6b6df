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
];
