import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classes } from "@/kit/classes";

type DividerProps = {
  label: string;
  /** Finds the part whose size it changes. */
  part: () => Element | null | undefined;
  axis: "x" | "y";
  /** Whether the part comes before the divider. */
  before: boolean;
  limits: readonly [number, number];
  /** Called with pixels; with null for the usual size. */
  onSize: (pixels: number | null) => void;
  className?: string;
};

const STEP = 24;

/** A border that is dragged, or moved with the arrow keys, to resize a part; a double click restores the usual size. */
export function Divider({ label, part, axis, before, limits: [least, most], onSize, className }: DividerProps) {
  const [size, setSize] = useState(least);
  const sizeNow = () => Math.round(part()?.getBoundingClientRect()[axis === "x" ? "width" : "height"] ?? 0);
  const resize = (pixels: number) => {
    const within = Math.round(Math.min(most, Math.max(least, pixels)));
    setSize(within);
    onSize(within);
  };

  function drag(event: PointerEvent<HTMLElement>) {
    const [from, begun] = [positionOf(event), sizeNow()];
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => {
      resize(begun + (positionOf(moved) - from) * (before ? 1 : -1));
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), {
      once: true,
    });
  }

  function step(event: KeyboardEvent) {
    const by = STEPS[axis][event.key];
    if (!by) return;
    event.preventDefault();
    resize(sizeNow() + by * STEP * (before ? 1 : -1));
  }

  const positionOf = (event: { clientX: number; clientY: number }) => (axis === "x" ? event.clientX : event.clientY);
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> is no control
    <div
      aria-label={label}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-valuemax={most}
      aria-valuemin={least}
      aria-valuenow={size}
      className={classes(
        "z-10 touch-none transition-colors hover:bg-accent/40 focus-visible:bg-accent",
        axis === "x" ? "w-1.5 cursor-col-resize" : "h-1.5 cursor-row-resize",
        className,
      )}
      onDoubleClick={() => onSize(null)}
      onFocus={() => setSize(Math.min(most, Math.max(least, sizeNow())))}
      onKeyDown={step}
      onPointerDown={drag}
      role="separator"
      tabIndex={0}
      title={`${label}: drag, or use the arrow keys. A double click restores the usual size.`}
    />
  );
}

const STEPS: Record<"x" | "y", Record<string, number>> = {
  x: { ArrowLeft: -1, ArrowRight: 1 },
  y: { ArrowUp: -1, ArrowDown: 1 },
};
