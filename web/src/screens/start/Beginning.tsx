import ChatPanel from "@/chat/ChatPanel";
import type { Thread } from "@/chat/thread";
import { BEGINNING, useMadeBot, useWalkToWorkbench } from "@/screens/start/walking";

/** The conversation in the middle of the page, until a bot is made. */
export default function Beginning({ thread }: { thread: Thread }) {
  useWalkToWorkbench(useMadeBot(thread));
  return (
    <div className="stack min-h-0 flex-1" id={BEGINNING}>
      <ChatPanel thread={thread} />
    </div>
  );
}
