/** Moves a condition with the arrow keys on its handle, or with the buttons that the handle shows. */
import type { KeyboardEvent } from "react";
import { Button } from "@/design/Button";
import { MoveIcon } from "@/design/icons";
import type { ConditionDraft } from "@/strategy/conditionDraft";
import { type ConditionTree, controlId } from "@/strategy/conditionTree";
import { MOVES, type Move, type Path, placeName } from "@/strategy/moves";

const WORDS: Record<Move, string> = { up: "↑ Up", down: "↓ Down", in: "→ Into the group", out: "← Out of the group" };
const KEYS: Record<string, Move> = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };

type MoveProps = { condition: ConditionDraft; path: Path; tree: ConditionTree };

export function MoveHandle({ condition, path, tree }: MoveProps) {
  const { key } = condition;
  if (!MOVES.some((move) => tree.can(path, move))) return null;
  const isOpen = tree.moving === key;
  function onKeyDown(event: KeyboardEvent) {
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    tree.move(path, condition, move, "handle");
  }
  return (
    <button
      aria-expanded={isOpen}
      aria-label={`Move condition ${placeName(path)}`}
      className="grid size-8 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-hover hover:text-ink"
      id={controlId(key, "handle")}
      onClick={() => tree.setMoving(isOpen ? null : key)}
      onKeyDown={onKeyDown}
      title="Move it with the arrow keys, or press to see buttons"
      type="button"
    >
      <MoveIcon size={14} />
    </button>
  );
}

export function MoveButtons({ condition, path, tree }: MoveProps) {
  const { key } = condition;
  if (tree.moving !== key) return null;
  return (
    <fieldset className="-mt-1 flex flex-wrap gap-1">
      <legend className="sr-only">Where to move condition {placeName(path)}</legend>
      {MOVES.filter((move) => move === "up" || move === "down" || tree.can(path, move)).map((move) => (
        <Button
          disabled={!tree.can(path, move)}
          id={controlId(key, move)}
          key={move}
          onClick={() => tree.move(path, condition, move, move)}
          size="small"
        >
          {WORDS[move]}
        </Button>
      ))}
    </fieldset>
  );
}
