/** The result of a backtest in the window of an assistant: what the page of a share shows. */
import { useEffect, useState } from "react";
import type { Schemas } from "@/api/client";
import { SharedResult } from "@/backtests/SharedResult";
import type { Host, HostContext, ToolResult } from "@/card/host";
import { Empty, Loading, Note, Skeleton } from "@/design/States";
import { learnNames } from "@/market/names";

type Card = { run: Schemas["SharedBacktest"]; chart: Schemas["ChartView"] };
type Shown = { card: Card; runId: string } | { words: string } | null;

const NOT_A_RESULT = "The assistant's answer says how it stands.";

export function ResultCard({ host }: { host: Host }) {
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    const show = (words: string) => setShown({ words });
    const onResult = (result: ToolResult) => {
      const runId = finishedBacktest(result);
      if (!runId) return show(NOT_A_RESULT);
      host.read<Card>(cardOf(runId)).then(
        (card) => {
          const { token, chain, token_symbol: symbol, tokens } = card.run;
          learnNames(tokens ?? { token_id: `${token}-${chain}`, symbol });
          setShown({ card, runId });
        },
        (error: Error) => show(`The chart could not be read: ${error.message}`),
      );
    };
    host.connect({ onResult, onContext: applyTheme, onCancelled: () => show("The call was cancelled.") });
  }, [host]);
  if (shown === null) {
    return (
      <Loading className="stack gap-4" label="Waiting for the result…">
        <Skeleton className="h-24" />
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  if ("words" in shown) return <Empty title="No finished backtest to draw">{shown.words}</Empty>;
  const { card, runId } = shown;
  const load = async (tokenId: string | undefined) =>
    tokenId ? (await host.read<Card>(`${cardOf(runId)}/${tokenId}`)).chart : card.chart;
  return (
    <div className="stack gap-4">
      <SharedResult load={load} name={`backtest-${runId}`} shared={card.run} />
      <Note>It is about the past, and no advice.</Note>
    </div>
  );
}

function cardOf(runId: string): string {
  return `strategybot://backtests/${runId}/card`;
}

/** The id of the backtest that a tool returned, if it has ended. */
export function finishedBacktest({ structuredContent: found, isError }: ToolResult): string | null {
  const isBacktest = found?.kind === undefined || found.kind === "backtest";
  const isDone = !isError && isBacktest && found?.status === "completed";
  return isDone && typeof found?.run_id === "string" ? found.run_id : null;
}

function applyTheme({ theme }: HostContext): void {
  if (theme) document.documentElement.dataset.theme = theme;
}
