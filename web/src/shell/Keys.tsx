import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { focusComposer } from "@/shell/composer";

type Opened = ComponentType<{ onClose: () => void; onShortcuts: () => void }>;

/** Where what a key opens cannot be loaded, nothing opens. */
const NOTHING = { default: () => null };
const Palette = lazy<Opened>(() => import("@/palette/Palette").catch(() => NOTHING));
const Shortcuts = lazy<Opened>(() => import("@/palette/Shortcuts").catch(() => NOTHING));

/** The keys that work everywhere but where one types. */
export default function Keys() {
  const [open, show] = useState<"palette" | "shortcuts" | null>(null);
  const before = useRef<Element | null>(null);
  const setOpen = useCallback((next: "palette" | "shortcuts") => {
    before.current = document.activeElement;
    show(next);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen("palette");
        return;
      }
      const isTyping =
        target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === "?") setOpen("shortcuts");
      if (key === "c" && focusComposer()) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [setOpen]);
  const close = () => {
    show(null);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const doors = { onClose: close, onShortcuts: () => show("shortcuts") };
  return (
    <Suspense>
      {open === "palette" && <Palette {...doors} />}
      {open === "shortcuts" && <Shortcuts {...doors} />}
    </Suspense>
  );
}
