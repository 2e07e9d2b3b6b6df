import { type FormEvent, useRef } from "react";
import { queries } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Field, Input } from "@/design/Field";
import { ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";

export function PasswordCard() {
  const form = useRef<HTMLFormElement>(null);
  const change = queries.useMutation("post", "/api/auth/password", {
    onSuccess: () => {
      form.current?.reset();
      toast("Your password is changed. Every other device is logged out.");
    },
  });
  const problem = change.error ? problemOf(change.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    change.mutate({
      body: {
        current_password: String(values.get("current_password")),
        new_password: String(values.get("new_password")),
      },
    });
  }

  return (
    <Card title="Password">
      <form className="stack gap-4" noValidate onSubmit={submit} ref={form}>
        <Field error={problem?.field("current_password")} label="Current password">
          {(control) => <Input {...control} autoComplete="current-password" name="current_password" type="password" />}
        </Field>
        <Field error={problem?.field("new_password")} hint="At least 8 characters." label="New password">
          {(control) => <Input {...control} autoComplete="new-password" name="new_password" type="password" />}
        </Field>
        {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
        <Button busy={change.isPending} className="self-start" type="submit">
          Change password
        </Button>
      </form>
    </Card>
  );
}
