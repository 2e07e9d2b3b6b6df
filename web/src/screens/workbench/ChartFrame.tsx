/** The place of a chart in the workbench, and what stands in it until there is one. */
import { type ReactNode, useEffect } from "react";
import { ErrorState, Loading, Skeleton } from "@/design/States";

/** What was chosen, or the height of the window without the frame and the top of the part below. */
export const HEIGHT =
  "h-[calc(24rem+var(--below,0rem))] sm:h-[calc(28rem+var(--below,0rem))] lg:h-[var(--chart,max(calc(26rem+var(--below,0rem)),calc(100dvh-22rem)))]";

/** As high as a chart with its caption, whatever stands in it. */
export function Frame({ children }: { children: ReactNode }) {
  return <div className={`stack justify-center ${HEIGHT} mb-9`}>{children}</div>;
}

/** Instead of a chart that has nothing to show yet. */
export function NoChart({ children }: { children: ReactNode }) {
  return <div className="stack min-h-44 justify-center py-6">{children}</div>;
}

/** The chart library is large, so it is loaded in parallel with the data. */
export function LoadingChart() {
  useEffect(() => {
    import("@/chart/Canvas").catch(() => {}); // the chart itself says that it could not be loaded
  }, []);
  return (
    <Frame>
      <Loading className="h-full p-4" label="Loading the chart…">
        <Skeleton className="h-full" />
      </Loading>
    </Frame>
  );
}

/** How the run of a chart is fetched. */
export type Fetching = { isLoading: boolean; error: unknown; onRetry: () => void };

type FetchedProps<Run> = Fetching & { run: Run | undefined; empty: ReactNode; children: (run: Run) => ReactNode };

/** The chart of a run, or why there is none yet. */
export function Fetched<Run>({ run, isLoading, error, onRetry, empty, children }: FetchedProps<Run>) {
  if (error && !run) {
    return (
      <Frame>
        <ErrorState error={error} onRetry={onRetry} />
      </Frame>
    );
  }
  if (isLoading) return <LoadingChart />;
  return run ? children(run) : empty;
}
