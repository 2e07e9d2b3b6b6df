import {
  AreaSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Curves, Point } from "@/chart/curves";
import { title } from "@/chart/Indicators";
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
    /** The number of panes above. */
    above: number,
  ) {
    const quiet = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerRadius: 3 };
    const money = { type: "custom", formatter: roundMoney, minMove: 0.01 } as const;
    const depth = {
      type: "custom",
      formatter: (value: number) => percent(value, { digits: 1 }),
      minMove: 0.01,
    } as const;
    const dashed = { ...quiet, color: palette["line-strong"], lineWidth: 1, lineStyle: LineStyle.Dashed } as const;
    this.#hold = chart.addSeries(LineSeries, { ...dashed, priceFormat: money }, above);
    this.#equity = chart.addSeries(
      LineSeries,
      { ...quiet, color: palette.accent, lineWidth: 2, priceFormat: money },
      above,
    );
    this.#holdDrawdown = chart.addSeries(LineSeries, { ...dashed, priceFormat: depth }, above + 1);
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
      above + 1,
    );
    this.#equity.priceScale().applyOptions({ scaleMargins: { top: 0.26, bottom: 0.1 } }); // the title stands above
    for (const [pane, share, text, corner] of [
      [above, 2, "Equity, and buy and hold", "top"],
      [above + 1, 1.4, "Drawdown", "bottom"], // the curve begins at the top
    ] as const) {
      chart.panes()[pane]?.setStretchFactor(share);
      title(chart, pane, text, palette["ink-faint"], corner);
    }
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
