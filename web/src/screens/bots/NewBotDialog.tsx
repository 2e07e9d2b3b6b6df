import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useLocation } from "wouter";
import { api, queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Field, Input } from "@/design/Field";
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
    <div className="mt-4 stack gap-2 border-t border-line pt-4">
      <Field hint="A JSON file that a bot's Export button or `strategybot export` wrote." label="Or import a strategy">
        {(control) => (
          <input
            {...control}
            accept="application/json,.json"
            onChange={({ target }) => target.files?.[0] && adopt.mutate(target.files[0])}
            type="file"
          />
        )}
      </Field>
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
