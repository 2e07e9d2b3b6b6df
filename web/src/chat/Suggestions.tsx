import { ArrowRightIcon } from "@/design/icons";
import type { Strategy } from "@/strategy/words";

/** Of the first two, the one that changes something is offered. */
const CHANGES = [
  "Set the stop loss to 4 %",
  "Set the stop loss to 3 %",
  "Test it on the last 90 days",
  "Explain what it does",
];
const BEGINNINGS = [
  "Buy when it falls 2 % within 4 hours, sell at 3 % profit or 2 % loss",
  "Buy when the volume is 3 × its 1h average, trailing stop 5 %",
];

type SuggestionsProps = { strategy?: Strategy | null; onSend: (text: string) => void };

/** Suggestions for a first message. A click sends one. */
export function Suggestions({ strategy, onSend }: SuggestionsProps) {
  const useless = strategy?.risk_management?.stop_loss_percent === 4 ? 0 : 1;
  const ideas = strategy ? CHANGES.filter((_, place) => place !== useless) : BEGINNINGS;
  return (
    <div className="stack gap-3 py-2">
      <p className="text-ink-soft">
        {strategy
          ? "Say in plain words what should change, or ask about it."
          : "Say in plain words when to buy and when to sell."}
      </p>
      <ul className="stack gap-1.5">
        {ideas.map((idea) => (
          <li key={idea}>
            <button
              className="flex w-full items-center gap-2 rounded-control border border-line bg-surface px-3 py-2 text-left text-small hover:border-line-strong hover:bg-hover"
              onClick={() => onSend(idea)}
              type="button"
            >
              <span className="min-w-0 flex-1">{idea}</span>
              <span className="text-ink-faint">
                <ArrowRightIcon size={14} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
