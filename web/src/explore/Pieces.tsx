/** Parts that searches and surveys share. */
import type { UseMutationResult } from "@tanstack/react-query";
import { Button } from "@/design/Button";
import { StopIcon } from "@/design/icons";
import { Progress } from "@/design/Meter";
import { Loading, ProblemNote, Skeleton } from "@/design/States";

type UnderWayProps = {
  label: string;
  percent: number;
  words: string;
  stop: Pick<UseMutationResult<unknown, unknown, void>, "mutate" | "isPending" | "error">;
};

/** The progress of a run, with a button to stop it. */
export function UnderWay({ label, percent, words, stop }: UnderWayProps) {
  return (
    <div className="stack gap-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <Progress label={label} percent={percent} />
        </div>
        <span className="figures w-10 text-right text-small text-ink-soft">{Math.round(percent)}%</span>
        <Button busy={stop.isPending} look="danger" onClick={() => stop.mutate()} size="small">
          <StopIcon size={14} />
          Stop
        </Button>
      </div>
      <p className="text-small text-ink-soft">{words}</p>
      <ProblemNote error={stop.error} />
    </div>
  );
}

export function LoadingRuns({ label }: { label: string }) {
  return (
    <Loading className="stack gap-3 px-4" label={label}>
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
    </Loading>
  );
}
