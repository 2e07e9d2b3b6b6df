import { lazy, Suspense, useState } from "react";
import { queries } from "@/api/client";
import { Composer } from "@/chat/Composer";
import { Thread } from "@/chat/thread";
import { useTitle } from "@/design/Page";
import { Loading, Skeleton } from "@/design/States";
import { classes } from "@/kit/classes";
import { Backdrop } from "@/screens/start/Backdrop";
import { EXAMPLES, type Example, ideaFor } from "@/screens/start/examples";
import { Remaining } from "@/screens/start/Remaining";
import { FIRST_PAGE, useMadeBot, useNextScreens, useWalkToWorkbench } from "@/screens/start/walking";
import "@/screens/start/start.css";

const ChatPanel = lazy(() => import("@/chat/ChatPanel"));

/** The first page: an idea goes in, and within a minute it is tested. */
export default function StartScreen() {
  useTitle("Strategy Bot");
  useNextScreens();
  const [thread, setThread] = useState<Thread | null>(null);

  function begin(text: string, example?: Example) {
    const begun = new Thread(null, { token: example?.token });
    void begun.send(text);
    setThread(begun);
  }

  return (
    <div className={classes(FIRST_PAGE, "relative isolate stack flex-1 overflow-hidden")}>
      <Backdrop />
      {thread ? <Making thread={thread} /> : <Welcome onBegin={begin} />}
    </div>
  );
}

function Welcome({ onBegin }: { onBegin: (text: string, example?: Example) => void }) {
  const [text, setText] = useState("");
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  const isDemo = info?.provider !== "ave" && info?.provider !== "geckoterminal";
  return (
    <div className="relative mx-auto stack w-full max-w-3xl flex-1 gap-7 px-4 pt-[clamp(2rem,9vh,6.5rem)] pb-56 sm:px-6">
      <div className="stack gap-4 text-center">
        <h1 className="text-display tracking-[-0.025em]">
          Say your trading idea. <br className="max-sm:hidden" />
          See if it would have worked.
        </h1>
        <p className="mx-auto max-w-xl text-lead text-balance text-ink-soft">
          Strategy Bot turns plain words into rules, tests them on market history with every fee counted, and
          paper-trades them. Never with real money.
        </p>
      </div>
      <div className="stack gap-3">
        <Composer
          onSend={onBegin}
          onText={setText}
          placeholder="Buy when it falls 5% within an hour, sell at 8% profit or 4% loss…"
          size="large"
          text={text}
        />
        <Remaining />
      </div>
      <Examples isDemo={isDemo} onChoose={(example) => onBegin(ideaFor(example, isDemo), example)} />
    </div>
  );
}

function Examples({ isDemo, onChoose }: { isDemo: boolean; onChoose: (example: Example) => void }) {
  return (
    <section aria-labelledby="examples" className="stack gap-2.5">
      <h2 className="text-center text-small font-medium text-ink-soft" id="examples">
        Or try one of these
      </h2>
      <ul className="grid gap-2.5 sm:grid-cols-3">
        {EXAMPLES.map((example) => (
          <li className="stack" key={example.title}>
            <button
              className="stack flex-1 gap-1 rounded-card border border-line bg-surface/90 p-3.5 text-left backdrop-blur-sm transition-[border-color,translate] hover:-translate-y-0.5 hover:border-accent"
              onClick={() => onChoose(example)}
              type="button"
            >
              <span className="font-medium">{example.title}</span>
              <span className="text-small text-ink-soft">{ideaFor(example, isDemo)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The conversation in the middle of the page, until there is a bot to go to. */
function Making({ thread }: { thread: Thread }) {
  useWalkToWorkbench(useMadeBot(thread));
  return (
    <div className="relative mx-auto stack w-full max-w-3xl flex-1 px-4 py-4 sm:px-6 sm:py-6">
      <h1 className="sr-only">Your idea</h1>
      <div className="stack h-[calc(100dvh-8.5rem)] overflow-hidden rounded-card border border-line bg-surface shadow-raised">
        <Suspense fallback={<LoadingChat />}>
          <ChatPanel thread={thread} />
        </Suspense>
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
