import { Link } from "wouter";
import { queries } from "@/api/client";

/** What everyone must know on every screen: that the market is not a real one. */
export function Banners() {
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  if (info?.provider !== "demo") return null;
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
