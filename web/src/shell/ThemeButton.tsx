import { api } from "@/api/client";
import { Button } from "@/design/Button";
import { MoonIcon, SunIcon } from "@/design/icons";
import { useSession } from "@/session/store";
import { showTheme, useIsDark } from "@/session/theme";

/** Turns the light on or off, and tells the account, so that it is the same in the next browser. */
export function ThemeButton() {
  const { accessToken } = useSession();
  const dark = useIsDark();
  const next = dark ? "light" : "dark";

  function turn() {
    showTheme(next);
    // The account's copy is a convenience: when it cannot be written, this browser still remembers.
    if (accessToken) void api.PATCH("/api/auth/settings", { body: { theme: next } }).catch(() => undefined);
  }

  return (
    <Button aria-label={`Switch to the ${next} theme`} className="w-8 px-0!" look="ghost" onClick={turn} size="small">
      {dark ? <SunIcon /> : <MoonIcon />}
    </Button>
  );
}
