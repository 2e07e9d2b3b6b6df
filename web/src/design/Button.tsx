import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "@/kit/classes";

type Look = "primary" | "secondary" | "ghost" | "danger";
type Size = "small" | "medium";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border border-line bg-raised text-ink hover:border-line-strong hover:bg-hover",
  ghost: "text-ink-soft hover:bg-hover hover:text-ink",
  danger: "border border-down text-down hover:bg-down-soft",
};
const SIZES: Record<Size, string> = {
  small: "h-7 gap-1.5 px-2.5 text-small",
  medium: "h-9 gap-2 px-3.5 text-body",
};

function look(look: Look, size: Size, className?: string): string {
  return classes(
    "inline-flex shrink-0 items-center justify-center rounded-control font-medium whitespace-nowrap transition-colors",
    "disabled:opacity-55 aria-disabled:opacity-55",
    LOOKS[look],
    SIZES[size],
    className,
  );
}

type ButtonProps = ComponentProps<"button"> & { look?: Look; size?: Size; busy?: boolean };

/** A form is submitted by a click, also with the enter key. */
function ignore(event: MouseEvent) {
  event.preventDefault();
}

/** `busy` while its work is running: it keeps its width and the focus, and cannot be pressed again. */
export function Button({ look: wanted = "secondary", size = "medium", busy = false, ...props }: ButtonProps) {
  const { className, children, onClick, type = "button", ...rest } = props;
  return (
    <button
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={look(wanted, size, className)}
      onClick={busy ? ignore : onClick}
      type={type}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

type ButtonLinkProps = { href: string; look?: Look; size?: Size; className?: string; children: ReactNode };

/** A link to another screen that looks like a button. */
export function ButtonLink({ look: wanted = "secondary", size = "medium", className, ...props }: ButtonLinkProps) {
  return <Link {...props} className={look(wanted, size, className)} />;
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
