import { Link, useLocation } from "wouter";
import { lostSince } from "@/api/lost";
import { Button, ButtonLink } from "@/design/Button";
import { Mark, RetryIcon } from "@/design/icons";
import { lazyPart } from "@/design/lazyPart";
import { classes } from "@/kit/classes";
import { useStore } from "@/kit/store";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";
import { useMe, useSettings } from "@/session/user";
import { offered } from "@/shell/routes";
import { ThemeButton } from "@/shell/ThemeButton";

const Bell = lazyPart(() => import("@/notifications/Bell"), { Failed: NoBell });

const PLACES = offered("users").filter(({ inHeader }) => inHeader);
const NOT_TO_RETURN_TO = ["/", "/login", "/register"];

export function Header() {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas/90 backdrop-blur-md">
      <div className="flex h-13 items-center gap-1 px-3 sm:gap-2 sm:px-5">
        <Link
          className="mr-1 flex items-center gap-2.5 rounded-control p-1 font-semibold tracking-tight sm:mr-3"
          href="/"
        >
          <Mark />
          <span className="max-sm:sr-only">Strategy Bot</span>
        </Link>
        <nav aria-label="Main" className="flex min-w-0 flex-1 gap-0.5">
          {PLACES.map(({ path, name }) => (
            <NavLink href={path} key={path} name={name} />
          ))}
        </nav>
        <Reconnecting />
        <Notifications />
        <ThemeButton />
        <Identity />
      </div>
    </header>
  );
}

function Reconnecting() {
  const since = useStore(lostSince);
  const { timezone } = useSettings();
  if (since === null) return null;
  const time = new Date(since).toLocaleTimeString("en-GB", { timeZone: timezone, timeZoneName: "short" });
  const at = time.replace(/^\d:/, "0$&"); // with the zone, the hours of the night have one digit
  return (
    <p className="min-w-0 truncate text-small text-down" role="status">
      Reconnecting…<span className="max-sm:hidden"> last update {at}</span>
    </p>
  );
}

function NavLink({ href, name }: { href: string; name: string }) {
  const [path] = useLocation();
  const here = path === href || path.startsWith(`${href}/`);
  return (
    <Link
      aria-current={here ? "page" : undefined}
      className={classes(
        "flex h-8 items-center rounded-control px-2.5 font-medium transition-colors sm:px-3",
        here ? "bg-hover text-ink" : "text-ink-soft hover:bg-hover hover:text-ink",
      )}
      href={href}
    >
      {name}
    </Link>
  );
}

/** Shown to users and visitors; without a token there are no notifications. */
function Notifications() {
  const { accessToken, anonymousToken } = useSession();
  if (!accessToken && !anonymousToken) return null;
  return <Bell fallback={<span className="size-8" />} />;
}

function NoBell({ onRetry }: { onRetry: () => void }) {
  const words = "The notifications could not be loaded. Try again";
  return (
    <Button aria-label={words} className="w-8 px-0!" look="ghost" onClick={onRetry} size="small" title={words}>
      <RetryIcon />
    </Button>
  );
}

function Identity() {
  const { accessToken } = useSession();
  const { data: me } = useMe();
  const [path] = useLocation();
  const way = (door: "/login" | "/register") => (NOT_TO_RETURN_TO.includes(path) ? door : entrance(door, path));
  if (!accessToken) {
    return (
      <>
        <ButtonLink href={way("/login")} look="ghost" size="small">
          Log in
        </ButtonLink>
        <ButtonLink href={way("/register")} look="primary" size="small">
          Sign up
        </ButtonLink>
      </>
    );
  }
  return (
    <Link
      aria-label={me ? `Account of ${me.email}` : "Account"}
      className="grid size-8 place-items-center rounded-full bg-accent-soft font-semibold text-accent uppercase hover:outline-2 hover:outline-accent"
      href="/account"
      title={me?.email}
    >
      {me?.email[0] ?? "·"}
    </Link>
  );
}
