/** Draws why a trade was made: the window and the prices its conditions looked at, and its levels while held. */
import type {
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
  UTCTimestamp,
} from "lightweight-charts";
import type { Schemas } from "@/api/client";
import { apart, type Label } from "@/chart/labels";
import { faded, type Palette } from "@/chart/palette";
import { price } from "@/format/numbers";

export type Rules = Schemas["TradeRules"];
type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];
type Stroke = { colour: string; dash: number[]; label?: string; before?: boolean; shift?: number };

const FONT = "11px sans-serif";

export class RuleLines implements ISeriesPrimitive<Time> {
  #parts: SeriesAttachedParameter<Time> | null = null;
  #rules: Rules[] = [];
  #until = Number.POSITIVE_INFINITY;
  #height = 0;
  #onCandle: (time: number) => number = (time) => time;
  #labels: Label[] = [];
  /** The lines lie under the candles and the grid, their labels over them. */
  #views = [
    { renderer: () => ({ draw: (target: Target) => this.#draw(target) }), zOrder: () => "bottom" as const },
    { renderer: () => ({ draw: (target: Target) => this.#drawLabels(target) }), zOrder: () => "top" as const },
  ];

  constructor(private palette: Palette) {}

  attached(parts: SeriesAttachedParameter<Time>): void {
    this.#parts = parts;
  }

  detached(): void {
    this.#parts = null;
  }

  /** `until` is the last candle that may be drawn on; `onCandle` gives the time of the candle that holds a moment. */
  show(rules: Rules[], until: number, onCandle: (time: number) => number): void {
    this.#rules = rules;
    this.#until = until;
    this.#onCandle = onCandle;
    this.#parts?.requestUpdate();
  }

  paneViews() {
    return this.#views;
  }

  #draw(target: Target): void {
    // biome-ignore lint/correctness/useHookAtTopLevel: a drawing space of the chart library, no hook
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.#height = mediaSize.height;
      this.#labels = [];
      context.save();
      context.font = FONT;
      for (const rule of this.#rules) {
        for (const condition of [...rule.entry, ...rule.exit]) this.#condition(context, condition, mediaSize.height);
        this.#held(context, rule);
      }
      context.restore();
    });
  }

  #drawLabels(target: Target): void {
    // biome-ignore lint/correctness/useHookAtTopLevel: a drawing space of the chart library, no hook
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save();
      context.font = FONT;
      for (const { text, colour, x, y, width } of apart(this.#labels, mediaSize.width)) {
        context.fillStyle = faded(this.palette.surface, 0.8);
        context.fillRect(x, y - 7, width, 13);
        context.fillStyle = colour;
        context.fillText(text, x + 2, y + 4);
      }
      context.restore();
    });
  }

  #condition(context: CanvasRenderingContext2D, condition: Schemas["DrawnCondition"], height: number): void {
    const { from_time, to_time, reference, reference_time, level } = condition;
    if (to_time > this.#until) return;
    const [left, right] = [this.#x(from_time), this.#x(to_time)];
    if (left === null || right === null) return;
    const { accent } = this.palette;
    context.fillStyle = faded(accent, 0.08);
    context.fillRect(left, 0, Math.max(2, right - left), height);
    // Two labels at one place would cover each other.
    const isAbove = (reference ?? 0) >= (level ?? 0);
    if (reference !== null)
      this.#line(context, reference_time ?? from_time, to_time, reference, {
        colour: accent,
        dash: [2, 3],
        label: `from ${price(reference)}`,
        before: true,
        shift: isAbove ? -7 : 7,
      });
    if (level !== null)
      this.#line(context, from_time, to_time, level, {
        colour: accent,
        dash: [],
        label: `level ${price(level)}`,
        before: true,
        shift: isAbove ? 7 : -7,
      });
  }

  #held(context: CanvasRenderingContext2D, rules: Rules): void {
    const { stop, target, average, targets, ladder, entry_filled_at: begin, exit_filled_at, entry_price } = rules;
    if (begin > this.#until) return;
    const end = Math.min(exit_filled_at ?? this.#until, this.#until);
    const { up, down, warn, "ink-faint": faint } = this.palette;
    // Levels that change are there for strategies that trade in parts; others have one price and one target.
    const prices = average.length > 0 ? average : [{ time: begin, price: entry_price }];
    const goals = average.length > 0 ? targets : [{ time: begin, price: target }];
    this.#steps(context, prices, end, {
      colour: faint,
      dash: [1, 3],
      label: average.length > 0 ? "average" : undefined,
    });
    this.#steps(context, goals, end, { colour: up, dash: [6, 3], label: "target" });
    this.#steps(context, stop, end, { colour: down, dash: [6, 3], label: "stop" });
    this.#steps(context, ladder, end, { colour: warn, dash: [2, 2], label: "adds at" });
  }

  /** A level that changes; if it lasts to the end, its price is written there. */
  #steps(context: CanvasRenderingContext2D, steps: Rules["ladder"], end: number, stroke: Stroke): void {
    for (const [place, step] of steps.entries()) {
      if (step.time > end) break;
      if (step.price === null) continue;
      const next = steps[place + 1]?.time ?? end;
      const label = next >= end && stroke.label ? `${stroke.label} ${price(step.price)}` : undefined;
      this.#line(context, step.time, Math.min(next, end), step.price, { ...stroke, label });
    }
  }

  /** A line one candle long is still seen; of a price beyond the window, its name at the edge. */
  #line(
    context: CanvasRenderingContext2D,
    from: number,
    to: number,
    at: number,
    { colour, dash, label, before, shift }: Stroke,
  ): void {
    const [left, right] = [this.#x(from), this.#x(to)];
    const y = this.#parts?.series.priceToCoordinate(at) ?? null;
    if (left === null || right === null || y === null) return;
    const end = Math.max(right, left + 6);
    if (y < 0 || y > this.#height) {
      if (label && !before) this.#atEdge(context, y < 0 ? `↑ ${label}` : `↓ ${label}`, colour, y, end);
      return;
    }
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(end, y);
    context.stroke();
    if (!label) return;
    const width = context.measureText(label).width + 4;
    const isBefore = before || end + width + 4 > context.canvas.clientWidth;
    if (end < 0 || left > context.canvas.clientWidth) return;
    this.#labels.push({ text: label, colour, x: isBefore ? left - width - 4 : end + 2, y: y + (shift ?? 0), width });
  }

  #atEdge(context: CanvasRenderingContext2D, text: string, colour: string, y: number, end: number): void {
    const width = context.measureText(text).width + 4;
    if (end > 0) this.#labels.push({ text, colour, x: end + 2, y: y < 0 ? 24 : this.#height - 24, width });
  }

  #x(time: number): number | null {
    return this.#parts?.chart.timeScale().timeToCoordinate(this.#onCandle(time) as UTCTimestamp) ?? null;
  }
}
