import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";

const Palette = lazy(() => import("@/palette/Palette"));
const Shortcuts = lazy(() => import("@/palette/Shortcuts"));

/** Puts the focus where one writes to the chat; returns whether there is such a place in sight. */
export function focusComposer(): boolean {
  const box = document.querySelector<HTMLElement>("textarea[data-composer]");
  if (!box?.checkVisibility()) return false;
  box.focus();
  return true;
}

/** The keys that work everywhere but where one types. */
export function Keys() {
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
  return (
    <Suspense>
      {open === "palette" && <Palette onClose={close} onShortcuts={() => show("shortcuts")} />}
      {open === "shortcuts" && <Shortcuts onClose={close} />}
    </Suspense>
  );
}
