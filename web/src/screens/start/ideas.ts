/** Three ideas that a click tries out, each on a token of the demo market that shows it well. */
import type { LentToken } from "@/chat/firstTest";

export type Example = { title: string; idea: string; token: LentToken };

export const EXAMPLES: readonly Example[] = [
  {
    title: "Buy the dip",
    idea: "Buy PIPO when it falls 4% within 2 hours, sell at 6% profit or 4% loss, then test it",
    token: { symbol: "PIPO", token: "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N", chain: "solana" },
  },
  {
    title: "Ride the breakout",
    idea: "Buy ECHO when it rises 4% within 1 hour, with a trailing stop of 4%, and test it",
    token: { symbol: "ECHO", token: "0xc0c22785ac1640625f2db52e74032f78a082a4d9", chain: "base" },
  },
  {
    title: "Follow the crowd",
    idea: "Buy SOL when the volume is 2x its 4h average, stop loss 4%, hold at most 12 hours. Test it.",
    token: { symbol: "SOL", token: "So11111111111111111111111111111111111111112", chain: "solana" },
  },
];

/** The text of the idea. It names its token only in the demo market, which is sure to have it. */
export function ideaFor({ idea, token }: Example, isDemo: boolean): string {
  return isDemo ? idea : idea.replace(` ${token.symbol}`, "");
}
