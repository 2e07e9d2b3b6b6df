import { queries } from "@/api/client";

export function Footer() {
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <footer className="mt-auto flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
      <span>No real trade is ever made.</span>
      <a className="underline underline-offset-2 hover:text-ink" href="/docs">
        API documentation
      </a>
      <a
        className="underline underline-offset-2 hover:text-ink"
        href="https://www.tradingview.com/"
        rel="noreferrer"
        target="_blank"
      >
        Charts by TradingView
      </a>
      {info && <span className="figures ml-auto">Version {info.version}</span>}
    </footer>
  );
}
