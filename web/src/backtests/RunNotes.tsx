/** The star, name and note that its owner gives to a run. The run can be deleted here too. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import type { Summary } from "@/backtests/runs";
import { ShareButton } from "@/backtests/ShareButton";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Field, Input, Textarea } from "@/design/Field";
import { TrashIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";
import { Time } from "@/format/Figures";
import { refreshBot } from "@/strategy/refreshing";

type Named = Pick<Summary, "status" | "bot_id" | "run_id" | "name" | "note" | "starred" | "created_at">;

function useAnnotate({ bot_id, run_id }: Named) {
  return useMutation({
    mutationFn: (body: Schemas["BacktestPatch"]) =>
      api.PATCH("/api/bots/{bot_id}/backtest/{run_id}", { params: { path: { bot_id, run_id } }, body }),
    onSuccess: () => refreshBot(bot_id),
  });
}

export function StarButton({ run }: { run: Named }) {
  const annotate = useAnnotate(run);
  return (
    <Button
      aria-label={run.starred ? "Take the star away" : "Give it a star"}
      aria-pressed={run.starred}
      className="w-7 px-0! aria-pressed:text-accent"
      disabled={annotate.isPending}
      look="ghost"
      onClick={() => annotate.mutate({ starred: !run.starred })}
      size="small"
    >
      <span aria-hidden="true">{run.starred ? "★" : "☆"}</span>
    </Button>
  );
}

/** The head of a run: its name, its note, and what can be done with it. */
export function RunNotes({ run, onDelete }: { run: Named; onDelete: () => void }) {
  const [open, setOpen] = useState<"notes" | "deletion" | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="stack gap-1">
      <div className="flex items-center gap-1">
        <h2 className="min-w-0 flex-1 truncate text-body">
          {run.name ?? (
            <>
              Run of <Time at={run.created_at} />
            </>
          )}
        </h2>
        <StarButton run={run} />
        <Button look="ghost" onClick={() => setOpen("notes")} size="small">
          {run.name || run.note ? "Edit name and note" : "Name it"}
        </Button>
        <ShareButton run={run} />
        <Button
          aria-label="Delete this run"
          className="w-7 px-0!"
          look="ghost"
          onClick={() => setOpen("deletion")}
          size="small"
        >
          <TrashIcon size={14} />
        </Button>
      </div>
      {run.note && <p className="max-w-3xl text-small whitespace-pre-wrap text-ink-soft wrap-anywhere">{run.note}</p>}
      <Dialog onClose={close} open={open === "notes"} title="Name and note">
        <NotesForm onDone={close} run={run} />
      </Dialog>
      <Dialog onClose={close} open={open === "deletion"} title="Delete this run?">
        <Deletion onCancel={close} onDelete={onDelete} run={run} />
      </Dialog>
    </div>
  );
}

function NotesForm({ run, onDone }: { run: Named; onDone: () => void }) {
  const annotate = useAnnotate(run);
  const problem = annotate.error ? problemOf(annotate.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const name = String(typed.get("name")).trim() || null;
    annotate.mutate({ name, note: String(typed.get("note")) }, { onSuccess: onDone });
  }

  return (
    <form className="stack gap-4" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} label="Name">
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={run.name ?? ""} maxLength={100} name="name" />
        )}
      </Field>
      <Field error={problem?.field("note")} hint="What you tried, and what you learnt." label="Note">
        {(control) => <Textarea {...control} defaultValue={run.note} maxLength={1000} name="note" rows={4} />}
      </Field>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button busy={annotate.isPending} look="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}

function Deletion({ run, onCancel, onDelete }: { run: Named; onCancel: () => void; onDelete: () => void }) {
  const path = { bot_id: run.bot_id, run_id: run.run_id };
  const deletion = useMutation({
    mutationFn: () => api.DELETE("/api/bots/{bot_id}/backtest/{run_id}", { params: { path } }),
    onSuccess: async () => {
      onCancel();
      onDelete();
      toast("The run is deleted.");
      await refreshBot(run.bot_id);
    },
  });
  return (
    <>
      <p>Its result and its trades go with it, for good. The bot and its strategy stay.</p>
      <ProblemNote error={deletion.error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Keep it</Button>
        <Button busy={deletion.isPending} look="danger" onClick={() => deletion.mutate()}>
          Delete
        </Button>
      </div>
    </>
  );
}
