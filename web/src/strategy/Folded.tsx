import { type ReactNode, useEffect, useState } from "react";

/** A part of the form that is closed until it is used. Emptying its fields does not close it. */
export function Folded({ title, isUsed, children }: { title: string; isUsed: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(isUsed);
  useEffect(() => {
    if (isUsed) setOpen(true);
  }, [isUsed]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} open={isOpen}>
      <summary className="w-fit rounded-small text-small text-ink-soft hover:text-ink">{title}</summary>
      <div className="mt-2 stack gap-3">{children}</div>
    </details>
  );
}
