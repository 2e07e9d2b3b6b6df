/** The canvas of a chart. It comes with the chart library, so it is loaded where a chart is shown: see `Chart.tsx`. */
import { useEffect, useRef } from "react";
import { type ChartData, Drawing, type Hover } from "@/chart/Drawing";
import { useIsDark } from "@/session/theme";
import { useSettings } from "@/session/user";

export type Stretch = { number: number; from: number; to: number };

type CanvasProps = {
  /** Of which run: another one is shown whole. */
  name: string;
  data: ChartData;
  focus: Stretch | null;
  /** Counts how often the whole was asked for. */
  resets: number;
  onHover: (hover: Hover) => void;
};

export default function Canvas({ name, data, focus, resets, onHover }: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const shown = useRef<string | null>(null);
  const dark = useIsDark();
  const { timezone } = useSettings();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours that are read here change with the theme
  useEffect(() => {
    if (!box.current) return;
    drawing.current = new Drawing(box.current, timezone, onHover);
    shown.current = null;
    return () => drawing.current?.remove();
  }, [dark, timezone, onHover]);

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

  return <div className="absolute inset-0" ref={box} />;
}
