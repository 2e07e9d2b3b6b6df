import { useEffect } from "react";
import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";
import { useSession } from "@/session/store";
import { useSettings } from "@/session/user";

export type Theme = "system" | "light" | "dark";

const KEY = "strategybot.theme";

function stored(): Theme {
  const theme = recall(KEY);
  return theme === "light" || theme === "dark" ? theme : "system";
}

const theme = new Store<Theme>(stored());

/** Applied at once and stored in this browser; the caller saves the setting of the account. */
export function showTheme(next: Theme): void {
  remember(KEY, next === "system" ? null : next);
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
}

export function useTheme(): Theme {
  return useStore(theme);
}

/** Whether the theme is dark now, by choice or by the system; for canvases. */
export function useIsDark(): boolean {
  const chosen = useTheme();
  const system = useStore(systemIsDark);
  return chosen === "system" ? system : chosen === "dark";
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = new Store(darkSystem.matches);
darkSystem.addEventListener("change", (event) => systemIsDark.set(event.matches));

/** Follows the theme of the account once it is known. */
export function useAccountTheme(): void {
  const { accessToken } = useSession();
  const { theme: wanted } = useSettings();
  useEffect(() => {
    if (accessToken && wanted !== "system") showTheme(wanted);
  }, [accessToken, wanted]);
}
