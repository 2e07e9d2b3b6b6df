/** The time axis: its days begin at the user's midnight, and no label is cut off at an edge. */
import {
  defaultHorzScaleBehavior,
  type IChartApiBase,
  type Logical,
  type Mutable,
  type TickMark,
  TickMarkType,
  type Time,
  type TimeScalePoint,
  type UTCTimestamp,
} from "lightweight-charts";
import { localTime } from "@/chart/zone";

const Times = defaultHorzScaleBehavior();

/** The library leaves so many pixels from one label to the next, at the font size of our charts. */
const BETWEEN_LABELS = 75;
const CHARACTER = 6.2;

export class TimeAxis extends Times {
  #local: (time: number) => number;
  #chart: IChartApiBase<Time> | null = null;
  #points = 0;
  #formatted = 0;

  constructor(timeZone: string) {
    super();
    this.#local = localTime(timeZone);
  }

  follow(chart: IChartApiBase<Time>): void {
    this.#chart = chart;
  }

  /** The library weighs a point by what changes there in UTC. */
  override fillWeightsForPoints(points: readonly Mutable<TimeScalePoint>[], start: number): void {
    this.#points = points.length;
    const first = Math.max(0, start - 1);
    const local = points.slice(first).map((point) => {
      const time = this.#local(Number(this.key(point.time))) as UTCTimestamp;
      return { ...point, time: this.convertHorzItemToInternal(time) };
    });
    super.fillWeightsForPoints(local, start - first);
    for (let place = start; place < points.length; place++) {
      (points[place] as Mutable<TimeScalePoint>).timeWeight = (local[place - first] as TimeScalePoint).timeWeight;
    }
  }

  /** Labels depend on where they stand: none is kept. */
  override cacheKey(): number {
    this.#formatted += 1;
    return this.#formatted;
  }

  override formatTickmark(...[mark, options]: Parameters<InstanceType<typeof Times>["formatTickmark"]>): string {
    const text = super.formatTickmark(mark, options);
    return this.#isCut(mark, text) ? "" : text;
  }

  /** Where days are so narrow that each has one label at most, an hour says less than its day. */
  kindOf(kind: TickMarkType): TickMarkType {
    const isTime = kind === TickMarkType.Time || kind === TickMarkType.TimeWithSeconds;
    return isTime && this.#pixelsOfADay() < BETWEEN_LABELS ? TickMarkType.DayOfMonth : kind;
  }

  #pixelsOfADay(): number {
    const scale = this.#chart?.timeScale();
    const [range, logical] = [scale?.getVisibleRange(), scale?.getVisibleLogicalRange()];
    if (!scale || !range || !logical) return Number.POSITIVE_INFINITY;
    const seconds = Number(range.to) - Number(range.from);
    const [from, to] = [Math.ceil(logical.from), Math.floor(logical.to)].map((place) =>
      scale.logicalToCoordinate(place as Logical),
    );
    return ((to ?? 0) - (from ?? 0)) / (seconds / 86_400);
  }

  /** The library itself moves a label in from an edge beyond which one cannot scroll, near the first or last point. */
  #isCut({ index }: TickMark, text: string): boolean {
    const scale = this.#chart?.timeScale();
    const place = Number(index);
    const x = scale?.logicalToCoordinate(place as Logical);
    if (!scale || x === null || x === undefined) return false;
    const half = (text.length * CHARACTER) / 2;
    const { fixLeftEdge, fixRightEdge, barSpacing } = scale.options();
    const nearby = BETWEEN_LABELS / barSpacing;
    if (x < half) return !(fixLeftEdge && place <= nearby);
    return x > scale.width() - half && !(fixRightEdge && place >= this.#points - 1 - nearby);
  }
}
