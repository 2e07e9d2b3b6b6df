import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Field, Input } from "@/design/Field";
import { ProblemNote } from "@/design/States";
import { keepBot, refreshBot } from "@/strategy/refreshing";
import type { Bot } from "@/strategy/versions";

/** The name of the bot, with a dialog to change it and its tags. */
export function BotName({ bot }: { bot: Bot }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <h1 className="min-w-0 truncate text-lead">{bot.name}</h1>
      <Button look="ghost" onClick={() => setOpen(true)} size="small">
        Rename
      </Button>
      <Dialog onClose={close} open={open} title="Name and tags">
        <RenameForm bot={bot} onDone={close} />
      </Dialog>
    </>
  );
}

function RenameForm({ bot, onDone }: { bot: Bot; onDone: () => void }) {
  const rename = useMutation({
    mutationFn: (body: { name: string; tags: string[] }) =>
      api.PATCH("/api/bots/{bot_id}", { params: { path: { bot_id: bot.id } }, body }),
    onSuccess: ({ data }) => {
      if (data) keepBot(data);
      onDone();
      void refreshBot(bot.id);
    },
  });
  const problem = rename.error ? problemOf(rename.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const tags = String(typed.get("tags")).split(",");
    const names = tags.map((tag) => tag.trim()).filter((tag) => tag !== "");
    rename.mutate({ name: String(typed.get("name")).trim(), tags: [...new Set(names)] });
  }

  return (
    <form className="stack gap-4" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} label="Name">
        {(control) => <Input {...control} autoComplete="off" defaultValue={bot.name} maxLength={100} name="name" />}
      </Field>
      <Field
        error={problem?.fields.find(({ field }) => field.startsWith("tags"))?.message}
        hint="Up to ten short words, separated by commas"
        label="Tags"
      >
        {(control) => <Input {...control} autoComplete="off" defaultValue={bot.tags.join(", ")} name="tags" />}
      </Field>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button busy={rename.isPending} look="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
