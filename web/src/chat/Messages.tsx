import { type ComponentType, lazy, type ReactNode, Suspense, useDeferredValue } from "react";
import { type Answer, asksForYes, type Call, withoutRemarks } from "@/chat/answer";
import { ToolCard } from "@/chat/ToolCard";
import { botName } from "@/chat/words";
import { CheckIcon, WarningIcon } from "@/design/icons";

// If the Markdown renderer cannot be loaded, the plain text is shown.
const Markdown = lazy<ComponentType<Words>>(() => import("@/chat/Markdown").catch(() => ({ default: PlainWords })));

export function UserMessage({ text, onEdit }: { text: string; onEdit?: () => void }) {
  return (
    <div className="group relative stack items-end pl-8">
      <p className="sr-only">You said:</p>
      <p className="max-w-full rounded-card rounded-br-small bg-accent-soft px-3 py-2 whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
      {onEdit && <Action onClick={onEdit}>Edit and resend</Action>}
    </div>
  );
}

type AssistantMessageProps = {
  answer: Answer & { progress?: string };
  isGrowing?: boolean;
  isStopped?: boolean;
  onRetry?: () => void;
};

/** The tool calls come first, then the text, both while the answer grows and when it is saved. */
export function AssistantMessage({ answer, isGrowing = false, isStopped = false, onRetry }: AssistantMessageProps) {
  // Text may arrive faster than it can be rendered: user input has priority.
  const { text, remarks } = withoutRemarks(useDeferredValue(answer.content));
  return (
    <div className="group relative stack items-start gap-2 *:w-full">
      <p className="sr-only">The answer:</p>
      {answer.calls.filter(isNews).map((call, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only ever added at the end
        <ToolCard call={call} key={number} />
      ))}
      {text && (
        <Suspense fallback={<PlainWords text={text} />}>
          <Markdown text={text} unverified={answer.receipts?.unverified} />
        </Suspense>
      )}
      {isGrowing && <Thinking isWriting={text !== ""} progress={answer.progress} />}
      {isStopped && <Remark isWarning>You stopped listening here. What was begun is still finished.</Remark>}
      {remarks.map((remark) => (
        <Remark isWarning key={remark}>
          {remark}
        </Remark>
      ))}
      <Receipts answer={answer} />
      {onRetry && <Action onClick={onRetry}>Ask again</Action>}
    </div>
  );
}

type Words = { text: string; unverified?: readonly string[] };

function PlainWords({ text }: Words) {
  return <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>;
}

/** A missing strategy is not shown: the answer creates one, or says so. Neither is a call that only asks for a yes. */
function isNews(call: Call): boolean {
  if (asksForYes(call)) return false;
  return call.name !== "get_current_strategy" || botName(call.result) !== undefined;
}

/** The tools whose results an answer quotes, with their names in the note. */
const RESULTS: Record<string, string> = {
  run_backtest: "the backtest",
  get_backtest: "the backtest",
  compare_backtests: "the backtests",
  get_simulation: "the simulation",
  stop_simulation: "the simulation",
  get_token: "the market data",
  get_token_risk: "the market data",
};

/** Shown if all numbers were verified. Unverified ones are marked in the text. */
function Receipts({ answer: { receipts, calls } }: { answer: Answer }) {
  const quoted = new Set(calls.flatMap((call) => (call.state === "done" ? (RESULTS[call.name] ?? []) : [])));
  if (!receipts || receipts.checked === 0 || receipts.unverified.length > 0 || quoted.size === 0) return null;
  const numbers = receipts.checked === 1 ? "1 number" : `${receipts.checked} numbers`;
  return <Remark>{`${numbers} checked against ${[...quoted].join(" and ")}`}</Remark>;
}

function Remark({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-small text-ink-faint">
      <span className={isWarning ? "mt-0.5 text-warn" : "mt-0.5 text-up"}>
        {isWarning ? <WarningIcon size={13} /> : <CheckIcon size={13} />}
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}

/** Shown below a message on hover and on focus; always on a screen without a mouse. */
function Action({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      className="absolute top-full h-5 rounded-small text-tiny text-ink-faint underline-offset-2 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:text-ink hover:underline pointer-coarse:opacity-100"
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  );
}

export function Thinking({ isWriting = false, progress }: { isWriting?: boolean; progress?: string }) {
  return (
    <p className="flex h-5 items-center gap-1 text-accent">
      {!progress && <span className="sr-only">{isWriting ? "Writing…" : "Thinking…"}</span>}
      {[0, 150, 300].map((delay) => (
        <span
          aria-hidden="true"
          className="size-1.5 animate-bounce rounded-full bg-current"
          key={delay}
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
      {progress && <span className="ml-1 text-small text-ink-faint">{progress}</span>}
    </p>
  );
}
