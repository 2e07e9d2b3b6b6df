/** The chart of a bot that was never tested: where its rules would have bought lately, and a button to test them. */
import { useMemo } from "react";
import { queries } from "@/api/client";
import { firstRequest } from "@/backtests/choices";
import { useTokenName } from "@/backtests/instrument";
import { useStart } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { PlayIcon } from "@/design/icons";
import { lazyPart } from "@/design/lazyPart";
import { Empty, ProblemNote, Skeleton } from "@/design/States";
import { Frame, HEIGHT, LoadingChart } from "@/screens/workbench/ChartFrame";
import { useSession } from "@/session/store";
import { boughtWords, type Previewed, previewChart, usePreview } from "@/strategy/previewing";
import type { Bot, Strategy } from "@/strategy/versions";

const Canvas = lazyPart(() => import("@/chart/Canvas"), { name: "The chart" });
const ignore = () => {};

export function FirstLook({ bot, strategy }: { bot: Bot; strategy: Strategy }) {
  const { data, error } = usePreview(bot, JSON.stringify(strategy), null, true);
  if (data && data.klines.length > 0) return <Look bot={bot} shown={data} />;
  if (bot.token && !error && !data) return <LoadingChart />;
  return (
    <Frame>
      <Empty title="Not tested yet.">Run a backtest below: the candles, the trades and the equity appear here.</Empty>
    </Frame>
  );
}

function Look({ bot, shown }: { bot: Bot; shown: Previewed }) {
  const { accessToken } = useSession();
  const name = useTokenName({ address: shown.token, chain: shown.chain });
  const start = useStart(bot);
  const data = useMemo(() => previewChart(shown), [shown]);
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  const isDemo = info?.provider === "demo";
  const isVisitor = accessToken === null;
  return (
    <section aria-label="First look">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-accent-soft px-4 py-2">
        <p className="min-w-0 flex-1 basis-60">
          <strong className="font-medium">Not tested yet.</strong> {boughtWords(shown, name)}
          {isVisitor && " This look is free; the one backtest that you have without an account is not used."}
        </p>
        {shown.total_entries > 0 && (
          <Button
            busy={start.isPending}
            look="primary"
            onClick={() => start.mutate(firstRequest(bot, isVisitor))}
            size="small"
          >
            <PlayIcon size={14} />
            Test it
          </Button>
        )}
      </div>
      <ProblemNote error={start.error} />
      <div className={`relative stack justify-center ${HEIGHT}`}>
        <Canvas
          data={data}
          fallback={<Skeleton className="absolute inset-0" />}
          focus={null}
          name={bot.id}
          onHover={ignore}
          resets={0}
        />
      </div>
      <p className="border-t border-line px-4 py-2 text-small text-ink-soft">
        <strong className="font-medium text-ink">{name}</strong>, {shown.kline_interval} candles; an arrow marks each on
        which it would have bought{isDemo && "; the prices are invented"}
      </p>
    </section>
  );
}
