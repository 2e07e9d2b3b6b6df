import { type ReactNode, useEffect, useId, useRef } from "react";
import { CloseIcon } from "@/design/icons";

type DialogProps = { open: boolean; title: string; onClose: () => void; children: ReactNode };

const FIELDS = "input:not([type=hidden]), textarea, select";

/** The browser's own modal dialog: it focuses its first field, keeps the focus inside, and Escape closes it. */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!open) {
      dialog.current?.close();
      return;
    }
    dialog.current?.showModal();
    // The browser would focus the button that closes it.
    dialog.current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [open]);
  return (
    <dialog
      aria-labelledby={id}
      className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-card border border-line bg-raised text-ink shadow-raised"
      onCancel={(event) => {
        event.preventDefault(); // its owner closes it, and would otherwise notice only at the next key
        onClose();
      }}
      onClose={() => {
        if (!dialog.current?.open) onClose();
      }}
      ref={dialog}
    >
      {open && (
        <div className="stack">
          <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5">
            <h2 className="text-body" id={id}>
              {title}
            </h2>
            <button
              aria-label="Close"
              className="grid size-8 place-items-center rounded-control text-ink-soft hover:bg-hover hover:text-ink"
              onClick={onClose}
              type="button"
            >
              <CloseIcon />
            </button>
          </header>
          <div className="stack gap-4 p-5">{children}</div>
        </div>
      )}
    </dialog>
  );
}
