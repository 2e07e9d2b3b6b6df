import type { ReactNode } from "react";
import type { Following } from "@/chat/useFollowing";
import { Button } from "@/design/Button";
import { ChevronDownIcon } from "@/design/icons";

/** The messages, oldest first. It scrolls with the newest until the reader scrolls up. */
export function Log({ following, children }: { following: Following; children: ReactNode }) {
  const { frame, content, isAtEnd, toEnd } = following;
  return (
    <div className="relative stack min-h-0 flex-1">
      <section
        aria-label="Messages"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div aria-live="polite" className="stack gap-5 p-4 pb-6" ref={content} role="log">
          {children}
        </div>
      </section>
      {!isAtEnd && (
        <Button className="absolute bottom-2 self-center rounded-full! shadow-raised" onClick={toEnd} size="small">
          <ChevronDownIcon size={14} />
          To the latest
        </Button>
      )}
    </div>
  );
}
