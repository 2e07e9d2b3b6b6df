import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { queries } from "@/api/client";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Dialog } from "@/design/Dialog";
import { Field, Input } from "@/design/Field";
import { ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";
import { leave } from "@/session/store";

export function DeletionCard() {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Delete the account">
      <div className="stack items-start gap-3">
        <p className="text-small text-ink-soft">Your bots, their runs and your conversations go with it, for good.</p>
        <Button look="danger" onClick={() => setOpen(true)} size="small">
          Delete my account…
        </Button>
      </div>
      <Dialog onClose={() => setOpen(false)} open={open} title="Delete your account?">
        <DeletionForm onCancel={() => setOpen(false)} />
      </Dialog>
    </Card>
  );
}

function DeletionForm({ onCancel }: { onCancel: () => void }) {
  const [, navigate] = useLocation();
  const deletion = queries.useMutation("delete", "/api/auth/me", {
    onSuccess: () => {
      leave();
      navigate("/");
      toast("Your account is deleted.");
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    deletion.mutate({ body: { password: String(new FormData(event.currentTarget).get("password")) } });
  }

  return (
    <form className="stack gap-4" noValidate onSubmit={submit}>
      <p>Everything you have made here will be gone. This cannot be undone.</p>
      <Field label="Your password, to be sure">
        {(control) => <Input {...control} autoComplete="current-password" name="password" type="password" />}
      </Field>
      <ProblemNote error={deletion.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Keep it</Button>
        <Button busy={deletion.isPending} look="danger" type="submit">
          Delete for good
        </Button>
      </div>
    </form>
  );
}
