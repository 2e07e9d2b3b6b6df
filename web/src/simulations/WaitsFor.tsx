import type { Schemas } from "@/api/client";
import { CheckIcon } from "@/design/icons";
import { unbroken } from "@/format/numbers";
import type { Simulation } from "@/simulations/following";

type NextCondition = Schemas["NextCondition"];

/** How far every rule is from acting now: what the next purchase waits for, or what could end the position. */
export function WaitsFor({ run }: { run: Simulation }) {
  const isHeld = run.next_exit.length > 0;
  const rules = isHeld ? run.next_exit : run.next_entry;
  if (rules.length === 0) return null;
  const title = isHeld ? "What could end the position" : "What the next purchase waits for";
  return (
    <section aria-label={title} className="stack gap-1.5">
      <h2 className="text-small text-ink-faint">{title}</h2>
      <ul className="stack gap-1.5 text-small">
        {rules.map((rule) => (
          <Rule key={rule.condition} rule={rule} />
        ))}
      </ul>
    </section>
  );
}

function Rule({ rule }: { rule: NextCondition }) {
  return (
    <li className="flex gap-2">
      <span className={`w-4 shrink-0 pt-0.5 ${rule.met ? "text-up" : "text-ink-faint"}`}>
        {rule.met ? <CheckIcon size={14} /> : <span aria-hidden="true">○</span>}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="text-ink-soft">{unbroken(rule.condition)}: </span>
        <span className="sr-only">{rule.met ? "met, " : "not met, "}</span>
        {unbroken(rule.reason.text)}
        {rule.sentence !== rule.reason.text && !rule.met && <> From here it {unbroken(rule.sentence)}.</>}
      </span>
    </li>
  );
}
