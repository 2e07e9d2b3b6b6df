/** Shares a run under a public address, and ends the share. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, queries } from "@/api/client";
import { problemOf } from "@/api/problem";
import type { Named } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Field, Input } from "@/design/Field";
import { ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { toast } from "@/design/Toast";
import { useKeptFocus } from "@/kit/useKeptFocus";

export function ShareButton({ run }: { run: Named }) {
  const [open, setOpen] = useState(false);
  if (run.status !== "completed") return null;
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)} size="small">
        Share
      </Button>
      <Dialog onClose={() => setOpen(false)} open={open} title="Share this backtest">
        <Sharing run={run} />
      </Dialog>
    </>
  );
}

const PATH = "/api/bots/{bot_id}/backtest/{run_id}/share";

function Sharing({ run: { bot_id, run_id } }: { run: Named }) {
  const cache = useQueryClient();
  const params = { path: { bot_id, run_id } };
  const { data, error, refetch } = queries.useQuery("get", PATH, { params }, { retry: false });
  const actions = useKeptFocus(data ? data.url : error, "button:last-child");
  const { queryKey } = queries.queryOptions("get", PATH, { params });
  const share = useMutation({
    mutationFn: async () => (await api.POST(PATH, { params })).data,
    onSuccess: (made) => {
      actions.keep();
      cache.setQueryData(queryKey, made);
    },
  });
  const end = useMutation({
    mutationFn: () => api.DELETE(PATH, { params }),
    onSuccess: () => {
      actions.keep();
      toast("The share has ended. Its address no longer works.");
      return cache.resetQueries({ queryKey });
    },
  });
  if (error && problemOf(error).status !== 404) return <ErrorState error={error} onRetry={refetch} />;
  if (!data && !error) {
    return (
      <Loading label="Asking whether it is shared…">
        <Skeleton className="h-16" />
      </Loading>
    );
  }
  return (
    <div className="stack gap-4">
      <p>
        Everybody who knows the address can read the strategy, the result and the trades, without an account. It shows
        nothing about you: no e-mail, no name and no note.
      </p>
      <div className="stack gap-4" ref={actions.place}>
        {data ? (
          <Shared busy={end.isPending} onEnd={() => end.mutate()} url={data.url} />
        ) : (
          <Button busy={share.isPending} className="self-end" look="primary" onClick={() => share.mutate()}>
            Make an address
          </Button>
        )}
      </div>
      <ProblemNote error={share.error ?? end.error} />
    </div>
  );
}

function Shared({ url, busy, onEnd }: { url: string; busy: boolean; onEnd: () => void }) {
  async function copy() {
    await navigator.clipboard.writeText(url).then(
      () => toast("The address is copied."),
      () => toast("The browser did not copy it: please select it.", { tone: "failed" }),
    );
  }
  return (
    <>
      <Field label="Its address">{(control) => <Input {...control} readOnly value={url} />}</Field>
      <div className="flex justify-end gap-2">
        <Button busy={busy} look="danger" onClick={onEnd}>
          Stop sharing
        </Button>
        <Button look="primary" onClick={copy}>
          Copy
        </Button>
      </div>
    </>
  );
}
