/** The chart on its canvas: candles with volume, fills and trades; under them, where given, equity and drawdown. */
import {
  CandlestickSeries,
  createChartEx,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  PriceScaleMode,
  type SeriesMarker,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Schemas } from "@/api/client";
import { clustered, gapFor } from "@/chart/clusters";
import { type Curves, candleAt } from "@/chart/curves";
import { HIDEABLE } from "@/chart/hiding";
import { Indicators } from "@/chart/Indicators";
import { type Line, panesBelow, shapeOf } from "@/chart/lines";
import { faded, type Palette, paletteOf } from "@/chart/palette";
import { placeOf, timeOf, type View } from "@/chart/places";
import { RuleLines, type Rules } from "@/chart/RuleLines";
import { TimeAxis } from "@/chart/TimeAxis";
import { type TradeLine, TradeLines } from "@/chart/TradeLines";
import { UnderPanes } from "@/chart/UnderPanes";
import { price, priceDigits } from "@/format/numbers";
import { dateFormat, dateOf, dateTime } from "@/format/times";

type Kline = Schemas["Kline"];
/** A fill: `why` is shown while the pointer is over its candle. */
export type Fill = { time: number; side: "buy" | "sell"; why: string };

/** What lies under the pointer. */
export type Hover = { fills: Fill[]; candle: Kline | null; notes: string[]; values: SeriesValue[] };
export type SeriesValue = { name: string; colour: string; value: number | null };

export type ChartData = {
  candles: Kline[];
  /** Times of future candles, for which space is reserved. */
  upcoming?: number[];
  fills: Fill[];
  trades: TradeLine[];
  curves: Curves | null;
  lines?: Line[];
  /** Of the trades whose conditions, stop and target are drawn. */
  rules?: Rules[];
  /** The newest candle stays where it is in the window. */
  follows?: boolean;
  /** The names of the series and panes that are left out. */
  hidden?: readonly string[];
  isLogarithmic?: boolean;
};

type On = { hover: (hover: Hover) => void; view: (view: View | null) => void };

const ROOM = 20;
const ARROW_PIXELS = 14;
const NO_LINES: Line[] = [];
export const NOWHERE: Hover = { fills: [], candle: null, notes: [], values: [] };

export class Drawing {
  #chart: IChartApi;
  #palette: Palette;
  #candles: ISeriesApi<"Candlestick">;
  #volume: ISeriesApi<"Histogram">;
  #marks: ISeriesMarkersPluginApi<Time>;
  #lines: TradeLines;
  #rules: RuleLines;
  #indicators: Indicators | null = null;
  #under: UnderPanes | null = null;
  /** Which panes there are. */
  #shape = "";
  /** How many candles two arrows lie apart. */
  #gap = 0;
  #on: On;
  #data: ChartData = { candles: [], fills: [], trades: [], curves: null };

  /** Goes again to what is in view: everything, or a trade. Null once the user has moved the chart. */
  #aim: (() => void) | null = null;

  /** `on.view` gets the time in view after the user has moved the chart, and null when all is shown. */
  constructor(box: HTMLElement, timeZone: string, on: On) {
    this.#on = on;
    this.#palette = paletteOf(box);
    const axis = new TimeAxis(timeZone);
    this.#chart = createChartEx(box, axis, options(this.#palette, getComputedStyle(box).fontFamily, timeZone, axis));
    axis.follow(this.#chart);
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
    this.#rules = new RuleLines(this.#palette);
    this.#candles.attachPrimitive(this.#rules);
    this.#chart.subscribeCrosshairMove(({ time }) => on.hover(this.#at(time as number | undefined)));
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(() => {
      this.#showMarkers();
      // What the library itself does while data and size arrive is nobody's wish.
      const view = this.#aim === null ? this.#view() : null;
      if (view) on.view(view);
    });
    const moved = (event: Event) => {
      if (!(event instanceof PointerEvent) || event.buttons !== 0) this.#aim = null;
    };
    for (const gesture of ["wheel", "pointermove", "touchmove", "dblclick"])
      box.addEventListener(gesture, moved, { capture: true, passive: true });
  }

  /** Sets new data. What the user has moved stays where it is, unless it shows all. */
  show(data: ChartData, chosen: number | null, anew: boolean): void {
    const isAimed = this.#aim !== null && !data.follows;
    const whole = anew || this.#showsAll();
    const view = this.#view();
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const added = data.candles.length - this.#data.candles.length;
    const moved =
      data.candles[0]?.time !== this.#data.candles[0]?.time || data.candles.length < this.#data.candles.length;
    this.#data = data;
    this.#candles.setData([
      ...data.candles.map((candle) => ({ ...candle, time: candle.time as UTCTimestamp })),
      ...(data.upcoming ?? []).map((time) => ({ time: time as UTCTimestamp })),
    ]);
    const minMove = step(data.candles);
    const formatter = (value: number) => axisPrice(value, minMove);
    this.#candles.applyOptions({ priceFormat: { type: "custom", formatter, minMove } });
    this.#volume.setData(volumes(data.candles, this.#palette));
    this.#volume.applyOptions({ visible: !data.hidden?.includes(HIDEABLE.volume) });
    const mode = data.isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#candles.priceScale().applyOptions({ mode });
    this.#showPanes(data);
    // Last: a mark keeps its place among all times of the chart, those of the curves too.
    this.#gap = 0;
    this.#showMarkers();
    this.#lines.show(
      data.trades.map((trade) => onCandles(data.candles, trade)),
      chosen,
    );
    this.#rules.show(data.rules ?? [], data.candles.at(-1)?.time ?? 0, (time) => onCandle(data.candles, time));
    if (anew) this.goToAll();
    else if (isAimed) this.#aim?.();
    else if (whole) this.goToAll();
    else if (data.follows && range)
      this.#chart.timeScale().setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    else if (moved && view) this.#look(view);
  }

  picture(): HTMLCanvasElement {
    return this.#chart.takeScreenshot();
  }

  goToAll(): void {
    this.#aim = () => this.goToAll();
    this.#on.view(null);
    // So the first and the last date are moved in from the edges.
    this.#chart.timeScale().applyOptions({ fixLeftEdge: true, fixRightEdge: true });
    this.#chart.timeScale().setVisibleLogicalRange({ from: -1, to: this.#places() });
  }

  /** Centres the view on a span of time. */
  goTo(from: number, to: number): void {
    this.#aim = () => this.goTo(from, to);
    const { candles } = this.#data;
    const [first, last] = [candleAt(candles, from), candleAt(candles, to)];
    const room = Math.max(ROOM, last - first);
    // What is written beside the first trade needs room on its left.
    this.#chart.timeScale().applyOptions({ fixLeftEdge: false, fixRightEdge: false });
    this.#chart.timeScale().setVisibleLogicalRange({ from: first - room, to: last + room });
  }

  /** After the size of the chart has changed. */
  fit(): void {
    this.#aim?.();
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

  /** The time in view. */
  #view(): View | null {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const { candles } = this.#data;
    return range && candles.length > 0 ? { from: timeOf(candles, range.from), to: timeOf(candles, range.to) } : null;
  }

  #look({ from, to }: View): void {
    const { candles } = this.#data;
    this.#chart.timeScale().setVisibleLogicalRange({ from: placeOf(candles, from), to: placeOf(candles, to) });
  }

  #showPanes({ candles, curves, lines = NO_LINES, hidden = [] }: ChartData): void {
    const shape = `${curves !== null} ${shapeOf(lines)} ${hidden.join()}`;
    if (shape !== this.#shape) {
      this.#under?.remove();
      this.#indicators?.remove();
      this.#indicators = lines.length > 0 ? new Indicators(this.#chart, this.#palette, lines, hidden) : null;
      const above = 1 + panesBelow(lines, hidden).length;
      this.#under = curves ? new UnderPanes(this.#chart, this.#palette, above, hidden) : null;
      this.#chart.panes()[0]?.setStretchFactor(6);
      this.#shape = shape;
    }
    const times = new Set(candles.map(({ time }) => time));
    this.#indicators?.show(lines, (time) => times.has(time));
    if (curves) this.#under?.show(curves);
  }

  /** Overlapping arrows are merged into one with a number, so they change with the zoom. */
  #showMarkers(): void {
    const gap = gapFor(this.#chart.timeScale().options().barSpacing, ARROW_PIXELS);
    if (gap === this.#gap) return;
    this.#gap = gap;
    this.#marks.setMarkers(this.#markers(this.#data, gap));
  }

  #markers({ candles, fills, rules = [] }: ChartData, gap: number): SeriesMarker<Time>[] {
    if (candles.length === 0) return [];
    const places = fills.map(({ time, side }) => ({ place: candleAt(candles, time), side }));
    const arrows = clustered(places, gap).map(({ place, side, count }) => ({
      time: (candles[place] as Kline).time as UTCTimestamp,
      position: side === "buy" ? ("belowBar" as const) : ("aboveBar" as const),
      shape: side === "buy" ? ("arrowUp" as const) : ("arrowDown" as const),
      color: side === "buy" ? this.#palette.up : this.#palette.down,
      size: fills.length > 200 ? 0.6 : 1,
      ...(count > 1 && { text: String(count) }),
    }));
    const last = candles.at(-1)?.time ?? 0;
    const decided = rules
      .flatMap(({ entry, exit, entry_decided_at, exit_decided_at }) => [
        ...(entry.length > 0 ? [entry_decided_at] : []),
        ...(exit.length > 0 && exit_decided_at !== null ? [exit_decided_at] : []),
      ])
      .filter((time) => time <= last)
      .map((time) => ({
        time: onCandle(candles, time) as UTCTimestamp,
        position: "aboveBar" as const,
        shape: "circle" as const,
        color: this.#palette.accent,
        size: 0.8,
      }));
    return [...arrows, ...decided].sort((one, other) => (one.time as number) - (other.time as number));
  }

  #at(time: number | undefined): Hover {
    const { candles, fills, rules = [] } = this.#data;
    if (time === undefined || candles.length === 0) return NOWHERE;
    const isHere = (moment: number) => onCandle(candles, moment) === time;
    return {
      fills: fills.filter((fill) => isHere(fill.time)),
      candle: candles.find((candle) => candle.time === time) ?? null,
      notes: rules
        .flatMap(({ entry, exit }) => [...entry, ...exit])
        .filter(({ to_time }) => isHere(to_time))
        .map(({ sentence }) => sentence),
      values: (this.#indicators?.lines ?? []).map(({ line, colour }) => ({
        name: line.name,
        colour,
        value: line.points.find((point) => point.time === time)?.value ?? null,
      })),
    };
  }
}

/** Rising candles are hollow and falling ones filled, so that they differ without colours too. */
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

/** The time of the candle that holds this moment. */
function onCandle(candles: Kline[], time: number): number {
  return candles[candleAt(candles, time)]?.time ?? time;
}

function onCandles(candles: Kline[], trade: TradeLine): TradeLine {
  return { ...trade, entryTime: onCandle(candles, trade.entryTime), exitTime: onCandle(candles, trade.exitTime) };
}

/** Hides labels below zero, where the axis may extend but no price can be. */
export function axisPrice(value: number, step: number): string {
  if (value < -step / 2) return "";
  return value < step / 2 ? "0" : price(value);
}

function step(candles: Kline[]): number {
  const last = candles.at(-1)?.close ?? 1;
  return 10 ** -priceDigits(last).maximumFractionDigits;
}

function options(palette: Palette, fontFamily: string, timeZone: string, axis: TimeAxis) {
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
      tickMarkFormatter: (time: Time, kind: TickMarkType) => tick(time as number, axis.kindOf(kind), timeZone),
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
  return date ? dateFormat({ ...TICKS[kind], timeZone }).format(date) : "";
}
