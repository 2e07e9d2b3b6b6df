import { Button } from "@/design/Button";

/** Buttons for the pages of a list; nothing if there is only one page. */
export function Pager({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-3 text-small">
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)} size="small">
        Newer
      </Button>
      <span className="figures text-ink-soft">
        Page {page} of {pages}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)} size="small">
        Older
      </Button>
    </nav>
  );
}
