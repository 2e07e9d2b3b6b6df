import type { Call } from "@/chat/answer";
import { StrategyChange, versionsIn } from "@/chat/StrategyChange";
import { useOldRun } from "@/chat/useOldRun";
import { callWords, facts, failureWords } from "@/chat/words";
import { Spinner } from "@/design/Button";
import { CheckIcon, ChevronDownIcon, WarningIcon } from "@/design/icons";
import { unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";

/** A tool call in one line; arguments and result can be unfolded. A changed strategy shows the differences. */
export function ToolCard({ call }: { call: Call }) {
  const versions = versionsIn(call);
  if (versions) return <StrategyChange {...versions} />;
  const reason = failureWords(call);
  const summary = call.name === "create_bot" && facts(call.result).summary;
  return (
    <details className="group rounded-control border border-line bg-surface text-small">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded-control px-2.5 py-1.5 hover:bg-hover">
        <CallMark state={call.state} />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className={classes(call.state === "running" && "text-ink-soft")}>{callWords(call)}</span>
          <OldRun call={call} />
          {reason && <span className="block text-warn">{reason}</span>}
          {typeof summary === "string" && <span className="block text-ink-soft">{unbroken(summary)}</span>}
        </span>
        <span className="self-start text-ink-faint transition-transform group-open:rotate-180">
          <ChevronDownIcon size={14} />
        </span>
      </summary>
      <div className="stack gap-2 border-t border-line p-2.5">
        <Json name="Asked with" value={call.arguments} />
        {call.state !== "running" && <Json name="Result" value={call.result} />}
      </div>
    </details>
  );
}

/** Below a tested result: that the bot has other rules now. */
function OldRun({ call }: { call: Call }) {
  const words = useOldRun(facts(call.result));
  return words && <span className="block text-warn">{words}</span>;
}

function CallMark({ state }: { state: Call["state"] }) {
  if (state === "running") {
    return (
      <span className="self-start pt-0.5 text-accent">
        <Spinner />
      </span>
    );
  }
  return (
    <span className={classes("self-start pt-0.5", state === "done" ? "text-up" : "text-warn")}>
      {state === "done" ? <CheckIcon size={14} /> : <WarningIcon size={14} />}
    </span>
  );
}

function Json({ name, value }: { name: string; value: unknown }) {
  return (
    <div className="stack gap-1">
      <p className="text-tiny text-ink-faint">{name}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section aria-label={name} className="max-h-56 overflow-auto rounded-small bg-sunken" tabIndex={0}>
        <pre className="p-2 font-mono text-tiny">{JSON.stringify(value, null, 2)}</pre>
      </section>
    </div>
  );
}
