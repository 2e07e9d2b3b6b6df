import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef } from "react";
import { classes } from "@/kit/classes";

export type Tab = { id: string; label: ReactNode; panel: ReactNode };

type TabsProps = {
  label: string;
  tabs: Tab[];
  value: string;
  onChange: (id: string) => void;
  className?: string;
  place?: Ref<HTMLDivElement>;
};

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Arrow keys move between the tabs; only the chosen panel exists. */
export function Tabs({ label, tabs, value, onChange, className, place }: TabsProps) {
  const base = useId();
  const chosen = tabs.find((tab) => tab.id === value) ?? tabs[0];

  const strip = useRef<HTMLDivElement>(null);
  const id = `${base}-${chosen?.id}`;
  useEffect(() => {
    // Sideways alone: scrollIntoView would also move the page.
    const [row, tab] = [strip.current, document.getElementById(id)];
    if (!row || !tab) return;
    const end = tab.offsetLeft + tab.offsetWidth - row.clientWidth;
    row.scrollLeft = Math.max(Math.min(row.scrollLeft, tab.offsetLeft), end + 8);
  }, [id]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = STEPS[event.key];
    if (!step || !chosen) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  }

  return (
    <div className={classes("stack", className)} ref={place}>
      <div
        aria-label={label}
        className="scroll-fade relative flex gap-1 overflow-x-auto border-b border-line px-2"
        onKeyDown={onKeyDown}
        ref={strip}
        role="tablist"
      >
        {tabs.map((tab) => (
          <button
            aria-controls={tab === chosen ? `${base}-panel` : undefined}
            aria-selected={tab === chosen}
            className={classes(
              "-mb-px h-10 border-b-2 px-2.5 text-small font-medium whitespace-nowrap -outline-offset-2 transition-colors",
              tab === chosen ? "border-accent text-ink" : "border-transparent text-ink-soft hover:text-ink",
            )}
            id={`${base}-${tab.id}`}
            key={tab.id}
            onClick={() => onChange(tab.id)}
            role="tab"
            tabIndex={tab === chosen ? 0 : -1}
            type="button"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div aria-labelledby={id} className="stack flex-1" id={`${base}-panel`} role="tabpanel">
        {chosen?.panel}
      </div>
    </div>
  );
}
