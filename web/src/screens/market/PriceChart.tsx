import { CandlestickSeries, createChart, type UTCTimestamp } from "lightweight-charts";
import { useEffect, useRef } from "react";
import type { Schemas } from "@/api/client";
import { price, priceDigits } from "@/format/numbers";
import { useIsDark } from "@/session/theme";

type PriceChartProps = { caption: string; klines: Schemas["Kline"][] };

/** Candles alone. The caption is what those who cannot see it read. */
export default function PriceChart({ caption, klines }: PriceChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const dark = useIsDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours that are read here change with the theme
  useEffect(() => {
    if (!box.current) return;
    const { chart, candles } = draw(box.current);
    candles.setData(klines.map((kline) => ({ ...kline, time: kline.time as UTCTimestamp })));
    candles.applyOptions({ priceFormat: { type: "custom", formatter: price, minMove: smallestStep(klines) } });
    chart.timeScale().fitContent();
    return () => chart.remove();
  }, [klines, dark]);
  return (
    <figure className="h-full">
      <div aria-hidden="true" className="h-full" ref={box} />
      <figcaption className="sr-only">
        {caption}. It opened at ${price(klines[0]?.open)} and stands at ${price(klines.at(-1)?.close)}.
      </figcaption>
    </figure>
  );
}

function draw(box: HTMLElement) {
  const style = getComputedStyle(box);
  const colour = (name: string) => resolved(box, style.getPropertyValue(name));
  const [up, down, line] = [colour("--up"), colour("--down"), colour("--line")];
  const chart = createChart(box, {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { color: "transparent" },
      textColor: colour("--ink-faint"),
      fontFamily: style.fontFamily,
      fontSize: 11,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderColor: line },
    timeScale: { borderColor: line, timeVisible: true },
  });
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderVisible: false,
  });
  return { chart, candles };
}

/** A token's colour as the canvas understands it: `light-dark()` means nothing there. */
function resolved(box: HTMLElement, value: string): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  box.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function smallestStep(klines: Schemas["Kline"][]): number {
  const smallest = Math.min(...klines.map((kline) => kline.low).filter((low) => low > 0));
  return 10 ** -priceDigits(Number.isFinite(smallest) ? smallest : 1).maximumFractionDigits;
}
