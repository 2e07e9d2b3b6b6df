/** A chart of what the edited strategy would have bought on recent candles. It is fetched when typing pauses. */
import { useEffect, useMemo, useState } from "react";
import { problemOf } from "@/api/problem";
import { type Instrument, useTokenName } from "@/backtests/instrument";
import { lineColour, worthDrawing } from "@/chart/lines";
import { lazyPart } from "@/design/lazyPart";
import { Note, Skeleton } from "@/design/States";
import { useDebounced } from "@/kit/useDebounced";
import { useSeen } from "@/kit/useSeen";
import { whenIdle } from "@/kit/whenIdle";
import { boughtWords, type Previewed, previewChart, usePreview } from "@/strategy/previewing";
import type { Bot, Strategy } from "@/strategy/versions";

const Canvas = lazyPart(() => import("@/chart/Canvas"), { name: "The picture" });

const TYPING_PAUSES = 600;

type PreviewProps = { bot: Bot; strategy: Strategy; instrument: Instrument | null };

export default function Preview({ bot, strategy, instrument }: PreviewProps) {
  const [frame, seen] = useSeen<HTMLElement>();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const typed = useDebounced(JSON.stringify(strategy), TYPING_PAUSES);
  const on = bot.token ? null : instrument;
  const { data, error, isPending } = usePreview(bot, typed, on, seen && isIdle);
  if (!bot.token && !on) return null;
  return (
    <section aria-label="Preview" className="z-10 stack gap-1 bg-surface py-1 lg:sticky lg:top-0" ref={frame}>
      <p className="text-small text-ink-faint">Preview</p>
      {data ? data.klines.length > 0 && <Picture shown={data} /> : !error && isPending && <Skeleton className="h-44" />}
      {!isToldAlready(bot, strategy) && data?.warnings.map((warning) => <Note key={warning}>{warning}</Note>)}
      {error ? (
        <p className="text-small text-ink-soft">No preview: {problemOf(error).words}</p>
      ) : (
        data && <Caption shown={data} />
      )}
    </section>
  );
}

/** The saved strategy's own warnings, which know no token, stand beside it. */
function isToldAlready(bot: Bot, strategy: Strategy): boolean {
  return bot.warnings.length > 0 && JSON.stringify(strategy) === JSON.stringify(bot.strategy);
}

const ignore = () => {};

function Picture({ shown }: { shown: Previewed }) {
  const [name] = useState("preview");
  const data = useMemo(() => previewChart(shown), [shown]);
  return (
    <div className="relative stack h-44 justify-center rounded-control border border-line">
      <Canvas
        data={data}
        fallback={<Skeleton className="absolute inset-0" />}
        focus={null}
        name={name}
        onHover={ignore}
        resets={0}
      />
    </div>
  );
}

function Caption({ shown }: { shown: Previewed }) {
  const name = useTokenName({ address: shown.token, chain: shown.chain });
  return (
    <div className="text-small text-ink-soft">
      {boughtWords(shown, name)}
      <span aria-hidden="true" className="flex flex-wrap gap-x-3 text-tiny text-ink-faint">
        {worthDrawing(shown.series).map((line, place) => (
          <span key={line.name}>
            <span style={{ color: `var(--${lineColour(place)})` }}>━</span> {line.name}
          </span>
        ))}
      </span>
    </div>
  );
}
