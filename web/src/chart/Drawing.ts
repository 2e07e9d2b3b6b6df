/** The chart on its canvas: candles with volume, fills and trades; under them, where given, equity and drawdown. */
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesMarker,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Schemas } from "@/api/client";
import { type Curves, candleAt } from "@/chart/curves";
import { faded, type Palette, paletteOf } from "@/chart/palette";
import { type TradeLine, TradeLines } from "@/chart/TradeLines";
import { UnderPanes } from "@/chart/UnderPanes";
import { price, priceDigits } from "@/format/numbers";
import { dateOf, dateTime } from "@/format/times";

type Kline = Schemas["Kline"];
/** A fill: `why` is shown while the pointer is over its candle. */
export type Fill = { time: number; side: "buy" | "sell"; why: string };

/** What lies under the pointer. */
export type Hover = { fills: Fill[]; candle: Kline | null };

export type ChartData = {
  candles: Kline[];
  /** Times of candles that are still to come: they hold their place. */
  upcoming?: number[];
  fills: Fill[];
  trades: TradeLine[];
  curves: Curves | null;
};

const ROOM = 20;

export class Drawing {
  #chart: IChartApi;
  #palette: Palette;
  #candles: ISeriesApi<"Candlestick">;
  #volume: ISeriesApi<"Histogram">;
  #marks: ISeriesMarkersPluginApi<Time>;
  #lines: TradeLines;
  #under: UnderPanes | null = null;
  #data: ChartData = { candles: [], fills: [], trades: [], curves: null };

  constructor(box: HTMLElement, timeZone: string, onHover: (hover: Hover) => void) {
    this.#palette = paletteOf(box);
    this.#chart = createChart(box, options(this.#palette, getComputedStyle(box).fontFamily, timeZone));
    this.#candles = this.#chart.addSeries(CandlestickSeries, candleLook(this.#palette));
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.2 } });
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: "volume",
      priceFormat: { type: "volume" },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } });
    this.#marks = createSeriesMarkers(this.#candles);
    this.#lines = new TradeLines(this.#palette);
    this.#candles.attachPrimitive(this.#lines);
    this.#chart.subscribeCrosshairMove(({ time }) => onHover(this.#at(time as number | undefined)));
  }

  /** New data; one who had all of it in view has all of it in view again. */
  show(data: ChartData, chosen: number | null, anew: boolean): void {
    const whole = anew || this.#showsAll();
    this.#data = data;
    this.#candles.setData([
      ...data.candles.map((candle) => ({ ...candle, time: candle.time as UTCTimestamp })),
      ...(data.upcoming ?? []).map((time) => ({ time: time as UTCTimestamp })),
    ]);
    const minMove = step(data.candles);
    const formatter = (value: number) => axisPrice(value, minMove);
    this.#candles.applyOptions({ priceFormat: { type: "custom", formatter, minMove } });
    this.#volume.setData(volumes(data.candles, this.#palette));
    this.#showCurves(data.curves);
    // Last: a mark keeps its place among all times of the chart, those of the curves too.
    this.#marks.setMarkers(this.#markers(data));
    this.#lines.show(
      data.trades.map((trade) => onCandles(data.candles, trade)),
      chosen,
    );
    if (whole) this.goToAll();
  }

  goToAll(): void {
    this.#chart.timeScale().setVisibleLogicalRange({ from: -1, to: this.#places() });
  }

  /** Brings a stretch of time into the middle. */
  goTo(from: number, to: number): void {
    const { candles } = this.#data;
    const [first, last] = [candleAt(candles, from), candleAt(candles, to)];
    const room = Math.max(ROOM, last - first);
    this.#chart.timeScale().setVisibleLogicalRange({ from: first - room, to: last + room });
  }

  remove(): void {
    this.#chart.remove();
  }

  #places(): number {
    return this.#data.candles.length + (this.#data.upcoming?.length ?? 0);
  }

  #showsAll(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return range === null || (range.from <= 0 && range.to >= this.#places() - 1);
  }

  #showCurves(curves: Curves | null): void {
    if (curves && !this.#under) this.#under = new UnderPanes(this.#chart, this.#palette);
    if (!curves && this.#under) {
      this.#under.remove();
      this.#under = null;
    }
    if (curves) this.#under?.show(curves);
  }

  #markers({ candles, fills }: ChartData): SeriesMarker<Time>[] {
    if (candles.length === 0) return [];
    const spread = fills.length > 200 ? 0.6 : 1;
    return fills.map(({ time, side }) => ({
      time: (candles[candleAt(candles, time)] as Kline).time as UTCTimestamp,
      position: side === "buy" ? "belowBar" : "aboveBar",
      shape: side === "buy" ? "arrowUp" : "arrowDown",
      color: side === "buy" ? this.#palette.up : this.#palette.down,
      size: spread,
    }));
  }

  #at(time: number | undefined): Hover {
    const { candles, fills } = this.#data;
    if (time === undefined || candles.length === 0) return { fills: [], candle: null };
    return {
      fills: fills.filter((fill) => candles[candleAt(candles, fill.time)]?.time === time),
      candle: candles.find((candle) => candle.time === time) ?? null,
    };
  }
}

/** Rising candles are hollow and falling ones full: they differ without their colours too. */
function candleLook({ up, down, surface }: Palette) {
  return {
    upColor: surface,
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
  };
}

function volumes(candles: Kline[], { up, down }: Palette) {
  return candles.map(({ time, open, close, volume }) => ({
    time: time as UTCTimestamp,
    value: volume ?? 0,
    color: faded(close >= open ? up : down, 0.3),
  }));
}

function onCandles(candles: Kline[], trade: TradeLine): TradeLine {
  const at = (time: number) => candles[candleAt(candles, time)]?.time ?? time;
  return { ...trade, entryTime: at(trade.entryTime), exitTime: at(trade.exitTime) };
}

/** Below the lowest price the axis goes on under zero, where no price can be. */
export function axisPrice(value: number, step: number): string {
  if (value < -step / 2) return "";
  return value < step / 2 ? "0" : price(value);
}

function step(candles: Kline[]): number {
  const last = candles.at(-1)?.close ?? 1;
  return 10 ** -priceDigits(last).maximumFractionDigits;
}

function options(palette: Palette, fontFamily: string, timeZone: string) {
  return {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { color: "transparent" },
      textColor: palette["ink-faint"],
      fontFamily,
      fontSize: 11,
      panes: { separatorColor: palette.line, separatorHoverColor: faded(palette.accent, 0.2) },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: palette.line } },
    rightPriceScale: { borderColor: palette.line, minimumWidth: 64 },
    timeScale: {
      borderColor: palette.line,
      timeVisible: true,
      lockVisibleTimeRangeOnResize: true,
      minBarSpacing: 0.05,
      maxBarSpacing: 24,
      rightOffset: 2,
      tickMarkFormatter: (time: Time, kind: TickMarkType) => tick(time as number, kind, timeZone),
    },
    localization: { timeFormatter: (time: Time) => dateTime(time as number, timeZone) },
  };
}

const TICKS: Record<TickMarkType, Intl.DateTimeFormatOptions> = {
  [TickMarkType.Year]: { year: "numeric" },
  [TickMarkType.Month]: { month: "short" },
  [TickMarkType.DayOfMonth]: { day: "numeric", month: "short" },
  [TickMarkType.Time]: { hour: "2-digit", minute: "2-digit" },
  [TickMarkType.TimeWithSeconds]: { hour: "2-digit", minute: "2-digit" },
};

function tick(time: number, kind: TickMarkType, timeZone: string): string {
  const date = dateOf(time);
  return date ? new Intl.DateTimeFormat("en-GB", { ...TICKS[kind], timeZone }).format(date) : "";
}
