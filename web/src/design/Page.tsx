import { type ReactNode, useEffect } from "react";
import { classes } from "@/kit/classes";

type PageProps = {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  width?: keyof typeof WIDTHS;
  children: ReactNode;
};

const WIDTHS = { narrow: "max-w-md", column: "max-w-2xl", normal: "max-w-6xl" };

/** A screen with a heading. The workbench, which fills the window, brings its own layout and calls `useTitle`. */
export function Page({ title, lead, actions, width = "normal", children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes("mx-auto stack w-full gap-5 px-4 py-6 sm:px-6 sm:py-8", WIDTHS[width])}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="stack gap-1">
          <h1 className="text-title">{title}</h1>
          {lead && <p className="max-w-2xl text-ink-soft">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "Strategy Bot" ? title : `${title} · Strategy Bot`;
  }, [title]);
}
