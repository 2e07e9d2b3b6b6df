/** The sealed history of a bot: buttons to seal it and to open it once, and its state. */
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, type Schemas } from "@/api/client";
import { Button } from "@/design/Button";
import { Confirm } from "@/design/Confirm";
import { Time } from "@/format/Figures";
import { refreshBot } from "@/strategy/refreshing";

type Bot = Schemas["BotView"];

export function HoldoutPart({ bot }: { bot: Bot }) {
  const params = { path: { bot_id: bot.id } };
  const onSuccess = () => refreshBot(bot.id);
  const seal = useMutation({ mutationFn: () => api.POST("/api/bots/{bot_id}/holdout", { params }), onSuccess });
  const open = useMutation({ mutationFn: () => api.POST("/api/bots/{bot_id}/holdout/open", { params }), onSuccess });
  const { holdout } = bot;
  return (
    <section
      aria-label="Sealed history"
      className="stack gap-2 border-b border-line px-4 py-3 text-small text-ink-soft"
    >
      <HoldoutWords holdout={holdout} />
      {!holdout && (
        <Confirmed act={seal} name="Seal the newest quarter" title="Seal the newest history?" yes="Seal it">
          <p>
            Backtests, searches and surveys of this bot will end where the seal begins: at its newest quarter, or after
            the last candle that one of them has seen, if that is later. After tests up to now it covers only candles to
            come.
          </p>
          <p>A bot's history can be sealed only once, and the seal cannot be moved.</p>
        </Confirmed>
      )}
      {holdout && !holdout.opened_at && (
        <Confirmed act={open} name="Open it, once and for all" title="Open the sealed history?" yes="Open it">
          <p>
            From now on every run sees the candles from <Time at={holdout.from} /> on, so they are no unseen test any
            more. Each later result says that the seal was opened.
          </p>
          <p>This cannot be undone, and nothing can be sealed again.</p>
        </Confirmed>
      )}
    </section>
  );
}

type ConfirmedProps = {
  /** What the button does after a yes. */
  act: Pick<UseMutationResult<unknown, unknown, void>, "mutate" | "isPending" | "error">;
  name: string;
  title: string;
  yes: string;
  children: ReactNode;
};

/** A button that first says what happens, and does it after a yes. */
function Confirmed({ act, name, title, yes, children }: ConfirmedProps) {
  const [asks, setAsks] = useState(false);
  const leave = () => setAsks(false);
  return (
    <>
      <Button className="self-start" onClick={() => setAsks(true)} size="small">
        {name}
      </Button>
      <Confirm
        busy={act.isPending}
        error={act.error}
        onClose={leave}
        onYes={() => act.mutate()}
        open={asks}
        title={title}
        yes={yes}
      >
        {children}
      </Confirm>
    </>
  );
}

function HoldoutWords({ holdout }: { holdout: Bot["holdout"] }) {
  if (!holdout) {
    return <p>Seal the newest history to keep an unseen test for the end. Backtests will not see it.</p>;
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
