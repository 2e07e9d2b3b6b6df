import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Field, Input, Select } from "@/design/Field";
import { ErrorState, ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";
import { Day, Time } from "@/format/Figures";

const TOKENS = queries.queryOptions("get", "/api/auth/tokens").queryKey;
const DAYS = [7, 30, 90, 365] as const;

/** Personal tokens, for programs that act for the user: list, make and revoke. */
export function TokensCard() {
  const { data, error, refetch } = queries.useQuery("get", "/api/auth/tokens");
  const [made, setMade] = useState<Schemas["NewPersonalToken"] | null>(null);
  return (
    <Card title="Personal tokens">
      <div className="stack gap-4">
        <p className="text-small text-ink-soft">
          For the Python client, for MCP clients such as a desktop assistant, and for your own programs. Programs that
          you connected are listed here too.
        </p>
        {made && <NewToken token={made.token} />}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {data && data.tokens.length > 0 && <TokenList tokens={data.tokens} />}
        <TokenForm onMade={setMade} />
      </div>
    </Card>
  );
}

function NewToken({ token }: { token: string }) {
  async function copy() {
    await navigator.clipboard.writeText(token).then(
      () => toast("The token is copied."),
      () => toast("The browser did not copy it: please select it.", { tone: "failed" }),
    );
  }
  return (
    <div className="stack gap-2 rounded-control border border-line bg-sunken p-3" role="status">
      <p className="text-small">Copy it now: it is not shown again.</p>
      <code className="text-small break-all select-all">{token}</code>
      <Button className="self-start" onClick={copy} size="small">
        Copy
      </Button>
    </div>
  );
}

function TokenList({ tokens }: { tokens: Schemas["PersonalTokenView"][] }) {
  const cache = useQueryClient();
  const revoke = queries.useMutation("delete", "/api/auth/tokens/{personal_token_id}", {
    onSuccess: () => cache.invalidateQueries({ queryKey: TOKENS }),
  });
  return (
    <>
      <ul className="stack gap-3">
        {tokens.map((token) => (
          <li className="flex items-start justify-between gap-3" key={token.id}>
            <div className="stack min-w-0">
              <span className="font-medium break-words">{token.name}</span>
              <span className="text-small text-ink-soft">
                {token.connected && "Connected program · "}
                {token.scopes.includes("write") ? "Reads and writes" : "Reads only"} · until{" "}
                <Day at={token.expires_at} /> ·{" "}
                {token.last_used_at ? (
                  <>
                    used <Time at={token.last_used_at} relative />
                  </>
                ) : (
                  "never used"
                )}
              </span>
            </div>
            <Button
              aria-label={`Revoke ${token.name}`}
              onClick={() => revoke.mutate({ params: { path: { personal_token_id: token.id } } })}
              size="small"
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <ProblemNote error={revoke.error} />
    </>
  );
}

function TokenForm({ onMade }: { onMade: (token: Schemas["NewPersonalToken"]) => void }) {
  const cache = useQueryClient();
  const create = queries.useMutation("post", "/api/auth/tokens", {
    onSuccess: (token) => {
      onMade(token);
      cache.invalidateQueries({ queryKey: TOKENS });
    },
  });
  const problem = create.error ? problemOf(create.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      body: {
        name: String(form.get("name")),
        scopes: form.get("scope") === "write" ? ["read", "write"] : ["read"],
        expires_in_days: Number(form.get("days")),
      },
    });
  }

  return (
    <form className="stack gap-3" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} label="Name of the token">
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" placeholder="Notebook" />}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="It may">
          {(control) => (
            <Select {...control} name="scope">
              <option value="read">read</option>
              <option value="write">read and write</option>
            </Select>
          )}
        </Field>
        <Field label="It ends after">
          {(control) => (
            <Select {...control} defaultValue={90} name="days">
              {DAYS.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <Button busy={create.isPending} className="self-start" type="submit">
        Make a token
      </Button>
    </form>
  );
}
