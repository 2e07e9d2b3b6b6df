import { useCallback, useEffect, useRef, useState } from "react";
import { lazyPart } from "@/design/lazyPart";
import { toast } from "@/design/Toast";
import { focusComposer } from "@/shell/composer";

const Palette = lazyPart(() => import("@/palette/Palette"), { Failed: NotOpened });
const Shortcuts = lazyPart(() => import("@/palette/Shortcuts"), { Failed: NotOpened });

/** If loading fails, the next key press tries again. */
function NotOpened({ onClose, onRetry }: { onClose: () => void; onRetry: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    toast("This could not be loaded. Check your connection, then try again.", { tone: "failed" });
    onClose();
    return onRetry;
  }, []);
  return null;
}

/** The keyboard shortcuts. They are ignored in text fields. */
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
    <>
      {open === "palette" && <Palette {...doors} />}
      {open === "shortcuts" && <Shortcuts onClose={close} />}
    </>
  );
}
