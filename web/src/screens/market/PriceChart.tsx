import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import Canvas from "@/chart/Canvas";
import { price } from "@/format/numbers";

type PriceChartProps = { name: string; klines: Schemas["Kline"][] };

const IGNORE = () => undefined;

/** The candles of a token, without trades. The caption is for screen readers. */
export default function PriceChart({ name, klines }: PriceChartProps) {
  const data = useMemo(() => ({ candles: klines, fills: [], trades: [], curves: null }), [klines]);
  return (
    <figure className="h-full">
      <div className="relative h-full">
        <Canvas data={data} focus={null} name={name} resets={0} onHover={IGNORE} />
      </div>
      <figcaption className="sr-only">
        {name}. It opened at ${price(klines[0]?.open)} and stands at ${price(klines.at(-1)?.close)}.
      </figcaption>
    </figure>
  );
}
