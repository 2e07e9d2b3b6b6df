/** Editing the conditions of one side of a strategy: which can move where, and the focus that follows a moved one. */
import { useEffect, useRef, useState } from "react";
import { type ConditionDraft, newCondition } from "@/strategy/conditionDraft";
import { type Move, moved, type Path, pathOf, placeName, removed, replaced } from "@/strategy/moves";

export type ConditionTree = {
  change: (path: Path, condition: ConditionDraft) => void;
  remove: (path: Path) => void;
  /** Adds a condition to the group in this place. */
  add: (path: Path, group: ConditionDraft) => void;
  can: (path: Path, move: Move) => boolean;
  /** `by` is the control that asked for it, and keeps the focus. */
  move: (path: Path, condition: ConditionDraft, move: Move, by: Move | "handle") => void;
  /** The key of the condition whose buttons are shown. */
  moving: number | null;
  setMoving: (key: number | null) => void;
  /** Where the last moved condition is now. */
  status: string;
};

/** The id of a control that moves a condition. */
export function controlId(key: number, control: Move | "handle"): string {
  return `move-${key}-${control}`;
}

export function useConditionTree(
  conditions: ConditionDraft[],
  onChange: (conditions: ConditionDraft[]) => void,
): ConditionTree {
  const [moving, setMoving] = useState<number | null>(null);
  const [status, setStatus] = useState("");
  const followed = useRef<{ key: number; by: Move | "handle" } | null>(null);
  useEffect(() => {
    if (!followed.current) return;
    const { key, by } = followed.current;
    followed.current = null;
    const control = document.getElementById(controlId(key, by)) as HTMLButtonElement | null;
    (control && !control.disabled ? control : document.getElementById(controlId(key, "handle")))?.focus();
  });
  return {
    change: (path, condition) => onChange(replaced(conditions, path, condition)),
    remove: (path) => onChange(removed(conditions, path)),
    add: (path, { group, ...rest }) =>
      onChange(
        replaced(conditions, path, {
          ...rest,
          group: { ...group, conditions: [...group.conditions, newCondition()] },
        }),
      ),
    can: (path, move) => moved(conditions, path, move) !== null,
    move: (path, { key }, move, by) => {
      const after = moved(conditions, path, move);
      if (!after) return;
      followed.current = { key, by };
      setStatus(`Moved: it is condition ${placeName(pathOf(after, key) ?? [])} now.`);
      onChange(after);
    },
    moving,
    setMoving,
    status,
  };
}
