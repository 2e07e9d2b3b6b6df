import { useEffect } from "react";
import { Link } from "wouter";
import { queries } from "@/api/client";
import { usePreference } from "@/kit/preference";
import { useStore } from "@/kit/store";
import { isOnline } from "@/shell/connection";

/** Banners on every screen: the browser is offline, or the market is the demo market. */
export function Banners() {
  return (
    <>
      <OfflineBanner />
      <DemoBanner />
    </>
  );
}

function OfflineBanner() {
  if (useStore(isOnline)) return null;
  return (
    <p className="border-b border-line bg-down-soft px-4 py-1.5 text-center text-small text-down" role="status">
      <strong className="font-semibold">You are offline.</strong> What you see may be old. It goes on by itself once you
      are connected again.
    </p>
  );
}

/** As at the last visit until the server says it, so that the page below does not move. */
function DemoBanner() {
  const [wasDemo, remember] = usePreference("demo-market", false);
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  const isDemo = info ? info.provider === "demo" : wasDemo;
  useEffect(() => {
    if (isDemo !== wasDemo) remember(isDemo);
  });
  if (!isDemo) return null;
  return (
    <aside
      aria-label="Demo market"
      className="border-b border-line bg-warn-soft px-4 py-1.5 text-center text-small text-warn"
    >
      <strong className="font-semibold">Demo market.</strong> All prices are invented
      <span className="max-sm:hidden">, so that you can try everything</span>.{" "}
      <Link className="underline underline-offset-2 max-sm:hidden" href="/market">
        See its tokens
      </Link>
    </aside>
  );
}
