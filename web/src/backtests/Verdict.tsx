/** How far to trust a backtest: its grade in one sentence, then each check with a small picture. */
import { METHOD, METHOD_FOR_READERS } from "virtual:metric-definitions";
import type { Schemas } from "@/api/client";
import { CheckPicture } from "@/backtests/CheckPicture";
import type { Run } from "@/backtests/runs";
import { TimingPicture } from "@/backtests/TimingPicture";
import { Badge, type Tone } from "@/design/Badge";
import { Loading, Note, Skeleton } from "@/design/States";
import { Time } from "@/format/Figures";
import { classes } from "@/kit/classes";
import { RISK_WORDS } from "@/market/risk";

type Graded = Pick<Run, "status" | "verdict" | "verdict_error">;
export type VerdictView = Schemas["VerdictView"];

export const GRADE_TONES: Record<VerdictView["grade"], Tone> = {
  holds_up: "up",
  fragile: "warn",
  luck: "warn",
  too_few: "neutral",
  loses: "down",
};

/** The grade and what it means, above the metrics; a skeleton until it is here. */
export function VerdictHeadline({ run }: { run: Graded }) {
  const { verdict } = run;
  if (run.status !== "completed") return null;
  if (run.verdict_error) return <Note>{run.verdict_error}</Note>;
  if (!verdict) {
    return (
      <Loading label="Checking how far to trust this result…">
        <Skeleton className="h-11" />
      </Loading>
    );
  }
  return (
    <div className="stack gap-1">
      <p className="text-lead font-medium">
        <Badge tone={GRADE_TONES[verdict.grade]}>Verdict</Badge> {verdict.headline}
      </p>
      <p className="text-ink-soft">{verdict.sentence}</p>
      {verdict.other_tokens_pending && (
        <p className="text-small text-ink-faint" role="status">
          Trying the same rules on other tokens; this may change the grade once.
        </p>
      )}
    </div>
  );
}

type VerdictDetailProps = {
  run: Graded & Pick<Run, "pool" | "holdout">;
  /** Whether the headline stands beside it on wide screens. */
  isBeside?: boolean;
  /** Whether its readers have not made the run. */
  isShared?: boolean;
};

/** The headline with all checks, the pool and the sealed history. */
export function VerdictDetail({ run, isBeside = false, isShared = false }: VerdictDetailProps) {
  return (
    <div className="stack gap-3">
      <div className={classes(isBeside && "lg:hidden")}>
        <VerdictHeadline run={run} />
      </div>
      {run.verdict && run.verdict.checks.length > 0 && <Checks isShared={isShared} verdict={run.verdict} />}
      {run.pool && <Pool pool={run.pool} />}
      {run.holdout && <HoldoutNote holdout={run.holdout} />}
    </div>
  );
}

function Checks({ verdict, isShared }: { verdict: VerdictView; isShared: boolean }) {
  return (
    <section aria-label="Checks" className="stack gap-1">
      <ul className="stack">
        {verdict.checks.map((check) => (
          <li className="flex items-center gap-3 border-b border-line py-2 text-small last:border-0" key={check.name}>
            <Badge tone={check.passed ? "up" : "warn"}>{check.passed ? "Passed" : "Weak"}</Badge>
            <span className="min-w-0 flex-1">{check.sentence}</span>
            {check.name === "timing" && verdict.timing ? (
              <TimingPicture timing={verdict.timing} />
            ) : (
              <CheckPicture check={check} />
            )}
          </li>
        ))}
      </ul>
      {verdict.timing && <p className="text-small text-ink-soft">{isShared ? METHOD_FOR_READERS : METHOD}</p>}
      <p className="text-small text-ink-faint">
        Graded <Time at={verdict.graded_at} />. A verdict is about the past of one market.
      </p>
    </section>
  );
}

function Pool({ pool }: { pool: NonNullable<Run["pool"]> }) {
  return (
    <section aria-label="With this pool" className="stack gap-1 text-small text-ink-soft">
      {pool.risk_level === "high" && (
        <p>
          <Badge tone="down">{RISK_WORDS.high.text}</Badge> The token itself may lose all its value, whatever the rules
          say.
        </p>
      )}
      {pool.sentences?.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

function HoldoutNote({ holdout }: { holdout: Schemas["Holdout"] }) {
  return (
    <Note>
      {holdout.opened_at ? (
        <>
          The sealed history from <Time at={holdout.from} /> was opened <Time at={holdout.opened_at} />: this result may
          have been chosen with it in view.
        </>
      ) : (
        <>
          The history from <Time at={holdout.from} /> on is sealed, and this run did not see it.
        </>
      )}
    </Note>
  );
}
