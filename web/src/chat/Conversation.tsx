import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Schemas } from "@/api/client";
import { Problem } from "@/api/problem";
import { Allowance } from "@/chat/Allowance";
import { answerIn } from "@/chat/answer";
import { Composer } from "@/chat/Composer";
import { useChatDraft } from "@/chat/drafts";
import { Log } from "@/chat/Log";
import { AssistantMessage, Thinking, UserMessage } from "@/chat/Messages";
import { OfferButtons } from "@/chat/OfferButtons";
import { offersIn } from "@/chat/offers";
import { conversationQuery } from "@/chat/records";
import { Suggestions } from "@/chat/Suggestions";
import { Trouble } from "@/chat/Trouble";
import type { Thread, Turn } from "@/chat/thread";
import { useFollowing } from "@/chat/useFollowing";
import { ErrorState, Loading, Skeleton } from "@/design/States";
import { useStore } from "@/kit/store";
import { learnNames } from "@/market/names";
import type { Strategy } from "@/strategy/words";

type Message = Schemas["MessageView"];

const SECONDS_BETWEEN_LOOKS = 1.5;
/** The server gives an answer no longer than this. */
const SECONDS_A_TURN = 90;
const UNANSWERED = new Problem(0, "This message was not answered.");

/** The linked bot, if there is one, and its strategy. */
type ConversationProps = { thread: Thread; botId?: string; strategy?: Strategy | null };

export function Conversation({ thread, botId, strategy }: ConversationProps) {
  const { conversationId, turns, warning } = useStore(thread.state);
  const stored = useStored(thread);
  const [text, setText] = useChatDraft(botId ?? conversationId ?? "new");
  const box = useRef<HTMLTextAreaElement>(null);
  const following = useFollowing();
  const messages = stored.data?.messages ?? [];
  useNames(stored.data?.messages, turns);
  const isEmpty = messages.length === 0 && turns.length === 0;

  function send(message: string) {
    following.toEnd();
    void thread.send(message);
  }

  function edit(message: string) {
    setText(message);
    box.current?.focus();
  }

  return (
    <div className="stack min-h-0 flex-1">
      <Log following={following}>
        {stored.isLoading && <LoadingMessages />}
        {stored.error && !stored.data && <ErrorState error={stored.error} onRetry={stored.refetch} />}
        {isEmpty && !stored.isLoading && !stored.error && <Suggestions strategy={strategy} onSend={send} />}
        <StoredMessages
          isSettled={turns.length === 0}
          messages={messages}
          onSend={send}
          onEdit={thread.isAnswering ? undefined : edit}
        />
        {turns.map((turn, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added at the end
          <ShownTurn key={messages.length + number} onEdit={edit} onRetry={() => void thread.retry()} turn={turn} />
        ))}
      </Log>
      <div className="stack gap-2.5 px-3 pt-1 pb-3">
        <Composer
          box={box}
          isAnswering={thread.isAnswering}
          onSend={send}
          onStop={() => thread.stop()}
          onText={setText}
          placeholder="Change it, ask, or type /"
          text={text}
        />
        <Allowance warning={warning} />
      </div>
    </div>
  );
}

/** Remembers the symbols of tokens in tool results. */
function useNames(messages: Message[] | undefined, turns: Turn[]): void {
  useEffect(() => {
    const calls = [
      ...(messages ?? []).flatMap(({ tool_calls }) => tool_calls),
      ...turns.flatMap(({ answer }) => answer.calls),
    ];
    learnNames(calls.flatMap(({ result }) => result));
  }, [messages, turns]);
}

/** The saved messages. They change only by messages sent here, or by an answer that is still being written. */
function useStored(thread: Thread) {
  const { conversationId, turns } = useStore(thread.state);
  return useQuery({
    ...conversationQuery(conversationId ?? ""),
    enabled: conversationId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      turns.length === 0 && isAwaited(state.data?.messages.at(-1)) ? SECONDS_BETWEEN_LOOKS * 1000 : false,
  });
}

/** A message that was sent before a reload, and is perhaps being answered now. */
function isAwaited(last: Message | undefined): boolean {
  return last?.role === "user" && Date.now() - Date.parse(last.created_at) < SECONDS_A_TURN * 1000;
}

type StoredMessagesProps = {
  messages: Message[];
  isSettled: boolean;
  onSend: (text: string) => void;
  onEdit?: (text: string) => void;
};

function StoredMessages({ messages, isSettled, onSend, onEdit }: StoredMessagesProps) {
  const last = messages.at(-1);
  const lastAsked = messages.findLast((message) => message.role === "user")?.content;
  const askAgain = isSettled && lastAsked !== undefined ? () => onSend(lastAsked) : undefined;
  return (
    <>
      {messages.map((message) =>
        message.role === "user" ? (
          <UserMessage key={message.id} onEdit={onEdit && (() => onEdit(message.content))} text={message.content} />
        ) : (
          <AssistantMessage
            answer={answerIn(message)}
            key={message.id}
            onRetry={message === last ? askAgain : undefined}
          />
        ),
      )}
      {isSettled && last?.role === "assistant" && <OfferButtons offers={offersIn(answerIn(last))} onSend={onSend} />}
      {isSettled && last?.role === "user" && (isAwaited(last) ? <Thinking /> : <Unanswered onRetry={askAgain} />)}
    </>
  );
}

function Unanswered({ onRetry }: { onRetry?: () => void }) {
  return <Trouble onRetry={() => onRetry?.()} problem={UNANSWERED} />;
}

type ShownTurnProps = { turn: Turn; onRetry: () => void; onEdit: (text: string) => void };

function ShownTurn({ turn, onRetry, onEdit }: ShownTurnProps) {
  const isOver = turn.phase !== "answering";
  const isSilent = turn.phase === "failed" && !turn.answer.content && turn.answer.calls.length === 0;
  return (
    <>
      <UserMessage onEdit={isOver ? () => onEdit(turn.asked) : undefined} text={turn.asked} />
      {!isSilent && <AssistantMessage answer={turn.answer} isGrowing={!isOver} isStopped={turn.phase === "stopped"} />}
      {turn.problem && <Trouble onRetry={onRetry} problem={turn.problem} />}
    </>
  );
}

function LoadingMessages() {
  return (
    <Loading className="stack gap-4" label="Loading the conversation…">
      <Skeleton className="h-10 w-3/5 self-end" />
      <Skeleton className="h-20 w-4/5" />
    </Loading>
  );
}
