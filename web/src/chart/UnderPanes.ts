import {
  AreaSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Curves, Point } from "@/chart/curves";
import { faded, type Palette } from "@/chart/palette";
import { percent, roundMoney } from "@/format/numbers";

/** Equity beside buy-and-hold, and how deep each fell. */
export class UnderPanes {
  #equity: ISeriesApi<"Line">;
  #hold: ISeriesApi<"Line">;
  #drawdown: ISeriesApi<"Area">;
  #holdDrawdown: ISeriesApi<"Line">;

  constructor(
    private chart: IChartApi,
    palette: Palette,
  ) {
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerRadius: 3 };
    const money = { type: "custom", formatter: roundMoney, minMove: 0.01 } as const;
    const depth = {
      type: "custom",
      formatter: (value: number) => percent(value, { digits: 1 }),
      minMove: 0.01,
    } as const;
    const dashed = { ...quiet, color: palette["line-strong"], lineWidth: 1, lineStyle: LineStyle.Dashed } as const;
    this.#hold = chart.addSeries(LineSeries, { ...dashed, priceFormat: money }, 1);
    this.#equity = chart.addSeries(
      LineSeries,
      { ...quiet, color: palette.accent, lineWidth: 2, priceFormat: money },
      1,
    );
    this.#holdDrawdown = chart.addSeries(LineSeries, { ...dashed, priceFormat: depth }, 2);
    this.#drawdown = chart.addSeries(
      AreaSeries,
      {
        ...quiet,
        lineColor: palette.down,
        lineWidth: 1,
        topColor: faded(palette.down, 0.05),
        bottomColor: faded(palette.down, 0.3),
        invertFilledArea: true,
        priceFormat: depth,
      },
      2,
    );
    for (const [pane, share] of [5, 2, 1.4].entries()) chart.panes()[pane]?.setStretchFactor(share);
  }

  show(curves: Curves): void {
    this.#equity.setData(curves.equity.map(timed));
    this.#hold.setData(curves.hold.map(timed));
    this.#drawdown.setData(curves.drawdown.map(timed));
    this.#holdDrawdown.setData(curves.holdDrawdown.map(timed));
  }

  remove(): void {
    for (const series of [this.#equity, this.#hold, this.#drawdown, this.#holdDrawdown])
      this.chart.removeSeries(series);
  }
}

const timed = ({ time, value }: Point) => ({ time: time as UTCTimestamp, value });
