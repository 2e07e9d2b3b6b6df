/** Searches for better values of the strategy, and surveys of the strategy on many tokens. */
import { useState } from "react";
import type { Run } from "@/backtests/runs";
import { Choice } from "@/design/Field";
import { Empty, Note } from "@/design/States";
import { SearchPart } from "@/explore/SearchPart";
import { SurveyPart } from "@/explore/SurveyPart";
import { useSession } from "@/session/store";
import type { Bot } from "@/strategy/versions";

type Part = "values" | "tokens";

const PARTS: { value: Part; label: string }[] = [
  { value: "values", label: "Better values" },
  { value: "tokens", label: "Many tokens" },
];

/** `run` is the backtest that is shown: the forms start with its token and dates. */
export type ExploreProps = { bot: Bot; run: Run | undefined; onTest: () => void };

export default function ExploreTab({ bot, run, onTest }: ExploreProps) {
  const { accessToken } = useSession();
  const [part, setPart] = useState<Part>("values");
  if (!accessToken) {
    return <Empty title="Exploring needs an account.">It is free, and what you have made here comes along.</Empty>;
  }
  if (!bot.strategy) {
    return (
      <div className="p-4">
        <Note>Exploring needs a strategy: describe one in the chat, or write its first condition.</Note>
      </div>
    );
  }
  return (
    <div className="stack gap-4 py-4">
      <div className="px-4">
        <Choice label="Explore" onChange={setPart} options={PARTS} value={part} />
      </div>
      {part === "values" ? (
        <SearchPart bot={bot} onTest={onTest} run={run} strategy={bot.strategy} />
      ) : (
        <SurveyPart bot={bot} run={run} />
      )}
    </div>
  );
}
