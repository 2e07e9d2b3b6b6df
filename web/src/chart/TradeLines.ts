/** Draws each trade as a line from its entry to its exit, solid for a gain and dashed for a loss. */
import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
  UTCTimestamp,
} from "lightweight-charts";
import type { Palette } from "@/chart/palette";

export type TradeLine = {
  number: number;
  entryTime: number;
  entryPrice: number;
  exitTime: number;
  exitPrice: number;
  won: boolean;
};

type End = { x: number; y: number };
type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

export class TradeLines implements ISeriesPrimitive<Time> {
  #parts: SeriesAttachedParameter<Time> | null = null;
  #lines: TradeLine[] = [];
  #chosen: number | null = null;
  #palette: Palette;
  #views = [{ renderer: () => ({ draw: (target: Target) => this.#draw(target) }) }];

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  attached(parts: SeriesAttachedParameter<Time>): void {
    this.#parts = parts;
  }

  detached(): void {
    this.#parts = null;
  }

  show(lines: TradeLine[], chosen: number | null): void {
    this.#lines = lines;
    this.#chosen = chosen;
    this.#parts?.requestUpdate();
  }

  paneViews() {
    return this.#views;
  }

  #draw(target: Target): void {
    // biome-ignore lint/correctness/useHookAtTopLevel: a drawing space of the chart library, no hook
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const line of this.#lines) {
        const [from, to] = [this.#end(line.entryTime, line.entryPrice), this.#end(line.exitTime, line.exitPrice)];
        if (from && to && to.x >= 0 && from.x <= mediaSize.width) this.#stroke(context, line, from, to);
      }
    });
  }

  #end(time: number, price: number): End | null {
    const x = this.#parts?.chart.timeScale().timeToCoordinate(time as UTCTimestamp) ?? null;
    const y = this.#parts?.series.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  #stroke(context: CanvasRenderingContext2D, line: TradeLine, from: End, to: End): void {
    const chosen = line.number === this.#chosen;
    context.save();
    context.strokeStyle = line.won ? this.#palette.up : this.#palette.down;
    context.lineWidth = chosen ? 3 : 1.5;
    context.setLineDash(line.won ? [] : [4, 3]);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    context.restore();
  }
}
