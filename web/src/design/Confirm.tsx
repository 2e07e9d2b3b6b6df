import type { ReactNode } from "react";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { ProblemNote } from "@/design/States";

type ConfirmProps = {
  open: boolean;
  title: string;
  /** What happens after a yes, in words. */
  children: ReactNode;
  /** The name of the button that says yes. */
  yes: string;
  no?: string;
  busy?: boolean;
  error?: unknown;
  onYes: () => void;
  onClose: () => void;
};

/** Says what cannot be undone, and asks whether to do it. */
export function Confirm({ open, title, children, yes, no = "Cancel", busy = false, error, ...on }: ConfirmProps) {
  return (
    <Dialog onClose={on.onClose} open={open} title={title}>
      {children}
      <ProblemNote error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={on.onClose}>{no}</Button>
        <Button busy={busy} look="danger" onClick={on.onYes}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
