import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { ErrorState, ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";
import { TargetForm } from "@/screens/account/TargetForm";
import { NAMES, TARGETS, type Target } from "@/screens/account/targets";

/** Where notifications are sent: list, add, try, switch on and off, delete. */
export function TargetsCard() {
  const { data, error, refetch } = queries.useQuery("get", "/api/notifications/targets");
  const [added, setAdded] = useState<Schemas["NewTarget"] | null>(null);
  return (
    <Card title="Notifications">
      <div className="stack gap-4">
        <p className="text-small text-ink-soft">
          The bell tells what happens to your runs. It can be sent elsewhere too: to a webhook, a mailbox, a chat or a
          phone.
        </p>
        {added?.kind === "webhook" && <SigningSecret target={added} />}
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
