import type { Problem } from "@/api/problem";
import { Button } from "@/design/Button";
import { RetryIcon, WarningIcon } from "@/design/icons";
import { Upsell } from "@/design/States";
import { duration } from "@/format/times";

/** Why a message was not answered, and what can be done about it. */
export function Trouble({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  if (problem.upsell) return <Upsell problem={problem} />;
  const { words, retry } = troubleWords(problem);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-warn-soft px-3 py-2" role="alert">
      <p className="flex min-w-0 flex-1 basis-52 items-start gap-2 text-small text-warn wrap-anywhere">
        <span className="mt-0.5">
          <WarningIcon size={14} />
        </span>
        {words}
      </p>
      <Button onClick={onRetry} size="small">
        <RetryIcon size={14} />
        {retry}
      </Button>
    </div>
  );
}

export function troubleWords(problem: Problem): { words: string; retry: string } {
  switch (problem.status) {
    case 401:
      return { words: "This visit has ended. Your message begins a new one.", retry: "Send it again" };
    case 404:
      return { words: "This conversation is gone. Your message begins a new one.", retry: "Send it again" };
    case 429:
      return { words: `${problem.detail}${waiting(problem.retryAfterSeconds)}`, retry: "Try again" };
    default:
      return { words: problem.detail, retry: "Try again" };
  }
}

function waiting(seconds: number | null): string {
  return seconds ? ` It can go on in about ${duration(seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60)}.` : "";
}
