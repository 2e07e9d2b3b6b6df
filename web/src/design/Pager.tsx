import { Button } from "@/design/Button";

/** Through the pages of a list; not there when one page holds it all. */
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
