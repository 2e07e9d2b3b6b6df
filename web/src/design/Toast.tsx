import { Button } from "@/design/Button";
import { CheckIcon, CloseIcon, WarningIcon } from "@/design/icons";
import { Store, useStore } from "@/kit/store";

type Toast = { id: number; text: string; tone: "done" | "failed"; action?: { label: string; run: () => void } };

const SECONDS_SHOWN = 8;
const toasts = new Store<Toast[]>([]);
let lastId = 0;

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** A short message about what has just happened, with at most one action. */
export function toast(text: string, options: { tone?: Toast["tone"]; action?: Toast["action"] } = {}): void {
  const id = ++lastId;
  toasts.set([...toasts.get(), { id, text, tone: options.tone ?? "done", action: options.action }].slice(-3));
  setTimeout(() => dismiss(id), SECONDS_SHOWN * 1000);
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 sm:left-auto sm:items-end"
      role="status"
    >
      {shown.map(({ id, text, tone, action }) => (
        <div
          className="pointer-events-auto flex max-w-full items-center gap-3 rounded-control border border-line bg-raised py-2 pr-2 pl-3 shadow-raised"
          key={id}
        >
          <span className={tone === "done" ? "text-up" : "text-down"}>
            {tone === "done" ? <CheckIcon /> : <WarningIcon />}
          </span>
          <span className="min-w-0">{text}</span>
          {action && (
            <Button
              look="ghost"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
              size="small"
            >
              {action.label}
            </Button>
          )}
          <Button aria-label="Dismiss" look="ghost" onClick={() => dismiss(id)} size="small">
            <CloseIcon size={12} />
          </Button>
        </div>
      ))}
    </div>
  );
}
