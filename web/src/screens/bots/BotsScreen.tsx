import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "wouter";
import { queries } from "@/api/client";
import { Button, ButtonLink } from "@/design/Button";
import { Card } from "@/design/Card";
import { PlusIcon } from "@/design/icons";
import { Page } from "@/design/Page";
import { Pager } from "@/design/Pager";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { BotCard } from "@/screens/bots/BotCard";
import type { Bot } from "@/screens/bots/glance";
import { useSession } from "@/session/store";

const BOTS_A_PAGE = 100; // so that order and filter see all that most have
const SECONDS_BETWEEN_LOOKS = 15;
const Overview = lazy(() => import("@/screens/bots/Overview"));
const NewBotDialog = lazy(() => import("@/screens/bots/NewBotDialog"));

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
      {isMaking !== undefined && ( // it stays once it was opened: closing it gives the focus back
        <Suspense>
          <NewBotDialog onClose={() => setIsMaking(false)} open={isMaking} />
        </Suspense>
      )}
    </Page>
  );
}

function Bots({ onNew }: { onNew: () => void }) {
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number(search.get("page")) || 1);
  const { data, error, refetch } = queries.useQuery(
    "get",
    "/api/bots",
    { params: { query: { page, per_page: BOTS_A_PAGE } } },
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
  return (
    <>
      <Suspense fallback={cards(data.bots)}>
        <Overview bots={data.bots} cards={cards} total={data.paper_total} />
      </Suspense>
      <Pager onPage={(next) => setSearch({ page: String(next) })} page={page} pages={data.total_pages} />
    </>
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
