import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { queries } from "@/api/client";
import { Button, ButtonLink } from "@/design/Button";
import { Card } from "@/design/Card";
import { Dialog } from "@/design/Dialog";
import { PlusIcon } from "@/design/icons";
import { lazyPart, notLoaded } from "@/design/lazyPart";
import { Page } from "@/design/Page";
import { Pager } from "@/design/Pager";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { BotCard } from "@/screens/bots/BotCard";
import type { Bot } from "@/screens/bots/glance";
import { useSession } from "@/session/store";

const BOTS_A_PAGE = 100; // so that sorting and filtering cover all bots of most users
const SECONDS_BETWEEN_LOOKS = 15;
const Since = lazyPart(() => import("@/screens/bots/Since"), { Failed: NoSince });
const Overview = lazyPart(() => import("@/screens/bots/Overview"), { Failed: NoOverview });
const NewBotDialog = lazyPart(() => import("@/screens/bots/NewBotDialog"), { Failed: NoNewBotDialog });

export default function BotsScreen() {
  const { accessToken, anonymousToken } = useSession();
  const [isMaking, setIsMaking] = useState<boolean>();
  const known = accessToken !== null || anonymousToken !== null;
  const actions = known && (
    <Button look="primary" onClick={() => setIsMaking(true)}>
      <PlusIcon />
      New bot
    </Button>
  );
  return (
    <Page actions={actions} lead="Each holds one strategy, its tests and its simulations." title="Bots">
      {known ? (
        <Bots onNew={() => setIsMaking(true)} />
      ) : (
        <Card>
          <NoBots />
        </Card>
      )}
      {isMaking !== undefined && ( // it stays mounted after the first opening, so that closing it returns the focus
        <NewBotDialog onClose={() => setIsMaking(false)} open={isMaking} />
      )}
    </Page>
  );
}

/** What happened since the last visit, and all bots. */
export function Bots({ onNew }: { onNew?: () => void }) {
  const { accessToken } = useSession();
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number(search.get("page")) || 1);
  const { data, error, refetch } = queries.useQuery(
    "get",
    "/api/bots",
    { params: { query: { page, per_page: BOTS_A_PAGE, runs: true } } },
    {
      refetchInterval: ({ state }) =>
        (state.data?.paper_total.simulations ?? 0) > 0 ? SECONDS_BETWEEN_LOOKS * 1000 : false,
    },
  );
  if (error) {
    return (
      <Card>
        <ErrorState error={error} onRetry={refetch} />
      </Card>
    );
  }
  if (!data) return <BotsPlaceholder />;
  if (data.total_bots === 0) {
    return (
      <Card>
        <NoBots onNew={onNew} />
      </Card>
    );
  }
  const cards = (bots: Bot[]) => (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {bots.map((bot) => (
        <li className="stack" key={bot.id}>
          <BotCard bot={bot} />
        </li>
      ))}
    </ul>
  );
  const waiting = <BotsPlaceholder />;
  const overview = (
    <>
      <Overview bots={data.bots} cards={cards} fallback={waiting} />
      <Pager onPage={(next) => setSearch({ page: String(next) })} page={page} pages={data.total_pages} />
    </>
  );
  if (!accessToken) return overview;
  return (
    <Since bots={data.bots} fallback={waiting} placeholder={waiting}>
      {overview}
    </Since>
  );
}

const SinceNotLoaded = notLoaded("What happened");

const OverviewNotLoaded = notLoaded("The filter");
const DialogNotLoaded = notLoaded("The form");

/** The bots are shown in any case. */
function NoSince({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <>
      <SinceNotLoaded onRetry={onRetry} />
      {children}
    </>
  );
}

type NoOverviewProps = { bots: Bot[]; cards: (bots: Bot[]) => ReactNode; onRetry: () => void };

/** The bots are shown in any case. */
function NoOverview({ bots, cards, onRetry }: NoOverviewProps) {
  return (
    <>
      <OverviewNotLoaded onRetry={onRetry} />
      {cards(bots)}
    </>
  );
}

function NoNewBotDialog({ open, onClose, onRetry }: { open: boolean; onClose: () => void; onRetry: () => void }) {
  return (
    <Dialog onClose={onClose} open={open} title="New bot">
      <DialogNotLoaded onRetry={onRetry} />
    </Dialog>
  );
}

function NoBots({ onNew }: { onNew?: () => void }) {
  const actions = (
    <div className="flex flex-wrap justify-center gap-2">
      <ButtonLink href="/" look="primary">
        Describe an idea
      </ButtonLink>
      {onNew && <Button onClick={onNew}>Start with an empty bot</Button>}
    </div>
  );
  return (
    <Empty action={actions} title="No bots yet.">
      Say in plain words when to buy and when to sell; the bot is written for you and tested at once.
    </Empty>
  );
}

function BotsPlaceholder() {
  return (
    <Loading className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" label="Loading your bots…">
      {["one", "two", "three"].map((name) => (
        <Skeleton className="h-56 rounded-card" key={name} />
      ))}
    </Loading>
  );
}
