import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import { useLocation } from "wouter";
import { api, queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Field, Input } from "@/design/Field";
import { PlusIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";

export default function NewBotDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} open={open} title="New bot">
      <NewBotForm onCancel={onClose} />
      <ImportForm />
    </Dialog>
  );
}

/** A bot made of a strategy that was exported, here or elsewhere. */
function ImportForm() {
  const [title, hint] = [useId(), useId()];
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const adopt = useMutation({
    mutationFn: async (file: File) => (await api.POST("/api/strategies/import", { body: await read(file) })).data,
    onSuccess: (bot) => {
      void cache.invalidateQueries({ queryKey: ["get", "/api/bots"] });
      if (bot) navigate(`/bots/${bot.id}`);
    },
  });
  return (
    <div className="stack gap-2 border-t border-line pt-4">
      <p className="text-small font-medium text-ink-soft" id={title}>
        Or import a strategy
      </p>
      <label className="flex min-h-9 w-fit cursor-pointer items-center gap-2 rounded-control border border-line bg-raised px-3.5 font-medium hover:border-line-strong hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <PlusIcon size={14} />
        {adopt.isPending ? "Reading the file…" : "Choose a file"}
        <input
          accept="application/json,.json"
          aria-describedby={hint}
          aria-labelledby={title}
          className="sr-only"
          onChange={({ target }) => target.files?.[0] && adopt.mutate(target.files[0])}
          type="file"
        />
      </label>
      <p className="text-small text-ink-faint" id={hint}>
        A file that the Export button of a bot has saved.
      </p>
      <ProblemNote error={adopt.error} />
    </div>
  );
}

async function read(file: File): Promise<Schemas["StrategyExport"]> {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error("This file is not JSON. Choose one that an Export button wrote.");
  }
}

function NewBotForm({ onCancel }: { onCancel: () => void }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const create = queries.useMutation("post", "/api/bots", {
    onSuccess: (bot) => {
      void cache.invalidateQueries({ queryKey: ["get", "/api/bots"] });
      navigate(`/bots/${bot.id}`);
    },
  });
  const problem = create.error ? problemOf(create.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    create.mutate({ body: { name: String(new FormData(event.currentTarget).get("name")).trim() } });
  }

  return (
    <form className="stack gap-4" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} hint="You can say what it should do in its workbench." label="Name">
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" placeholder="Dip buyer" />}
      </Field>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button busy={create.isPending} look="primary" type="submit">
          Create
        </Button>
      </div>
    </form>
  );
}
