import type { Schemas } from "@/api/client";
import { instrumentOf, useTokenName } from "@/backtests/instrument";
import { chainName } from "@/market/chains";
import { universeWords } from "@/purse/many";
import { useSettings } from "@/session/user";

type Bot = Schemas["ListedBot"];

/** The default token of its runs. Its symbol is fetched only for cards that were scrolled to. */
export default function Place({ bot, seen }: { bot: Bot; seen: boolean }) {
  const { default_chain } = useSettings();
  const instrument = bot.token ? instrumentOf(bot.token, bot.chain, default_chain) : null;
  const name = useTokenName(seen ? instrument : null);
  const chain = instrument?.chain ?? bot.chain;
  if (bot.universe) return <span className="truncate">{universeWords(bot.universe)}</span>;
  return (
    <span className="truncate">
      {[instrument ? name : "Any token", chain && chainName(chain)].filter(Boolean).join(" on ")}
    </span>
  );
}
