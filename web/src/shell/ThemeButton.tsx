import { api } from "@/api/client";
import { Button } from "@/design/Button";
import { MoonIcon, SunIcon } from "@/design/icons";
import { useSession } from "@/session/store";
import { showTheme, useIsDark } from "@/session/theme";

/** Switches the theme and saves it in the account, so that other browsers use it too. */
export function ThemeButton() {
  const { accessToken } = useSession();
  const dark = useIsDark();
  const next = dark ? "light" : "dark";

  function turn() {
    showTheme(next);
    // If the account cannot be updated, this browser still stores the theme.
    if (accessToken) void api.PATCH("/api/auth/settings", { body: { theme: next } }).catch(() => undefined);
  }

  return (
    <Button aria-label={`Switch to the ${next} theme`} className="w-8 px-0!" look="ghost" onClick={turn} size="small">
      {dark ? <SunIcon /> : <MoonIcon />}
    </Button>
  );
}
