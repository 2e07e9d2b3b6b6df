import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { Conversation } from "@/chat/Conversation";
import { History } from "@/chat/History";
import { forgetThread, Thread, threadOf } from "@/chat/thread";
import { BotOfChat } from "@/chat/useOldRun";
import { Button } from "@/design/Button";
import { PlusIcon } from "@/design/icons";
import { ErrorState, Loading, Skeleton } from "@/design/States";
import { classes } from "@/kit/classes";
import { useStore } from "@/kit/store";

type ChatPanelProps = {
  /** The bot whose last conversation continues here. */
  botId?: string;
  /** A given conversation. */
  conversationId?: string;
  /** A conversation that was begun on another screen. */
  thread?: Thread;
  className?: string;
};

/** The chat: it fills the height it is given. `?chat=ID` opens one conversation of the bot instead of its last. */
export default function ChatPanel({ botId, conversationId, thread, className }: ChatPanelProps) {
  const [search] = useSearchParams();
  const wanted = conversationId ?? search.get("chat");
  const frame = classes("stack h-full min-h-0", className);
  if (botId && !thread && !wanted) return <ChatOfBot botId={botId} className={frame} key={botId} />;
  return <Chat botId={botId} className={frame} first={thread ?? (wanted ? threadOf(wanted) : null)} key={wanted} />;
}

function ChatOfBot({ botId, className }: { botId: string; className: string }) {
  const bot = queries.useQuery("get", "/api/bots/{bot_id}", { params: { path: { bot_id: botId } } });
  if (bot.error && !bot.data) return <ErrorState className={className} error={bot.error} onRetry={bot.refetch} />;
  if (!bot.data) return <LoadingChat className={className} />;
  const last = bot.data.conversation_id;
  return <Chat bot={bot.data} botId={botId} className={className} first={last ? threadOf(last) : null} />;
}

type ChatProps = { bot?: Schemas["BotView"]; botId?: string; first: Thread | null; className: string };

function Chat({ bot, botId, first, className }: ChatProps) {
  const [, navigate] = useLocation();
  const [thread, setThread] = useState(() => first ?? new Thread(null, { botId }));
  const { conversationId } = useStore(thread.state);

  function open({ id, bot_id: about }: Schemas["ConversationSummary"]) {
    if (about && about !== botId) navigate(`/bots/${about}?chat=${id}`);
    else setThread(threadOf(id));
  }

  function begin() {
    setThread(new Thread(null, { botId }));
  }

  function forget(id: string) {
    forgetThread(id);
    if (id === conversationId) begin();
  }

  return (
    <section aria-label="Chat" className={className} style={{ viewTransitionName: "chat" }}>
      <header className="flex min-h-11 items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-body">Chat</h2>
        <History current={conversationId} onForget={forget} onOpen={open} />
        <Button look="ghost" onClick={begin} size="small">
          <PlusIcon size={14} />
          New
        </Button>
      </header>
      <BotOfChat value={botId}>
        <Conversation botId={botId} strategy={bot?.strategy} key={threadKey(thread)} thread={thread} />
      </BotOfChat>
    </section>
  );
}

const keys = new WeakMap<Thread, number>();
let lastKey = 0;

/** A thread starts without an id; its React key stays the same when it gets one. */
function threadKey(thread: Thread): number {
  const key = keys.get(thread) ?? ++lastKey;
  keys.set(thread, key);
  return key;
}

function LoadingChat({ className }: { className: string }) {
  return (
    <Loading className={classes(className, "justify-end gap-3 p-4")}>
      <Skeleton className="h-10 w-3/5 self-end" />
      <Skeleton className="h-16 w-4/5" />
      <Skeleton className="h-11 w-full" />
    </Loading>
  );
}
