/** The fields of a group: how its conditions go together. */
import type { ReactNode } from "react";
import { Button } from "@/design/Button";
import { Field, Input, Select } from "@/design/Field";
import { PlusIcon } from "@/design/icons";
import type { ConditionDraft, GroupDraft } from "@/strategy/conditionDraft";
import type { ConditionTree } from "@/strategy/conditionTree";
import { type Path, placeName } from "@/strategy/moves";
import { type Group, MATCHES } from "@/strategy/words";

type GroupFieldsProps = {
  condition: ConditionDraft;
  path: Path;
  tree: ConditionTree;
  /** What the API says about a member of the group. */
  wrong: (member: string) => string | undefined;
  /** The cards of its members. */
  children: ReactNode;
};

export function GroupFields({ condition, path, tree, wrong, children }: GroupFieldsProps) {
  const { group } = condition;
  const set = (part: Partial<GroupDraft>) => tree.change(path, { ...condition, group: { ...group, ...part } });
  const error = wrong("conditions");
  return (
    <>
      <div className="flex items-start gap-2.5">
        <Field className="flex-1" error={wrong("match")} label="True if">
          {(control) => (
            <Select
              {...control}
              onChange={(event) => set({ match: event.target.value as Group["match"] })}
              value={group.match}
            >
              {Object.entries(MATCHES).map(([match, words]) => (
                <option key={match} value={match}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {group.match === "at_least" && (
          <Field className="w-24" error={wrong("count")} label="How many">
            {(control) => (
              <Input
                {...control}
                min={1}
                onChange={(event) => set({ count: event.target.value })}
                type="number"
                value={group.count}
              />
            )}
          </Field>
        )}
      </div>
      {children}
      {error && (
        <p className="text-small text-down" role="alert">
          The conditions of group {placeName(path)} {error}.
        </p>
      )}
      <Button className="w-fit" look="ghost" onClick={() => tree.add(path, condition)} size="small">
        <PlusIcon size={14} />
        Add to group {placeName(path)}
      </Button>
    </>
  );
}
