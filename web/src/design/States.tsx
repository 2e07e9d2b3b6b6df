/** What a part of a screen shows without content: empty, failed, refused or loading. */
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { type Problem, problemOf } from "@/api/problem";
import { Button, ButtonLink } from "@/design/Button";
import { InfoIcon, RetryIcon, WarningIcon } from "@/design/icons";
import { classes } from "@/kit/classes";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";

/** Says what will be here, and what to do next. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="stack items-center gap-3 px-6 py-12 text-center">
      <p className="text-lead font-medium">{title}</p>
      {children && <p className="max-w-md text-ink-soft">{children}</p>}
      {action}
    </div>
  );
}

/** An error in one sentence with a retry button; a refusal of the tier shows which tier permits it instead. */
export function ErrorState({
  error,
  onRetry,
  className,
}: {
  error: unknown;
  onRetry?: () => void;
  className?: string;
}) {
  const problem = problemOf(error);
  if (problem.upsell) return <Upsell className={className} problem={problem} />;
  return (
    <div className={classes("stack items-center gap-3 px-6 py-10 text-center", className)} role="alert">
      <span className="text-down">
        <WarningIcon size={20} />
      </span>
      <p className="max-w-md wrap-anywhere">{problem.words}</p>
      {onRetry && (
        <Button onClick={onRetry} size="small">
          <RetryIcon size={14} />
          Try again
        </Button>
      )}
    </div>
  );
}

/** A problem, shown next to its form or button. */
export function ProblemNote({ error }: { error: unknown }) {
  if (!error) return null;
  const problem = problemOf(error);
  if (problem.upsell) return <Upsell problem={problem} />;
  return (
    <p
      className="flex items-start gap-2 rounded-control bg-down-soft px-3 py-2 text-small text-down wrap-anywhere"
      role="alert"
    >
      <span className="mt-0.5">
        <WarningIcon size={14} />
      </span>
      {problem.words}
    </p>
  );
}

/** The limit of the tier: the reason, and which tier has more. */
export function Upsell({ problem, className }: { problem: Pick<Problem, "detail" | "upsell">; className?: string }) {
  const { accessToken } = useSession();
  const [path] = useLocation();
  return (
    <div
      className={classes(
        "flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-accent-soft px-4 py-3",
        className,
      )}
      role="alert"
    >
      <p className="min-w-0 flex-1 basis-60">
        {problem.detail} <strong className="font-medium text-accent">{problem.upsell}</strong>
      </p>
      {accessToken ? (
        <ButtonLink href="/account" size="small">
          See your tier
        </ButtonLink>
      ) : (
        <ButtonLink href={entrance("/register", path)} look="primary" size="small">
          Sign up for free
        </ButtonLink>
      )}
    </div>
  );
}

/** A small note. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-small text-ink-soft">
      <span className="mt-0.5 text-ink-faint">
        <InfoIcon size={14} />
      </span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}

/** A placeholder while something loads: give it the final size, so that nothing moves. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes("shimmer rounded-control", className)} />;
}

/** Tells screen readers once that something is loading; the skeletons show it to everyone else. */
export function Loading({
  label = "Loading…",
  className,
  children,
}: {
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div aria-busy="true" className={className}>
      <span className="sr-only" role="status">
        {label}
      </span>
      {children}
    </div>
  );
}
