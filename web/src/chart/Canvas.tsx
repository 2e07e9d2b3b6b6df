/** The canvas of a chart. It comes with the chart library, so it is loaded where a chart is shown: see `Chart.tsx`. */
import { useEffect, useRef } from "react";
import { type ChartData, Drawing, type Hover } from "@/chart/Drawing";
import type { View } from "@/chart/places";
import { useIsDark } from "@/session/theme";
import { useSettings } from "@/session/user";

/** A trade on the chart, or the position that is open at the end. */
export type Stretch = { number: number; from: number; to: number; isOpen?: boolean };

type CanvasProps = {
  /** The id of the run; another run is shown completely. */
  name: string;
  data: ChartData;
  focus: Stretch | null;
  /** Counts the requests to show the whole run. */
  resets: number;
  onHover: (hover: Hover) => void;
  /** Called with the time in view, once it has stopped moving; with null when everything is shown. */
  onView?: (view: View | null) => void;
  /** Called with a function that makes a picture of the chart. */
  onReady?: (picture: () => HTMLCanvasElement) => void;
};

const STANDS_STILL = 200;

export default function Canvas({ name, data, focus, resets, onHover, onView, onReady }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const shown = useRef<string | null>(null);
  const told = useRef(onView);
  told.current = onView;
  const dark = useIsDark();
  const { timezone } = useSettings();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours that are read here change with the theme
  useEffect(() => {
    if (!box.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const view = (seen: View | null) => {
      clearTimeout(timer);
      if (seen) timer = setTimeout(() => told.current?.(seen), STANDS_STILL);
      else told.current?.(null);
    };
    const made = new Drawing(box.current, timezone, { hover: onHover, view });
    drawing.current = made;
    shown.current = null;
    onReady?.(() => made.picture());
    // A frame later: the library takes the new width by itself. While the chart was hidden, it had none.
    const sizes = new ResizeObserver(() => {
      requestAnimationFrame(() => made === drawing.current && made.fit());
    });
    sizes.observe(box.current);
    return () => {
      sizes.disconnect();
      clearTimeout(timer);
      drawing.current = null;
      made.remove();
    };
  }, [dark, timezone, onHover, onReady]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing begins empty
  useEffect(() => {
    drawing.current?.show(data, focus?.number ?? null, shown.current !== name);
    shown.current = name;
  }, [name, data, focus, dark, timezone, onHover]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same trade lies elsewhere on other candles, and nowhere yet on a new drawing
  useEffect(() => {
    if (focus) drawing.current?.goTo(focus.from, focus.to);
    else drawing.current?.goToAll();
  }, [name, focus, dark, timezone]);

  useEffect(() => {
    if (resets > 0) drawing.current?.goToAll();
  }, [resets]);

  return <div aria-hidden="true" className="absolute inset-0" ref={box} />;
}
