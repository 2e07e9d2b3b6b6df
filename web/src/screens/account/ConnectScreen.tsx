import { type FormEvent, useState } from "react";
import { useSearchParams } from "wouter";
import { api, queries } from "@/api/client";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Field, Select } from "@/design/Field";
import { Page } from "@/design/Page";
import { ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { SignedIn } from "@/session/SignedIn";

type Access = "read" | "write" | "none";

/** A program asks to be connected to the account: who it is, what it may do, and the user's decision. */
export default function ConnectScreen() {
  const [address] = useSearchParams();
  return (
    <Page title="Connect a program" width="narrow">
      <SignedIn why="Only you can connect a program to your account.">
        <Request request={address.get("request") ?? ""} />
      </SignedIn>
    </Page>
  );
}

function Request({ request }: { request: string }) {
  const { data, error, refetch } = queries.useQuery("post", "/api/auth/connections", {
    params: { query: { request } },
  });
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function answer(access: Access) {
    setBusy(true);
    setProblem(null);
    try {
      const { data: answered } = await api.POST("/api/auth/connections", { params: { query: { request, access } } });
      if (answered?.redirect_url) location.assign(answered.redirect_url);
    } catch (failure) {
      setProblem(failure);
      setBusy(false);
    }
  }

  function allow(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void answer(new FormData(event.currentTarget).get("access") === "write" ? "write" : "read");
  }

  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Loading label="Loading the request…">
        <Skeleton className="h-64 rounded-card" />
      </Loading>
    );
  }
  const mayWrite = data.scopes.includes("write");
  return (
    <Card>
      <form className="stack gap-4 p-2" onSubmit={allow}>
        <p>
          <strong className="wrap-anywhere">{data.client_name}</strong> wants to use Strategy Bot as you. The answer
          goes to <strong className="wrap-anywhere">{data.redirect_host}</strong>.
        </p>
        <p className="text-small text-ink-soft">
          A program chooses its name itself: go on only if you have just started this there. You can revoke it on the
          account page at any time. It never sees your password, and cannot make tokens or delete your account.
        </p>
        <Field label="It may">
          {(control) => (
            <Select {...control} defaultValue={mayWrite ? "write" : "read"} name="access">
              <option value="read">read your bots, runs and settings</option>
              {mayWrite && <option value="write">read, change and run your bots</option>}
            </Select>
          )}
        </Field>
        <ProblemNote error={problem} />
        <div className="flex gap-3">
          <Button busy={busy} look="primary" type="submit">
            Allow
          </Button>
          <Button disabled={busy} onClick={() => void answer("none")} type="button">
            Deny
          </Button>
        </div>
      </form>
    </Card>
  );
}
