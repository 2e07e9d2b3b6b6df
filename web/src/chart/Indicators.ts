/** The series of a strategy: over the price, over the volume, or each kind in a pane of its own below. */
import {
  createTextWatermark,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type UTCTimestamp,
} from "lightweight-charts";
import { type Line, lineColour, panesBelow } from "@/chart/lines";
import type { Palette } from "@/chart/palette";
import { quantity } from "@/format/numbers";

/** `place` is that among all lines, hidden ones too: it gives the colour. */
type Drawn = { series: ISeriesApi<"Line">; line: Line; place: number };

export class Indicators {
  #drawn: Drawn[];

  constructor(
    private chart: IChartApi,
    palette: Palette,
    lines: readonly Line[],
    hidden: readonly string[],
  ) {
    const below = panesBelow(lines, hidden);
    this.#drawn = lines.flatMap((line, place) => {
      if (hidden.includes(line.name)) return [];
      const pane = Math.max(0, below.findIndex((held) => held.includes(line)) + 1);
      return { line, place, series: this.#add(line, pane, palette[lineColour(place)], palette) };
    });
    for (const [place, held] of below.entries()) {
      const text = held.map(({ name }) => name).join(", ");
      title(chart, place + 1, text, palette["ink-faint"]);
      chart.panes()[place + 1]?.setStretchFactor(1.6);
    }
  }

  get lines(): { line: Line; colour: string }[] {
    return this.#drawn.map(({ line, place }) => ({ line, colour: lineColour(place) }));
  }

  show(lines: readonly Line[], isCandle: (time: number) => boolean): void {
    for (const drawn of this.#drawn) {
      const line = lines[drawn.place];
      if (!line) continue;
      drawn.line = line;
      const points = line.points.filter(({ time }) => isCandle(time));
      drawn.series.setData(
        points.map(({ time, value }) =>
          value === null ? { time: time as UTCTimestamp } : { time: time as UTCTimestamp, value },
        ),
      );
    }
  }

  remove(): void {
    for (const { series } of this.#drawn) this.chart.removeSeries(series);
  }

  #add(line: Line, pane: number, color: string, palette: Palette): ISeriesApi<"Line"> {
    const { bounds } = line;
    const series = this.chart.addSeries(
      LineSeries,
      {
        color,
        lineWidth: 1,
        lastValueVisible: false,
        priceLineVisible: false,
        crosshairMarkerRadius: 2,
        ...(line.pane === "volume" && { priceScaleId: "volume" }),
        ...(line.pane === "below" && {
          priceFormat: { type: "custom", formatter: (value: number) => quantity(value, 4), minMove: 1e-9 },
        }),
        ...(bounds?.length === 2 && {
          autoscaleInfoProvider: () => ({
            priceRange: { minValue: bounds[0] as number, maxValue: bounds[1] as number },
          }),
        }),
      },
      pane,
    );
    if (pane > 0) series.priceScale().applyOptions(LINEAR);
    for (const price of line.levels)
      series.createPriceLine({
        price,
        color: palette["line-strong"],
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: false,
        title: "",
      });
    return series;
  }
}

/** A new pane takes over the scale that was set last, such as the logarithmic one of the prices. */
export const LINEAR = { mode: PriceScaleMode.Normal };

/** Writes the name of a pane into its corner. */
export function title(
  chart: IChartApi,
  pane: number,
  text: string,
  color: string,
  vertAlign: "top" | "bottom" = "top",
): void {
  const found = chart.panes()[pane];
  if (found)
    createTextWatermark(found, {
      horzAlign: "left",
      vertAlign,
      // The empty line keeps the name clear of the border above.
      lines: [
        { text: " ", color, fontSize: 4, lineHeight: 5 },
        { text: ` ${text}`, color, fontSize: 11 },
      ],
    });
}
