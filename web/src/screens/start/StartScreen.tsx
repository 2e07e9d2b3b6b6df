import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { queries } from "@/api/client";
import { Composer } from "@/chat/Composer";
import type { LentToken } from "@/chat/firstTest";
import type { Thread } from "@/chat/thread";
import { lazyPart } from "@/design/lazyPart";
import { useTitle } from "@/design/Page";
import { Loading, Skeleton } from "@/design/States";
import { toast } from "@/design/Toast";
import { classes } from "@/kit/classes";
import { whenIdle } from "@/kit/whenIdle";
import { Examples } from "@/screens/start/Examples";
import { Remaining } from "@/screens/start/Remaining";
import { useSession } from "@/session/store";

// Decoration: if it cannot be loaded, the page is shown without it.
const Backdrop = lazy<ComponentType>(() => import("@/screens/start/Backdrop").catch(() => ({ default: () => null })));
const Home = lazyPart(() => import("@/screens/start/Home"), { name: "Your bots" });
const Beginning = lazyPart(() => import("@/screens/start/Beginning"), { name: "The chat" });

/** The first page: type an idea and see it tested. The next screens are loaded meanwhile. */
export default function StartScreen() {
  useTitle("Strategy Bot");
  const { accessToken } = useSession();
  const [text, setText] = useState("");
  const [thread, setThread] = useState<Thread | "soon" | null>(null);
  useEffect(() => whenIdle(() => void fetchWhatComesNext()), []);

  async function begin(idea: string, token?: LentToken) {
    setThread("soon");
    try {
      const { Thread } = await import("@/chat/thread");
      const begun = new Thread(null, { token });
      void begun.send(idea);
      setThread(begun);
    } catch {
      toast("The page could not be loaded in full. Please try again.", { tone: "failed" });
      setText(idea);
      setThread(null);
    }
  }

  return (
    <div className="relative isolate stack flex-1 overflow-hidden">
      {!accessToken && (
        <Suspense>
          <Backdrop />
        </Suspense>
      )}
      {thread === null ? (
        <Welcome onBegin={begin} onText={setText} text={text} />
      ) : (
        <ConversationFrame>
          {thread === "soon" ? <LoadingChat /> : <Beginning fallback={<LoadingChat />} thread={thread} />}
        </ConversationFrame>
      )}
    </div>
  );
}

async function fetchWhatComesNext(): Promise<void> {
  await Promise.allSettled([
    import("@/screens/start/Beginning"),
    import("@/chat/Markdown"),
    import("@/screens/workbench/WorkbenchScreen"),
  ]);
}

type WelcomeProps = {
  text: string;
  onText: (text: string) => void;
  onBegin: (idea: string, token?: LentToken) => void;
};

function Welcome({ text, onText, onBegin }: WelcomeProps) {
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  const { accessToken } = useSession();
  const examples = <Examples isDemo={info === undefined || info.provider === "demo"} onChoose={onBegin} />;
  return (
    <div
      className={classes(
        "relative mx-auto stack w-full flex-1 gap-7 px-4 sm:px-6",
        accessToken ? "max-w-6xl pt-6 pb-9" : "max-w-3xl pt-9 pb-44 sm:pt-[clamp(2rem,9vh,6.5rem)]",
      )}
    >
      <div className="stack gap-4 text-center">
        <h1 className={accessToken ? "text-title" : "text-display tracking-[-0.025em]"}>
          Say your trading idea. {!accessToken && <br className="max-sm:hidden" />}
          See if it would have worked.
        </h1>
        {!accessToken && (
          <p className="mx-auto max-w-xl text-lead text-balance text-ink-soft">
            Strategy Bot turns plain words into rules, tests them on market history with fees, slippage, token tax and
            price impact counted, and paper-trades them. Never with real money.
          </p>
        )}
      </div>
      <div className="mx-auto stack w-full max-w-3xl gap-3">
        <Composer
          onSend={onBegin}
          onText={onText}
          placeholder="Buy when it falls 2% within 4 hours, sell at 3% profit or 2% loss…"
          size="large"
          text={text}
        />
        <Remaining />
      </div>
      {accessToken ? <Home fallback={<Skeleton className="h-72" />}>{examples}</Home> : examples}
    </div>
  );
}

function ConversationFrame({ children }: { children: ReactNode }) {
  return (
    <div className="relative mx-auto stack w-full max-w-3xl flex-1 px-4 py-4 sm:px-6 sm:py-6">
      <h1 className="sr-only">Your idea</h1>
      <div className="stack h-[calc(100dvh-8.5rem)] overflow-hidden rounded-card border border-line bg-surface shadow-raised">
        {children}
      </div>
    </div>
  );
}

function LoadingChat() {
  return (
    <Loading className="stack flex-1 justify-between p-4">
      <Skeleton className="h-10 w-3/5 self-end" />
      <Skeleton className="h-11 w-full" />
    </Loading>
  );
}
