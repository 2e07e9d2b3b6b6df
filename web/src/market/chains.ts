/** The chains that the providers know best. Others work by their own short name. */
export const CHAINS: Record<string, string> = {
  solana: "Solana",
  eth: "Ethereum",
  bsc: "BNB Chain",
  base: "Base",
  arbitrum: "Arbitrum",
  optimism: "Optimism",
  polygon: "Polygon",
  avalanche: "Avalanche",
};

export function chainName(chain: string): string {
  return CHAINS[chain] ?? chain;
}
