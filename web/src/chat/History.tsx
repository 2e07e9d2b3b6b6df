import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, queries, type Schemas } from "@/api/client";
import { refreshBots, refreshConversations } from "@/chat/records";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { Input } from "@/design/Field";
import { TrashIcon } from "@/design/icons";
import { Empty, ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { Time } from "@/format/Figures";
import { NearLimit } from "@/session/NearLimit";
import { useSession } from "@/session/store";
import { useMe } from "@/session/user";

type Summary = Schemas["ConversationSummary"];
type HistoryProps = { current: string | null; onOpen: (summary: Summary) => void; onForget: (id: string) => void };

/** The list of earlier conversations. */
export function History(props: HistoryProps) {
  const { accessToken, anonymousToken } = useSession();
  const { data: me } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  if (!accessToken && !anonymousToken) return null;

  function open(summary: Summary) {
    setIsOpen(false);
    props.onOpen(summary);
  }

  return (
    <>
      <Button look="ghost" onClick={() => setIsOpen(true)} size="small">
        History
      </Button>
      <Dialog onClose={() => setIsOpen(false)} open={isOpen} title="Conversations">
        {me && <NearLimit max={me.limits.conversations} used={me.usage.conversations} what="conversations" />}
        <Conversations {...props} onOpen={open} />
      </Dialog>
    </>
  );
}

function Conversations({ current, onOpen, onForget }: HistoryProps) {
  const page = queries.useQuery("get", "/api/conversations", {});
  const bots = queries.useQuery("get", "/api/bots", {});
  const [words, setWords] = useState("");
  const nameOf = ({ bot_id }: Summary) => bots.data?.bots.find(({ id }) => id === bot_id)?.name ?? null;
  const remove = useMutation({
    mutationFn: (id: string) =>
      api.DELETE("/api/conversations/{conversation_id}", { params: { path: { conversation_id: id } } }),
    onSuccess: (_, id) => {
      onForget(id);
      refreshConversations();
      refreshBots();
    },
  });
  if (page.error) return <ErrorState error={page.error} onRetry={page.refetch} />;
  if (!page.data) {
    return (
      <Loading className="stack gap-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </Loading>
    );
  }
  if (page.data.conversations.length === 0) {
    return <Empty title="Nothing yet">What you say and what was done stays here.</Empty>;
  }
  const found = page.data.conversations.filter((summary) =>
    `${summary.title} ${nameOf(summary) ?? ""}`.toLowerCase().includes(words.trim().toLowerCase()),
  );
  return (
    <>
      <Input
        aria-label="Search conversations"
        onChange={(event) => setWords(event.target.value)}
        placeholder="Search by words or bot"
        type="search"
        value={words}
      />
      <ProblemNote error={remove.error} />
      {found.length === 0 && <p className="text-small text-ink-soft">No conversation has these words.</p>}
      <ul className="-mx-2 stack max-h-[60dvh] gap-0.5 overflow-y-auto">
        {found.map((summary) => (
          <Row
            botName={nameOf(summary)}
            isBusy={remove.isPending && remove.variables === summary.id}
            isCurrent={summary.id === current}
            key={summary.id}
            onOpen={() => onOpen(summary)}
            onRemove={() => remove.mutate(summary.id)}
            summary={summary}
          />
        ))}
      </ul>
    </>
  );
}

type RowProps = {
  summary: Summary;
  botName: string | null;
  isCurrent: boolean;
  isBusy: boolean;
  onOpen: () => void;
  onRemove: () => void;
};

function Row({ summary, botName, isCurrent, isBusy, onOpen, onRemove }: RowProps) {
  const [isSure, setIsSure] = useState(false);
  return (
    <li className="flex items-center gap-1">
      <button
        aria-current={isCurrent || undefined}
        className="stack flex-1 rounded-control px-3 py-1.5 text-left hover:bg-hover aria-current:bg-accent-soft"
        onClick={onOpen}
        type="button"
      >
        <span className="truncate">{summary.title}</span>
        <span className="truncate text-small text-ink-faint">
          {botName && `${botName}, `}
          <Time at={summary.updated_at} relative />
        </span>
      </button>
      {isSure ? (
        <Button busy={isBusy} look="danger" onBlur={() => setIsSure(false)} onClick={onRemove} size="small">
          Delete
        </Button>
      ) : (
        <Button aria-label={`Delete “${summary.title}”`} look="ghost" onClick={() => setIsSure(true)} size="small">
          <TrashIcon size={14} />
        </Button>
      )}
    </li>
  );
}
