import { type ReactNode, useId, useRef } from "react";

const GAP = 6;
const EDGE = 8;

/** A term with its definition, on hover, focus or tap. It lies in the top layer, so nothing cuts it off. */
export function Hint({ term, children }: { term: ReactNode; children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const bubble = useRef<HTMLDivElement>(null);

  function show() {
    if (!button.current || !bubble.current) return;
    bubble.current.showPopover();
    place(button.current.getBoundingClientRect(), bubble.current);
  }

  function hide() {
    bubble.current?.hidePopover();
  }

  return (
    <>
      <button
        aria-describedby={id}
        className="cursor-help rounded-small text-left underline decoration-line-strong decoration-dotted underline-offset-3"
        onBlur={hide}
        onClick={show}
        onFocus={show}
        onKeyDown={(event) => event.key === "Escape" && hide()}
        onMouseEnter={show}
        onMouseLeave={hide}
        ref={button}
        type="button"
      >
        {term}
      </button>
      <div
        className="fixed m-0 max-w-72 rounded-control border border-line bg-raised px-3 py-2 text-left text-small text-ink-soft shadow-raised"
        id={id}
        popover="manual"
        ref={bubble}
        role="tooltip"
      >
        {children}
      </div>
    </>
  );
}

/** Below the term, or above it if there is no room; never beyond the edges of the window. */
function place(term: DOMRect, bubble: HTMLElement): void {
  const { width, height } = bubble.getBoundingClientRect();
  const below = term.bottom + GAP;
  const top = below + height > innerHeight - EDGE ? term.top - GAP - height : below;
  bubble.style.top = `${Math.max(EDGE, top)}px`;
  bubble.style.left = `${Math.max(EDGE, Math.min(term.left, innerWidth - EDGE - width))}px`;
}
