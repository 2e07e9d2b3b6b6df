/** The sealed history of a bot: buttons to seal it and to open it once, and its state. */
import { useMutation } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { ProblemNote } from "@/design/States";
import { Time } from "@/format/Figures";
import { refreshBot } from "@/strategy/refreshing";

type Bot = Schemas["BotView"];

export function HoldoutPart({ bot }: { bot: Bot }) {
  const params = { path: { bot_id: bot.id } };
  const onSuccess = () => refreshBot(bot.id);
  const seal = useMutation({ mutationFn: () => api.POST("/api/bots/{bot_id}/holdout", { params }), onSuccess });
  const open = useMutation({ mutationFn: () => api.POST("/api/bots/{bot_id}/holdout/open", { params }), onSuccess });
  return (
    <section
      aria-label="Sealed history"
      className="stack gap-2 border-b border-line px-4 py-3 text-small text-ink-soft"
    >
      <HoldoutWords holdout={bot.holdout} />
      {!bot.holdout && (
        <Button busy={seal.isPending} className="self-start" onClick={() => seal.mutate()} size="small">
          Seal the newest quarter
        </Button>
      )}
      {bot.holdout && !bot.holdout.opened_at && (
        <Button busy={open.isPending} className="self-start" onClick={() => open.mutate()} size="small">
          Open it, once and for all
        </Button>
      )}
      <ProblemNote error={seal.error ?? open.error} />
    </section>
  );
}

function HoldoutWords({ holdout }: { holdout: Bot["holdout"] }) {
  if (!holdout) {
    return <p>Seal the newest quarter of the history to keep an unseen test for the end. Backtests will not see it.</p>;
  }
  if (!holdout.opened_at) {
    return (
      <p>
        The history from <Time at={holdout.from} /> on is sealed since <Time at={holdout.sealed_at} />. Opening it can
        be done once, and every later result will show it.
      </p>
    );
  }
  return (
    <p>
      The history from <Time at={holdout.from} /> on was sealed <Time at={holdout.sealed_at} /> and opened{" "}
      <Time at={holdout.opened_at} />. Every later result shows it.
    </p>
  );
}
