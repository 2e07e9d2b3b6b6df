import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Field, Input } from "@/design/Field";
import { ErrorState, ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";

type Target = Schemas["TargetView"];
type EventName = Target["events"][number];

const TARGETS = queries.queryOptions("get", "/api/notifications/targets").queryKey;
const EVENTS: Record<EventName, string> = {
  "simulation.bought": "A simulation bought",
  "simulation.sold": "A simulation sold",
  "simulation.stopped": "A simulation stopped",
  "simulation.waiting": "No market data for 5 minutes",
  "simulation.drawdown": "A further 10 % below the peak",
  "simulation.pool": "The pool of a traded token shrinks or it cannot be sold",
  "backtest.finished": "A backtest finished",
  "optimisation.finished": "An optimisation finished",
};
const NAMES = Object.keys(EVENTS) as EventName[];

/** Where notifications are sent: list, add, try, switch on and off, delete. */
export function TargetsCard() {
  const { data, error, refetch } = queries.useQuery("get", "/api/notifications/targets");
  const [added, setAdded] = useState<Schemas["NewTarget"] | null>(null);
  return (
    <Card title="Notifications">
      <div className="stack gap-4">
        <p className="text-small text-ink-soft">
          The bell tells what happens to your runs. It can be sent elsewhere too: to a webhook (https://…), or by ntfy,
          Telegram, Discord, Slack or e-mail.
        </p>
        {added?.url.startsWith("http") && <SigningSecret target={added} />}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {data && data.targets.length > 0 && (
          <ul className="stack gap-4">
            {data.targets.map((target) => (
              <TargetRow key={target.id} target={target} />
            ))}
          </ul>
        )}
        <TargetForm onAdded={setAdded} />
      </div>
    </Card>
  );
}

function SigningSecret({ target }: { target: Schemas["NewTarget"] }) {
  return (
    <div className="stack gap-2 rounded-control border border-line bg-sunken p-3" role="status">
      <p className="text-small">Messages to {target.name} are signed with this secret. It is not shown again.</p>
      <code className="text-small break-all select-all">{target.signing_secret}</code>
    </div>
  );
}

function TargetRow({ target }: { target: Target }) {
  const cache = useQueryClient();
  const onSuccess = () => cache.invalidateQueries({ queryKey: TARGETS });
  const change = queries.useMutation("patch", "/api/notifications/targets/{target_id}", { onSuccess });
  const remove = queries.useMutation("delete", "/api/notifications/targets/{target_id}", { onSuccess });
  const test = queries.useMutation("post", "/api/notifications/targets/{target_id}/test", {
    onSuccess: ({ sent, error }) => {
      if (sent) toast("The test was sent.");
      else toast(error ?? "The test was not sent.", { tone: "failed" });
    },
  });
  const params = { path: { target_id: target.id } };
  return (
    <li className="stack gap-2">
      <div className="stack min-w-0">
        <span className="font-medium break-words">{target.name}</span>
        <span className="text-small break-words text-ink-soft">
          {target.url} · {target.events.length} of {NAMES.length} events{!target.enabled && " · switched off"}
        </span>
        {target.last_error && <span className="text-small text-down">Last message failed: {target.last_error}</span>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={`Test ${target.name}`}
          busy={test.isPending}
          onClick={() => test.mutate({ params })}
          size="small"
        >
          Test
        </Button>
        <Button
          aria-label={`${target.enabled ? "Switch off" : "Switch on"} ${target.name}`}
          onClick={() => change.mutate({ params, body: { enabled: !target.enabled } })}
          size="small"
        >
          {target.enabled ? "Switch off" : "Switch on"}
        </Button>
        <Button aria-label={`Delete ${target.name}`} onClick={() => remove.mutate({ params })} size="small">
          Delete
        </Button>
      </div>
      <ProblemNote error={change.error ?? remove.error ?? test.error} />
    </li>
  );
}

function TargetForm({ onAdded }: { onAdded: (target: Schemas["NewTarget"]) => void }) {
  const cache = useQueryClient();
  const create = queries.useMutation("post", "/api/notifications/targets", {
    onSuccess: (target) => {
      onAdded(target);
      cache.invalidateQueries({ queryKey: TARGETS });
    },
  });
  const problem = create.error ? problemOf(create.error) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const body = {
      name: String(form.get("name")),
      url: String(form.get("url")),
      events: form.getAll("event") as EventName[],
      enabled: true,
    };
    create.mutate({ body }, { onSuccess: () => element.reset() });
  }

  return (
    <form className="stack gap-3" noValidate onSubmit={submit}>
      <Field error={problem?.field("name")} label="Name of the target">
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" placeholder="My phone" />}
      </Field>
      <Field error={problem?.field("url")} label="URL">
        {(control) => (
          <Input {...control} autoComplete="off" name="url" placeholder="ntfy://my-secret-topic" spellCheck={false} />
        )}
      </Field>
      <fieldset className="stack gap-1.5">
        <legend className="mb-1 text-small font-medium">Tell it when</legend>
        {NAMES.map((name) => (
          <label className="flex items-center gap-2 text-small" key={name}>
            <input className="accent-accent" defaultChecked name="event" type="checkbox" value={name} />
            {EVENTS[name]}
          </label>
        ))}
      </fieldset>
      {problem && problem.fields.length === 0 && <ProblemNote error={problem} />}
      <Button busy={create.isPending} className="self-start" type="submit">
        Add a target
      </Button>
    </form>
  );
}
