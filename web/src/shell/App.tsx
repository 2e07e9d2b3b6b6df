import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { Router, useLocation } from "wouter";
import { queryClient } from "@/api/client";
import { lostSince } from "@/api/lost";
import { Toasts } from "@/design/Toast";
import { classes } from "@/kit/classes";
import { askBeforeLeaving } from "@/kit/leaving";
import { useStore } from "@/kit/store";
import { whenIdle } from "@/kit/whenIdle";
import { useReturnAfterExpiry } from "@/session/returning";
import { useAccountTheme } from "@/session/theme";
import { Banners } from "@/shell/Banners";
import { focusComposer } from "@/shell/composer";
import { Footer } from "@/shell/Footer";
import { Header } from "@/shell/Header";
import { Screens } from "@/shell/Screens";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={askBeforeLeaving}>
        <Shell />
        <Toasts />
      </Router>
    </QueryClientProvider>
  );
}

/** They belong to no screen. If they cannot be loaded, the app works without them until the browser is online. */
function useKeys(): ComponentType | null {
  const [Keys, setKeys] = useState<ComponentType | null>(null);
  const load = () =>
    import("@/shell/Keys").then(
      (found) => setKeys(() => found.default),
      () => addEventListener("online", load, { once: true }),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => whenIdle(() => void load()), []);
  return Keys;
}

const SKIP =
  "sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-raised focus:px-3 focus:py-2";

function Shell() {
  const [path] = useLocation();
  const Keys = useKeys();
  const isLost = useStore(lostSince) !== null;
  const hasChat = path === "/" || path.startsWith("/bots/");
  useAccountTheme();
  useReturnAfterExpiry();
  return (
    <div className="flex min-h-dvh flex-col">
      <a className={SKIP} href="#main">
        Skip to the content
      </a>
      {hasChat && (
        <button className={SKIP} onClick={focusComposer} type="button">
          Skip to the chat
        </button>
      )}
      {Keys && <Keys />}
      <Header />
      <Banners />
      <main className={classes("stack flex-1", isLost && "greyed")} id="main" tabIndex={-1}>
        <Screens />
      </main>
      <Footer />
    </div>
  );
}
