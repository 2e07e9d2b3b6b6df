import { type FormEvent, type ReactNode, useState } from "react";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Field, Input } from "@/design/Field";
import { Note, ProblemNote } from "@/design/States";
import { useSession } from "@/session/store";

export type Credentials = { email: string; password: string };

type EntranceFormProps = {
  action: string;
  isNew: boolean;
  enter: (credentials: Credentials) => Promise<void>;
  children: ReactNode;
};

/** Email and password, for registration and login. */
export function EntranceForm({ action, isNew, enter, children }: EntranceFormProps) {
  const { anonymousToken } = useSession();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const problem = error ? problemOf(error) : null;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      await enter({ email: String(form.get("email")).trim(), password: String(form.get("password")) });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  return (
    <Card>
      <form className="stack gap-4 p-2" noValidate onSubmit={submit}>
        {anonymousToken && <Note>What you have made as a visitor comes along.</Note>}
        <Field error={problem?.field("email")} label="Email">
          {(control) => (
            <Input {...control} autoComplete="email" inputMode="email" name="email" required type="email" />
          )}
        </Field>
        <Field
          error={problem?.field("password")}
          hint={isNew ? "At least 8 characters, and not one of the most common." : undefined}
          label="Password"
        >
          {(control) => (
            <Input
              {...control}
              autoComplete={isNew ? "new-password" : "current-password"}
              name="password"
              required
              type="password"
            />
          )}
        </Field>
        {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
        <Button busy={busy} look="primary" type="submit">
          {action}
        </Button>
        <p className="text-center text-small text-ink-soft">{children}</p>
      </form>
    </Card>
  );
}
