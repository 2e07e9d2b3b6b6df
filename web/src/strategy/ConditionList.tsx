import { useEffect, useRef } from "react";
import { Button } from "@/design/Button";
import { Choice } from "@/design/Field";
import { PlusIcon } from "@/design/icons";
import { ConditionCard } from "@/strategy/ConditionCard";
import { type ConditionDraft, newCondition } from "@/strategy/conditionDraft";
import { useConditionTree } from "@/strategy/conditionTree";
import type { Match } from "@/strategy/words";

const MOST = 10;

type ConditionListProps = {
  title: string;
  empty: string;
  conditions: ConditionDraft[];
  match: Match;
  /** What the API says about a member: `wrong("0.percent")`. */
  wrong: (member: string) => string | undefined;
  error?: string;
  onChange: (conditions: ConditionDraft[]) => void;
  onMatch: (match: Match) => void;
};

export function ConditionList(props: ConditionListProps) {
  const { title, empty, conditions, match, wrong, error, onChange, onMatch } = props;
  const tree = useConditionTree(conditions, onChange);
  const adding = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLElement>(null);
  const isAdded = useRef(false);
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const card = list.current?.querySelector(":scope > fieldset:last-of-type");
    card?.scrollIntoView({ block: "nearest" });
    card?.querySelector<HTMLElement>("select, input")?.focus({ preventScroll: true });
  });
  const add = () => {
    isAdded.current = true;
    onChange([...conditions, newCondition()]);
  };
  const remove: typeof tree.remove = (path) => {
    tree.remove(path);
    adding.current?.focus(); // the button that was pressed is gone
  };
  return (
    <section aria-label={title} className="stack gap-2" ref={list}>
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h3 className="text-small">{title}</h3>
        {conditions.length > 1 && (
          <Choice
            label={`${title}: how the conditions go together`}
            onChange={onMatch}
            options={[
              { value: "all", label: "All" },
              { value: "any", label: "Any" },
            ]}
            value={match}
          />
        )}
      </div>
      {conditions.length === 0 && <p className="text-small text-ink-faint">{empty}</p>}
      {conditions.map((condition, index) => (
        <ConditionCard
          condition={condition}
          key={condition.key}
          path={[index]}
          tree={{ ...tree, remove }}
          wrong={(member) => wrong(`${index}.${member}`)}
        />
      ))}
      {error && (
        <p className="text-small text-down" role="alert">
          {title}: {error}.
        </p>
      )}
      {conditions.length < MOST && (
        <Button className="w-fit" look="ghost" onClick={add} ref={adding} size="small">
          <PlusIcon size={14} />
          Add a condition
        </Button>
      )}
      <p className="sr-only" role="status">
        {tree.status}
      </p>
    </section>
  );
}
