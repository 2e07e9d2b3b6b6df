/** One bot: chat, chart with backtests, editor and simulations. */
import { type CSSProperties, useRef, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { instrumentOf, TokenName } from "@/backtests/instrument";
import { Badge } from "@/design/Badge";
import { Button, ButtonLink } from "@/design/Button";
import { Divider } from "@/design/Divider";
import { Choice } from "@/design/Field";
import { lazyPart } from "@/design/lazyPart";
import { Page, useTitle } from "@/design/Page";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { classes } from "@/kit/classes";
import { usePreference } from "@/kit/preference";
import { chainName } from "@/market/chains";
import { universeWords } from "@/purse/many";
import { BotName } from "@/screens/workbench/BotName";
import { Centre } from "@/screens/workbench/Centre";
import { LoadingChart } from "@/screens/workbench/ChartFrame";
import { SidePanel } from "@/screens/workbench/SidePanel";
import { useShownBacktest, useShownIsKnown } from "@/screens/workbench/shown";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";
import { useSettings } from "@/session/user";
import { MODE_NAMES } from "@/simulations/following";
import { useSimulations } from "@/simulations/runs";
import { LeaveDialog } from "@/strategy/LeaveDialog";

const ChatPanel = lazyPart(() => import("@/chat/ChatPanel"), { name: "The chat" });

type Bot = Schemas["BotView"];

export default function WorkbenchScreen({ botId }: { botId: string }) {
  const { accessToken } = useSession();
  const [path] = useLocation();
  useShownBacktest(botId);
  useSimulations(botId);
  const {
    data: bot,
    error,
    refetch,
  } = queries.useQuery(
    "get",
    "/api/bots/{bot_id}",
    {
      params: { path: { bot_id: botId } },
    },
    { refetchOnWindowFocus: "always" },
  );
  useTitle(bot?.name ?? "Workbench");
  if (bot) return <Workbench bot={bot} />;
  if (!error) return <LoadingWorkbench />;
  const { status } = problemOf(error);
  if (status === 401) return <Redirect replace to={entrance("/login", path + location.search)} />;
  return (
    <Page title={status === 404 ? "There is no such bot." : "Workbench"}>
      {status === 404 ? (
        <NoBot isKnown={accessToken !== null} path={path} />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </Page>
  );
}

function NoBot({ isKnown, path }: { isKnown: boolean; path: string }) {
  return (
    <Empty
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink href="/bots">See your bots</ButtonLink>
          {!isKnown && <ButtonLink href={entrance("/login", path + location.search)}>Log in</ButtonLink>}
        </div>
      }
      title="It was deleted, or it belongs to someone else."
    />
  );
}

/** What a narrow window shows; a wide one shows all three. */
type Area = "chat" | "chart" | "strategy";

const AREAS: { value: Area; label: string }[] = [
  { value: "chat", label: "Chat" },
  { value: "chart", label: "Chart" },
  { value: "strategy", label: "Strategy" },
];

const WIDTHS = [240, 640] as const;
/** A folded chat has no column. */
const WITHOUT_CHAT = "lg:grid-cols-[minmax(0,1fr)_var(--side,22rem)] 2xl:grid-cols-[minmax(0,1fr)_var(--side,25rem)]";
const WITH_CHAT =
  "lg:grid-cols-[minmax(0,1fr)_var(--side,22rem)] xl:grid-cols-[var(--chat,19rem)_minmax(0,1fr)_var(--side,22rem)] 2xl:grid-cols-[var(--chat,24rem)_minmax(0,1fr)_var(--side,25rem)]";

/** All areas stay mounted when another one is chosen, so that a running answer continues. */
function Workbench({ bot }: { bot: Bot }) {
  const [area, setArea] = useState<Area>("chart");
  const [chatWidth, setChatWidth] = usePreference<number | null>("chat-width", null);
  const [sideWidth, setSideWidth] = usePreference<number | null>("side-width", null);
  const [isFolded, fold] = usePreference("chat-folded", false);
  const chat = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLElement>(null);
  const { data: run } = useShownBacktest(bot.id).backtest;
  const isKnown = useShownIsKnown(bot.id);
  const widths = { "--chat": chatWidth && `${chatWidth}px`, "--side": sideWidth && `${sideWidth}px` } as CSSProperties;
  return (
    <div className="stack flex-1 lg:relative lg:min-h-[38rem]">
      <LeaveDialog bot={bot} />
      <div className="stack flex-1 lg:absolute lg:inset-0">
        <Heading
          area={area}
          bot={bot}
          isFolded={isFolded}
          isTested={run !== undefined}
          onArea={setArea}
          onFold={() => fold(!isFolded)}
        />
        <div className={classes("grid min-h-0 flex-1", isFolded ? WITHOUT_CHAT : WITH_CHAT)} style={widths}>
          <div
            className={classes(
              "relative stack min-h-0 border-line max-lg:h-[calc(100dvh-10rem)] max-lg:min-h-96 lg:max-xl:order-last lg:max-xl:border-l xl:border-r",
              area !== "chat" && "max-xl:hidden",
              isFolded && "xl:hidden",
            )}
            ref={chat}
          >
            <ChatPanel botId={bot.id} fallback={<Skeleton className="m-4 h-40" />} />
            <Divider
              axis="x"
              before
              className="absolute inset-y-0 -right-1 max-xl:hidden"
              label="Width of the chat"
              limits={WIDTHS}
              onSize={setChatWidth}
              part={() => chat.current}
            />
          </div>
          <div className={classes("relative stack min-h-0 overflow-y-auto", area !== "chart" && "max-lg:hidden")}>
            {isKnown ? <Centre bot={bot} /> : <LoadingChart />}
          </div>
          <div
            className={classes(
              "relative stack min-h-0 min-w-0",
              area === "chat" && "max-xl:hidden",
              area === "chart" && "max-lg:hidden",
            )}
          >
            <Divider
              axis="x"
              before={false}
              className="absolute inset-y-0 -left-1 max-lg:hidden"
              label="Width of strategy and result"
              limits={WIDTHS}
              onSize={setSideWidth}
              part={() => side.current}
            />
            <aside
              aria-label="Strategy and result"
              className="relative min-h-0 flex-1 overflow-y-auto border-line bg-surface lg:scroll-pt-72 lg:border-l"
              ref={side}
            >
              {isKnown ? <SidePanel bot={bot} run={run} /> : <Skeleton className="m-4 h-96" />}
            </aside>
          </div>
        </div>
      </div>
    </div>
  );
}

type HeadingProps = {
  bot: Bot;
  isTested: boolean;
  area: Area;
  onArea: (area: Area) => void;
  isFolded: boolean;
  onFold: () => void;
};

/** The bot's usual token is named only until a run says which token it is about. */
function Heading({ bot, isTested, area, onArea, isFolded, onFold }: HeadingProps) {
  const { default_chain } = useSettings();
  const simulation = useSimulations(bot.id).data?.simulations[0];
  const instrument = bot.token ? instrumentOf(bot.token, bot.chain, default_chain) : null;
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <BotName bot={bot} />
      {bot.universe && !isTested && (
        <span className="truncate text-small text-ink-faint max-sm:hidden">{universeWords(bot.universe)}</span>
      )}
      {instrument && !bot.universe && !isTested && (
        <span className="truncate text-small text-ink-faint max-sm:hidden">
          <TokenName chain={instrument.chain} token={instrument.address} /> on {chainName(instrument.chain)}
        </span>
      )}
      {simulation?.status === "running" && (
        <Badge live tone="accent">
          Simulating, {MODE_NAMES[simulation.mode].toLowerCase()}
        </Badge>
      )}
      <Choice
        className="ml-auto xl:hidden"
        label="Part of the workbench"
        onChange={onArea}
        options={AREAS}
        value={area}
      />
      <Button
        aria-expanded={!isFolded}
        className="ml-auto max-xl:hidden"
        data-shows-chat={isFolded || undefined}
        look="ghost"
        onClick={onFold}
        size="small"
      >
        {isFolded ? "Show the chat" : "Hide the chat"}
      </Button>
    </header>
  );
}

function LoadingWorkbench() {
  return (
    <Loading className="stack flex-1" label="Loading the bot…">
      <div className="flex h-12 items-center border-b border-line px-4">
        <Skeleton className="h-5 w-40" />
      </div>
      <div className="grid flex-1 gap-4 p-4 xl:grid-cols-[19rem_minmax(0,1fr)_22rem]">
        <Skeleton className="min-h-64 max-xl:hidden" />
        <Skeleton className="min-h-96" />
        <Skeleton className="min-h-64 max-xl:hidden" />
      </div>
    </Loading>
  );
}
