import {
  AreaSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Curves, Point } from "@/chart/curves";
import { HIDEABLE } from "@/chart/hiding";
import { LINEAR, title } from "@/chart/Indicators";
import { faded, type Palette } from "@/chart/palette";
import { percent, roundMoney } from "@/format/numbers";

type Kind = keyof Curves;
type Drawn = { kind: Kind; series: ISeriesApi<"Line"> | ISeriesApi<"Area"> };

/** Equity beside buy-and-hold, and how deep each fell: a pane each, without what is hidden. */
export class UnderPanes {
  #drawn: Drawn[] = [];

  constructor(
    private chart: IChartApi,
    palette: Palette,
    /** The number of panes above. */
    above: number,
    hidden: readonly string[],
  ) {
    const shows = (name: string) => !hidden.includes(name);
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerRadius: 3 };
    const dashed = { ...quiet, color: palette["line-strong"], lineWidth: 1, lineStyle: LineStyle.Dashed } as const;
    let pane = above;
    if (shows(HIDEABLE.equity)) {
      if (shows(HIDEABLE.hold)) this.#add("hold", chart.addSeries(LineSeries, { ...dashed, priceFormat: MONEY }, pane));
      const line = { ...quiet, color: palette.accent, lineWidth: 2, priceFormat: MONEY } as const;
      const equity = chart.addSeries(LineSeries, line, pane);
      this.#add("equity", equity);
      equity.priceScale().applyOptions({ ...LINEAR, scaleMargins: { top: 0.26, bottom: 0.1 } }); // the title stands above
      chart.panes()[pane]?.setStretchFactor(2);
      title(chart, pane, shows(HIDEABLE.hold) ? "Equity, and buy and hold" : "Equity", palette["ink-faint"]);
      pane += 1;
    }
    if (shows(HIDEABLE.drawdown)) {
      if (shows(HIDEABLE.hold))
        this.#add("holdDrawdown", chart.addSeries(LineSeries, { ...dashed, priceFormat: DEPTH }, pane));
      const area = {
        ...quiet,
        lineColor: palette.down,
        lineWidth: 1,
        topColor: faded(palette.down, 0.05),
        bottomColor: faded(palette.down, 0.3),
        invertFilledArea: true,
        priceFormat: DEPTH,
      } as const;
      const drawdown = chart.addSeries(AreaSeries, area, pane);
      this.#add("drawdown", drawdown);
      drawdown.priceScale().applyOptions({ ...LINEAR, scaleMargins: { top: 0.08, bottom: 0.2 } });
      chart.panes()[pane]?.setStretchFactor(1.4);
      title(chart, pane, "Drawdown", palette["ink-faint"], "bottom"); // the curve begins at the top
    }
  }

  show(curves: Curves): void {
    for (const { kind, series } of this.#drawn) series.setData(curves[kind].map(timed));
  }

  remove(): void {
    for (const { series } of this.#drawn) this.chart.removeSeries(series);
  }

  #add(kind: Kind, series: Drawn["series"]): void {
    this.#drawn.push({ kind, series });
  }
}

const MONEY = { type: "custom", formatter: roundMoney, minMove: 0.01 } as const;
const DEPTH = {
  type: "custom",
  formatter: (value: number) => percent(value, { digits: 1 }),
  minMove: 0.01,
} as const;

const timed = ({ time, value }: Point) => ({ time: time as UTCTimestamp, value });
