/** Symbols of tokens in chat results, stored in this browser, because a visitor cannot query the market. */
import { recall, remember } from "@/kit/storage";
import { Store, useStore } from "@/kit/store";

type Names = Record<string, string>;

const KEY = "strategybot.token-names";
const MOST = 200;

function stored(): Names {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(recall(KEY) ?? "{}")).filter(isName));
  } catch {
    return {};
  }
}

function isName(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string" && entry[1] !== "";
}

const names = new Store<Names>(stored());

/** Stores every token with a symbol in a tool result, which may be one or a list. */
export function learnNames(found: unknown): void {
  const known = names.get();
  const fresh = (Array.isArray(found) ? found : [found])
    .map((token): [string, unknown] => [String(token?.token_id), token?.token_id && token?.symbol])
    .filter(isName)
    .filter(([id, symbol]) => known[id] !== symbol);
  if (fresh.length === 0) return;
  const next = Object.fromEntries([...Object.entries(known), ...fresh].slice(-MOST));
  remember(KEY, JSON.stringify(next));
  names.set(next);
}

/** The symbol of an address, on whichever chain. */
export function useSymbols(): (address: string) => string | undefined {
  const known = Object.entries(useStore(names));
  return (address) => known.find(([id]) => id.startsWith(`${address}-`))?.[1];
}

export function useKnownName(tokenId: string): string | undefined {
  return useStore(names)[tokenId];
}
